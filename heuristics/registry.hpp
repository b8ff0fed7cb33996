// All mapping heuristics, by name.
#pragma once

#include <span>
#include <string_view>

#include "heuristics/heuristic.hpp"

namespace takt::heuristics {

/// All heuristics, in the order in which they are listed and run.
std::span<const Heuristic> heuristics();

/// The heuristic of that name, or null.
const Heuristic* find_heuristic(std::string_view name);

}  // namespace takt::heuristics
