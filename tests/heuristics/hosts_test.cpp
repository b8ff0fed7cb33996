// Heuristics on problems whose processors share ports: what they predict is the period, bounds are bounds, others
// refuse.
#include <catch2/catch.hpp>
#include <map>
#include <string_view>

#include "heuristics/common/placement.hpp"
#include "heuristics/search/price_goal.hpp"
#include "tests/heuristics/judge.hpp"
#include "tests/support/host_documents.hpp"
#include "tests/support/seeds.hpp"
#include "tpn/hosts.hpp"
#include "tpn/problem_view.hpp"
#include "tpn/writer.hpp"

namespace takt::testing {
namespace {

using maxplus::Rational;

TEST_CASE("heuristics that take hosts predict the period of what they propose, and no mapping is below the bound") {
  std::map<std::string_view, int> answered;
  for (std::uint64_t seed = 1; seed <= support::draws(40); ++seed) {
    const tpn::Document drawn = support::host_document(seed);
    if (!tpn::has_other_ports(drawn.platform) || drawn.platform.processors.size() > 8) continue;
    CAPTURE(seed, tpn::write_document(drawn));
    judge_heuristics(drawn, &tpn::Capabilities::shared_resources, answered);
  }
  check_answers(answered, 0,
                {"random", "greedy", "hill-climbing", "simulated-annealing", "greedy-cpu", "coarse-grained", "polish",
                 "exhaustive"});
}

TEST_CASE("cores have one price and one memory together") {
  tpn::Document problem;
  problem.application.stages = {{.name = "a", .work = 4, .output = 1, .memory = Rational(3)},
                                {.name = "b", .work = 4, .output = 1, .memory = Rational(3)}};
  tpn::Processor machine{.name = "m", .speed = 1, .time = {}, .memory = Rational(5), .price = 7};
  tpn::add_cores(machine, 3, problem.platform.processors);
  machine.name = "n";
  problem.platform.processors.push_back(machine);
  problem.platform.defaults.bandwidth = 1;
  CHECK(heuristics::price_of(problem, tpn::Mapping{{0, 0, {0, 1, 2}}, {1, 1, {3}}}) == Rational(14));
  CHECK(heuristics::price_of(problem, tpn::Mapping{{0, 1, {2, 1}}}) == Rational(7));
  const tpn::ProblemView view(problem);
  const heuristics::PlacementRules rules(view);
  CHECK(rules.allow(tpn::Mapping{{0, 0, {0, 1, 2}}, {1, 1, {3}}}));
  CHECK_FALSE(rules.allow(tpn::Mapping{{0, 0, {0, 1}}, {1, 1, {2}}}));
}

}  // namespace
}  // namespace takt::testing
