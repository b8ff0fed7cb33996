// The table of heuristics: one row each.
#include "heuristics/registry.hpp"

#include <algorithm>
#include <vector>

namespace takt::heuristics {

// In the order in which they are listed and run. ROW(name) stands for the function `Heuristic name()` in a file of its
// own.
// clang-format off
#define TAKT_HEURISTICS(ROW) \
  ROW(bs121) \
  ROW(spl) \
  ROW(bsl) \
  ROW(bsc) \
  ROW(random) \
  ROW(greedy) \
  ROW(exhaustive) \
  ROW(interval_optimal) \
  ROW(homogeneous_dp) \
  ROW(hedpm) \
  ROW(dpm) \
  ROW(calibrate) \
  ROW(pdm) \
  ROW(homogeneous_dp_divided) \
  ROW(chain_dp) \
  ROW(chain_approx) \
  ROW(random_sampling) \
  ROW(hill_climbing) \
  ROW(simulated_annealing) \
  ROW(clique_optimal) \
  ROW(greedy_cpu) \
  ROW(coarse_grained) \
  ROW(typed_dp) \
  ROW(polish)
// clang-format on

#define TAKT_DECLARE(name) Heuristic name();
TAKT_HEURISTICS(TAKT_DECLARE)
#undef TAKT_DECLARE

std::span<const Heuristic> heuristics() {
#define TAKT_CALL(name) name(),
  static const std::vector<Heuristic> kHeuristics = {TAKT_HEURISTICS(TAKT_CALL)};
#undef TAKT_CALL
  return kHeuristics;
}

const Heuristic* find_heuristic(std::string_view name) {
  const auto all = heuristics();
  const auto found = std::ranges::find(all, name, &Heuristic::name);
  return found == all.end() ? nullptr : &*found;
}

}  // namespace takt::heuristics
