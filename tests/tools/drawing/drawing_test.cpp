// takt dot: the transitions, places and marks that it draws, against the net.
#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "evaluators/evaluate.hpp"
#include "tests/tools/drawing/dot_graph.hpp"
#include "tests/tools/program.hpp"
#include "tools/drawing/drawing.hpp"
#include "tools/drawing/graphviz.hpp"
#include "tools/drawing/layout.hpp"
#include "tpn/event_graph.hpp"
#include "tpn/reader.hpp"

namespace takt::tools {

namespace {

using testing::Attributes;
using testing::drawn;
using testing::drawn_cases;
using testing::DrawnCase;
using testing::is_marked;
using testing::Net;
using testing::net_of;
using testing::ReadEdge;
using testing::ReadGraph;
using testing::source;
using testing::text_of;

std::uint64_t tokens_of(const Attributes& place) {
  if (!place.at("label").empty()) return std::stoull(place.at("label"));
  return place.at("peripheries") == "2" ? 1 : 0;
}

}  // namespace

TEST_CASE("a drawing has a node for each transition and each place, two arcs per place, and its tokens") {
  for (const DrawnCase& c : drawn_cases()) {
    INFO(c.file << " " << c.name);
    const Net net = net_of(c.file, c.model);
    const ReadGraph drawing = drawn(c.file, c.name);
    CHECK(drawing.of_class("transition").size() == boost::num_vertices(net.graph));
    CHECK(drawing.of_class("place").size() == boost::num_edges(net.graph));
    REQUIRE(drawing.edges.size() == 2 * boost::num_edges(net.graph));

    // (from, to, tokens) of all places, drawn and meant.
    using Triple = std::tuple<std::string, std::string, std::uint64_t>;
    std::map<std::string, std::pair<std::string, std::string>> ends;
    for (const ReadEdge& edge : drawing.edges) {
      if (edge.from.starts_with("p")) ends[edge.from].second = edge.to;
      if (edge.to.starts_with("p")) ends[edge.to].first = edge.from;
    }
    std::multiset<Triple> shown;
    for (const auto& [place, pair] : ends) shown.emplace(pair.first, pair.second, tokens_of(drawing.nodes.at(place)));
    std::multiset<Triple> meant;
    const auto name = [&](std::size_t transition) {
      return fmt::format("T{}_{}", net.graph[transition].column, net.graph[transition].row);
    };
    const auto [first, last] = boost::edges(net.graph);
    for (auto edge = first; edge != last; ++edge) {
      meant.emplace(name(boost::source(*edge, net.graph)), name(boost::target(*edge, net.graph)),
                    net.graph[*edge].tokens);
    }
    CHECK(shown == meant);
  }
}

TEST_CASE("as arcs, a drawing has one edge for each place and shows tokens on them") {
  for (const DrawnCase& c : drawn_cases()) {
    INFO(c.file << " " << c.name);
    const Net net = net_of(c.file, c.model);
    const ReadGraph drawing = drawn(c.file, c.name, {"--arcs"});
    CHECK(drawing.of_class("transition").size() == boost::num_vertices(net.graph));
    CHECK(drawing.of_class("place").empty());
    CHECK(drawing.edges.size() == boost::num_edges(net.graph));
    const auto [first, last] = boost::edges(net.graph);
    const auto holding = std::count_if(first, last, [&](const auto& edge) { return net.graph[edge].tokens == 1; });
    CHECK(holding > 0);
    CHECK(std::ranges::count_if(
              drawing.edges, [](const ReadEdge& edge) { return edge.attributes.at("arrowtail") == "dot"; }) == holding);
  }
}

TEST_CASE("boxes name stage or file, processors, data set and duration") {
  const ReadGraph drawing = drawn("example-a.json", "strict");
  CHECK(drawing.nodes.at("T2_1").at("label") == "S1\\non P2\\ndata set 1: 128");
  CHECK(drawing.nodes.at("T1_1").at("label") == "S0's file\\nP0 → P2\\ndata set 1: 192");
  CHECK(drawing.nodes.at("heading2").at("label") == "S1\\non P1, P2");
  CHECK(drawing.nodes.at("title").at("label") ==
        "STRICT ONE-PORT — example-a (reconstructed) — period 692/3 ≈ 230.6667");
  const ReadGraph parts = drawn("several-parts.json", "overlap");
  CHECK(parts.nodes.at("T0_0").at("label") == "source\\ndata set 0: 0");
  CHECK(parts.nodes.at("T4_0").at("label") == "stitch–detect\\non gpu-1\\ndata set 0: 35/4");
}

TEST_CASE("exactly the places and transitions of the critical circuit are marked, in color and weight") {
  for (const DrawnCase& c : drawn_cases()) {
    INFO(c.file << " " << c.name);
    const Net net = net_of(c.file, c.model);
    const ReadGraph drawing = drawn(c.file, c.name);
    // The circuit's transitions, followed over as many laps as it takes to close in the unfolded net.
    const std::uint64_t rows = net.folded.pipeline.rows.get_ui();
    std::set<std::string> meant;
    std::multiset<std::pair<std::string, std::string>> steps;
    std::uint64_t data_set = net.evaluation.circuit.data_set;
    do {
      for (std::size_t t = 0; t < net.evaluation.circuit.steps.size(); ++t) {
        const auto& step = net.evaluation.circuit.steps[t];
        const auto& next = net.evaluation.circuit.steps[(t + 1) % net.evaluation.circuit.steps.size()];
        const std::string from = fmt::format("T{}_{}", step.column, data_set % rows);
        data_set += step.height;
        meant.insert(from);
        steps.emplace(from, fmt::format("T{}_{}", next.column, data_set % rows));
      }
    } while (data_set % rows != net.evaluation.circuit.data_set % rows);

    std::set<std::string> marked;
    std::map<std::string, std::pair<std::string, std::string>> ends;
    for (const std::string& node : drawing.of_class("transition")) {
      if (!is_marked(drawing.nodes.at(node))) continue;
      marked.insert(node);
      CHECK(std::stod(drawing.nodes.at(node).at("penwidth")) >= 3);
    }
    CHECK(marked == meant);
    for (const ReadEdge& edge : drawing.edges) {
      const bool enters = edge.to.starts_with("p");
      const std::string& place = enters ? edge.to : edge.from;
      CHECK(is_marked(edge.attributes) == is_marked(drawing.nodes.at(place)));
      CHECK((std::stod(edge.attributes.at("penwidth")) >= 3) == is_marked(edge.attributes));
      if (is_marked(edge.attributes)) (enters ? ends[place].first : ends[place].second) = enters ? edge.from : edge.to;
    }
    std::multiset<std::pair<std::string, std::string>> shown;
    for (const auto& [place, pair] : ends) shown.insert(pair);
    CHECK(shown == steps);
  }
}

TEST_CASE("ports differ from one another by color and by dash") {
  const ReadGraph drawing = drawn("example-a.json", "overlap");
  std::map<std::string, std::set<std::string>> dashes;
  std::map<std::string, std::set<std::string>> colors;
  for (const ReadEdge& edge : drawing.edges) {
    if (is_marked(edge.attributes)) continue;
    const std::string tooltip = edge.attributes.at("tooltip");
    const std::string resource = tooltip.substr(0, tooltip.find(','));
    dashes[resource.substr(resource.find(' ') + 1)].insert(edge.attributes.at("style"));
    colors[resource.substr(0, resource.find(' '))].insert(edge.attributes.at("color"));
  }
  CHECK(dashes == std::map<std::string, std::set<std::string>>{
                      {"file", {"solid"}}, {"compute", {"solid"}}, {"in-port", {"dashed"}}, {"out-port", {"dotted"}}});
  std::set<std::string> all;
  for (const auto& [processor, used] : colors) {
    CHECK(used.size() == 1);
    all.insert(used.begin(), used.end());
  }
  CHECK(all.size() == 8);  // seven processors and the flow
}

TEST_CASE("an interval is drawn without a mark") {
  Net net = net_of("example-a.json", tpn::Model::kStrict);
  evaluators::Options options;
  options.max_rows = 1;
  net.evaluation = evaluators::evaluate(net.folded, options);
  REQUIRE_FALSE(net.evaluation.exact());
  const Subject subject{net.document, net.folded, net.evaluation};
  for (const Drawing& drawing : {draw_unfolded(subject, net.graph, PlaceForm::circles), draw_folded(subject)}) {
    CHECK(to_dot(drawing).find("#d50000") == std::string::npos);
    CHECK(to_dot(drawing).find("critical") == std::string::npos);
  }
}

TEST_CASE("the folded net has one box per column and an edge for each kind of dependence") {
  const ReadGraph overlap = drawn("example-c.json", "overlap", {"--collapse"});
  CHECK(overlap.of_class("transition").size() == 7);
  CHECK(overlap.edges.size() == 6 + 4 + 3 + 3);
  CHECK(overlap.nodes.at("C1").at("label") == "S0's file\\nP0, … (5) → P5, … (21)\\nrepeats every 105\\ntakes 5 to 15");
  std::multiset<std::string> labels;
  for (const ReadEdge& edge : overlap.edges) labels.insert(edge.attributes.at("label"));
  CHECK(labels.count("h = 21") == 3);  // S1's computation, its in port and its out port
  CHECK(labels.count("") == 6);        // the flow

  const tpn::Document document = tpn::read_document(text_of(source("examples/example-c.json")), "c");
  const auto folded = std::get<tpn::FoldedNet>(tpn::fold(document, tpn::Model::kStrict));
  const evaluators::Evaluation evaluation = evaluators::evaluate(folded);
  const ReadGraph strict = drawn("example-c.json", "strict", {"--collapse"});
  std::set<std::string> meant;
  for (const auto& step : evaluation.circuit.steps) meant.insert(fmt::format("C{}", step.column));
  for (const std::string& box : strict.of_class("transition")) {
    CHECK(is_marked(strict.nodes.at(box)) == meant.contains(box));
  }
}

TEST_CASE("guards of the folded net are told, one by its residue and many by their number") {
  const ReadGraph one = drawn("weighted-round-robin.json", "overlap", {"--collapse"});
  std::set<std::string> labels;
  for (const ReadEdge& edge : one.edges) labels.insert(edge.attributes.at("label"));
  CHECK(labels.contains("h = 1 … 3\\n3 guards"));
  const ReadGraph parts = drawn("several-parts.json", "strict", {"--collapse"});
  CHECK(std::ranges::any_of(parts.edges, [](const ReadEdge& edge) { return edge.attributes.at("label") == "h = 1"; }));
}

}  // namespace takt::tools
