// Looks counted over times in which nothing happens.
#include "live/rank/look_interval.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <utility>

#include "live/files/run_plan.hpp"

using namespace takt::live;

namespace {

constexpr Ticks kMicrosecond = 1'000;
constexpr Ticks kMillisecond = 1'000'000;
constexpr Ticks kSecond = 1'000'000'000;

// Looks within a time in which nothing happens.
int looks_within(Ticks time, bool is_rung) {
  int looks = 0;
  for (Ticks idle = 0; idle < time; idle += look_interval(idle, is_rung)) ++looks;
  return looks;
}

}  // namespace

TEST_CASE("who can be woken looks for itself less and less often") {
  CHECK(look_interval(0, true) == kMillisecond);
  CHECK(look_interval(100 * kMillisecond, true) == 100 * kMillisecond);
  CHECK(look_interval(3600 * kSecond, true) == 256 * kMillisecond);
  CHECK(looks_within(10 * kSecond, true) < 60);
}

TEST_CASE("who cannot be woken is late by at most 1/32 of the time that it waited, or 50 microseconds") {
  CHECK(look_interval(0, false) == 50 * kMicrosecond);
  for (Ticks idle = kMicrosecond; idle < kSecond; idle *= 3) {
    CHECK(look_interval(idle, false) <= std::max(idle / 32, 50 * kMicrosecond));
  }
  CHECK(look_interval(3600 * kSecond, false) == 10 * kMillisecond);
  CHECK(looks_within(10 * kSecond, false) < 1400);
}

TEST_CASE("ranks come before other work only where no stage of a user runs, unless told") {
  RunPlan plan;
  for (const auto& [kernel, automatic] :
       {std::pair(KernelKind::emulate, RealTime::automatic), std::pair(KernelKind::spin, RealTime::automatic),
        std::pair(KernelKind::program, RealTime::off), std::pair(KernelKind::library, RealTime::off)}) {
    plan.kernel = kernel;
    plan.real_time = RealTime::automatic;
    CHECK(priority_of(plan) == automatic);
    plan.real_time = RealTime::on;
    CHECK(priority_of(plan) == RealTime::on);
    plan.real_time = RealTime::off;
    CHECK(priority_of(plan) == RealTime::off);
  }
}
