// Steady-state rates of divided pipelines: the paper's factor, the least one, and the firings.
#include "heuristics/divided/steady_state.hpp"

#include <catch2/catch.hpp>

#include "tests/heuristics/problems.hpp"
#include "tests/support/draw.hpp"

namespace takt::testing {
namespace {

using heuristics::Augmentation;
using heuristics::DivisionVector;
using heuristics::steady_state;
using maxplus::Integer;
using maxplus::Rational;

Rational fraction(long p, long q) { return Rational::fraction(p, q); }

TEST_CASE("the repetition vector balances what is produced and consumed") {
  tpn::Document problem = free_problem({1, 1, 1, 1}, {}, {1});
  auto& stages = problem.application.stages;
  REQUIRE(heuristics::repetition_vector(problem) == std::vector<Integer>{1, 1, 1, 1});
  stages[0].produces = 3;
  stages[1].consumes = 2;
  stages[1].produces = 4;
  stages[2].consumes = 3;
  stages[3].consumes = 5;
  // Gains 1, 3/2, 2, 2/5.
  REQUIRE(heuristics::repetition_vector(problem) == std::vector<Integer>{10, 15, 20, 4});
}

TEST_CASE("the paper's factor multiplies what the stages need, the least one is a common multiple") {
  const std::vector<Integer> repetitions = {2, 3, 1, 4};
  const std::vector<DivisionVector> divisions = {
      {fraction(1, 2), fraction(1, 2)}, {fraction(1, 4), fraction(3, 4)}, {fraction(1, 6), fraction(5, 6)}, {1}};
  // lcm(2, 2) / 2 = 1, lcm(3, 4) / 3 = 4, lcm(1, 6) / 1 = 6.
  const auto published = steady_state(repetitions, divisions, Augmentation::published);
  REQUIRE(published.factor == 24);
  REQUIRE(published.stages == std::vector<Integer>{48, 72, 24, 96});
  REQUIRE(published.nodes == std::vector<std::vector<Integer>>{{24, 24}, {18, 54}, {4, 20}, {96}});
  const auto least = steady_state(repetitions, divisions, Augmentation::minimal);
  REQUIRE(least.factor == 12);
  REQUIRE(least.stages == std::vector<Integer>{24, 36, 12, 48});
  REQUIRE(least.nodes == std::vector<std::vector<Integer>>{{12, 12}, {9, 27}, {2, 10}, {48}});
}

TEST_CASE("the least factor divides the paper's, and nothing less makes all firings whole") {
  support::Draw random(1);
  const auto draw = [&](int low, int high) { return random.whole(low, high); };
  std::size_t smaller = 0;
  for (int round = 0; round < 200; ++round) {
    std::vector<Integer> repetitions;
    std::vector<DivisionVector> divisions;
    for (int i = draw(1, 4); i > 0; --i) {
      repetitions.emplace_back(draw(1, 6));
      std::vector<int> parts;
      int sum = 0;
      for (int k = draw(1, 3); k > 0; --k) {
        parts.push_back(draw(1, 5));
        sum += parts.back();
      }
      DivisionVector& division = divisions.emplace_back();
      for (const int part : parts) division.push_back(fraction(part, sum));
    }
    const auto published = steady_state(repetitions, divisions, Augmentation::published);
    const auto least = steady_state(repetitions, divisions, Augmentation::minimal);
    const auto whole = [&](const Integer& factor) {
      for (std::size_t i = 0; i < divisions.size(); ++i) {
        for (const Rational& share : divisions[i]) {
          if (!(share * repetitions[i] * factor).is_integer()) return false;
        }
      }
      return true;
    };
    REQUIRE(whole(published.factor));
    REQUIRE(published.factor % least.factor == 0);
    Integer first = 1;
    while (!whole(first)) ++first;
    REQUIRE(least.factor == first);
    if (least.factor < published.factor) ++smaller;
    for (std::size_t i = 0; i < divisions.size(); ++i) {
      Integer sum = 0;
      for (std::size_t j = 0; j < divisions[i].size(); ++j) {
        REQUIRE(Rational(published.nodes[i][j]) == divisions[i][j] * published.stages[i]);
        sum += published.nodes[i][j];
      }
      REQUIRE(sum == published.stages[i]);
    }
  }
  REQUIRE(smaller > 20);
}

TEST_CASE("a mapping's division vectors count the turns of every replica") {
  const tpn::Mapping mapping = {{0, 1, {2}}, {2, 3, {1, 0, 1, 1}}};
  REQUIRE(heuristics::replicas(mapping) == std::vector<std::vector<std::size_t>>{{2}, {2}, {1, 0}, {1, 0}});
  REQUIRE(heuristics::division_vectors(mapping) ==
          std::vector<DivisionVector>{{1}, {1}, {fraction(3, 4), fraction(1, 4)}, {fraction(3, 4), fraction(1, 4)}});
}

TEST_CASE("Figure 3a repeats after 24 data sets, a quarter of the paper's 96") {
  const tpn::Document problem = free_problem({1, 4, 2, 6, 1}, {0, 2, 4}, {1, 1, 1, 1});
  const auto solution = solve_checked("pdm", problem);
  const auto divisions = heuristics::division_vectors(proposal_of(solution).mapping);
  const auto repetitions = heuristics::repetition_vector(problem);
  REQUIRE(steady_state(repetitions, divisions, Augmentation::published).factor == 96);
  const auto least = steady_state(repetitions, divisions, Augmentation::minimal);
  REQUIRE(least.factor == 24);
  REQUIRE(least.nodes[3] == std::vector<Integer>{14, 10});
}

}  // namespace
}  // namespace takt::testing
