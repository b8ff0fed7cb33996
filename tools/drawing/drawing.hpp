// What is drawn of a net: boxes for operations, circles for places, lines, their words and styles.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "evaluators/evaluation.hpp"
#include "tools/drawing/layout.hpp"
#include "tpn/document.hpp"
#include "tpn/event_graph.hpp"
#include "tpn/folded_net.hpp"

namespace takt::tools {

enum class Dash { solid, dashed, dotted };

struct Stroke {
  std::string color = "#000000";
  Dash dash = Dash::solid;
  double width = 1;  // points
};

/// How many tokens a place shows: a dot for one, a number for more.
struct Tokens {
  std::uint64_t count = 0;
};

struct DrawnNode {
  enum class Shape { text, box, circle };
  std::string name;  // unique; letters and digits
  Shape shape = Shape::text;
  std::vector<std::string> lines;  // any text whatever
  std::string tooltip;
  PagePoint center;
  double width = 0;
  double height = 0;
  Stroke stroke;
  std::string fill = "#ffffff";
  double font_size = 10;
  enum class Weight { regular, bold } weight = Weight::regular;
  Tokens tokens;  // of a circle
};

struct DrawnEdge {
  std::size_t from = 0;  // indices into Drawing::nodes
  std::size_t to = 0;
  std::vector<PagePoint> corners;  // from the border of one node to that of the other
  Stroke stroke;
  std::string tooltip;
  Tokens tokens;          // of a place that is drawn as this edge alone
  std::size_t piece = 0;  // they stand on the way from corner `piece` to the next, at `spot`
  PagePoint spot;
  std::vector<std::string> lines;  // a label
  PagePoint label;                 // its middle
};

/// A drawing of width x height points, its origin at the lower left.
struct Drawing {
  std::string name;  // letters, digits, spaces and hyphens
  double width = 0;
  double height = 0;
  std::vector<DrawnNode> nodes;
  std::vector<DrawnEdge> edges;
};

/// What a drawing shows of a net. The critical circuit is marked where the evaluation is exact.
struct Subject {
  const tpn::Document& document;
  const tpn::FoldedNet& net;
  const evaluators::Evaluation& evaluation;
};

/// Places as circles with two arcs each, or as arcs alone.
enum class PlaceForm { circles, arcs };

/// The unfolded net: a line for each row, a column for each operation. The transition of column c and row r
/// is the node "Tc_r"; the place of edge k of the event graph, "pk".
/// [benoit2009throughput, figures 4 and 5]
Drawing draw_unfolded(const Subject& subject, const tpn::EventGraph& graph, PlaceForm form);

/// The folded net: one box "Cc" for each column, one edge for all dependences of a kind between two columns.
Drawing draw_folded(const Subject& subject);

}  // namespace takt::tools
