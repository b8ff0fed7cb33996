// Tallies of narrow and wide numbers against sums in GMP's.
#include <catch2/catch.hpp>
#include <limits>
#include <random>
#include <vector>

#include "experiments/descriptions/description.hpp"
#include "experiments/descriptions/statistic.hpp"
#include "maxplus/rational.hpp"

namespace takt::experiments {
namespace {

constexpr const char* kOneMeasure = R"({
  "name": "tally", "study": "evaluate", "generator": "replicated-mapping", "measures": ["period"], "keep": "none",
  "cells": [{"name": "all", "draws": 1}], "report": [{"kind": "table", "columns": [{"count": "period > 1/3"}]}]
})";

// Numerators and denominators of all widths, those at their edges among them; unreduced fractions, too.
class Fractions {
 public:
  explicit Fractions(std::uint64_t seed) : engine_(seed) {}

  MeasuredNumber next() {
    if (engine_() % 8 == 0) return Rational::fraction(number(126), number(126) + 1);
    return MeasuredNumber::fraction(signed_number(), std::max<std::int64_t>(1, number(63).get_si()));
  }

 private:
  Integer number(unsigned most_bits) {
    const unsigned bits = 1 + static_cast<unsigned>(engine_() % most_bits);
    Integer value = 0;
    for (unsigned i = 0; i < bits; ++i) value = value * 2 + static_cast<unsigned long>(engine_() % 2);
    const auto edge = engine_() % 4;
    if (edge == 0) return (Integer(1) << bits) - 1;
    return value;
  }
  std::int64_t signed_number() {
    const std::int64_t value = number(63).get_si();
    switch (engine_() % 16) {
      case 0:
        return std::numeric_limits<std::int64_t>::min();
      case 1:
        return 0;
      case 2:
      case 3:
        return -value;
      default:
        return value;
    }
  }

  std::mt19937_64 engine_;
};

Integer floor_of(const Rational& value) { return Rational(value * Rational(Integer(1) << 40)).floor(); }
Integer ceiling_of(const Rational& value) { return Rational(value * Rational(Integer(1) << 40)).ceiling(); }

}  // namespace

TEST_CASE("a tally's sums, extremes and counts are those of exact numbers of any width, in any order") {
  const Description description = read_description(kOneMeasure, "tally.json");
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Fractions fractions(seed);
    Tally whole(description, false);
    std::vector<Tally> parts(3, Tally(description, false));
    Integer below = 0;
    Integer above = 0;
    Integer squares_below = 0;
    Integer squares_above = 0;
    std::uint64_t beyond = 0;
    std::vector<Rational> values;
    for (std::uint64_t draw = 0; draw < 500; ++draw) {
      SeriesResult result;
      result.values.emplace_back(fractions.next());
      whole.add(draw, result);
      parts[draw % parts.size()].add(draw, result);
      const Rational value = result.values[0]->rational();
      below += floor_of(value);
      above += ceiling_of(value);
      squares_below += floor_of(value * value);
      squares_above += ceiling_of(value * value);
      beyond += value > Rational::fraction(1, 3) ? 1 : 0;
      values.push_back(value);
    }
    Tally joined(description, false);
    for (const std::size_t part : {2U, 0U, 1U}) joined.add(parts[part]);
    for (const Tally* tally : {&whole, &joined}) {
      const MeasureTally& measure = tally->measure(0);
      REQUIRE(measure.sum_below.value() == below);
      REQUIRE(measure.sum_above.value() == above);
      REQUIRE(measure.squares_below.value() == squares_below);
      REQUIRE(measure.squares_above.value() == squares_above);
      REQUIRE(tally->counts() == std::vector<std::uint64_t>{beyond});
      for (const auto& [extreme, wanted] : {std::pair(measure.smallest, std::ranges::min_element(values)),
                                            std::pair(measure.largest, std::ranges::max_element(values))}) {
        REQUIRE(extreme->first.rational() == *wanted);
        REQUIRE(extreme->second == static_cast<std::uint64_t>(wanted - values.begin()));
      }
    }
  }
}

}  // namespace takt::experiments
