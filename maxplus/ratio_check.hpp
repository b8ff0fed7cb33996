// The independent checker of cycle ratios: it knows arcs and inequalities, and no solver.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <variant>

#include "maxplus/rational_arcs.hpp"

namespace takt::maxplus {

/// The arcs have what the proof says.
struct RatioProved {};

/// They have not, or it does not follow; why, for a person. Arcs and vertices are told by their index, from 0.
struct RatioRefused {
  std::string reason;
};

/// The proof's numbers are so long that a check would take more than its limits.
struct RatioUnchecked {
  bool is_out_of_time = false;  // else out of operations, of which there may be `limit`
  std::uint64_t limit = 0;
};

using RatioVerdict = std::variant<RatioProved, RatioRefused, RatioUnchecked>;

/// Products of words of 64 bits that a check may make, some seconds of them.
inline constexpr std::uint64_t kMostCheckedProducts = 4'000'000'000;

/// What a check may cost.
struct RatioCheckLimits {
  std::uint64_t products = kMostCheckedProducts;
  std::function<bool()> is_out_of_time;  // asked every now and then; may be empty
};

/// Does the proof hold for these vertices and arcs, whose ends must be below `vertices`? The proof may be anything.
/// Cost: linear in the arcs, each as much as its product of numbers takes.
RatioVerdict check_cycle_ratio(std::size_t vertices, std::span<const RationalArc> arcs, const CycleRatioProof& proof,
                               const RatioCheckLimits& limits = {});

}  // namespace takt::maxplus
