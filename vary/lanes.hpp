// The inner loop of a play: one operation of several copies under several arrivals.
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "evaluators/kernel/instructions.hpp"

namespace takt::vary {

/// Copies of a play that are played side by side.
inline constexpr std::size_t kLanes = 16;

/// A number for each of these copies.
struct alignas(64) LaneRow {
  std::array<double, kLanes> numbers{};

  double& operator[](std::size_t lane) { return numbers[lane]; }
  double operator[](std::size_t lane) const { return numbers[lane]; }
};

/// One operation: a row for each scenario, but of the durations, which are those of all.
struct LaneOperation {
  LaneRow* end = nullptr;
  std::span<const LaneRow* const> predecessors;  // their ends
  const LaneRow* durations = nullptr;
  const LaneRow* arrivals = nullptr;  // null if it is no operation by which a data set arrives
  std::size_t scenarios = 1;
};

/// Each end is the latest of its predecessors' and its arrival, at least 0, and the duration: the same bits whatever
/// the instructions are.
using FireLanes = void (*)(const LaneOperation& operation);

FireLanes fire_lanes(evaluators::Instructions instructions);

}  // namespace takt::vary
