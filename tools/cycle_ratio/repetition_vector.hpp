// The repetition vector of a synchronous dataflow graph: how often its actors fire in an iteration.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "maxplus/rational.hpp"

namespace takt::tools {

/// A firing of `from` puts `produced` tokens into a channel, of which one of `to` takes `consumed`; both are positive.
struct Flow {
  std::size_t from = 0;
  std::size_t to = 0;
  std::uint64_t produced = 1;
  std::uint64_t consumed = 1;
};

/// The least positive firings per actor for which every channel gets as many tokens as are taken from it, in each
/// connected part of the graph on its own; nothing if there are none, or their numbers have more than
/// kMostRepetitionBits bits.
std::optional<std::vector<maxplus::Integer>> repetition_vector(std::size_t actors, std::span<const Flow> flows);
inline constexpr std::size_t kMostRepetitionBits = 10'000;

}  // namespace takt::tools
