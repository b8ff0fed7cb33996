// The table of heuristics: a line for the declaration, a line for the row.
#include "heuristics/registry.hpp"

#include <algorithm>
#include <vector>

namespace takt::heuristics {

// Each in a file of its own.
// (declarations)
Heuristic pdm();
Heuristic homogeneous_dp_divided();
Heuristic chain_dp();
Heuristic chain_approx();
Heuristic random_sampling();
Heuristic hill_climbing();
Heuristic simulated_annealing();

std::span<const Heuristic> heuristics() {
  static const std::vector<Heuristic> kHeuristics = {
      // (rows)
      pdm(),
      homogeneous_dp_divided(),
      chain_dp(),
      chain_approx(),
      random_sampling(),
      hill_climbing(),
      simulated_annealing(),
  };
  return kHeuristics;
}

const Heuristic* find_heuristic(std::string_view name) {
  const auto all = heuristics();
  const auto found = std::ranges::find(all, name, &Heuristic::name);
  return found == all.end() ? nullptr : &*found;
}

}  // namespace takt::heuristics
