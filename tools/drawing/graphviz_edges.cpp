// The text to cgraph, and its edges to names.
#include "tools/drawing/graphviz_edges.hpp"

#include <fmt/format.h>

#include <memory>

#include "tools/command.hpp"
#include "tools/drawing/graphviz_library.hpp"

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
  // cgraph does not change it.
  const char* const label = graphviz().agget(edge, const_cast<char*>("label"));  // NOLINT(*-const-cast)
  return label == nullptr ? "" : label;
}

}  // namespace

std::vector<DotEdge> edges_of_dot(const std::string& text, const std::string& file) {
  complaints().clear();
  const agusererrf before = graphviz().agseterrf(collect);
  struct GraphCloser {
    void operator()(Agraph_t* graph) const { graphviz().agclose(graph); }
  };
  const std::unique_ptr<Agraph_t, GraphCloser> graph(graphviz().agmemread(text.c_str()));
  graphviz().agseterrf(before);
  if (graph == nullptr || !complaints().empty()) {
    std::string said = complaints();
    while (!said.empty() && (said.back() == '\n' || said.back() == ' ')) said.pop_back();
    throw FileError(
        fmt::format("{}: found no graph in DOT, expected one such as digraph {{ a -> b [label=\"5 MB\"] }}{}{}", file,
                    said.empty() ? "" : ": ", said));
  }
  if (graphviz().agisdirected(graph.get()) == 0)
    throw FileError(fmt::format("{}: found an undirected graph, expected a digraph with edges a -> b", file));
  std::vector<DotEdge> edges;
  const Graphviz& cgraph = graphviz();
  for (Agnode_t* node = cgraph.agfstnode(graph.get()); node != nullptr; node = cgraph.agnxtnode(graph.get(), node)) {
    for (Agedge_t* edge = cgraph.agfstout(graph.get(), node); edge != nullptr;
         edge = cgraph.agnxtout(graph.get(), edge))
      edges.push_back({cgraph.agnameof(agtail(edge)), cgraph.agnameof(aghead(edge)), text_of_label(edge)});
  }
  return edges;
}

}  // namespace takt::tools
