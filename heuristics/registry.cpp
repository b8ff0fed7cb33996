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
Heuristic homogeneous_dp();

std::span<const Heuristic> heuristics() {
  static const std::vector<Heuristic> kHeuristics = {
      bs121(), spl(), bsl(), bsc(), random(), greedy(), homogeneous_dp(),
  };
  return kHeuristics;
}

const Heuristic* find_heuristic(std::string_view name) {
  const auto all = heuristics();
  const auto found = std::ranges::find(all, name, &Heuristic::name);
  return found == all.end() ? nullptr : &*found;
}

}  // namespace takt::heuristics
