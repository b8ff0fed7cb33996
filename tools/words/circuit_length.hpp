// How much of a critical circuit is shown.
#pragma once

#include <cstddef>

namespace takt::tools {

/// How many steps of the critical circuit are shown: kExcerptSteps at most, or all up to kFullSteps.
enum class CircuitLength { excerpt, full };
inline constexpr std::size_t kExcerptSteps = 20;
inline constexpr std::size_t kFullSteps = 10'000'000;

}  // namespace takt::tools
