// Making token graphs from lists of arcs, and cycles' ratios from their arcs.
#include "maxplus/token_graph.hpp"

#include <boost/iterator/transform_iterator.hpp>

#include <utility>

namespace takt::maxplus {

TokenGraph make_token_graph(std::size_t vertices, std::span<const ListedArc> arcs) {
  for (const ListedArc& arc : arcs) {
    expects(arc.from < vertices && arc.to < vertices, "an arc joins vertices of its graph");
  }
  const auto ends = [](const ListedArc& arc) { return std::pair(arc.from, arc.to); };
  const auto content = [](const ListedArc& arc) { return TokenArc{arc.weight, arc.tokens}; };
  return {boost::edges_are_unsorted_multi_pass, boost::make_transform_iterator(arcs.begin(), ends),
          boost::make_transform_iterator(arcs.end(), ends), boost::make_transform_iterator(arcs.begin(), content),
          vertices};
}

CriticalCycle critical_cycle(const TokenGraph& graph, std::vector<std::size_t> arcs) {
  expects(!arcs.empty(), "a cycle has arcs");
  Integer weight;
  Integer tokens;
  std::size_t at = target(edge_from_index(arcs.back(), graph), graph);
  for (const std::size_t arc : arcs) {
    const auto edge = edge_from_index(arc, graph);
    expects(source(edge, graph) == at, "the arcs of a cycle follow each other");
    at = target(edge, graph);
    weight += graph[edge].weight;
    tokens += graph[edge].tokens;
  }
  expects(tokens > 0, "a cycle with a ratio holds a token");
  return {Rational::fraction(weight, tokens), std::move(arcs)};
}

}  // namespace takt::maxplus
