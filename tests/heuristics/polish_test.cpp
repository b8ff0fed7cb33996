// polish: never worse than its start, near the optimum of small problems, from any start.
#include <catch2/catch.hpp>
#include <string>

#include "heuristics/registry.hpp"
#include "tests/heuristics/problems.hpp"

namespace takt::testing {
namespace {

using heuristics::Settings;
using maxplus::Rational;
using tpn::Model;

Shape shape_of(std::uint64_t seed) {
  return {.stages = 2 + seed % 3,
          .processors = 2 + seed / 3 % 4,
          .speeds = Speeds::unequal,
          .links = seed % 2 == 0 ? Links::unequal : Links::equal,
          .ends = seed % 4 < 2,
          .all_replicable = seed % 5 != 0};
}

Model model_of(std::uint64_t seed) { return seed % 2 == 0 ? Model::strict : Model::overlap; }

TEST_CASE("polish predicts the exact period, and is never worse than the mapping it starts from") {
  int improved = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    INFO(seed);
    const tpn::Document problem = random_problem({.stages = 6, .processors = 8, .links = Links::unequal}, seed);
    const Model model = model_of(seed);
    for (const std::string start : {"bsc", "hedpm"}) {
      const auto from = solve_checked(start, problem);
      Settings settings;
      settings.model = model;
      settings.options = {{"start", start}, {"restarts", Rational(1)}};
      const auto to = solve_checked("polish", problem, settings);
      const Rational before = exact_period(problem, proposal_of(from).mapping, model);
      const Rational after = exact_period(problem, proposal_of(to).mapping, model);
      REQUIRE(after <= before);
      REQUIRE(proposal_of(to).predicted_period == after);
      if (after < before) ++improved;
    }
  }
  REQUIRE(improved > 60);
}

TEST_CASE("polish is within 5 % of the best replicated mapping on nine small problems of ten") {
  constexpr int kProblems = 40;
  int near = 0;
  for (std::uint64_t seed = 1; seed <= kProblems; ++seed) {
    INFO(seed);
    const tpn::Document problem = random_problem(shape_of(seed), seed);
    Settings settings;
    settings.model = model_of(seed);
    Settings replicated = settings;
    replicated.options = {{"class", std::string("replicated")}};
    const Rational best = proposal_of(solve_checked("exhaustive", problem, replicated)).predicted_period;
    const Rational polished = proposal_of(solve_checked("polish", problem, settings)).predicted_period;
    if (polished * 100 <= best * 105) ++near;
  }
  REQUIRE(near * 10 >= kProblems * 9);
}

TEST_CASE("polish starts from the document's mapping where it has one, whatever its kind") {
  tpn::Document problem = free_problem({4, 6, 2}, {}, {1, 2, 3});
  problem.mapping = tpn::Mapping{{0, 0, {0}}, {1, 1, {0, 1, 1}}, {2, 2, {1}}};
  const Rational before = exact_period(problem, *problem.mapping, Model::strict);
  Settings given;
  given.options = {{"start", std::string("given")}};
  const auto polished = solve_checked("polish", problem, given);
  REQUIRE(proposal_of(polished).predicted_period <= before);
  // All stages by all processors in turn, each as often as it is fast: 12 works at a speed of 6.
  REQUIRE(proposal_of(polished).predicted_period == Rational(2));
  problem.mapping.reset();
  const auto without = solve_checked("polish", problem, given);
  REQUIRE(std::holds_alternative<heuristics::Infeasible>(without.result));
}

}  // namespace
}  // namespace takt::testing
