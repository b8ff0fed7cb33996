// How narrow a window must not be.
#pragma once

#include <cstdint>

namespace takt::tpn {

struct Pipeline;

/// The widest window with which nothing is delivered: with batches, or transfers that are ahead, this many data sets
/// are under way before the first is delivered at the latest exit.
std::uint64_t too_narrow_window(const Pipeline& pipeline);

}  // namespace takt::tpn
