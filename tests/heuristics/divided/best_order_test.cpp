// clique-optimal: against all orders of few processors, against the searches on more, its limits.
#include "heuristics/divided/best_order.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <string>

#include "heuristics/registry.hpp"
#include "tests/heuristics/divided/oracles.hpp"
#include "tests/heuristics/problems.hpp"
#include "tests/support/seeds.hpp"

namespace takt::testing {
namespace {

using heuristics::BestOrder;
using heuristics::DividedPipeline;
using heuristics::Log;
using maxplus::Rational;

BestOrder best_of(const DividedPipeline& pipeline) {
  Log log;
  return std::get<BestOrder>(heuristics::best_order(pipeline, {}, log));
}

// Small speeds, of which many are equal; stages of no work; works and speeds whose multiples leave 64 bits.
tpn::Document varied(std::uint64_t seed) {
  tpn::Document problem = random_problem(
      {.stages = 1 + seed % 9, .processors = 1 + seed / 9 % 5, .links = Links::free, .all_replicable = false}, seed);
  auto& stages = problem.application.stages;
  auto& processors = problem.platform.processors;
  for (std::size_t k = 0; k < stages.size(); ++k) {
    if (seed % 4 == 1 && (k + seed) % 3 == 0 && k > 0) stages[k].work = 0;
    if (seed % 7 == 3) *stages[k].work *= Rational::fraction(1'000'003, 999'983 + seed);
  }
  for (std::size_t p = 0; p < processors.size(); ++p) {
    if (seed % 3 == 0) processors[p].speed = 1 + (seed + p * p) % 3;
    if (seed % 7 == 3) *processors[p].speed *= Rational::fraction(1, 1'000'000'007 + 2 * p);
  }
  return problem;
}

TEST_CASE("the best order has the least period of all orders") {
  std::size_t better = 0;
  for (std::uint64_t seed = 0; seed < support::draws(300); ++seed) {
    const DividedPipeline pipeline = pipeline_in(varied(seed));
    INFO("seed " << seed);
    const Rational least = least_of_all(pipeline);
    BestOrder best = best_of(pipeline);
    REQUIRE(best.least.period == least);
    REQUIRE_FALSE(best.cut_short);
    const Rational document = heuristics::least_period(pipeline, document_chain(pipeline))->period;
    better += best.least.period < document ? 1 : 0;
    REQUIRE(heuristics::least_period(pipeline, best.chain)->period == least);
    std::ranges::sort(best.chain);
    REQUIRE(best.chain == document_chain(pipeline));
  }
  REQUIRE(better > support::draws(50));  // the order matters
}

TEST_CASE("no search finds a shorter period than clique-optimal, and some find the same") {
  std::size_t attained = 0;
  for (std::uint64_t seed = 0; seed < support::draws(20); ++seed) {
    const tpn::Document problem =
        random_problem({.stages = 20, .processors = 8, .links = Links::free, .all_replicable = false}, seed + 700);
    const auto optimal = solve_checked("clique-optimal", problem);
    const Rational least = optimal.log.improvements.back().period;
    const DividedPipeline pipeline = pipeline_in(problem);
    REQUIRE(least == best_of(pipeline).least.period * pipeline.unit);
    REQUIRE(proposal_of(optimal).predicted_period ==
            exact_period(problem, proposal_of(optimal).mapping, tpn::Model::kOverlap));
    REQUIRE(optimal.log.notes.front() == "No order of the processors has a shorter period, nor any division on it.");
    for (const std::string name : {"random-sampling", "hill-climbing", "simulated-annealing"}) {
      INFO(name << ", seed " << seed);
      const auto solution = heuristics::solve(*heuristics::find_heuristic(name), problem);
      REQUIRE(solution.log.improvements.back().period >= least);
      attained += solution.log.improvements.back().period == least ? 1 : 0;
    }
  }
  REQUIRE(attained > 1);
}

TEST_CASE("a perfectly divided mapping hidden among the orders of eighteen processors is found") {
  // With the speeds as drawn every processor has exactly 10 times its speed, half of each boundary's stage included.
  std::vector<Rational> works;
  std::vector<Rational> speeds;
  for (std::size_t k = 0; k < 18; ++k) speeds.emplace_back(1 + k * 7 % 18);
  std::vector<std::size_t> fixed;
  for (std::size_t k = 0; k < 18; ++k) {
    const Rational left = k == 0 ? Rational() : Rational(1 + k % 2);
    const Rational right = k == 17 ? Rational() : Rational(2 - k % 2);
    fixed.push_back(works.size());
    works.push_back(speeds[k] * 10 - left - right);
    if (k < 17) works.push_back(right * 2);
  }
  std::rotate(speeds.begin(), speeds.begin() + 5, speeds.end());
  std::reverse(speeds.begin() + 3, speeds.end());
  const DividedPipeline pipeline = pipeline_in(free_problem(works, fixed, speeds));
  REQUIRE(heuristics::least_period(pipeline, document_chain(pipeline))->period * pipeline.unit > 10);
  REQUIRE(best_of(pipeline).least.period * pipeline.unit == 10);
}

TEST_CASE("sets of processors have a limit, equal ones count as one kind") {
  std::vector<Rational> speeds;
  for (int speed = 1; speed <= 22; ++speed) speeds.emplace_back(speed);
  const auto limit = [&] {
    const DividedPipeline pipeline = pipeline_in(free_problem({3, 1, 4}, {0}, speeds));
    Log log;
    const auto answer = heuristics::best_order(pipeline, {}, log);
    const auto* met = std::get_if<heuristics::LimitMet>(&answer);
    return met == nullptr ? std::string("an order") : met->reason;
  };
  REQUIRE(limit() == "22 processors of 22 different speeds have more than 2097152 sets, and no more are looked at");
  for (std::size_t p = 0; p < speeds.size(); ++p) speeds[p] = 1 + p % 4;
  REQUIRE(limit() == "an order");
}

TEST_CASE("where the deadline has passed clique-optimal has the document's order") {
  const tpn::Document problem =
      random_problem({.stages = 30, .processors = 14, .links = Links::free, .all_replicable = false}, 1);
  const DividedPipeline pipeline = pipeline_in(problem);
  const auto solution = solve_checked("clique-optimal", problem, too_late());
  REQUIRE(proposal_of(solution).cut_short);
  REQUIRE(solution.log.improvements.size() == 1);
  REQUIRE(solution.log.improvements.front().period ==
          heuristics::least_period(pipeline, document_chain(pipeline))->period * pipeline.unit);
  REQUIRE(std::ranges::none_of(solution.log.notes, [](const auto& note) { return note.starts_with("No order"); }));
}

}  // namespace
}  // namespace takt::testing
