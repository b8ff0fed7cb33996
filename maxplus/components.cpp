// Strongly connected components and the token-free order, both by Boost's depth-first search.
#include "maxplus/components.hpp"

#ifdef BOOST_RECURSIVE_DFS
#error "a chain of places without tokens can be a million long: the depth-first search must not recurse"
#endif

#include <boost/graph/depth_first_search.hpp>
#include <boost/graph/filtered_graph.hpp>
#include <boost/graph/strong_components.hpp>
#include <boost/property_map/property_map.hpp>

#include <algorithm>
#include <utility>

namespace takt::maxplus {

namespace {

using Edge = boost::graph_traits<TokenGraph>::edge_descriptor;

struct HoldsNoToken {
  const TokenGraph* graph = nullptr;
  bool operator()(const Edge& edge) const { return (*graph)[edge].tokens == 0; }
};

using TokenFreeGraph = boost::filtered_graph<TokenGraph, HoldsNoToken>;

/// Lists the vertices as they are finished, heads before tails, and the first cycle met.
class TokenFreeVisitor : public boost::default_dfs_visitor {
 public:
  TokenFreeVisitor(std::vector<std::size_t>& finished, std::vector<std::size_t>& cycle, std::vector<Edge>& entered_by)
      : finished_(finished), cycle_(cycle), entered_by_(entered_by) {}

  void tree_edge(const Edge& edge, const TokenFreeGraph& graph) { entered_by_[target(edge, graph)] = edge; }

  void back_edge(const Edge& edge, const TokenFreeGraph& graph) {
    if (!cycle_.empty()) return;
    const auto index = get(boost::edge_index, graph.m_g);
    cycle_.push_back(get(index, edge));
    for (std::size_t at = source(edge, graph); at != target(edge, graph); at = source(entered_by_[at], graph)) {
      cycle_.push_back(get(index, entered_by_[at]));
    }
    std::ranges::reverse(cycle_);
  }

  void finish_vertex(std::size_t vertex, const TokenFreeGraph&) { finished_.push_back(vertex); }

 private:
  std::vector<std::size_t>& finished_;
  std::vector<std::size_t>& cycle_;
  std::vector<Edge>& entered_by_;
};

}  // namespace

std::variant<std::vector<std::size_t>, Deadlock> token_free_order(const TokenGraph& graph) {
  const std::size_t vertices = num_vertices(graph);
  std::vector<std::size_t> finished;
  finished.reserve(vertices);
  Deadlock deadlock;
  std::vector<Edge> entered_by(vertices);
  const TokenFreeGraph token_free(graph, HoldsNoToken{&graph});
  std::vector<boost::default_color_type> colors(vertices);
  boost::depth_first_search(token_free, TokenFreeVisitor(finished, deadlock.arcs, entered_by),
                            boost::make_iterator_property_map(colors.begin(), get(boost::vertex_index, graph)));
  if (!deadlock.arcs.empty()) return deadlock;
  std::ranges::reverse(finished);
  return finished;
}

Components cyclic_components(const TokenGraph& graph, std::span<const std::size_t> order) {
  const std::size_t vertices = num_vertices(graph);
  expects(order.size() == vertices, "an order names every vertex");
  std::vector<std::size_t> component(vertices);
  const auto index = get(boost::vertex_index, graph);
  const std::size_t count = static_cast<std::size_t>(
      boost::strong_components(graph, boost::make_iterator_property_map(component.begin(), index)));

  std::vector<bool> holds_arc(count, false);
  for (std::size_t tail = 0; tail < vertices; ++tail) {
    const auto [begin, end] = out_edges(tail, graph);
    for (auto edge = begin; edge != end; ++edge) {
      if (component[tail] == component[target(*edge, graph)]) holds_arc[component[tail]] = true;
    }
  }

  std::vector<std::size_t> sizes(count, 0);
  for (const std::size_t c : component) ++sizes[c];
  Components result;
  std::vector<std::size_t> next(count);
  for (std::size_t c = 0; c < count; ++c) {
    if (!holds_arc[c]) continue;
    next[c] = result.first_.back();
    result.first_.push_back(next[c] + sizes[c]);
  }
  result.members_.resize(result.first_.back());
  for (const std::size_t vertex : order) {
    if (holds_arc[component[vertex]]) result.members_[next[component[vertex]]++] = vertex;
  }
  return result;
}

}  // namespace takt::maxplus
