// Longest token-free paths between token arcs, along the token-free order.
#include "maxplus/contraction.hpp"

#include <algorithm>
#include <limits>

#include "maxplus/flat_graph.hpp"
#include "maxplus/none.hpp"

namespace takt::maxplus {

namespace {

/// Heaviest token-free paths from one vertex at a time, over positions that follow the token-free order.
template <typename Scalar>
class TokenFreePaths {
 public:
  explicit TokenFreePaths(const FlatGraph<Scalar>& graph)
      : graph_(graph),
        weight_(graph.size()),
        last_arc_(graph.size()),
        tail_(graph.size()),
        from_(graph.size(), kNone<std::uint32_t>) {}

  /// Calls reach(u, weight) for `start` and every vertex up to `last` reached from it, in order.
  template <typename Reach>
  void search(std::uint32_t start, std::uint32_t last, Reach reach) {
    weight_[start] = 0;
    last_arc_[start] = kNone<std::uint32_t>;
    from_[start] = ++searches_;
    for (std::uint32_t u = start; u < last; ++u) {
      if (from_[u] != searches_) continue;
      reach(u, weight_[u]);
      for (std::uint32_t arc = graph_.first[u]; arc < graph_.first[u + 1]; ++arc) {
        if (graph_.arcs[arc].tokens == 0) extend(u, arc);
      }
    }
  }

  /// The arcs of the heaviest path from the last search's start to `u`, which it reached.
  std::vector<std::uint32_t> path_to(std::uint32_t u) const {
    std::vector<std::uint32_t> arcs;
    for (; last_arc_[u] != kNone<std::uint32_t>; u = tail_[u]) arcs.push_back(last_arc_[u]);
    std::ranges::reverse(arcs);
    return arcs;
  }

 private:
  void extend(std::uint32_t tail, std::uint32_t arc) {
    const std::uint32_t head = graph_.arcs[arc].head;
    const Scalar weight = weight_[tail] + graph_.arcs[arc].weight;
    if (from_[head] == searches_ && weight <= weight_[head]) return;
    from_[head] = searches_;
    weight_[head] = weight;
    last_arc_[head] = arc;
    tail_[head] = tail;
  }

  const FlatGraph<Scalar>& graph_;
  std::vector<Scalar> weight_;
  std::vector<std::uint32_t> last_arc_;
  std::vector<std::uint32_t> tail_;
  std::vector<std::uint32_t> from_;  // the search that reached the vertex last
  std::uint32_t searches_ = 0;
};

std::size_t count_of(std::int64_t count) { return static_cast<std::size_t>(count); }
std::size_t count_of(const Integer& count) { return count.get_ui(); }

/// Where each component ends, by position.
std::vector<std::uint32_t> ends(const Components& components) {
  std::vector<std::uint32_t> result;
  std::size_t end = 0;
  for (std::size_t c = 0; c < components.size(); ++c) {
    end += components.members(c).size();
    result.push_back(static_cast<std::uint32_t>(end));
  }
  return result;
}

template <typename Scalar>
Contraction contract_flat(const TokenGraph& graph, const Components& components) {
  const FlatGraph<Scalar> flat = flatten<Scalar>(graph, components);
  Contraction result;
  result.first.push_back(0);

  std::vector<std::size_t> vertex_of(flat.arcs.size());
  std::uint32_t arc = 0;
  for (const std::uint32_t end : ends(components)) {
    for (; arc < flat.first[end]; ++arc) {
      const std::size_t tokens = count_of(flat.arcs[arc].tokens);
      vertex_of[arc] = result.token_arc.size();
      result.token_arc.insert(result.token_arc.end(), tokens, flat.edge_index[arc]);
    }
    result.first.push_back(result.token_arc.size());
  }

  std::vector<ListedArc> arcs;
  TokenFreePaths<Scalar> paths(flat);
  arc = 0;
  for (const std::uint32_t end : ends(components)) {
    for (; arc < flat.first[end]; ++arc) {
      const std::size_t tokens = count_of(flat.arcs[arc].tokens);
      if (tokens == 0) continue;
      const std::size_t entry = vertex_of[arc];
      const std::size_t exit = entry + tokens - 1;
      for (std::size_t vertex = entry; vertex < exit; ++vertex) arcs.push_back({vertex, vertex + 1, 0, 1});
      paths.search(flat.arcs[arc].head, end, [&](std::uint32_t tail, const Scalar& weight) {
        for (std::uint32_t next = flat.first[tail]; next < flat.first[tail + 1]; ++next) {
          if (flat.arcs[next].tokens == 0) continue;
          arcs.push_back({exit, vertex_of[next], Integer(weight + flat.arcs[next].weight), 1});
        }
      });
    }
  }
  result.graph = make_token_graph(result.token_arc.size(), arcs);
  return result;
}

template <typename Scalar>
std::vector<std::size_t> expand_flat(const TokenGraph& graph, const Components& components,
                                     const Contraction& contraction, std::span<const std::size_t> cycle) {
  const FlatGraph<Scalar> flat = flatten<Scalar>(graph, components);
  std::vector<std::uint32_t> position(num_vertices(graph));
  for (std::uint32_t i = 0; i < flat.size(); ++i) position[components.all_members()[i]] = i;
  TokenFreePaths<Scalar> paths(flat);
  std::vector<std::size_t> arcs;
  for (const std::size_t step : cycle) {
    const auto edge = edge_from_index(step, contraction.graph);
    const std::size_t to = target(edge, contraction.graph);
    const std::size_t leaves = contraction.token_arc[source(edge, contraction.graph)];
    const std::size_t enters = contraction.token_arc[to];
    const bool within_one_arc = to > 0 && contraction.token_arc[to - 1] == enters;
    if (within_one_arc) continue;
    const std::uint32_t start = position[target(edge_from_index(leaves, graph), graph)];
    const std::uint32_t goal = position[source(edge_from_index(enters, graph), graph)];
    paths.search(start, goal, [](std::uint32_t, const Scalar&) {});
    for (const std::uint32_t arc : paths.path_to(goal)) arcs.push_back(flat.edge_index[arc]);
    arcs.push_back(enters);
  }
  return arcs;
}

/// A path of n vertices and a token arc weigh at most (n + 1) W.
bool narrow_contraction_suffices(const TokenGraph& graph) {
  const auto [weight, tokens] = magnitudes(graph);
  return fits_int64(Integer(num_vertices(graph) + 1) * weight) && fits_int64(tokens);
}

}  // namespace

std::vector<std::uint64_t> tokens_by_component(const TokenGraph& graph, const Components& components) {
  std::vector<std::size_t> component(num_vertices(graph), components.size());
  for (std::size_t c = 0; c < components.size(); ++c) {
    for (const std::size_t vertex : components.members(c)) component[vertex] = c;
  }
  std::vector<std::uint64_t> result(components.size(), 0);
  const auto [begin, end] = edges(graph);
  for (auto edge = begin; edge != end; ++edge) {
    const std::size_t c = component[source(*edge, graph)];
    if (c == components.size() || component[target(*edge, graph)] != c) continue;
    if (__builtin_add_overflow(result[c], graph[*edge].tokens, &result[c])) {
      result[c] = std::numeric_limits<std::uint64_t>::max();
    }
  }
  return result;
}

Contraction contract(const TokenGraph& graph, const Components& components) {
  expect_flattable(graph);
  return narrow_contraction_suffices(graph) ? contract_flat<std::int64_t>(graph, components)
                                            : contract_flat<Integer>(graph, components);
}

std::vector<std::size_t> expand(const TokenGraph& graph, const Components& components, const Contraction& contraction,
                                std::span<const std::size_t> cycle) {
  return narrow_contraction_suffices(graph) ? expand_flat<std::int64_t>(graph, components, contraction, cycle)
                                            : expand_flat<Integer>(graph, components, contraction, cycle);
}

}  // namespace takt::maxplus
