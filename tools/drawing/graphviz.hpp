// Drawings as DOT text and as pictures: the only part of takt that knows Graphviz.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tools/drawing/drawing.hpp"

namespace takt::tools {

enum class PictureFormat { dot, svg, png, pdf };

/// The format a file's name asks for by its ending: .dot or .gv, .svg, .png, .pdf.
std::optional<PictureFormat> format_of(std::string_view path);

/// Pixels of a PNG's longer side.
double pixels(const Drawing& drawing);

/// The drawing as DOT text, positions included: `dot -Tsvg` keeps them, for the graph names its own engine,
/// nop2 (neato -n2).
std::string to_dot(const Drawing& drawing);

/// The bytes of a picture. The same drawing gives the same DOT and SVG everywhere the fonts are the same.
/// Throws FileError if Graphviz fails, with its own words. One thread at a time draws; others wait.
std::string render(const Drawing& drawing, PictureFormat format);

/// A graph whose boxes are to stand from left to right along its edges, all of one size in points; an edge has a label
/// of that width, or none.
struct BoxGraph {
  struct Edge {
    std::size_t from = 0;
    std::size_t to = 0;
    double label_width = 0;
  };
  std::size_t boxes = 0;
  double width = 0;
  double height = 0;
  double label_height = 0;
  std::vector<Edge> edges;  // no two between the same boxes
};

/// Where everything stands, in points, y downwards.
struct PlacedBoxes {
  double width = 0;
  double height = 0;
  std::vector<PagePoint> centers;  // of the boxes
  std::vector<std::vector<PagePoint>>
      edges;                      // control points of cubic Bezier curves, 3 k + 1 of them, that cross no box
  std::vector<PagePoint> labels;  // their middles; of edges that have one
};

/// By Graphviz' own layout of directed graphs. Throws and locks as `render`.
PlacedBoxes placed(const BoxGraph& graph);

}  // namespace takt::tools
