// typed-dp: by hand, against homogeneous-dp, and on a hundred processors; tests of named plans hold it against all
// mappings.
#include <catch2/catch.hpp>
#include <string>

#include "heuristics/typed/machine_classes.hpp"
#include "tests/heuristics/problems.hpp"
#include "tests/heuristics/typed/named_problems.hpp"
#include "tests/support/seeds.hpp"
#include "tpn/models.hpp"

namespace takt::testing {
namespace {

using maxplus::Rational;

TEST_CASE("typed-dp deals out a heavy stage to one type and a light one to the other") {
  // 24 on four of speed 2 is 3; 3 on one of speed 1.
  const auto problem = free_problem({24, 3}, {1}, {2, 2, 2, 2, 1});
  const auto solution = solve_checked("typed-dp", problem, under(tpn::Model::kOverlap));
  const auto& proposal = proposal_of(solution);
  REQUIRE(proposal.predicted_period == 3);
  REQUIRE(proposal.mapping == tpn::Mapping{{0, 0, {0, 1, 2, 3}}, {1, 1, {4}}});
  REQUIRE_FALSE(proposal.cut_short);
  REQUIRE(solution.log.notes.front() == "Processors of 2 types: 4 like \"P1\", 1 like \"P5\".");
  REQUIRE(
      solution.log.notes[1] ==
      "No mapping of parts of one type each, each machine in one part, in plain round robin, has a shorter period.");
}

TEST_CASE("typed-dp is never worse than homogeneous-dp on equal processors and links") {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    INFO("seed " << seed);
    const auto problem = random_problem({2 + seed % 5, 2 + seed % 6, Speeds::equal, Links::equal, seed % 2 == 0}, seed);
    for (const tpn::Model& model : {tpn::Model::kOverlap, tpn::Model::kStrict, tpn::bounded_model(1)}) {
      const auto typed = proposal_of(solve_checked("typed-dp", problem, under(model)));
      const auto plain = proposal_of(solve_checked("homogeneous-dp", problem, under(model)));
      REQUIRE(typed.predicted_period <= plain.predicted_period);
      REQUIRE(typed.predicted_period == exact_period(problem, typed.mapping, model));
    }
  }
}

TEST_CASE("typed-dp keeps within bounds where links differ within a type") {
  std::size_t said = 0;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    INFO("seed " << seed);
    const auto problem = named_problem({3, 7, 2, 50, false}, seed);
    const auto solution = solve_checked("typed-dp", problem, under(tpn::Model::kStrict));
    const auto& proposal = proposal_of(solution);
    REQUIRE(proposal.predicted_period == exact_period(problem, proposal.mapping, tpn::Model::kStrict));
    for (const std::string& note : solution.log.notes) said += note.find("at least") != std::string::npos ? 1 : 0;
  }
  REQUIRE(said > 0);
}

TEST_CASE("typed-dp says for which platforms it is not made") {
  const auto problem = random_problem({3, 9, Speeds::unequal, Links::equal}, 1);
  tpn::Document all_different = problem;
  for (std::size_t p = 0; p < 9; ++p) all_different.platform.processors[p].speed = Rational(p + 1);
  REQUIRE(reason_of(solve_checked("typed-dp", all_different)) ==
          "the processors are of 9 types, by what they compute, and it takes 8 at most");
  tpn::Document apart = free_problem({1, 1}, {}, {1});
  apart.application.stages[1].apart = true;
  REQUIRE(reason_of(solve_checked("typed-dp", apart)) ==
          "no mapping of parts of one type each has all its links, memories and single machines");
  const auto late =
      solve_checked("typed-dp", random_problem({3, 4, Speeds::equal}, 2), too_late(under(tpn::Model::kStrict)));
  REQUIRE_FALSE(std::holds_alternative<heuristics::Infeasible>(late.result));
}

TEST_CASE("typed-dp maps on a hundred processors of three types") {
  tpn::Document problem = free_problem({12, 80, 7, 33, 5}, {2}, std::vector<Rational>(100, Rational(1)));
  for (std::size_t p = 0; p < 100; ++p) problem.platform.processors[p].speed = Rational(1 + p % 3);
  const auto proposal = proposal_of(solve_checked("typed-dp", problem, under(tpn::Model::kOverlap)));
  // The third stage's fastest processor takes 7/3: nothing is faster.
  REQUIRE(proposal.predicted_period == Rational::fraction(7, 3));
  REQUIRE(proposal.lower_bound == Rational::fraction(7, 3));
}

}  // namespace
}  // namespace takt::testing
