// Background loads: other programs that share a processor for a while, and how much longer its computations take then.
#pragma once

#include <cstddef>
#include <limits>
#include <span>

#include "live/engine/route.hpp"

namespace takt::live {

/// A load of L on a processor: it takes 1 + L times as long while the load is there. Loads of one processor add up, as
/// that number of programs share it equally.
struct BackgroundLoad {
  std::size_t processor = 0;
  Rational load;                                    // >= 0
  Ticks from = 0;                                   // since the run's begin
  Ticks until = std::numeric_limits<Ticks>::max();  // excluded
};

/// How many times as long a processor takes at a moment.
Rational factor_at(std::span<const BackgroundLoad> loads, std::size_t processor, Ticks time);

/// When a computation ends that begins at `start` and takes `nominal` ticks, both >= 0, on the idle processor: what is
/// left of it when loads come or go is slowed by those. Rounded to the nearest tick, half up; at most 2^62.
Ticks loaded_end(std::span<const BackgroundLoad> loads, std::size_t processor, Ticks start, Ticks nominal);

}  // namespace takt::live
