// Tests of background loads against work done tick by tick.
#include "live/engine/load.hpp"

#include <catch2/catch.hpp>

#include <vector>

#include "tests/support/draw.hpp"

namespace takt::live {

TEST_CASE("loads of one processor add up while they are there, and others do not count") {
  const std::vector<BackgroundLoad> loads = {{1, 2, 10, 20}, {1, Rational::fraction(1, 2), 15, 30}, {0, 5, 0}};
  CHECK(factor_at(loads, 1, 9) == 1);
  CHECK(factor_at(loads, 1, 10) == 3);
  CHECK(factor_at(loads, 1, 15) == Rational::fraction(7, 2));
  CHECK(factor_at(loads, 1, 20) == Rational::fraction(3, 2));
  CHECK(factor_at(loads, 1, 30) == 1);
  CHECK(factor_at(loads, 0, 1'000'000) == 6);
  CHECK(factor_at(loads, 2, 15) == 1);
}

TEST_CASE("a load that comes or goes during a computation slows what is left of it") {
  const std::vector<BackgroundLoad> loads = {{0, 1, 10, 20}};
  CHECK(loaded_end(loads, 0, 0, 10) == 10);
  CHECK(loaded_end(loads, 0, 5, 10) == 15 + 5);
  CHECK(loaded_end(loads, 0, 10, 5) == 20);
  CHECK(loaded_end(loads, 0, 10, 8) == 23);
  CHECK(loaded_end(loads, 0, 20, 8) == 28);
  CHECK(loaded_end(loads, 1, 10, 8) == 18);
  CHECK(loaded_end(loads, 0, 12, 0) == 12);
  CHECK(loaded_end(std::vector<BackgroundLoad>{{0, Rational::fraction(1, 2), 0}}, 0, 0, 3) == 5);
  CHECK(loaded_end(std::vector<BackgroundLoad>{{0, Rational(1L << 62), 0}}, 0, 0, 1L << 53) == 1L << 62);
}

TEST_CASE("the end of a loaded computation is when the work of all ticks before it is the computation's") {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    support::Draw draw(seed);
    std::vector<BackgroundLoad> loads;
    for (std::size_t i = draw.count(0, 4); i > 0; --i) {
      BackgroundLoad load{draw.index(2), draw.fraction(8, 3), draw.between(0, 60)};
      if (draw.coin()) load.until = load.from + draw.between(0, 40);
      loads.push_back(load);
    }
    const Ticks start = draw.between(0, 60);
    const Ticks nominal = draw.between(0, 50);
    const Ticks end = loaded_end(loads, 0, start, nominal);
    const auto done_by = [&](Ticks moment) {
      Rational done;
      for (Ticks tick = start; tick < moment; ++tick) done += Rational(1) / factor_at(loads, 0, tick);
      return done;
    };
    INFO("seed " << seed);
    // Rounded: what is left at the end, or was done too much, is at most half of a tick's work.
    const Rational error = done_by(end) - Rational(nominal);
    CHECK(error <= Rational::fraction(1, 2));
    CHECK(-error <= Rational::fraction(1, 2));
  }
}

}  // namespace takt::live
