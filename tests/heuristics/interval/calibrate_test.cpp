// Calibration: the counterexample to the printed rule, and the corrected one against all distributions of stages.
#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "heuristics/heuristic.hpp"
#include "tests/heuristics/problems.hpp"
#include "tests/support/draw.hpp"
#include "tests/support/seeds.hpp"
#include "tpn/validate.hpp"

namespace takt::testing {
namespace {

using heuristics::Proposal;
using heuristics::Solution;
using maxplus::Rational;
using Row = std::vector<std::string>;

heuristics::Settings rule(const std::string& value) { return under({}, {{"rule", value}}); }

// Processors that take these times for each of n stages.
tpn::Document calibrated(std::size_t n, const std::vector<int>& times) {
  std::vector<Rational> speeds;
  for (const int time : times) speeds.push_back(Rational::fraction(1, time));
  return free_problem(std::vector<Rational>(n, 1), {}, speeds);
}

// The least of the largest x_i t_i, over all ways to share n stages out.
int least(std::size_t n, const std::vector<int>& times, std::size_t from = 0) {
  if (from + 1 == times.size()) return static_cast<int>(n) * times[from];
  int best = static_cast<int>(n) * times[from];
  for (std::size_t x = 0; x <= n; ++x)
    best = std::min(best, std::max(static_cast<int>(x) * times[from], least(n - x, times, from + 1)));
  return best;
}

TEST_CASE("the printed rule stops at 10 where 9 is possible, the corrected rule does not") {
  const tpn::Document problem = calibrated(4, {3, 5, 10, 10});
  const Solution printed = solve_checked("calibrate", problem, rule("printed"));
  REQUIRE(proposal_of(printed).predicted_period == 10);
  REQUIRE(printed.log.tables.front().rows ==
          std::vector<Row>{{"0", "-", "-", "-", "10"}, {"1", "P3", "P1", "6", "10"}});
  const Solution corrected = solve_checked("calibrate", problem);
  REQUIRE(proposal_of(corrected).predicted_period == 9);
  REQUIRE(proposal_of(corrected).mapping == tpn::Mapping{{0, 2, {0}}, {3, 3, {1}}});
  REQUIRE(corrected.log.tables.front().rows == std::vector<Row>{{"1", "P1", "1", "3", "3"},
                                                                {"2", "P2", "1", "5", "5"},
                                                                {"3", "P1", "2", "6", "6"},
                                                                {"4", "P1", "3", "9", "9"}});
  REQUIRE(least(4, {3, 5, 10, 10}) == 9);
}

TEST_CASE("the corrected rule is optimal for equal works, the printed one never better") {
  support::Draw random(1);
  const auto draw = [&](int low, int high) { return random.whole(low, high); };
  std::size_t printed_is_worse = 0;
  for (std::uint64_t sample = support::draws(2000); sample > 0; --sample) {
    const auto n = static_cast<std::size_t>(draw(1, 7));
    std::vector<int> times(static_cast<std::size_t>(draw(1, 4)));
    for (int& time : times) time = draw(1, 12);
    const tpn::Document problem = calibrated(n, times);
    const heuristics::Solution solution = solve_checked("calibrate", problem);
    REQUIRE(proposal_of(solution).predicted_period == least(n, times));
    const auto printed = solve_checked("calibrate", problem, rule("printed"));
    REQUIRE(proposal_of(printed).predicted_period >= least(n, times));
    if (proposal_of(printed).predicted_period > least(n, times)) ++printed_is_worse;
  }
  REQUIRE(printed_is_worse > support::draws(10));
}

TEST_CASE("with free communication calibrate predicts both exact periods, else it is never pessimistic") {
  std::size_t optimistic = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    const Shape shape{.stages = 1 + seed % 8,
                      .processors = 1 + seed / 8 % 6,
                      .links = seed % 3 == 0   ? Links::free
                               : seed % 3 == 1 ? Links::equal
                                               : Links::unequal,
                      .ends = seed % 2 == 0,
                      .all_replicable = seed % 5 != 0};
    const tpn::Document problem = random_problem(shape, seed);
    for (const std::string value : {"corrected", "printed"}) {
      const Solution solution = solve_checked("calibrate", problem, rule(value));
      const Proposal& proposal = proposal_of(solution);
      for (const tpn::Model model : {tpn::Model::kOverlap, tpn::Model::kStrict}) {
        const Rational exact = exact_period(problem, proposal.mapping, model);
        REQUIRE(proposal.predicted_period <= exact);
        if (shape.links == Links::free) REQUIRE(proposal.predicted_period == exact);
        if (proposal.predicted_period < exact) {
          ++optimistic;
          // It warned.
          REQUIRE(solution.log.notes.back().starts_with("Transfers take time here"));
        }
      }
    }
  }
  REQUIRE(optimistic > 100);
}

TEST_CASE("unequal works are decided by their mean, and predicted as they are") {
  tpn::Document problem = free_problem({1, 2, 6}, {}, {1, 2});
  const Solution solution = solve_checked("calibrate", problem);
  // Times 3 and 3/2: two stages on P2, one on P1, the fittest first.
  REQUIRE(proposal_of(solution).mapping == tpn::Mapping{{0, 1, {1}}, {2, 2, {0}}});
  REQUIRE(proposal_of(solution).predicted_period == 6);
  REQUIRE(solution.log.notes == std::vector<std::string>{"The stages' works are unequal; their mean, 3, decides, and "
                                                         "the prediction is that of the works of each interval."});
}

TEST_CASE("a processor's fixed time is that of any number of stages") {
  tpn::Document problem = free_problem({2, 2, 2}, {}, {1, 1});
  problem.platform.processors[1] = {.name = "P2", .speed = {}, .time = 3};
  const Proposal proposal = proposal_of(solve_checked("calibrate", problem));
  REQUIRE(proposal.mapping == tpn::Mapping{{0, 0, {0}}, {1, 2, {1}}});
  REQUIRE(proposal.predicted_period == 3);
}

TEST_CASE("processors stand in the order of fitness unless links are missing") {
  tpn::Document problem = calibrated(3, {2, 3, 4});
  REQUIRE(proposal_of(solve_checked("calibrate", problem)).mapping == tpn::Mapping{{0, 1, {0}}, {2, 2, {1}}});
  tpn::LinkTiming timing;
  timing.time = 0;
  problem.platform.defaults = {};
  problem.platform.links = {{1, 0, timing, true}};
  REQUIRE(proposal_of(solve_checked("calibrate", problem)).mapping == tpn::Mapping{{0, 0, {1}}, {1, 2, {0}}});
  problem.platform.links.clear();
  REQUIRE(std::get<heuristics::Infeasible>(solve_checked("calibrate", problem).result).reason ==
          "the mapping it chose needs a link from \"P1\" to \"P2\", which the platform lacks");
}

TEST_CASE("a deadline that has passed leaves calibrate without a mapping, whichever its rule") {
  for (const std::string value : {"corrected", "printed"}) {
    const Solution solution = solve_checked("calibrate", calibrated(2, {1}), too_late(rule(value)));
    REQUIRE(std::holds_alternative<heuristics::LimitMet>(solution.result));
  }
}

}  // namespace
}  // namespace takt::testing
