// Relations of predictions to periods, exact and in intervals.
#include "heuristics/verdict.hpp"

#include <catch2/catch.hpp>

namespace takt::testing {
namespace {

using heuristics::Holds;
using heuristics::holds_within;
using heuristics::Relation;
using heuristics::relation_of;
using maxplus::Rational;

TEST_CASE("the relation to an exact period is that of the numbers, to an interval where all of it agrees") {
  REQUIRE(relation_of(3, {3, 3}) == Relation::equal);
  REQUIRE(relation_of(2, {3, 3}) == Relation::optimistic);
  REQUIRE(relation_of(4, {3, 3}) == Relation::pessimistic);
  REQUIRE(relation_of(2, {3, 4}) == Relation::optimistic);
  REQUIRE(relation_of(5, {3, 4}) == Relation::pessimistic);
  REQUIRE(relation_of(3, {3, 4}) == Relation::undecided);
  REQUIRE(relation_of(4, {3, 4}) == Relation::undecided);
}

TEST_CASE("a tolerance is a share of the exact period, its ends included") {
  const Rational tenth = Rational::fraction(1, 10);
  REQUIRE(holds_within(9, {10, 10}, tenth) == Holds::yes);
  REQUIRE(holds_within(11, {10, 10}, tenth) == Holds::yes);
  REQUIRE(holds_within(Rational::fraction(899, 100), {10, 10}, tenth) == Holds::no);
  REQUIRE(holds_within(Rational::fraction(1101, 100), {10, 10}, tenth) == Holds::no);
  REQUIRE(holds_within(0, {10, 10}, 1) == Holds::yes);
  REQUIRE(holds_within(30, {10, 10}, 2) == Holds::yes);
  REQUIRE(holds_within(31, {10, 10}, 2) == Holds::no);
  REQUIRE(holds_within(1, {0, 0}, 5) == Holds::no);
  REQUIRE(holds_within(0, {0, 0}, 0) == Holds::yes);
}

TEST_CASE("of an interval a prediction holds where it does for every period in it") {
  const Rational tenth = Rational::fraction(1, 10);
  REQUIRE(holds_within(100, {95, 105}, tenth) == Holds::yes);
  REQUIRE(holds_within(100, {95, 120}, tenth) == Holds::undecided);
  REQUIRE(holds_within(100, {80, 120}, tenth) == Holds::undecided);
  REQUIRE(holds_within(100, {120, 130}, tenth) == Holds::no);
  REQUIRE(holds_within(100, {70, 80}, tenth) == Holds::no);
}

TEST_CASE("the gap is a share of the exact period, negative where optimistic") {
  REQUIRE(heuristics::gap(3, 4) == Rational::fraction(-1, 4));
  REQUIRE(heuristics::gap(5, 4) == Rational::fraction(1, 4));
  REQUIRE(heuristics::gap(0, 0) == Rational(0));
  REQUIRE_FALSE(heuristics::gap(1, 0).has_value());
}

}  // namespace
}  // namespace takt::testing
