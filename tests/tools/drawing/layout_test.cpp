// takt dot: where nodes stand and lines run.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <map>
#include <sstream>
#include <utility>
#include <variant>
#include <vector>

#include "evaluators/evaluate.hpp"
#include "tests/support/evaluations.hpp"
#include "tests/support/random_documents.hpp"
#include "tests/tools/drawing/dot_graph.hpp"
#include "tools/drawing/drawing.hpp"
#include "tools/drawing/layout.hpp"
#include "tpn/event_graph.hpp"
#include "tpn/models.hpp"

namespace takt::tools {

namespace {

using testing::Attributes;
using testing::drawn;
using testing::drawn_cases;
using testing::DrawnCase;
using testing::Net;
using testing::net_of;
using testing::ReadGraph;

PagePoint position_of(const Attributes& attributes) {
  PagePoint point;
  char comma = 0;
  std::istringstream(attributes.at("pos")) >> point.x >> comma >> point.y;
  return point;
}

// A straight piece of a line, level or upright.
struct Piece {
  PagePoint from;
  PagePoint to;
  std::size_t line = 0;
  bool is_end = false;  // touches a box
};

bool is_level(const Piece& piece) { return std::abs(piece.from.y - piece.to.y) < 1e-6; }

std::vector<Piece> pieces_of(const Drawing& drawing) {
  std::vector<Piece> pieces;
  for (std::size_t k = 0; k < drawing.edges.size(); ++k) {
    const auto& corners = drawing.edges[k].corners;
    for (std::size_t i = 0; i + 1 < corners.size(); ++i) {
      pieces.push_back({corners[i], corners[i + 1], k, i == 0 || i + 2 == corners.size()});
    }
  }
  return pieces;
}

// Whether a piece runs through a box. It may end on a border.
bool crosses(const Piece& piece, const DrawnNode& box) {
  const double reach_x = box.width / 2 - 0.5;
  const double reach_y = box.height / 2 - 0.5;
  const auto [left, right] = std::minmax({piece.from.x, piece.to.x});
  const auto [low, high] = std::minmax({piece.from.y, piece.to.y});
  return right >= box.center.x - reach_x && left <= box.center.x + reach_x && high >= box.center.y - reach_y &&
         low <= box.center.y + reach_y;
}

// Whether two pieces run along one another.
bool overlap(const Piece& a, const Piece& b) {
  if (is_level(a) != is_level(b)) return false;
  const auto across = [&](const PagePoint& point) { return is_level(a) ? point.y : point.x; };
  const auto along = [&](const PagePoint& point) { return is_level(a) ? point.x : point.y; };
  if (std::abs(across(a.from) - across(b.from)) > 0.5) return false;
  const auto [a_first, a_last] = std::minmax({along(a.from), along(a.to)});
  const auto [b_first, b_last] = std::minmax({along(b.from), along(b.to)});
  return std::min(a_last, b_last) - std::max(a_first, b_first) > 0.5;
}

// Where a box, the border of the page or another line is hit.
struct Hits {
  std::size_t boxes = 0;
  std::size_t outside = 0;
  std::size_t lines = 0;
};

Hits hits_of(const Drawing& drawing) {
  const std::vector<Piece> pieces = pieces_of(drawing);
  Hits hits;
  for (const Piece& piece : pieces) {
    for (const PagePoint& end : {piece.from, piece.to}) {
      if (end.x < 0 || end.x > drawing.width || end.y < 0 || end.y > drawing.height) ++hits.outside;
    }
    for (const DrawnNode& node : drawing.nodes) {
      if (node.shape == DrawnNode::Shape::box && crosses(piece, node)) ++hits.boxes;
    }
  }
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      // Lines of one box leave it, or enter it, at the same height.
      const DrawnEdge& a = drawing.edges[pieces[i].line];
      const DrawnEdge& b = drawing.edges[pieces[j].line];
      const bool may_meet = pieces[i].is_end && pieces[j].is_end && (a.from == b.from || a.to == b.to);
      if (pieces[i].line != pieces[j].line && !may_meet && overlap(pieces[i], pieces[j])) ++hits.lines;
    }
  }
  return hits;
}

void require_clear(const Drawing& drawing) {
  const Hits hits = hits_of(drawing);
  REQUIRE(hits.boxes == 0);
  REQUIRE(hits.outside == 0);
  REQUIRE(hits.lines == 0);
}

void require_clear(const tpn::Document& document, const tpn::FoldedNet& net) {
  const tpn::EventGraph graph = std::get<tpn::EventGraph>(tpn::unfold(net, net.pipeline.rows.get_ui()));
  const evaluators::Evaluation evaluation = evaluators::evaluate(net);
  require_clear(draw_unfolded({document, net, evaluation}, graph, PlaceForm::arcs));
  require_clear(draw_folded({document, net, evaluation}));
}

}  // namespace

TEST_CASE("transitions of a row stand in a line, those of a column below one another, rows downwards") {
  for (const DrawnCase& c : drawn_cases()) {
    INFO(c.file << " " << c.name);
    const Net net = net_of(c.file, c.model);
    const ReadGraph drawing = drawn(c.file, c.name);
    CHECK(drawing.attributes.at("layout") == "nop2");
    std::map<std::size_t, double> x;
    std::map<std::uint64_t, double> y;
    for (std::size_t v = 0; v < boost::num_vertices(net.graph); ++v) {
      const auto& transition = net.graph[v];
      const PagePoint at = position_of(drawing.nodes.at(fmt::format("T{}_{}", transition.column, transition.row)));
      CHECK(x.try_emplace(transition.column, at.x).first->second == at.x);
      CHECK(y.try_emplace(transition.row, at.y).first->second == at.y);
    }
    for (std::size_t column = 1; column < x.size(); ++column) CHECK(x.at(column - 1) + 100 < x.at(column));
    for (std::uint64_t row = 1; row < y.size(); ++row) CHECK(y.at(row) + 40 < y.at(row - 1));
  }
}

TEST_CASE("lines are drawn around the boxes") {
  for (const DrawnCase& c : drawn_cases()) {
    INFO(c.file << " " << c.name);
    const Net net = net_of(c.file, c.model);
    const Drawing drawing = draw_unfolded({net.document, net.folded, net.evaluation}, net.graph, PlaceForm::circles);
    std::size_t hits = 0;
    for (const DrawnEdge& edge : drawing.edges) {
      for (std::size_t i = 0; i + 1 < edge.corners.size(); ++i) {
        const auto [a, b] = std::pair(edge.corners[i], edge.corners[i + 1]);
        CHECK((a.x == Approx(b.x) || a.y == Approx(b.y)));
        for (const DrawnNode& node : drawing.nodes) {
          if (node.shape == DrawnNode::Shape::text) continue;
          // A line may end on a border, not inside; a circle stands where two lines meet.
          const double reach_x = node.width / 2 - 0.5;
          const double reach_y = node.height / 2 - 0.5;
          const bool apart =
              std::max(a.x, b.x) < node.center.x - reach_x || std::min(a.x, b.x) > node.center.x + reach_x ||
              std::max(a.y, b.y) < node.center.y - reach_y || std::min(a.y, b.y) > node.center.y + reach_y;
          if (!apart) ++hits;
        }
      }
    }
    CHECK(hits == 0);
  }
}

TEST_CASE("no line of a random net crosses a box, leaves the page or runs along another") {
  for (const support::Kind kind : support::kKinds) {
    for (std::uint64_t seed = 0; seed < 12; ++seed) {
      const tpn::Document document = support::random_document(kind, seed);
      for (const tpn::Model& model : tpn::default_models()) {
        INFO("kind " << static_cast<int>(kind) << ", seed " << seed << ", " << tpn::name_of(model));
        const tpn::FoldedNet net = support::net_of(document, model);
        if (net.pipeline.rows * net.pipeline.columns.size() <= 80) require_clear(document, net);
      }
    }
  }
  constexpr std::array<std::array<std::size_t, 3>, 4> kReplications = {{{2, 3, 4}, {4, 1, 6}, {3, 5, 1}, {6, 4, 2}}};
  for (const auto& replication : kReplications) {
    const tpn::Document document = support::uniform_document(replication, 1, 9, 1);
    for (const tpn::Model& model : tpn::default_models()) {
      INFO(replication[0] << ", " << replication[1] << ", " << replication[2] << ", " << tpn::name_of(model));
      require_clear(document, support::net_of(document, model));
    }
  }
}

TEST_CASE("no two nodes of a drawing overlap, words included") {
  for (const DrawnCase& c : drawn_cases()) {
    INFO(c.file << " " << c.name);
    const Net net = net_of(c.file, c.model);
    const Drawing drawing = draw_unfolded({net.document, net.folded, net.evaluation}, net.graph, PlaceForm::circles);
    for (const DrawnNode& a : drawing.nodes) {
      CHECK(a.center.x - a.width / 2 >= 0);
      CHECK(a.center.x + a.width / 2 <= drawing.width);
      CHECK(a.center.y - a.height / 2 >= 0);
      CHECK(a.center.y + a.height / 2 <= drawing.height);
    }
    std::size_t overlaps = 0;
    for (std::size_t i = 0; i < drawing.nodes.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        const DrawnNode& a = drawing.nodes[i];
        const DrawnNode& b = drawing.nodes[j];
        if (std::abs(a.center.x - b.center.x) < (a.width + b.width) / 2 &&
            std::abs(a.center.y - b.center.y) < (a.height + b.height) / 2) {
          ++overlaps;
        }
      }
    }
    CHECK(overlaps == 0);
  }
}

}  // namespace takt::tools
