// The lower bound of all periods: below every mapping's, and often attained.
#include <array>
#include <catch2/catch.hpp>
#include <string>

#include "heuristics/registry.hpp"
#include "heuristics/search/period_lower_bound.hpp"
#include "tests/heuristics/problems.hpp"
#include "tests/support/seeds.hpp"
#include "tpn/models.hpp"
#include "tpn/validate.hpp"

namespace takt::testing {
namespace {

using maxplus::Rational;
using tpn::Model;

Rational bound_of(const tpn::Document& problem, const Model& model) {
  return heuristics::period_lower_bound(tpn::ProblemView(problem), model);
}

tpn::Document bounded_problem(std::uint64_t seed) {
  constexpr std::array kLinks = {Links::free, Links::equal, Links::unequal};
  auto problem = random_problem({.stages = 1 + seed % 4,
                                 .processors = 2 + seed % 3,
                                 .speeds = seed % 4 == 2 ? Speeds::none : Speeds::unequal,
                                 .links = kLinks.at(seed % 3),
                                 .ends = seed / 2 % 2 == 0,
                                 .all_replicable = seed % 5 == 0},
                                seed);
  if (seed % 4 == 3) {  // whatever its part, it takes that long
    problem.platform.processors.front().speed.reset();
    problem.platform.processors.front().time = Rational::fraction(5, 7);
    tpn::validate(problem);
  }
  return problem;
}

TEST_CASE("no mapping has a period below the lower bound, and some attain it") {
  std::size_t attained = 0;
  for (std::uint64_t seed = 1; seed <= support::draws(60); ++seed) {
    const auto problem = bounded_problem(seed);
    for (const Model& model : {Model(Model::kOverlap), Model(Model::kStrict), tpn::bounded_model(1)}) {
      INFO("seed " << seed << ", " << tpn::label_of(model));
      const Rational bound = bound_of(problem, model);
      const auto bounded_by_it = [&](const char* name, const heuristics::Settings& settings) {
        const auto solution = heuristics::solve(*heuristics::find_heuristic(name), problem, settings);
        REQUIRE(proposal_of(solution).predicted_period >= bound);
        REQUIRE(proposal_of(solution).lower_bound == bound);
        return proposal_of(solution).predicted_period;
      };
      bounded_by_it("exhaustive", of_class("replicated", model));
      attained += bounded_by_it("polish", under(model, {{"moves", Rational(500)}})) == bound ? 1 : 0;
    }
  }
  REQUIRE(attained >= support::draws(60));
}

TEST_CASE("a stage on one processor receives and sends, or computes its neighbors, under STRICT") {
  // Stage 2 alone is fixed; files take 2, the others' works 10 and 1 on equal processors.
  auto problem = free_problem({10, 4, 1}, {1}, {1, 1, 1, 1, 1, 1});
  problem.platform.defaults.time = 2;
  REQUIRE(bound_of(problem, Model::kOverlap) == 4);
  REQUIRE(bound_of(problem, Model::kStrict) == 2 + 4 + 1);
  problem.application.stages[2].replicable = false;
  REQUIRE(bound_of(problem, Model::kStrict) == 2 + 4 + 1);
  problem.application.stages[2].work = 3;
  REQUIRE(bound_of(problem, Model::kStrict) == 2 + 4 + 2);
}

TEST_CASE("prices see that whole data sets on one processor each cannot be bettered") {
  // Speeds 1 and 2, work 6, files of 1 in and out: 1 / 8 and 1 / 5 data sets per time unit.
  auto problem = free_problem({6}, {}, {1, 2});
  problem.application.input = 1;
  problem.application.stages.front().output = 1;
  problem.platform.source.emplace();
  problem.platform.sink.emplace();
  problem.platform.source->timing.time = 1;
  problem.platform.sink->timing.time = 1;
  REQUIRE(bound_of(problem, Model::kStrict) == Rational::fraction(40, 13));
  REQUIRE(bound_of(problem, Model::kOverlap) == 2);
}

TEST_CASE("how far a period is above a lower bound is said in a sentence") {
  const auto note = [](const Rational& lower_bound) {
    return heuristics::bound_note(tpn::Document(), Model::kStrict, 3, lower_bound);
  };
  REQUIRE(note(3) == "Proved: no mapping has a shorter period under STRICT ONE-PORT.");
  REQUIRE(note(2) == "Proved: no mapping has a period below 2 under STRICT ONE-PORT; this one is 50 % above that.");
  // Rounded to six digits it would be 2.33334.
  REQUIRE(
      note(Rational::fraction(700'001, 300'000)).starts_with("Proved: no mapping has a period below 2.33333 under "));
  REQUIRE(note(0) == "No lower bound on periods under STRICT ONE-PORT is known.");
}

}  // namespace
}  // namespace takt::testing
