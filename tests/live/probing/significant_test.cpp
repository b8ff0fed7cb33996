// Tests of rounding to significant digits: by hand, and as the nearest of all numbers with that many digits.
#include "live/probing/significant.hpp"

#include <catch2/catch.hpp>

#include "tests/support/draw.hpp"

namespace takt::live {

namespace {

Rational fraction_of(long above, long below) { return Rational::fraction(above, below); }

}  // namespace

TEST_CASE("a number is rounded to its first digits, half away from 0") {
  CHECK(significant(0) == 0);
  CHECK(significant(fraction_of(1, 3)) == fraction_of(333333, 1000000));
  CHECK(significant(fraction_of(1, 3), 1) == fraction_of(3, 10));
  CHECK(significant(fraction_of(2, 3), 2) == fraction_of(67, 100));
  CHECK(significant(fraction_of(-2, 3), 2) == fraction_of(-67, 100));
  CHECK(significant(123456789) == 123457000);
  CHECK(significant(25, 1) == 30);
  CHECK(significant(-25, 1) == -30);
  CHECK(significant(fraction_of(99996, 10000), 4) == 10);
  CHECK(significant(fraction_of(1, 1000), 3) == fraction_of(1, 1000));
  CHECK(significant(1000, 3) == 1000);
  CHECK(significant(fraction_of(1234567, 100000000)) == fraction_of(123457, 10000000));
}

TEST_CASE("what is rounded is off by half a unit of the last digit at most") {
  support::Draw draw(1);
  for (int i = 0; i < 2000; ++i) {
    const Rational number =
        fraction_of(draw.between(1, draw.coin() ? 1'000'000'000'000 : 100), draw.between(1, 1'000'000));
    const int digits = draw.whole(1, 8);
    const Rational rounded = significant(number, digits);
    // One unit of the last digit is 10^(1 - digits) of a power of ten that the number reaches.
    Rational power = 1;
    while (power > number) power /= 10;
    while (power * 10 <= number) power *= 10;
    for (int d = 1; d < digits; ++d) power /= 10;
    CHECK((rounded / power).is_integer());
    const Rational off = rounded - number;
    CHECK(off * 2 <= power);
    CHECK(off * -2 <= power);
  }
}

}  // namespace takt::live
