// How long a rank sleeps between two looks for messages while nothing happens.
//
// Problem. A rank that looks often takes processor time from the stages; one that looks rarely is late.
//
// Method. A rank that can be woken looks for what wakes nobody: it sleeps for as long as nothing has happened. One that
// cannot is late by at most 1/32 of that time.
#pragma once

#include <algorithm>

#include "live/engine/route.hpp"

namespace takt::live {

/// In ticks of 1 ns, if nothing has happened for `idle` >= 0 of them. `is_rung`: senders of messages wake the rank.
constexpr Ticks look_interval(Ticks idle, bool is_rung) {
  constexpr Ticks kMicrosecond = 1'000;
  constexpr Ticks kMillisecond = 1'000'000;
  if (is_rung) return std::clamp(idle, kMillisecond, 256 * kMillisecond);
  return std::clamp(idle / 32, 50 * kMicrosecond, 10 * kMillisecond);
}

}  // namespace takt::live
