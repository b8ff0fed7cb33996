// interval-optimal: against exhaustive and plain enumeration, what it refuses, its limits.
#include <algorithm>
#include <catch2/catch.hpp>
#include <chrono>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "heuristics/interval/costs.hpp"
#include "heuristics/registry.hpp"
#include "tests/heuristics/interval/problems.hpp"
#include "tests/heuristics/problems.hpp"
#include "tests/support/counted_clock.hpp"
#include "tests/support/seeds.hpp"
#include "tpn/models.hpp"

namespace takt::testing {
namespace {

using heuristics::Infeasible;
using heuristics::Proposal;
using heuristics::Settings;
using heuristics::Solution;
using maxplus::Rational;
using tpn::Model;

constexpr const char* kOptimalNote = "No interval mapping has a shorter period.";

// Of every kind of model: STRICT, OVERLAP, and one with rooms.
Settings settings_of(std::uint64_t seed) {
  return under(seed % 3 == 0 ? Model::kOverlap : seed % 3 == 1 ? Model::kStrict : tpn::bounded_model(1 + seed % 2));
}

Solution solve(const tpn::Document& problem, const Settings& settings = {}) {
  return solve_checked("interval-optimal", problem, settings);
}

Rational least_of_all(const tpn::Document& problem, const Settings& settings) {
  return proposal_of(heuristics::solve(*heuristics::find_heuristic("exhaustive"), problem, settings)).predicted_period;
}

void require_optimal(const tpn::Document& problem, const Settings& settings) {
  const Solution solution = solve(problem, settings);
  const Proposal& proposal = proposal_of(solution);
  REQUIRE(proposal.predicted_period == least_of_all(problem, settings));
  REQUIRE(proposal.predicted_period == exact_period(problem, proposal.mapping, solution.model));
  REQUIRE_FALSE(proposal.cut_short);
  REQUIRE_FALSE(proposal.lower_bound);
  REQUIRE(std::ranges::find(solution.log.notes, kOptimalNote) != solution.log.notes.end());
}

TEST_CASE("interval-optimal equals exhaustive on the four experiments, with and without ends") {
  std::size_t both_grow = 0;
  for (std::uint64_t seed = 0; seed < 120; seed += support::step()) {
    INFO("seed " << seed);
    const std::size_t stages = 1 + seed / 4 % 7;
    const std::size_t processors = 1 + seed / 28 % 6;
    tpn::Document problem = skeleton_problem(static_cast<int>(1 + seed % 4), stages, processors, seed);
    if (seed % 5 == 1 || seed % 5 == 3) problem.platform.source.reset();
    if (seed % 5 == 2 || seed % 5 == 3) problem.platform.sink.reset();
    require_optimal(problem, settings_of(seed / 5));
    both_grow += stages > 4 && processors > 3 ? 1 : 0;
  }
  REQUIRE(both_grow > 0);
}

TEST_CASE("interval-optimal equals exhaustive whatever else a problem has, or names the links that differ") {
  std::size_t solved = 0;
  for (std::uint64_t seed = 0; seed < 120; seed += support::step()) {
    INFO("seed " << seed);
    const tpn::Document problem = varied_problem(seed);
    const Settings settings = settings_of(seed);
    const Solution solution = solve(problem, settings);
    if (std::holds_alternative<Infeasible>(solution.result)) {
      REQUIRE_THAT(reason_of(solution), Catch::EndsWith(" differ, and it needs equal ones"));
      continue;
    }
    require_optimal(problem, settings);
    ++solved;
  }
  REQUIRE(solved > 2);
}

TEST_CASE("interval-optimal equals exhaustive where stages have times of their own") {
  for (std::uint64_t seed = 0; seed < 120; seed += support::step()) {
    INFO("seed " << seed);
    const tpn::Document problem = random_problem({.stages = 1 + seed % 6,
                                                  .processors = 1 + seed / 6 % 6,
                                                  .speeds = Speeds::none,
                                                  .links = seed % 7 == 0 ? Links::free : Links::equal,
                                                  .ends = seed % 2 == 0,
                                                  .all_replicable = false},
                                                 seed);
    require_optimal(problem, settings_of(seed));
  }
}

TEST_CASE("a source and a sink that some processors lack are the first and the last part's affair alone") {
  std::size_t solved = 0;
  for (std::uint64_t seed = 0; seed < 120; ++seed) {
    INFO("seed " << seed);
    tpn::Document problem = skeleton_problem(static_cast<int>(1 + seed % 4), 1 + seed / 4 % 5, 2 + seed / 20 % 4, seed);
    const Rational bandwidth = 10;
    const auto leave = [&](auto& end, std::size_t residue) {
      for (std::size_t u = 0; u < problem.platform.processors.size(); ++u) {
        if (u % 2 == residue) end->links.push_back({u, {.bandwidth = bandwidth, .latency = {}, .time = {}}});
      }
    };
    const std::size_t processors = problem.platform.processors.size();
    for (std::size_t u = 0; u < processors; ++u) {
      for (std::size_t v = u + 1; v < processors; ++v) {
        problem.platform.links.push_back({u, v, {.bandwidth = bandwidth, .latency = {}, .time = {}}, false});
      }
    }
    problem.platform.defaults = {};
    leave(problem.platform.source, 0);
    leave(problem.platform.sink, seed / 20 % 2);
    const Solution solution = solve(problem, settings_of(seed));
    if (std::holds_alternative<Infeasible>(solution.result)) {
      REQUIRE(problem.application.stages.size() == 1);
      REQUIRE(reason_of(solution) ==
              "no processors have the links from the source and to the sink that a mapping needs");
      continue;
    }
    require_optimal(problem, settings_of(seed));
    ++solved;
  }
  REQUIRE(solved > 80);
}

// On two or three processors: all cuts and all orders, by real cycle times.
std::optional<Rational> least_on_few(const tpn::Document& problem, Model model) {
  const tpn::ProblemView view(problem);
  const heuristics::IntervalCosts costs(view, model);
  std::vector<std::size_t> order(costs.processors());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::optional<Rational> least;
  do {
    for (std::size_t first = 1; first <= costs.stages(); ++first) {
      for (std::size_t second = first; second <= (order.size() > 2 ? costs.stages() : first); ++second) {
        tpn::Mapping mapping = {{0, first - 1, {order[0]}}};
        if (second > first) mapping.push_back({first, second - 1, {order[1]}});
        if (second < costs.stages()) mapping.push_back({second, costs.stages() - 1, {order.back()}});
        const Rational period = costs.period(mapping);
        if (!least || period < *least) least = period;
      }
    }
  } while (std::ranges::next_permutation(order).found);
  return least;
}

TEST_CASE("chains of 63, 64 and more stages have as many cuts as words need") {
  for (const std::size_t stages : {62U, 63U, 64U, 65U, 128U}) {
    for (int experiment = 1; experiment <= 4; ++experiment) {
      INFO(stages << " stages, experiment " << experiment);
      const tpn::Document problem = skeleton_problem(experiment, stages, 2, stages);
      REQUIRE(proposal_of(solve(problem)).predicted_period == least_on_few(problem, Model::kStrict));
    }
  }
  const tpn::Document three = skeleton_problem(2, 70, 3, 1);
  REQUIRE(proposal_of(solve(three)).predicted_period == least_on_few(three, Model::kStrict));
}

TEST_CASE("equal processors count once, and those that cannot be of use not at all") {
  // Five stages have no use for more than five of the 90 processors of three speeds.
  tpn::Document many = skeleton_problem(2, 5, 90, 1);
  for (std::size_t u = 0; u < 90; ++u) many.platform.processors[u].speed = u % 3 + 1;
  tpn::Document few = many;
  few.platform.processors.clear();
  for (std::size_t u = 0; u < 6; ++u) few.platform.processors.push_back(many.platform.processors[3 * u + 2]);
  REQUIRE(proposal_of(solve(many)).predicted_period == least_of_all(few, {}));
  // Ten each of three speeds: 11^3 sets.
  tpn::Document thirty = skeleton_problem(3, 60, 30, 1);
  for (std::size_t u = 0; u < 30; ++u) thirty.platform.processors[u].speed = 1;
  const Rational equal = proposal_of(solve(thirty)).predicted_period;
  REQUIRE(equal ==
          proposal_of(heuristics::solve(*heuristics::find_heuristic("homogeneous-dp"), thirty)).predicted_period);
  for (std::size_t u = 0; u < 30; ++u) thirty.platform.processors[u].speed = u % 3 + 1;
  const Solution mixed = solve(thirty);
  REQUIRE(proposal_of(mixed).predicted_period < equal);
  REQUIRE(proposal_of(mixed).predicted_period >= equal / Rational(3));
}

TEST_CASE("a shorter interval may be needed where the longer one ends in a larger file") {
  // Within 5 a processor can take S1 and S2, 1 + 1 + 3, and none S3 behind them, 3 + 4; but S1 alone leaves 0 + 1 + 4.
  tpn::Document problem = free_problem({1, 1, 4}, {}, {1, 1});
  problem.application.stages[0].output = 0;
  problem.application.stages[1].output = 3;
  problem.platform.defaults = {.bandwidth = 1, .latency = {}, .time = {}};
  const Solution solution = solve(problem);
  REQUIRE(proposal_of(solution).predicted_period == 5);
  REQUIRE(proposal_of(solution).mapping == tpn::Mapping{{0, 0, {1}}, {1, 2, {0}}});
}

TEST_CASE("interval-optimal names the links that differ or are absent") {
  tpn::Document problem = skeleton_problem(1, 3, 3, 1);
  problem.platform.links.push_back({0, 1, {.bandwidth = 5, .latency = {}, .time = {}}, true});
  REQUIRE(reason_of(solve(problem)) ==
          R"(the links from "P0" to "P1" and from "P0" to "P2" differ, and it needs equal ones)");
  problem.platform.defaults.bandwidth.reset();
  problem.platform.source->timing.bandwidth = 10;
  problem.platform.sink->timing.bandwidth = 10;
  REQUIRE(reason_of(solve(problem)) == R"(there is no link from "P0" to "P2", and it needs them all)");
  problem = skeleton_problem(1, 3, 3, 1);
  problem.platform.sink->links.push_back({1, {.bandwidth = 7, .latency = {}, .time = {}}});
  REQUIRE(reason_of(solve(problem)) ==
          R"(the links from "P0" to the sink and from "P1" to the sink differ, and it needs equal ones)");
}

tpn::Document of_different_speeds(std::size_t stages, std::size_t processors) {
  tpn::Document problem = skeleton_problem(1, stages, processors, 1);
  for (std::size_t u = 0; u < processors; ++u) problem.platform.processors[u].speed = u + 1;
  return problem;
}

TEST_CASE("interval-optimal says when the sets of processors are too many") {
  REQUIRE(reason_of(solve(of_different_speeds(30, 22))) ==
          "limit: 4194304 sets of 22 processors of 22 kinds are too many to go over without a time limit, with 30 "
          "stages");
  REQUIRE(reason_of(solve(of_different_speeds(50, 40))) ==
          "limit: the sets of 40 processors of 40 kinds, with 50 stages, take more than 512 megabytes");
  // As many processors, of which a few are of use.
  REQUIRE(reason_of(solve(of_different_speeds(6, 40))) == "a mapping");
}

TEST_CASE("where the deadline has passed interval-optimal has the whole chain on one processor, and no proof") {
  const Solution solution = solve(of_different_speeds(40, 10), too_late());
  REQUIRE(proposal_of(solution).cut_short);
  REQUIRE(proposal_of(solution).mapping == tpn::Mapping{{0, 39, {9}}});
  REQUIRE(solution.log.notes.empty());
}

TEST_CASE("a deadline amid a test ends it, and the best mapping so far is no proof") {
  Settings settings;
  const support::CountedClock clock(std::chrono::milliseconds(1));
  // A test asks once every 1024 of 2^22 sets.
  settings.deadline = clock.at_question(5);
  const Solution solution = solve(of_different_speeds(30, 22), settings);
  REQUIRE(proposal_of(solution).cut_short);
  REQUIRE(solution.log.notes.empty());
}

}  // namespace
}  // namespace takt::testing
