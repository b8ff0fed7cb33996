// The table of the solvers of cycle ratios: a row each, which declares the solver's function as well.
#pragma once

#include <span>
#include <string_view>

#include "maxplus/deadline.hpp"
#include "maxplus/token_graph.hpp"

/// The solvers, the one to use by default first. A row: the function, by whose name users know it; how it
/// works; its cost, in words; whether its memory is linear in the graph.
#define TAKT_CYCLE_RATIO_SOLVERS(ROW)                                                            \
  ROW(howard, "policy iteration", "rounds of linear time, few in practice; memory linear", true) \
  ROW(karp, "a table of walks", "time and memory grow with the square of the tokens", false)     \
  ROW(burns, "a falling ratio", "rounds of linear time, often many; memory linear", true)

namespace takt::maxplus {

/// A solver of the largest cycle ratio: exact on every graph, a SolverLimit aside, and a SolverTimeout where the
/// deadline passes.
struct CycleRatioSolver {
  std::string_view name;
  std::string_view summary;
  std::string_view cost;
  bool is_linear = false;  // memory linear in the graph
  CycleRatio (*solve)(const TokenGraph& graph, const Deadline& deadline) = nullptr;
};

/// All solvers, in the order of the table.
std::span<const CycleRatioSolver> cycle_ratio_solvers();

/// The solver to use by default.
const CycleRatioSolver& default_solver();

/// The solver of that name; null if there is none.
const CycleRatioSolver* find_solver(std::string_view name);

#define TAKT_DECLARE_SOLVER(function, summary, cost, is_linear) \
  CycleRatio function(const TokenGraph& graph, const Deadline& deadline = {});
TAKT_CYCLE_RATIO_SOLVERS(TAKT_DECLARE_SOLVER)
#undef TAKT_DECLARE_SOLVER

}  // namespace takt::maxplus
