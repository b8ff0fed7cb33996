// The text to cgraph, and its edges to names.
#include "tools/drawing/graphviz_edges.hpp"

#include <fmt/format.h>
#include <graphviz/cgraph.h>

#include <memory>

#include "tools/command.hpp"

namespace takt::tools {

namespace {

// Graphviz keeps what it complains of in a place for all threads; nothing else reads graphs here.
std::string& complaints() {
  static std::string collected;
  return collected;
}

int collect(char* message) {
  complaints() += message;
  return 0;
}

std::string text_of_label(Agedge_t* edge) {
  const char* const label = agget(edge, const_cast<char*>("label"));  // NOLINT(*-const-cast): cgraph does not change it
  return label == nullptr ? "" : label;
}

}  // namespace

std::vector<DotEdge> edges_of_dot(const std::string& text, const std::string& file) {
  complaints().clear();
  const agusererrf before = agseterrf(collect);
  struct GraphCloser {
    void operator()(Agraph_t* graph) const { agclose(graph); }
  };
  const std::unique_ptr<Agraph_t, GraphCloser> graph(agmemread(text.c_str()));
  agseterrf(before);
  if (graph == nullptr || !complaints().empty()) {
    std::string said = complaints();
    while (!said.empty() && (said.back() == '\n' || said.back() == ' ')) said.pop_back();
    throw FileError(
        fmt::format("{}: found no graph in DOT, expected one such as digraph {{ a -> b [label=\"5 MB\"] }}{}{}", file,
                    said.empty() ? "" : ": ", said));
  }
  if (agisdirected(graph.get()) == 0)
    throw FileError(fmt::format("{}: found an undirected graph, expected a digraph with edges a -> b", file));
  std::vector<DotEdge> edges;
  for (Agnode_t* node = agfstnode(graph.get()); node != nullptr; node = agnxtnode(graph.get(), node)) {
    for (Agedge_t* edge = agfstout(graph.get(), node); edge != nullptr; edge = agnxtout(graph.get(), edge))
      edges.push_back({agnameof(agtail(edge)), agnameof(aghead(edge)), text_of_label(edge)});
  }
  return edges;
}

}  // namespace takt::tools
