// Inside the solvers: from a solver of one strongly connected component to one of a graph.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "maxplus/components.hpp"
#include "maxplus/deadline.hpp"
#include "maxplus/flat_graph.hpp"
#include "maxplus/token_graph.hpp"

namespace takt::maxplus {

/// What solve(components) answers; or, if no cycle has a ratio, why. The deadline is seen between the linear steps.
template <typename Solve>
CycleRatio solve_components(const TokenGraph& graph, const Deadline& deadline, Solve solve) {
  expect_flattable(graph);
  auto order = token_free_order(graph);
  if (auto* deadlock = std::get_if<Deadlock>(&order)) return std::move(*deadlock);
  if (has_passed(deadline)) return SolverTimeout{};
  const Components components = cyclic_components(graph, std::get<std::vector<std::size_t>>(order));
  if (components.size() == 0) return NoCycle{};
  if (has_passed(deadline)) return SolverTimeout{};
  return solve(components);
}

/// The critical cycle of largest ratio over all components, the first at a tie; nothing if the deadline passes. A
/// `ComponentSolver` is made of a flat graph, whose vertices stand in a token-free order within each component, and of
/// a deadline; its solve(first, last) answers for the component at positions first .. last - 1 with the arcs of a
/// critical cycle, none if the deadline has passed.
template <typename ComponentSolver, typename Scalar>
std::optional<CriticalCycle> best_over(const TokenGraph& graph, const Components& components,
                                       const Deadline& deadline) {
  const FlatGraph<Scalar> flat = flatten<Scalar>(graph, components);
  ComponentSolver solver(flat, deadline);
  std::optional<CriticalCycle> best;
  std::uint32_t first = 0;
  for (std::size_t c = 0; c < components.size(); ++c) {
    const std::uint32_t last = first + static_cast<std::uint32_t>(components.members(c).size());
    std::vector<std::size_t> arcs;
    for (const std::uint32_t arc : solver.solve(first, last)) arcs.push_back(flat.edge_index[arc]);
    if (arcs.empty()) return std::nullopt;
    CriticalCycle cycle = critical_cycle(graph, std::move(arcs));
    if (!best || cycle.ratio > best->ratio) best = std::move(cycle);
    first = last;
  }
  return best;
}

/// A critical cycle as an answer; without one the deadline has passed.
inline CycleRatio answer_of(std::optional<CriticalCycle> cycle) {
  if (!cycle) return SolverTimeout{};
  return *std::move(cycle);
}

/// Vertices of the largest component.
inline std::size_t largest_size(const Components& components) {
  std::size_t largest = 0;
  for (std::size_t c = 0; c < components.size(); ++c) largest = std::max(largest, components.members(c).size());
  return largest;
}

}  // namespace takt::maxplus
