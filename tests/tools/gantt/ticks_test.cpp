// Ticks: the steps of 1, 2 and 5, no more than are wanted, labels that say their values.
#include "tools/gantt/ticks.hpp"

#include <catch2/catch.hpp>
#include <string>
#include <variant>

#include "tests/support/draw.hpp"

namespace takt::tools {
namespace {

using maxplus::Integer;
using maxplus::Rational;

std::string labels(const Rational& from, const Rational& to, std::size_t most = 8) {
  std::string text;
  for (const AxisTick& tick : axis_ticks(from, to, most)) text += (text.empty() ? "" : " ") + tick.label;
  return text;
}

Rational value_said(std::string label) {
  if (label.starts_with("−")) label.replace(0, std::string("−").size(), "-");
  return std::get<Rational>(maxplus::parse_decimal(label));
}

TEST_CASE("ticks are round numbers that fit") {
  CHECK(labels(Rational::fraction(-173, 5), Rational::fraction(7093, 5)) == "0 200 400 600 800 1000 1200 1400");
  CHECK(labels(-175, 7175) == "0 1000 2000 3000 4000 5000 6000 7000");
  CHECK(labels(-1, 1) == "−1 −0.5 0 0.5 1");
  CHECK(labels(0, Rational::fraction(1, 100)) == "0 0.002 0.004 0.006 0.008 0.01");
  CHECK(labels(1000000, 1000001) == "1000000 1000000.2 1000000.4 1000000.6 1000000.8 1000001");
  CHECK(labels(0, 7, 8) == "0 1 2 3 4 5 6 7");
  CHECK(labels(0, 7, 7) == "0 2 4 6");
  CHECK(labels(Rational::fraction(1, 3), Rational::fraction(2, 3), 1) == "0.5");
}

TEST_CASE("very large and very small ticks have exponents") {
  Integer large;
  mpz_ui_pow_ui(large.get_mpz_t(), 10, 30);
  CHECK(labels(0, Rational(large)) == "0 2e29 4e29 6e29 8e29 1e30");
  CHECK(labels(0, Rational::fraction(1, large)) == "0 2e-31 4e-31 6e-31 8e-31 1e-30");
}

TEST_CASE("ticks are all multiples of the least step that has few enough, and labels say them exactly") {
  support::Draw random(7);
  for (int k = 0; k < 2000; ++k) {
    const auto number = [&] { return Rational::fraction(random.whole(-1'000'000, 1'000'000), random.whole(1, 1000)); };
    const Rational from = number();
    const Rational to = from + Rational::fraction(random.whole(1, 100'000), random.whole(1, 10'000));
    const std::size_t most = random.count(2, 10);
    const auto ticks = axis_ticks(from, to, most);
    INFO(from.to_string() << " to " << to.to_string() << ", " << most);
    REQUIRE(ticks.size() <= most);
    for (const AxisTick& tick : ticks) {
      REQUIRE((from <= tick.value && tick.value <= to));
      REQUIRE(value_said(tick.label) == tick.value);
    }
    if (ticks.size() < 2) continue;
    const Rational step = ticks[1].value - ticks[0].value;
    CHECK(ticks.front().value - step < from);
    CHECK(ticks.back().value + step > to);
    for (std::size_t i = 1; i < ticks.size(); ++i) CHECK(ticks[i].value - ticks[i - 1].value == step);
    // The next smaller step, 1/2 or 2/5 of it, has too many.
    Rational digit = step;
    while (digit >= Rational(10)) digit /= 10;
    while (digit < Rational(1)) digit *= 10;
    REQUIRE((digit == Rational(1) || digit == Rational(2) || digit == Rational(5)));
    const Rational smaller = step * (digit == Rational(5) ? Rational::fraction(2, 5) : Rational::fraction(1, 2));
    const Rational steps = from / smaller;
    std::size_t count = 0;
    for (Rational at = Rational(Integer(steps.numerator() / steps.denominator()) - 1) * smaller; at <= to;
         at += smaller) {
      count += at >= from ? 1 : 0;
    }
    CHECK(count > most);
  }
}

}  // namespace
}  // namespace takt::tools
