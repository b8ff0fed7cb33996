// The program of long numbers: by 64 bits, and exactly where these leave it open.
//
// Problem. Measured times have a common denominator of many digits, and the program is slow in such numbers.
//
// Method. Two programs on a grid of 64 bits, with times rounded up and down, bound what a plan costs from both sides.
// An edge whose cheapest way is dearer than a known plan is dropped; what is left is decided by the grid where both
// roundings agree, in exact numbers elsewhere.
//
// Invariant. Of plans of equal cost, machines and period the answer has the one that the exact program has.
#pragma once

#include <optional>

#include "plan/typed/edges.hpp"

namespace takt::plan {

/// As solve; `exact` are the query's edges by these scales. Nothing if the grid does not say enough: too coarse for
/// the period, no plan on it, or potentials wanted and no cost on which both roundings agree. Throws PlanTimeUp.
std::optional<ProgramAnswer> solve_by_grid(const Catalogue& catalogue, const Query& query, const Edges<Integer>& exact,
                                           const Scales& scales, bool with_potentials);

}  // namespace takt::plan
