// The rows of the table of solvers as values.
#include "maxplus/solvers.hpp"

#include <algorithm>
#include <array>

namespace takt::maxplus {

namespace {

#define TAKT_SOLVER_ROW(function, summary, cost, is_linear) \
  CycleRatioSolver{#function, summary, cost, is_linear, function},
constexpr std::array kSolvers = {TAKT_CYCLE_RATIO_SOLVERS(TAKT_SOLVER_ROW)};
#undef TAKT_SOLVER_ROW

}  // namespace

std::span<const CycleRatioSolver> cycle_ratio_solvers() { return kSolvers; }

const CycleRatioSolver& default_solver() { return kSolvers.front(); }

const CycleRatioSolver* find_solver(std::string_view name) {
  const auto* const found = std::ranges::find(kSolvers, name, &CycleRatioSolver::name);
  return found == kSolvers.end() ? nullptr : found;
}

}  // namespace takt::maxplus
