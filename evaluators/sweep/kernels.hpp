// The inner loops of a sweep: blocks of rows, column by column, several segments of the rows side by side.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "evaluators/kernel/instructions.hpp"

namespace takt::evaluators {

/// One column's operations within a window of rows: the latest input plus the duration.
/// Every pointer to ends and durations counts in numbers, `lanes` to a row.
struct LaneColumn {
  std::int64_t* out = nullptr;                // ends of the window's rows
  const std::int64_t* first = nullptr;        // predecessors' ends, the same rows less the height
  const std::int64_t* second = nullptr;       // where inputs >= 2
  const std::int64_t* const* more = nullptr;  // where inputs > 2
  std::size_t inputs = 0;
  const std::int64_t* durations = nullptr;  // `period` rows, and a block more that repeats the first
  std::size_t period = 1;
  std::size_t position = 0;  // the next row of `durations`
  // Where choices are recorded: for each input but the first, one bit per lane that says whether it came later than all
  // inputs before it; flag_bytes(lanes) bytes per input.
  std::uint8_t* flags = nullptr;
};

/// Neighboring columns that wait for one another, but for none that come later; `block` rows of one of them need
/// nothing of one another, nor of the later ones.
struct LaneGroup {
  std::size_t columns = 0;
  std::size_t block = 1;
};

/// A window of rows to play.
struct LaneWindow {
  std::span<LaneColumn> columns;
  std::span<const LaneGroup> groups;  // of all columns, in order
  std::size_t rows = 0;
  std::size_t lanes = 1;        // 1, or a multiple of kLanesAtOnce
  std::size_t flags_a_row = 0;  // bytes from a row's flags to the next row's
};

inline constexpr std::size_t kLanesAtOnce = 8;

inline constexpr std::size_t flag_bytes(std::size_t lanes) { return (lanes + 7) / 8; }

/// Plays a window and moves the positions on.
using LaneKernel = void (*)(const LaneWindow& window);

/// Plays without and with recording choices.
struct LaneKernels {
  LaneKernel play = nullptr;
  LaneKernel record = nullptr;
};

LaneKernels lane_kernels(Instructions instructions);

}  // namespace takt::evaluators
