// Graphviz reads what the program writes.
#include "tests/tools/drawing/dot_graph.hpp"

#include <graphviz/cgraph.h>

#include <catch2/catch.hpp>
#include <memory>
#include <utility>
#include <variant>

#include "evaluators/evaluate.hpp"
#include "tests/tools/program.hpp"
#include "tools/command.hpp"
#include "tpn/reader.hpp"

namespace takt::testing {

namespace {

Attributes attributes_of(Agraph_t* graph, void* object, int kind) {
  Attributes result;
  for (Agsym_t* symbol = agnxtattr(graph, kind, nullptr); symbol != nullptr; symbol = agnxtattr(graph, kind, symbol)) {
    result[symbol->name] = agxget(object, symbol);
  }
  return result;
}

}  // namespace

ReadGraph read_dot(const std::string& text) {
  const std::unique_ptr<Agraph_t, int (*)(Agraph_t*)> graph(agmemread(text.c_str()), agclose);
  REQUIRE(graph != nullptr);
  ReadGraph result;
  result.attributes = attributes_of(graph.get(), graph.get(), AGRAPH);
  for (Agnode_t* node = agfstnode(graph.get()); node != nullptr; node = agnxtnode(graph.get(), node)) {
    result.nodes[agnameof(node)] = attributes_of(graph.get(), node, AGNODE);
    for (Agedge_t* edge = agfstout(graph.get(), node); edge != nullptr; edge = agnxtout(graph.get(), edge)) {
      result.edges.push_back(
          {agnameof(agtail(edge)), agnameof(aghead(edge)), attributes_of(graph.get(), edge, AGEDGE)});
    }
  }
  return result;
}

ReadGraph drawn(const std::string& file, const std::string& model, const std::vector<std::string>& options) {
  const Outcome outcome = takt(appended({"dot", source("examples/" + file), "--model", model}, options));
  INFO(outcome.err);
  REQUIRE(outcome.status == tools::kAnswered);
  REQUIRE(outcome.err.empty());
  return read_dot(outcome.out);
}

bool is_marked(const Attributes& attributes) { return attributes.at("color") == "#d50000"; }

Net net_of(const std::string& file, tpn::Model model) {
  tpn::Document document = tpn::read_document(text_of(source("examples/" + file)), file);
  auto folded = std::get<tpn::FoldedNet>(tpn::fold(document, model));
  auto graph = std::get<tpn::EventGraph>(tpn::unfold(folded, 1000));
  evaluators::Evaluation evaluation = evaluators::evaluate(folded);
  return {std::move(document), std::move(folded), std::move(graph), std::move(evaluation)};
}

const std::vector<DrawnCase>& drawn_cases() {
  static const std::vector<DrawnCase> kCases = {{"example-a.json", tpn::Model::kOverlap, "overlap"},
                                                {"example-a.json", tpn::Model::kStrict, "strict"},
                                                {"example-b.json", tpn::Model::kOverlap, "overlap"},
                                                {"hedpm-case-study.json", tpn::Model::kStrict, "strict"},
                                                {"several-parts.json", tpn::Model::kOverlap, "overlap"},
                                                {"several-parts.json", tpn::Model::kStrict, "strict"},
                                                {"weighted-round-robin.json", tpn::Model::kOverlap, "overlap"}};
  return kCases;
}

}  // namespace takt::testing
