// How large schedules of potentials may be for a checker to prove them.
#pragma once

#include <cstdint>

namespace takt::evaluators {

/// Residue-specific bounds beyond which a check answers TooLarge, so that a search should not need more: in a check
/// they take up to 32 bytes each, and 12 more while they wait.
inline constexpr std::uint64_t kPotentialBounds = 60'000'000;

}  // namespace takt::evaluators
