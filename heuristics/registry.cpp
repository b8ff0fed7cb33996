// The table of heuristics: a line for the declaration, a line for the row.
#include "heuristics/registry.hpp"

#include <algorithm>
#include <vector>

namespace takt::heuristics {

// Each in a file of its own.
Heuristic bs121();
Heuristic spl();
Heuristic bsl();
Heuristic bsc();
Heuristic random();
Heuristic greedy();
Heuristic exhaustive();
Heuristic homogeneous_dp();
Heuristic hedpm();
Heuristic dpm();
Heuristic calibrate();
Heuristic pdm();
Heuristic homogeneous_dp_divided();
Heuristic chain_dp();
Heuristic chain_approx();
Heuristic random_sampling();
Heuristic hill_climbing();
Heuristic simulated_annealing();
Heuristic polish();

std::span<const Heuristic> heuristics() {
  // clang-format off
  static const std::vector<Heuristic> kHeuristics = {
      bs121(),
      spl(),
      bsl(),
      bsc(),
      random(),
      greedy(),
      exhaustive(),
      homogeneous_dp(),
      hedpm(),
      dpm(),
      calibrate(),
      pdm(),
      homogeneous_dp_divided(),
      chain_dp(),
      chain_approx(),
      random_sampling(),
      hill_climbing(),
      simulated_annealing(),
      polish(),
  };
  // clang-format on
  return kHeuristics;
}

const Heuristic* find_heuristic(std::string_view name) {
  const auto all = heuristics();
  const auto found = std::ranges::find(all, name, &Heuristic::name);
  return found == all.end() ? nullptr : &*found;
}

}  // namespace takt::heuristics
