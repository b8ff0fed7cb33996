// Divided pipelines on a chain: known periods, optima against brute force, predictions against the exact period.
#include "heuristics/divided/divided.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <set>
#include <string>

#include "heuristics/divided/chain_recurrence.hpp"
#include "heuristics/divided/chain_search.hpp"
#include "heuristics/divided/mapping.hpp"
#include "plan/wider/weighted_round_robin.hpp"
#include "tests/heuristics/divided/oracles.hpp"
#include "tests/heuristics/problems.hpp"
#include "tests/support/seeds.hpp"
#include "tpn/errors.hpp"

namespace takt::testing {
namespace {

using heuristics::Chain;
using heuristics::DividedPipeline;
using heuristics::Division;
using heuristics::Recurrence;
using heuristics::Settings;
using maxplus::Rational;
using tpn::Mapping;
using tpn::Model;

Rational ratio(long p, long q) { return Rational::fraction(p, q); }

Settings grain(unsigned granularity) { return under({}, {{"granularity", Rational(granularity)}}); }

const std::vector<std::string> kOnChains = {"pdm", "homogeneous-dp-divided", "chain-dp", "chain-approx"};

// Between 1 and 7 stages and processors, all combinations in turn.
Shape small_shape(std::uint64_t seed, Speeds speeds) {
  return {.stages = 1 + seed % 7,
          .processors = 1 + seed / 7 % 6,
          .speeds = speeds,
          .links = Links::free,
          .ends = seed % 3 == 0,
          .all_replicable = false};
}

// The example of the paper's Figure 3a: only the second and the fourth stage are divisible.
tpn::Document figure_3a() { return free_problem({1, 4, 2, 6, 1}, {0, 2, 4}, {1, 1, 1, 1}); }
tpn::Document figure_3b() { return free_problem({1, 2, 4, 6, 1}, {0, 2, 4}, {1, 1, 1, 1}); }

TEST_CASE("the perfectly divided mapping of Figure 3a has the period 7/2 and the printed splits") {
  const tpn::Document problem = figure_3a();
  for (const std::string& name : kOnChains) {
    INFO(name);
    const auto solution = solve_checked(name, problem);
    const auto& proposal = proposal_of(solution);
    REQUIRE(proposal.predicted_period == ratio(7, 2));
    REQUIRE(exact_period(problem, proposal.mapping, Model::kOverlap) == ratio(7, 2));
    // .625 and .375 of the second stage, 7/12 and 5/12 of the fourth.
    const Mapping expected = {{0, 0, {0}},
                              {1, 1, {0, 1, 0, 0, 1, 0, 1, 0}},
                              {2, 2, {1}},
                              {3, 3, {2, 3, 2, 3, 2, 3, 2, 2, 3, 2, 3, 2}},
                              {4, 4, {3}}};
    REQUIRE(proposal.mapping.size() == expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
      INFO("part " << i);
      REQUIRE(std::ranges::is_permutation(proposal.mapping[i].processors, expected[i].processors));
    }
    REQUIRE(solution.log.notes.empty());
  }
}

TEST_CASE("Figure 3b has no perfectly divided mapping, and its optimum is 4") {
  const tpn::Document problem = figure_3b();
  REQUIRE(reason_of(solve_checked("pdm", problem)) ==
          "at the period 3.5, where all processors are always busy, the boundary between \"P1\" and \"P2\" falls "
          "inside stage \"S3\", which is not replicable");
  for (const std::string name : {"homogeneous-dp-divided", "chain-dp"}) {
    REQUIRE(proposal_of(solve_checked(name, problem)).predicted_period == 4);
  }
  REQUIRE(proposal_of(solve_checked("chain-approx", problem)).predicted_period <= ratio(404, 100));
}

TEST_CASE("works are multiplied by their gains, the produces of the stage before over the consumes") {
  // Firings per data set: 1, 3/2, 3/2, 3, 1/2; normalized works as in Figure 3a.
  tpn::Document problem = figure_3a();
  auto& stages = problem.application.stages;
  stages[0].produces = 3;
  stages[1].consumes = 2;
  stages[2].produces = 2;
  stages[4].consumes = 6;
  stages[1].work = ratio(8, 3);
  stages[2].work = ratio(4, 3);
  stages[3].work = 2;
  stages[4].work = 2;
  const DividedPipeline pipeline = pipeline_in(problem);
  REQUIRE(pipeline.segments.size() == 5);
  REQUIRE(pipeline.segments[3].work() * pipeline.unit == 6);
  for (const std::string& name : kOnChains) {
    INFO(name);
    const auto solution = solve_checked(name, problem);
    REQUIRE(proposal_of(solution).predicted_period == ratio(7, 2));
  }
}

TEST_CASE("a processor may have to stay idle, which the printed recurrence does not allow") {
  const tpn::Document problem = free_problem({4, 3}, {0}, {2, 2, 4, 2});
  REQUIRE(proposal_of(solve_checked("chain-dp", problem)).predicted_period == ratio(7, 6));
  for (const auto& [recurrence, period] : {std::pair{"printed", ratio(3, 2)}, std::pair{"corrected", ratio(7, 6)}}) {
    const auto solution = solve_checked("chain-dp", problem, under({}, {{"recurrence", std::string(recurrence)}}));
    REQUIRE(proposal_of(solution).predicted_period == period);
    REQUIRE(exact_period(problem, proposal_of(solution).mapping, Model::kOverlap) == period);
  }
}

TEST_CASE("the search and the corrected recurrence find the least period of a chain, the printed one not always") {
  std::size_t worse = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    INFO("seed " << seed);
    const tpn::Document problem = random_problem(small_shape(seed, Speeds::unequal), seed);
    const DividedPipeline pipeline = pipeline_in(problem);
    const Chain chain = document_chain(pipeline);
    const auto least = heuristics::least_period(pipeline, chain);
    REQUIRE(is_least_period(problem, chain, least->period * pipeline.unit));
    REQUIRE(period_of(pipeline, divide(pipeline, chain, least->ends)) == least->period * pipeline.unit);
    const auto corrected = heuristics::recurrence_period(pipeline, chain, Recurrence::corrected, {});
    REQUIRE(corrected->period == least->period);
    REQUIRE(period_of(pipeline, divide(pipeline, chain, corrected->ends)) == least->period * pipeline.unit);
    const auto printed = heuristics::recurrence_period(pipeline, chain, Recurrence::printed, {});
    REQUIRE(printed->period >= least->period);
    REQUIRE(period_of(pipeline, divide(pipeline, chain, printed->ends)) == printed->period * pipeline.unit);
    if (printed->period > least->period) ++worse;
  }
  REQUIRE(worse > 20);
}

TEST_CASE("a pass that fails bounds the least period from below") {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    INFO("seed " << seed);
    const tpn::Document problem = random_problem(small_shape(seed, Speeds::unequal), seed + 5000);
    const DividedPipeline pipeline = pipeline_in(problem);
    const Chain chain = document_chain(pipeline);
    const Rational least = heuristics::least_period(pipeline, chain)->period;
    // Without the bisection, too, the bounds rise to the least period and end there.
    Rational period = 0;
    auto pass = heuristics::verify_period(pipeline, chain, period);
    while (!pass.complete) {
      REQUIRE(pass.next_bound > period);
      REQUIRE(pass.next_bound <= least);
      period = pass.next_bound;
      pass = heuristics::verify_period(pipeline, chain, period);
    }
    REQUIRE(period == least);
  }
}

TEST_CASE("homogeneous-dp-divided finds the least period on equal processors") {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    INFO("seed " << seed);
    const tpn::Document problem = random_problem(small_shape(seed, Speeds::equal), seed + 1000);
    const DividedPipeline pipeline = pipeline_in(problem);
    const Chain chain = document_chain(pipeline);
    // Coarse enough for a quick test, and exact if the optimum's fractions have small denominators.
    const auto solution = solve_checked("homogeneous-dp-divided", problem, grain(5040));
    const Rational least = heuristics::least_period(pipeline, chain)->period * pipeline.unit;
    REQUIRE(is_least_period(problem, chain, least));
    const Rational predicted = proposal_of(solution).predicted_period;
    if (solution.log.notes.empty()) {
      REQUIRE(predicted == least);
    } else {
      REQUIRE_THAT(solution.log.notes.front(), Catch::Contains("raise the period from"));
      REQUIRE(predicted > least);
    }
  }
}

TEST_CASE("pdm answers if and only if the least period is all work over all speeds") {
  std::size_t perfect = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    INFO("seed " << seed);
    const tpn::Document problem = random_problem(small_shape(seed, Speeds::unequal), seed + 2000);
    const DividedPipeline pipeline = pipeline_in(problem);
    const Chain chain = document_chain(pipeline);
    const Rational everything = Rational::fraction(pipeline.work, speed_of(pipeline, chain)) * pipeline.unit;
    const auto solution = solve_checked("pdm", problem, grain(60));
    const bool answered = std::holds_alternative<heuristics::Proposal>(solution.result);
    REQUIRE(answered == division_possible(problem, chain, everything));
    if (answered) ++perfect;
    if (!answered) REQUIRE_THAT(reason_of(solution), Catch::Contains("which is not replicable"));
  }
  REQUIRE(perfect > 20);
  REQUIRE(perfect < 180);
}

TEST_CASE("chain-approx stays within 1 + epsilon of the least period, whatever epsilon") {
  for (std::uint64_t seed = 0; seed < 150; seed += support::step()) {
    INFO("seed " << seed);
    const tpn::Document problem = random_problem(small_shape(seed, Speeds::unequal), seed + 3000);
    const DividedPipeline pipeline = pipeline_in(problem);
    const Chain chain = document_chain(pipeline);
    const Rational least = heuristics::least_period(pipeline, chain)->period;
    for (const Rational& epsilon : {ratio(1, 1), ratio(1, 10), ratio(1, 100), ratio(1, 1'000'000)}) {
      const auto found = heuristics::approximate_period(pipeline, chain, epsilon);
      REQUIRE(found->period <= least * (epsilon + 1));
      REQUIRE(period_of(pipeline, divide(pipeline, chain, found->ends)) <= found->period * pipeline.unit);
    }
    const auto solution = solve_checked("chain-approx", problem, under({}, {{"granularity", Rational(2520)}}));
    REQUIRE(proposal_of(solution).predicted_period <= least * pipeline.unit * ratio(101, 100));
  }
}

TEST_CASE("predictions of heuristics on chains are the exact OVERLAP period where communication is free") {
  std::size_t answered = 0;
  const std::vector<unsigned> grains = {1, 6, 12, 17, 30};
  for (std::uint64_t seed = 0; seed < 260; seed += support::step()) {
    const Speeds speeds = seed % 2 == 0 ? Speeds::equal : Speeds::unequal;
    const tpn::Document problem = random_problem(small_shape(seed / 2, speeds), seed + 4000);
    for (const std::string& name : kOnChains) {
      const unsigned granularity = grains[seed % grains.size()];
      INFO(name << ", seed " << seed << ", granularity " << granularity);
      const auto solution = solve_checked(name, problem, grain(granularity));
      if (!std::holds_alternative<heuristics::Proposal>(solution.result)) continue;
      ++answered;
      const auto& proposal = proposal_of(solution);
      REQUIRE(exact_period(problem, proposal.mapping, Model::kOverlap) == proposal.predicted_period);
      for (const tpn::Part& part : proposal.mapping) REQUIRE(part.processors.size() <= granularity);
    }
  }
  REQUIRE(answered > support::draws(500));
}

TEST_CASE("predictions hold where many processors share stages between those that are not replicable") {
  for (std::uint64_t seed = 0; seed < 40; seed += support::step()) {
    tpn::Document problem =
        random_problem({.stages = 7, .processors = 12, .links = Links::free, .ends = seed % 2 == 0}, seed + 6000);
    problem.application.stages[1].replicable = false;
    problem.application.stages[1].work = 1;
    problem.application.stages[4].replicable = false;
    problem.application.stages[4].work = 1;
    for (const std::string name : {"chain-dp", "chain-approx"}) {
      INFO(name << ", seed " << seed);
      const auto solution = solve_checked(name, problem, seed < 4 ? Settings{} : grain(90));
      const auto& proposal = proposal_of(solution);
      REQUIRE(exact_period(problem, proposal.mapping, Model::kOverlap) == proposal.predicted_period);
    }
  }
}

TEST_CASE("a processor of two neighboring parts holds up those between unless its turns are in one piece") {
  // P4 takes 2/5 of S2's data sets and all of S3: it receives files of S1 and of S2, in the order of data sets.
  const tpn::Document problem = free_problem({1, 5, 1}, {0, 2}, {1, 1, 2, 3});
  Mapping spread = {{0, 0, {0}}, {1, 1, {}}, {2, 2, {3}}};
  for (const std::size_t k : plan::weighted_round_robin(std::vector<std::uint64_t>{1, 2, 2})) {
    spread[1].processors.push_back(k + 1);
  }
  const Mapping in_one_piece = proposal_of(solve_checked("pdm", problem)).mapping;
  REQUIRE(in_one_piece == Mapping{{0, 0, {0}}, {1, 1, {3, 3, 2, 1, 2}}, {2, 2, {3}}});
  REQUIRE(heuristics::computation_period(tpn::ProblemView(problem), spread) == 1);
  REQUIRE(heuristics::computation_period(tpn::ProblemView(problem), in_one_piece) == 1);
  REQUIRE(exact_period(problem, spread, Model::kOverlap).to_string() == "3/2");
  REQUIRE(exact_period(problem, in_one_piece, Model::kOverlap) == 1);
}

TEST_CASE("rounded fractions raise the largest load as little as any within the granularity") {
  std::size_t rounded = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const tpn::Document problem = random_problem({.stages = 1 + seed % 4,
                                                  .processors = 2 + seed % 3,
                                                  .links = Links::free,
                                                  .ends = false,
                                                  .all_replicable = false},
                                                 seed + 7000);
    const DividedPipeline pipeline = pipeline_in(problem);
    const Chain chain = document_chain(pipeline);
    const Division division = divide(pipeline, chain, heuristics::least_period(pipeline, chain)->ends);
    const Rational period = period_of(pipeline, division);
    for (const unsigned granularity : {1U, 2U, 5U, 9U}) {
      INFO("seed " << seed << ", granularity " << granularity);
      const auto solution = solve_checked("chain-dp", problem, grain(granularity));
      const Rational best = best_rounding(pipeline, division, granularity);
      REQUIRE(best >= period);
      REQUIRE(proposal_of(solution).predicted_period == best);
      REQUIRE(solution.log.notes.empty() == (best == period));
      if (best > period) ++rounded;
      maxplus::Integer rows = 1;
      for (const tpn::Part& part : proposal_of(solution).mapping) {
        rows = lcm(rows, maxplus::Integer(static_cast<unsigned long>(part.processors.size())));
      }
      REQUIRE(rows <= granularity);
    }
  }
  REQUIRE(rounded > 50);
}

TEST_CASE("neighboring replicable stages share one sequence, and files stay on their processors") {
  const tpn::Document problem = free_problem({3, 5, 4, 2, 2}, {2}, {1, 1, 2});
  const auto solution = solve_checked("chain-dp", problem);
  const Mapping& mapping = proposal_of(solution).mapping;
  REQUIRE(mapping == Mapping{{0, 1, {0, 1}}, {2, 4, {2}}});
  REQUIRE(proposal_of(solution).predicted_period == 4);
}

TEST_CASE("stages without work find a place wherever they are") {
  for (const auto& fixed : {std::vector<std::size_t>{0, 2, 4}, {0, 1, 2, 3, 4}, {1, 3}, {}}) {
    for (const std::vector<Rational>& works :
         {std::vector<Rational>{0, 4, 0, 6, 0}, {0, 0, 0, 0, 0}, {3, 0, 0, 0, 4}, {0, 0, 7, 0, 1}}) {
      const tpn::Document problem = free_problem(works, fixed, {1, 2, 3});
      const Chain chain = {0, 1, 2};
      for (const std::string recurrence : {"none", "corrected", "printed"}) {
        const auto solution = solve_checked("chain-dp", problem, under({}, {{"recurrence", recurrence}}));
        const auto& proposal = proposal_of(solution);
        REQUIRE(exact_period(problem, proposal.mapping, Model::kOverlap) == proposal.predicted_period);
        if (recurrence == "printed" || proposal.predicted_period == 0) continue;
        REQUIRE(is_least_period(problem, chain, proposal.predicted_period));
      }
      const tpn::Document equal = free_problem(works, fixed, {2, 2, 2});
      const Rational period = proposal_of(solve_checked("homogeneous-dp-divided", equal)).predicted_period;
      REQUIRE(period == proposal_of(solve_checked("chain-dp", equal)).predicted_period);
    }
  }
}

TEST_CASE("dividing needs speeds, and homogeneous-dp-divided equal ones") {
  tpn::Document problem = free_problem({4, 3}, {0}, {1, 2});
  REQUIRE(reason_of(solve_checked("homogeneous-dp-divided", problem)) ==
          "processors \"P1\" and \"P2\" have speeds 1 and 2, and it needs equal ones");
  problem.platform.processors[1] = {.name = "P2", .speed = {}, .time = Rational(3)};
  for (const std::string& name : kOnChains) {
    REQUIRE(reason_of(solve_checked(name, problem)) ==
            "processor \"P2\" has a fixed \"time\", and dividing work needs a \"speed\"");
  }
  problem.platform.processors[1].time.reset();
  problem.platform.processors[1].speed = Rational(1);
  problem.application.stages[1].work.reset();
  REQUIRE_THROWS_AS(solve_checked("chain-dp", problem), tpn::InvalidInstance);
}

TEST_CASE("a recurrence that is too large, or a time limit that has passed, is a limit") {
  tpn::Document problem = random_problem({.stages = 60, .processors = 60, .links = Links::free}, 1);
  for (std::size_t k = 0; k < 60; k += 2) problem.application.stages[k].replicable = false;
  REQUIRE(reason_of(solve_checked("chain-dp", problem, under({}, {{"recurrence", std::string("corrected")}}))) ==
          "limit: the recurrence has 3348900 states and 1295280100 splits here, and at most 1000000 and 2000000000 are "
          "tried; --recurrence none has no such limit");
  for (auto& processor : problem.platform.processors) processor.speed = Rational(1);
  for (const char* name : {"chain-dp", "chain-approx", "homogeneous-dp-divided"})
    REQUIRE(reason_of(solve_checked(name, problem, too_late())) ==
            "limit: the time limit passed before it had a mapping");
}

TEST_CASE("communication that takes time is noted, and a missing link is named") {
  tpn::Document problem = figure_3a();
  problem.platform.defaults = {.bandwidth = Rational(10), .latency = {}, .time = {}};
  for (auto& stage : problem.application.stages) stage.output = Rational(1);
  const auto solution = solve_checked("chain-dp", problem);
  REQUIRE(proposal_of(solution).predicted_period == ratio(7, 2));
  REQUIRE(solution.log.notes.size() == 1);
  REQUIRE_THAT(solution.log.notes.front(), Catch::Contains("Communication takes time"));
  for (auto& stage : problem.application.stages) stage.output = Rational(0);
  REQUIRE(solve_checked("chain-dp", problem).log.notes.empty());
  problem.platform.defaults = {};
  REQUIRE_THAT(reason_of(solve_checked("chain-dp", problem)), Catch::Contains("which the platform lacks"));
}

}  // namespace
}  // namespace takt::testing
