// The monitor: either rule, at its limit and beyond it.
#include "heuristics/monitor.hpp"

#include <catch2/catch.hpp>
#include <optional>
#include <vector>

namespace takt::testing {
namespace {

using heuristics::remap_reason;
using heuristics::RemapRule;
using maxplus::Rational;

const std::vector<Rational> kCalibrated = {4, 10, 6};

TEST_CASE("a processor beyond one and a half times the worst calibrated time calls for a new mapping") {
  REQUIRE_FALSE(remap_reason(kCalibrated, std::vector<Rational>{15, 10, 15}));
  const auto reason = remap_reason(kCalibrated, std::vector<Rational>{4, 10, Rational::fraction(151, 10)});
  REQUIRE(reason);
  REQUIRE(reason->rule == RemapRule::slower_than_the_worst);
  REQUIRE(reason->processor == 2);
  REQUIRE(reason->limit == 15);
}

TEST_CASE("times that are all below half the best calibrated one call for a new mapping") {
  REQUIRE_FALSE(remap_reason(kCalibrated, std::vector<Rational>{2, 1, 1}));
  REQUIRE_FALSE(remap_reason(kCalibrated, std::vector<Rational>{1, 1, 3}));
  const auto reason = remap_reason(kCalibrated, std::vector<Rational>{1, Rational::fraction(19, 10), 0});
  REQUIRE(reason);
  REQUIRE(reason->rule == RemapRule::faster_than_the_best);
  REQUIRE(reason->processor == 1);
  REQUIRE(reason->limit == 2);
}

TEST_CASE("of several processors at fault the slowest is named, of equal ones the first") {
  REQUIRE(remap_reason(kCalibrated, std::vector<Rational>{16, 20, 20})->processor == 1);
}

TEST_CASE("the threshold decides how much change is too much") {
  const std::vector<Rational> current = {4, 11, 6};
  REQUIRE(remap_reason(kCalibrated, current, 0)->limit == 10);
  REQUIRE_FALSE(remap_reason(kCalibrated, current, Rational::fraction(1, 10)));
  // With a threshold of 1 or more nothing is fast enough for the second rule.
  REQUIRE_FALSE(remap_reason(kCalibrated, std::vector<Rational>{0, 0, 0}, 1));
}

}  // namespace
}  // namespace takt::testing
