// Searches among the orders of processors: against all orders, with few and many chains, with a deadline.
#include "heuristics/divided/clique_search.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <set>
#include <string>

#include "heuristics/divided/chain_search.hpp"
#include "heuristics/registry.hpp"
#include "tests/heuristics/divided/oracles.hpp"
#include "tests/heuristics/problems.hpp"
#include "tests/support/seeds.hpp"

namespace takt::testing {
namespace {

using heuristics::Chain;
using heuristics::DividedPipeline;
using heuristics::ScaledPipeline;
using heuristics::Settings;
using maxplus::Rational;
using tpn::Model;

const std::vector<std::string> kSearches = {"random-sampling", "hill-climbing", "simulated-annealing"};

Settings search_settings(unsigned iterations, unsigned granularity, std::uint64_t seed = 1) {
  Settings settings;
  settings.seed = seed;
  settings.options = {{"iterations", Rational(iterations)}, {"granularity", Rational(granularity)}};
  return settings;
}

TEST_CASE("with enough chains, every search comes within epsilon of the best order of few processors") {
  for (std::uint64_t seed = 0; seed < support::draws(40); ++seed) {
    const tpn::Document problem = random_problem(
        {.stages = 4 + seed % 4, .processors = 2 + seed % 4, .links = Links::free, .all_replicable = false}, seed);
    const DividedPipeline pipeline = pipeline_in(problem);
    const Rational least = least_of_all(pipeline) * pipeline.unit;
    for (const std::string& name : kSearches) {
      INFO(name << ", seed " << seed);
      const auto solution = solve_checked(name, problem, search_settings(1500, 5040));
      const Rational predicted = proposal_of(solution).predicted_period;
      REQUIRE(predicted >= least);
      REQUIRE(predicted <= least * Rational::fraction(102, 100));
    }
  }
}

TEST_CASE("predictions of the searches are the exact OVERLAP period where communication is free") {
  for (std::uint64_t seed = 0; seed < 120; ++seed) {
    const tpn::Document problem = random_problem({.stages = 1 + seed % 9,
                                                  .processors = 1 + seed / 9 % 8,
                                                  .links = Links::free,
                                                  .ends = seed % 2 == 0,
                                                  .all_replicable = false},
                                                 seed + 100);
    for (const std::string& name : kSearches) {
      INFO(name << ", seed " << seed);
      const auto solution = solve_checked(name, problem, search_settings(40, seed % 2 == 0 ? 24 : 35, seed));
      const auto& proposal = proposal_of(solution);
      REQUIRE(exact_period(problem, proposal.mapping, Model::kOverlap) == proposal.predicted_period);
    }
  }
}

TEST_CASE("a search is never worse than chain-dp on the document's order, and mostly better") {
  std::size_t better = 0;
  for (std::uint64_t seed = 0; seed < support::draws(20); ++seed) {
    const tpn::Document problem =
        random_problem({.stages = 12, .processors = 7, .links = Links::free, .all_replicable = false}, seed + 300);
    const DividedPipeline pipeline = pipeline_in(problem);
    const Rational chain = heuristics::least_period(pipeline, document_chain(pipeline))->period * pipeline.unit;
    for (const std::string& name : kSearches) {
      INFO(name << ", seed " << seed);
      const auto solution = solve_checked(name, problem, search_settings(200, 5040));
      const Rational predicted = proposal_of(solution).predicted_period;
      // The rounding costs less than a thousandth here.
      REQUIRE(predicted <= chain * Rational::fraction(1001, 1000));
      if (predicted < chain) ++better;
      const auto& improvements = solution.log.tables.front();
      REQUIRE(improvements.title == "Improvements");
      REQUIRE(improvements.rows.front().front() == "1");
    }
  }
  REQUIRE(better > support::draws(40));
}

TEST_CASE("the improvements of a search begin with the document's order and end with the predicted period") {
  std::size_t unrounded = 0;
  std::size_t several = 0;
  std::size_t other_seed = 0;
  for (std::uint64_t seed = 0; seed < support::draws(60); ++seed) {
    const tpn::Document problem = random_problem(
        {.stages = 9, .processors = 2 + seed % 6, .links = Links::free, .all_replicable = false}, seed + 500);
    const DividedPipeline pipeline = pipeline_in(problem);
    const Rational first = heuristics::least_period(pipeline, document_chain(pipeline))->period * pipeline.unit;
    for (const std::string& name : kSearches) {
      INFO(name << ", seed " << seed);
      const auto solution = solve_checked(name, problem, search_settings(200, 5040));
      const auto& improvements = solution.log.improvements;
      REQUIRE(improvements.front() == heuristics::Improvement{1, first});
      REQUIRE(improvements.back().iteration <= 200);
      const Rational& predicted = proposal_of(solution).predicted_period;
      REQUIRE(improvements.back().period <= predicted);
      // One table of improvements by approximate periods, one row at least for each exact one.
      REQUIRE(solution.log.tables.front().rows.size() >= improvements.size());
      several += improvements.size() > 2 ? 1 : 0;
      unrounded += improvements.back().period == predicted ? 1 : 0;
      const auto other = heuristics::solve(*heuristics::find_heuristic(name), problem, search_settings(200, 5040, 2));
      other_seed += other.log.improvements != improvements ? 1 : 0;
    }
  }
  REQUIRE(several > support::draws(40));
  CAPTURE(unrounded, other_seed);
  REQUIRE(unrounded > support::draws(60));
  REQUIRE(other_seed > support::draws(60));
}

TEST_CASE("scaled integers judge chains as exact numbers do, within epsilon and their rounding") {
  const Rational epsilon = Rational::fraction(1, 100);
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    tpn::Document problem =
        random_problem({.stages = 9, .processors = 6, .links = Links::free, .all_replicable = false}, seed + 400);
    if (seed % 2 == 1) {
      // Works and speeds that fit no scale of 64 bits.
      for (auto& stage : problem.application.stages) *stage.work *= Rational::fraction(1'000'003, 999'983 + seed);
      for (std::size_t p = 0; p < 6; ++p) {
        *problem.platform.processors[p].speed *= Rational::fraction(1, 1'000'000'007 + 2 * p);
      }
    }
    const DividedPipeline pipeline = pipeline_in(problem);
    ScaledPipeline scaled(pipeline, epsilon);
    const Chain chain = {3, 1, 5, 0, 2, 4};
    const Rational unit = Rational::fraction(pipeline.work, speed_of(pipeline, chain)) / scaled.bound();
    const Rational least = heuristics::least_period(pipeline, chain)->period;
    const Rational found = unit * scaled.approximate(chain);
    INFO("seed " << seed);
    REQUIRE(found >= least * Rational::fraction(999'999, 1'000'000));
    REQUIRE(found <= least * (epsilon + 1) * Rational::fraction(1'000'001, 1'000'000));
  }
}

TEST_CASE("equal processors need one chain, and a passed deadline allows no second") {
  const tpn::Document equal =
      random_problem({.stages = 6, .processors = 5, .speeds = Speeds::equal, .links = Links::free}, 1);
  tpn::Document unequal = free_problem({5, 3, 7, 2, 9, 4}, {0, 2, 3, 4}, {3, 1, 4, 1, 5});
  for (const std::string& name : kSearches) {
    REQUIRE(solve_checked(name, equal).log.tables.front().rows.size() == 1);
    const auto solution = solve_checked(name, unequal, too_late());
    REQUIRE(proposal_of(solution).cut_short);
    REQUIRE(solution.log.tables.front().rows.size() == 1);
    REQUIRE_FALSE(proposal_of(solve_checked(name, unequal)).cut_short);
  }
}

TEST_CASE("searches and clique-optimal need speeds and take applications without work") {
  const tpn::Document without_work = free_problem({0, 0}, {0}, {1, 2});
  tpn::Document without_speed = without_work;
  without_speed.platform.processors[0] = {.name = "P1", .speed = {}, .time = Rational(3)};
  for (const char* name : {"random-sampling", "hill-climbing", "simulated-annealing", "clique-optimal"}) {
    INFO(name);
    REQUIRE(proposal_of(solve_checked(name, without_work)).predicted_period == 0);
    REQUIRE(std::holds_alternative<heuristics::Infeasible>(solve_checked(name, without_speed).result));
  }
}

}  // namespace
}  // namespace takt::testing
