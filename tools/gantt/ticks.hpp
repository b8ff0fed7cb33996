// The ticks of an axis: round numbers, exactly, few enough to be read.
#pragma once

#include <string>
#include <vector>

#include "maxplus/rational.hpp"

namespace takt::tools {

struct AxisTick {
  maxplus::Rational value;
  std::string label;  // exact, as a decimal: "0.25", "−400"
};

/// The multiples, from `from` to `to`, of the first of 1, 2, 5 times a power of ten that has at most `most` of them
/// there. `from` is below `to`.
std::vector<AxisTick> axis_ticks(const maxplus::Rational& from, const maxplus::Rational& to, std::size_t most = 8);

}  // namespace takt::tools
