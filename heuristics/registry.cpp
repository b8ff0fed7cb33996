// The table of heuristics: a line for the declaration, a line for the row.
#include "heuristics/registry.hpp"

#include <algorithm>
#include <vector>

namespace takt::heuristics {

// Each in a file of its own.
Heuristic calibrate();
Heuristic dpm();
Heuristic hedpm();

std::span<const Heuristic> heuristics() {
  static const std::vector<Heuristic> kHeuristics = {
      hedpm(),
      dpm(),
      calibrate(),
  };
  return kHeuristics;
}

const Heuristic* find_heuristic(std::string_view name) {
  const auto all = heuristics();
  const auto found = std::ranges::find(all, name, &Heuristic::name);
  return found == all.end() ? nullptr : &*found;
}

}  // namespace takt::heuristics
