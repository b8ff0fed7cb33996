// Ratios, medians, wins and profiles, by hand.
#include "tools/compare/comparison.hpp"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

namespace takt::tools {
namespace {

using maxplus::Rational;

Rational ratio(int above, int below) { return Rational::fraction(above, below); }

Score score(const Rational& period) { return {period, {}, ""}; }
Score failed(const std::string& why) { return {{}, {}, why}; }

TEST_CASE("a ratio needs a period and a base; 0 of 0 is 1") {
  REQUIRE(ratio_of(Rational(3), Rational(2)) == ratio(3, 2));
  REQUIRE(ratio_of(Rational(0), Rational(0)) == Rational(1));
  REQUIRE(ratio_of(Rational(0), Rational(2)) == Rational(0));
  REQUIRE_FALSE(ratio_of(Rational(3), Rational(0)));
  REQUIRE_FALSE(ratio_of(std::nullopt, Rational(2)));
  REQUIRE_FALSE(ratio_of(Rational(3), std::nullopt));
}

TEST_CASE("medians of odd and even numbers are exact, means to many digits") {
  REQUIRE(summary_of({}).count == 0);
  REQUIRE_FALSE(summary_of({}).median);
  REQUIRE_FALSE(summary_of({}).mean);
  const RatioSummary odd = summary_of({Rational(5), ratio(1, 3), Rational(2)});
  REQUIRE(odd.median == Rational(2));
  REQUIRE(odd.worst == Rational(5));
  REQUIRE(*odd.mean == Approx(22.0 / 9).epsilon(1e-14));
  const RatioSummary even = summary_of({Rational(5), ratio(1, 3), Rational(2), Rational(1)});
  REQUIRE(even.median == ratio(3, 2));
  REQUIRE(even.count == 4);
  REQUIRE(*even.mean == Approx(25.0 / 12).epsilon(1e-14));
}

TEST_CASE("standings: who solves most, then the least median; failures by reason") {
  const std::vector<std::string> names = {"a", "b", "c", "d"};
  const std::vector<ScoredProblem> problems = {
      {"p1", {score(4), score(2), failed("late"), score(2)}, Rational(1)},
      {"p2", {score(3), score(6), failed("late"), failed("lost")}, Rational(3)},
      {"p3", {score(3), score(3), failed("rubbish"), score(9)}, std::nullopt},
      {"p4", {score(0), score(1), failed("late"), failed("late")}, Rational(0)},
  };
  const std::vector<Rational> factors = {Rational(1), Rational(2), Rational(3)};
  const std::vector<Standing> standings = standings_of(names, problems, factors);
  REQUIRE(standings.size() == 4);
  REQUIRE(standings[0].name == "a");
  REQUIRE(standings[0].solved == 4);
  REQUIRE(standings[0].wins == 3);
  REQUIRE(standings[0].to_best.median == Rational(1));
  REQUIRE(standings[0].to_best.worst == Rational(2));
  REQUIRE(*standings[0].to_best.mean == Approx(1.25).epsilon(1e-14));
  REQUIRE(standings[0].within == std::vector<std::size_t>{3, 4, 4});
  REQUIRE(standings[0].to_bound.count == 3);
  REQUIRE(standings[0].to_bound.worst == Rational(4));

  REQUIRE(standings[1].name == "b");
  REQUIRE(standings[1].wins == 2);
  REQUIRE(standings[1].to_best.count == 3);  // 1 is no multiple of 0
  REQUIRE(standings[1].within == std::vector<std::size_t>{2, 3, 3});

  REQUIRE(standings[2].name == "d");
  REQUIRE(standings[2].within == std::vector<std::size_t>{1, 1, 2});
  REQUIRE(standings[2].failures.size() == 2);

  REQUIRE(standings[3].name == "c");
  REQUIRE(standings[3].solved == 0);
  REQUIRE_FALSE(standings[3].to_best.median);
  REQUIRE(standings[3].failures.size() == 2);
  REQUIRE(standings[3].failures[0].reason == "late");
  REQUIRE(standings[3].failures[0].count == 3);
  REQUIRE(standings[3].failures[0].first == "p1");
  REQUIRE(standings[3].failures[1].first == "p3");
}

}  // namespace
}  // namespace takt::tools
