// What one pass of a sweep answers, however it is played.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "evaluators/kernel/numbers.hpp"

namespace takt::evaluators {

enum class PassOutcome {
  done,
  out_of_time,
  too_wide,  // a number might not fit: another kind of numbers must try
};

/// The longest paths into every clock. The rows are cut into segments that are played each from its own clocks: clock
/// s * tokens + t is that of token t before the first row of segment s, and its path came from the clock
/// `origins[s * tokens + t]` of the segment before (the last segment's, for s = 0).
template <typename Number>
struct SweepArcs {
  std::vector<Number> values;  // when the path ends, if its origin's clock says when it starts
  std::vector<std::uint32_t> origins;
};

/// Operations that may pass between two looks at the time.
inline constexpr std::uint64_t kOperationsBetweenClockReadings = 1 << 18;

}  // namespace takt::evaluators
