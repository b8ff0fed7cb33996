// What an index is where it names nothing.
#pragma once

#include <limits>

namespace takt::maxplus {

/// The index of nothing, of any unsigned type.
template <typename Index>
inline constexpr Index kNone = std::numeric_limits<Index>::max();

}  // namespace takt::maxplus
