// A clock that runs at another rate, seen through messages that take their time.
#include "live/rank/clock_line.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <cstdlib>

using takt::live::ClockBounds;
using takt::live::ClockLine;

namespace {

constexpr std::int64_t kClockSecond = 1'000'000'000;
constexpr std::int64_t kClockMicrosecond = 1'000;

// The other clock, by this one: 1000 s behind, and faster or slower by `rate`.
struct OtherClock {
  double rate = 0;

  std::int64_t at(std::int64_t here) const {
    return here - 1000 * kClockSecond + std::llround(rate * static_cast<double>(here));
  }
  std::int64_t difference(std::int64_t here) const { return here - at(here); }
};

// Exchanges from a moment on, each of up to 400 microseconds, of which the other clock is read at any.
template <typename Draw>
ClockBounds exchanges(const OtherClock& clock, std::int64_t& now, int count, const Draw& draw) {
  ClockBounds bounds;
  for (int k = 0; k < count; ++k) {
    const std::int64_t there = now + draw() * kClockMicrosecond;
    const std::int64_t back = there + draw() * kClockMicrosecond;
    bounds.take(now, clock.at(there), back);
    now = back;
  }
  return bounds;
}

}  // namespace

TEST_CASE("a clock that drifts is known to within a message there and back, as often as it is compared") {
  for (const double rate : {0.0, 50e-6, -50e-6, 300e-6}) {
    std::uint64_t state = 7;
    const auto draw = [&state] {
      state = state * 6364136223846793005U + 1442695040888963407U;
      return static_cast<std::int64_t>(state >> 33U) % 190 + 10;
    };
    const OtherClock clock{rate};
    std::int64_t now = 5000 * kClockSecond;
    ClockLine line(exchanges(clock, now, 100, draw), now);
    for (int k = 0; k < 40; ++k) {
      now += std::min<std::int64_t>(std::int64_t{1} << std::min(k, 4), 16) * kClockSecond;
      const ClockBounds bounds = exchanges(clock, now, 8, draw);
      REQUIRE(bounds.are_possible());
      line.take(bounds, now);
      CAPTURE(rate, k);
      CHECK(std::abs(line.offset_at(now) - clock.difference(now)) <= 400 * kClockMicrosecond);
      // What the slope is wrong by counts until the next one.
      if (k > 10)
        CHECK(std::abs(line.offset_at(now + 16 * kClockSecond) - clock.difference(now + 16 * kClockSecond)) <=
              500 * kClockMicrosecond);
    }
    // Compared at the beginning alone, it would be off by far more.
    if (rate != 0)
      CHECK(std::abs(clock.difference(now) - clock.difference(5000 * kClockSecond)) > 20'000 * kClockMicrosecond);
  }
}

TEST_CASE("exchanges that contradict one another are no bounds") {
  ClockBounds bounds;
  bounds.take(100, 0, 120);
  CHECK(bounds.are_possible());
  CHECK((bounds.least == 100 && bounds.most == 120));
  bounds.take(300, 0, 320);
  CHECK_FALSE(bounds.are_possible());
}
