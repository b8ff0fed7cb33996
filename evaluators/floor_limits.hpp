// How large the schedules of floors may be that a checker is to prove.
#pragma once

#include <cstdint>

namespace takt::evaluators {

/// Exceptions beyond which a check answers TooLarge, so that a search should not need more: in a check they take up to
/// 32 bytes each, and 12 more while they wait.
inline constexpr std::uint64_t kFloorExceptions = 60'000'000;

}  // namespace takt::evaluators
