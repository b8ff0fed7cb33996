// Times of intervals are those of tpn::Timing; tables that say works over speeds change nothing.
#include "heuristics/common/computation_times.hpp"

#include <catch2/catch.hpp>

#include <string>
#include <variant>

#include "heuristics/common/capacities.hpp"
#include "heuristics/registry.hpp"
#include "tests/heuristics/problems.hpp"
#include "tests/support/random_documents.hpp"

namespace takt::testing {
namespace {

using heuristics::ComputationTimes;
using heuristics::Proposal;
using maxplus::Rational;

TEST_CASE("times of intervals are exact, and fall into what is fixed and what stages add") {
  for (const support::Kind kind : support::kKinds) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      INFO("kind " << static_cast<int>(kind) << ", seed " << seed);
      const tpn::Document problem = support::random_document(kind, seed);
      const tpn::ProblemView view(problem);
      const ComputationTimes times(view);
      for (std::size_t p = 0; p < times.processors(); ++p) {
        for (std::size_t a = 0; a < times.stages(); ++a) {
          for (std::size_t b = a; b < times.stages(); ++b) {
            const Rational time = view.timing().computation(a, b, p);
            REQUIRE(times.of(a, b, p) == time);
            REQUIRE(times.fixed(p) + times.before(b + 1, p) - times.before(a, p) == time);
          }
        }
        REQUIRE(times.share_of_chain(1, p) == view.timing().computation(0, times.stages() - 1, p));
      }
    }
  }
}

TEST_CASE("processors are alike where every interval takes them as long") {
  tpn::Document problem;
  problem.application.stages = {{.name = "A", .work = 6, .output = {}, .times = {{1, 3}, {2, 3}, {3, 3}}},
                                {.name = "B", .work = 4, .output = {}, .times = {{1, 2}, {2, 2}, {3, 1}}}};
  problem.platform.processors = {{"P0", 2, {}}, {"P1", {}, {}}, {"P2", {}, {}}, {"P3", {}, {}}, {"P4", {}, 5}};
  const tpn::ProblemView view(problem);
  const ComputationTimes times(view);
  CHECK(times.are_alike(1, 2));
  CHECK(times.are_alike(0, 1));
  CHECK_FALSE(times.are_alike(1, 3));
  CHECK_FALSE(times.are_alike(0, 4));
}

TEST_CASE("works over speeds, written as a table, give the mappings and predictions that they gave") {
  constexpr Links kLinks[] = {Links::free, Links::equal, Links::unequal};
  std::size_t compared = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const tpn::Document problem = random_problem({.stages = 1 + seed % 6,
                                                  .processors = 1 + seed % 5,
                                                  .speeds = seed % 4 == 0 ? Speeds::equal : Speeds::unequal,
                                                  .links = kLinks[seed % 3],
                                                  .ends = seed % 2 == 0,
                                                  .all_replicable = seed % 7 < 3},
                                                 seed);
    const tpn::Document table = as_table(problem);
    for (const char* name : {"bs121", "spl", "bsl", "bsc", "random", "greedy", "exhaustive", "homogeneous-dp", "hedpm",
                             "dpm", "calibrate"}) {
      INFO(name << ", seed " << seed);
      const auto* heuristic = heuristics::find_heuristic(name);
      const auto by_work = heuristics::solve(*heuristic, problem);
      const auto by_table = heuristics::solve(*heuristic, table);
      REQUIRE(by_work.result.index() == by_table.result.index());
      const auto* expected = std::get_if<Proposal>(&by_work.result);
      if (expected == nullptr) continue;
      const auto& found = std::get<Proposal>(by_table.result);
      REQUIRE(found.mapping == expected->mapping);
      REQUIRE(found.predicted_period == expected->predicted_period);
      ++compared;
    }
    const heuristics::Capacities works{tpn::ProblemView(problem)};
    const heuristics::Capacities times{tpn::ProblemView(table)};
    for (std::size_t k = 0; k < works.works_from.size(); ++k) {
      for (std::size_t p = 0; p < works.speeds.size(); ++p)
        REQUIRE(works.works_from[k] / works.speeds[p] == times.works_from[k] / times.speeds[p]);
    }
  }
  REQUIRE(compared > 380);
}

}  // namespace
}  // namespace takt::testing
