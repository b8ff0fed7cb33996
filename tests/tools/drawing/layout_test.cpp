// takt dot: where nodes stand and lines run.
#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <map>
#include <sstream>
#include <utility>

#include "tests/tools/drawing/dot_graph.hpp"
#include "tools/drawing/drawing.hpp"
#include "tools/drawing/layout.hpp"
#include "tpn/event_graph.hpp"

namespace takt::tools {

namespace {

using testing::Attributes;
using testing::Case;
using testing::drawn;
using testing::drawn_cases;
using testing::Net;
using testing::net_of;
using testing::ReadGraph;

Point position_of(const Attributes& attributes) {
  Point point;
  char comma = 0;
  std::istringstream(attributes.at("pos")) >> point.x >> comma >> point.y;
  return point;
}

}  // namespace

TEST_CASE("transitions of a row stand in a line, those of a column below one another, rows downwards") {
  for (const Case& c : drawn_cases()) {
    INFO(c.file << " " << c.name);
    const Net net = net_of(c.file, c.model);
    const ReadGraph drawing = drawn(c.file, c.name);
    CHECK(drawing.attributes.at("layout") == "nop2");
    std::map<std::size_t, double> x;
    std::map<std::uint64_t, double> y;
    for (std::size_t v = 0; v < boost::num_vertices(net.graph); ++v) {
      const auto& transition = net.graph[v];
      const Point at = position_of(drawing.nodes.at(fmt::format("T{}_{}", transition.column, transition.row)));
      CHECK(x.try_emplace(transition.column, at.x).first->second == at.x);
      CHECK(y.try_emplace(transition.row, at.y).first->second == at.y);
    }
    for (std::size_t column = 1; column < x.size(); ++column) CHECK(x.at(column - 1) + 100 < x.at(column));
    for (std::uint64_t row = 1; row < y.size(); ++row) CHECK(y.at(row) + 40 < y.at(row - 1));
  }
}

TEST_CASE("lines are drawn around the boxes") {
  for (const Case& c : drawn_cases()) {
    INFO(c.file << " " << c.name);
    const Net net = net_of(c.file, c.model);
    const Drawing drawing = draw_unfolded({net.document, net.folded, net.evaluation}, net.graph, PlaceForm::circles);
    std::size_t hits = 0;
    for (const Edge& edge : drawing.edges) {
      for (std::size_t i = 0; i + 1 < edge.corners.size(); ++i) {
        const auto [a, b] = std::pair(edge.corners[i], edge.corners[i + 1]);
        CHECK((a.x == Approx(b.x) || a.y == Approx(b.y)));
        for (const Node& node : drawing.nodes) {
          if (node.shape == Node::Shape::text) continue;
          // A line may end on a border, not inside; a circle stands where two lines meet.
          const double reach_x = node.width / 2 - 0.5;
          const double reach_y = node.height / 2 - 0.5;
          const bool apart =
              std::max(a.x, b.x) < node.centre.x - reach_x || std::min(a.x, b.x) > node.centre.x + reach_x ||
              std::max(a.y, b.y) < node.centre.y - reach_y || std::min(a.y, b.y) > node.centre.y + reach_y;
          if (!apart) ++hits;
        }
      }
    }
    CHECK(hits == 0);
  }
}

TEST_CASE("no two nodes of a drawing overlap, words included") {
  for (const Case& c : drawn_cases()) {
    INFO(c.file << " " << c.name);
    const Net net = net_of(c.file, c.model);
    const Drawing drawing = draw_unfolded({net.document, net.folded, net.evaluation}, net.graph, PlaceForm::circles);
    for (const Node& a : drawing.nodes) {
      CHECK(a.centre.x - a.width / 2 >= 0);
      CHECK(a.centre.x + a.width / 2 <= drawing.width);
      CHECK(a.centre.y - a.height / 2 >= 0);
      CHECK(a.centre.y + a.height / 2 <= drawing.height);
    }
    std::size_t overlaps = 0;
    for (std::size_t i = 0; i < drawing.nodes.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        const Node& a = drawing.nodes[i];
        const Node& b = drawing.nodes[j];
        if (std::abs(a.centre.x - b.centre.x) < (a.width + b.width) / 2 &&
            std::abs(a.centre.y - b.centre.y) < (a.height + b.height) / 2) {
          ++overlaps;
        }
      }
    }
    CHECK(overlaps == 0);
  }
}

}  // namespace takt::tools
