// Exact numbers as ranks: comparing many of them again and again is then comparing small integers.
#pragma once

#include <cstdint>
#include <vector>

#include "maxplus/rational.hpp"

namespace takt::heuristics {

/// Numbers, fewer than 2^32, sorted and without repetitions; in their place, by index, the rank of each.
struct RankedValues {
  explicit RankedValues(const std::vector<maxplus::Rational>& numbers);

  std::vector<maxplus::Rational> values;
  std::vector<std::uint32_t> ranks;
};

}  // namespace takt::heuristics
