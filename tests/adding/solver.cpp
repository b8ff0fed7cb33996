// climb: the largest cycle ratio of a token graph by better and better cycles, exactly.
//
// Problem: the largest ratio of weights to tokens over the cycles of a graph, and a cycle that attains it.
//
// Method: at lambda = p / q each arc weighs q w - p t, and Bellman-Ford raises x(head) to x(tail) plus that. Where arcs
// that raised their heads last close a cycle, its ratio is above lambda and becomes lambda. Where nothing rises, the x
// prove that no cycle has more. lambda begins below every ratio.
//
// Invariant: lambda is the ratio of a cycle, or less than all, and rises: no cycle is found twice.
//
// Cost: time n e for each lambda, n vertices and e arcs; memory linear. The number of lambdas has no good bound.
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "maxplus/by_component.hpp"
#include "maxplus/none.hpp"
#include "maxplus/solvers.hpp"

namespace takt::maxplus {

namespace {

constexpr std::size_t kNoArc = kNone<std::size_t>;

std::vector<ListedArc> arcs_of(const TokenGraph& graph) {
  std::vector<ListedArc> arcs(boost::num_edges(graph));
  for (auto [arc, end] = boost::edges(graph); arc != end; ++arc) {
    arcs[boost::get(boost::edge_index, graph, *arc)] = {boost::source(*arc, graph), boost::target(*arc, graph),
                                                        graph[*arc].weight, graph[*arc].tokens};
  }
  return arcs;
}

// A cycle of the arcs that raised their heads last, in order along it, if they close one.
std::optional<std::vector<std::size_t>> closed_cycle(const std::vector<std::size_t>& raised_by,
                                                     const std::vector<ListedArc>& arcs) {
  std::vector<std::size_t> seen_from(raised_by.size(), kNoArc);
  for (std::size_t start = 0; start < raised_by.size(); ++start) {
    std::size_t v = start;
    while (seen_from[v] == kNoArc && raised_by[v] != kNoArc) {
      seen_from[v] = start;
      v = arcs[raised_by[v]].from;
    }
    if (seen_from[v] != start || raised_by[v] == kNoArc) continue;
    std::vector<std::size_t> backwards;
    for (std::size_t u = v; backwards.empty() || u != v; u = arcs[raised_by[u]].from) backwards.push_back(raised_by[u]);
    return std::vector<std::size_t>(backwards.rbegin(), backwards.rend());
  }
  return std::nullopt;
}

// A cycle of a ratio above lambda, if there is one and the deadline does not pass before it is found.
std::optional<std::vector<std::size_t>> better_cycle(std::size_t vertices, const std::vector<ListedArc>& arcs,
                                                     const Rational& lambda, DeadlineWatch& watch) {
  std::vector<Integer> x(vertices);
  std::vector<std::size_t> raised_by(vertices, kNoArc);
  for (;;) {
    bool has_risen = false;
    for (std::size_t a = 0; a < arcs.size(); ++a) {
      const Integer reached =
          x[arcs[a].from] + lambda.denominator() * arcs[a].weight - lambda.numerator() * arcs[a].tokens;
      if (reached <= x[arcs[a].to]) continue;
      x[arcs[a].to] = reached;
      raised_by[arcs[a].to] = a;
      has_risen = true;
    }
    if (!has_risen || watch.has_passed(static_cast<double>(arcs.size()))) return std::nullopt;
    if (auto cycle = closed_cycle(raised_by, arcs)) return cycle;
  }
}

}  // namespace

CycleRatio climb(const TokenGraph& graph, const Deadline& deadline) {
  return solve_components(graph, deadline, [&](const Components&) -> CycleRatio {
    const std::vector<ListedArc> arcs = arcs_of(graph);
    Integer below = -1;
    for (const ListedArc& arc : arcs) below -= abs(arc.weight);
    CriticalCycle best{Rational(below), {}};
    DeadlineWatch watch(deadline);
    while (auto cycle = better_cycle(boost::num_vertices(graph), arcs, best.ratio, watch)) {
      best = critical_cycle(graph, std::move(*cycle));
    }
    if (watch.has_passed()) return SolverTimeout{};
    return best;
  });
}

}  // namespace takt::maxplus
