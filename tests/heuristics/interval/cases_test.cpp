// The heuristics for interval mappings: small cases worked by hand, what they refuse, what they say.
#include <catch2/catch.hpp>
#include <set>
#include <string>
#include <vector>

#include "heuristics/interval/costs.hpp"
#include "heuristics/interval/search.hpp"
#include "tests/heuristics/interval/problems.hpp"
#include "tests/heuristics/problems.hpp"
#include "tpn/errors.hpp"

namespace takt::testing {
namespace {

using heuristics::Proposal;
using heuristics::Settings;
using heuristics::Solution;
using maxplus::Rational;
using tpn::Model;

Rational fraction(int above, int below) { return Rational::fraction(above, below); }

std::vector<std::string> column(const heuristics::LogTable& table, std::size_t index) {
  std::vector<std::string> cells;
  for (const auto& row : table.rows) cells.push_back(row[index]);
  return cells;
}

// Works 8, 4, 6 and files of 10 at bandwidth 10, ends included: a cycle time is 1 + work / speed + 1.
tpn::Document hand_problem() {
  tpn::Document problem = free_problem({8, 4, 6}, {}, {2, 4, 1});
  problem.platform.defaults = {.bandwidth = 10, .latency = {}, .time = {}};
  problem.application.input = 10;
  for (tpn::Stage& stage : problem.application.stages) stage.output = 10;
  problem.platform.source.emplace();
  problem.platform.sink.emplace();
  return problem;
}

TEST_CASE("spl by hand: one split helps, the next does not", "[interval]") {
  const Solution solution = solve_checked("spl", hand_problem());
  REQUIRE(proposal_of(solution).mapping == tpn::Mapping{{0, 1, {1}}, {2, 2, {0}}});
  REQUIRE(proposal_of(solution).predicted_period == 5);
  REQUIRE(solution.log.tables.size() == 1);
  const std::vector<std::vector<std::string>> rows = {
      {"S1..S3", "P2", "6.5", "P1", "S1..S2", "P2", "5", "S3", "P1", "5", "yes"},
      {"S1..S2", "P2", "5", "P3", "S1", "P2", "4", "S2", "P3", "6", "no"}};
  REQUIRE(solution.log.tables.front().rows == rows);
  REQUIRE(solution.log.notes.empty());
}

TEST_CASE("spl puts the newcomer in front where that is better, and ties go by index", "[interval]") {
  // All on P1: 12. The cuts with P2: 3 and 9, or 9 and 3, in either order: the first cut, P1 in front.
  const Solution tie = solve_checked("spl", free_problem({3, 6, 3}, {}, {1, 1}));
  REQUIRE(proposal_of(tie).mapping == tpn::Mapping{{0, 0, {0}}, {1, 2, {1}}});
  REQUIRE(proposal_of(tie).predicted_period == 9);
  const Solution front = solve_checked("spl", free_problem({2, 8}, {}, {1, 4}));
  REQUIRE(proposal_of(front).mapping == tpn::Mapping{{0, 0, {0}}, {1, 1, {1}}});
  REQUIRE(proposal_of(front).predicted_period == 2);
}

TEST_CASE("bs121 by hand: the slowest processor takes the first stage that fits", "[interval]") {
  const Solution solution = solve_checked("bs121", hand_problem());
  REQUIRE(proposal_of(solution).mapping == tpn::Mapping{{0, 0, {0}}, {1, 1, {2}}, {2, 2, {1}}});
  REQUIRE(proposal_of(solution).predicted_period == 6);
}

TEST_CASE("bs121 cuts fixed intervals where there are more stages than processors", "[interval]") {
  const Solution solution = solve_checked("bs121", free_problem({1, 1, 1, 1, 8}, {}, {3, 1}));
  REQUIRE(proposal_of(solution).mapping == tpn::Mapping{{0, 2, {1}}, {3, 4, {0}}});
  REQUIRE(proposal_of(solution).predicted_period == 3);
  // Intervals of 2 need 3 of the 4 processors.
  const Solution fewer = solve_checked("bs121", free_problem({1, 1, 1, 1, 1, 1}, {}, {1, 1, 1, 1}));
  REQUIRE(proposal_of(fewer).mapping.size() == 3);
}

TEST_CASE("bsl and bsc by hand: the periods tried, and the best mapping kept", "[interval]") {
  const tpn::Mapping best = {{0, 1, {1}}, {2, 2, {0}}};
  for (const std::string_view name : {"bsl", "bsc"}) {
    INFO(name);
    const Solution solution = solve_checked(name, hand_problem());
    REQUIRE(proposal_of(solution).mapping == best);
    REQUIRE(proposal_of(solution).predicted_period == 5);
    const heuristics::LogTable& table = solution.log.tables.front();
    REQUIRE(column(table, 0) == std::vector<std::string>{"4.5", "6", "5"});
    REQUIRE(column(table, 1) == std::vector<std::string>{"no", "yes", "yes"});
    // For 6, bsl takes S1 and S2 on P2 (5), bsc S1 on P1 (6) and S2 on P3 (6).
    const std::string six = name == "bsl" ? "2" : "3";
    REQUIRE(column(table, 2) == std::vector<std::string>{"", six, "2"});
    REQUIRE(column(table, 4) == std::vector<std::string>{"", name == "bsl" ? "5" : "6", "5"});
  }
}

TEST_CASE("greedy by hand: shares in proportion to speeds, a processor may get none", "[interval]") {
  const Solution solution = solve_checked("greedy", hand_problem());
  REQUIRE(proposal_of(solution).mapping == tpn::Mapping{{0, 1, {1}}, {2, 2, {0}}});
  REQUIRE(proposal_of(solution).predicted_period == 5);
  const heuristics::LogTable& table = solution.log.tables.front();
  REQUIRE(column(table, 0) == std::vector<std::string>{"P2", "P1", "P3"});
  REQUIRE(column(table, 1) == std::vector<std::string>{"10.2857", "15.4286", "18"});
  REQUIRE(column(table, 2) == std::vector<std::string>{"S1..S2", "S3", ""});
  // Works of 0: all on the fastest.
  REQUIRE(proposal_of(solve_checked("greedy", free_problem({0, 0}, {}, {1, 2}))).mapping.size() == 1);
}

TEST_CASE("homogeneous-dp by hand: two equal halves, and fewest parts on a tie", "[interval]") {
  tpn::Document problem = hand_problem();
  problem.platform.processors = {{"P1", 1, {}}, {"P2", 1, {}}, {"P3", 1, {}}};
  problem.platform.source.reset();
  problem.platform.sink.reset();
  // 9 + 1 + 0 and 1 + 9 where the cut is in the middle; a third part cannot help, as S1 alone takes 10.
  problem.application.stages[0].work = 9;
  problem.application.stages[1].work = 4;
  problem.application.stages[2].work = 5;
  const Solution solution = solve_checked("homogeneous-dp", problem);
  REQUIRE(proposal_of(solution).mapping == tpn::Mapping{{0, 0, {0}}, {1, 2, {1}}});
  REQUIRE(proposal_of(solution).predicted_period == 10);
  REQUIRE(column(solution.log.tables.front(), 1) == std::vector<std::string>{"18", "10"});
}

TEST_CASE("homogeneous-dp says what is not homogeneous", "[interval]") {
  tpn::Document problem = free_problem({1, 2}, {}, {1, 1, 1});
  REQUIRE(reason_of(solve_checked("homogeneous-dp", problem)) == "a mapping");
  problem.platform.links.push_back({1, 2, {.bandwidth = {}, .latency = {}, .time = 5}, true});
  REQUIRE(reason_of(solve_checked("homogeneous-dp", problem)) ==
          R"(the links from "P2" to "P3" and from "P1" to "P2" differ, and it needs equal ones)");
  problem.platform.defaults = {};
  REQUIRE(reason_of(solve_checked("homogeneous-dp", problem)) ==
          R"(there is no link from "P1" to "P2", and it needs them all)");
  problem.platform.processors[2].speed = 2;
  REQUIRE(reason_of(solve_checked("homogeneous-dp", problem)) ==
          R"(processors "P1" and "P3" differ, and it needs equal ones)");

  problem = hand_problem();
  for (tpn::Processor& processor : problem.platform.processors) processor.speed = 1;
  problem.platform.sink->timing.bandwidth = 5;
  REQUIRE(reason_of(solve_checked("homogeneous-dp", problem)) == "a mapping");
  problem.platform.sink->links.push_back({1, {.bandwidth = 7, .latency = {}, .time = {}}});
  REQUIRE(reason_of(solve_checked("homogeneous-dp", problem)) ==
          R"(the links from "P1" to the sink and from "P2" to the sink differ, and it needs equal ones)");
}

TEST_CASE("random draws every interval mapping, and the seed decides which", "[interval]") {
  const tpn::Document problem = free_problem({1, 1, 1}, {}, {1, 1});
  std::set<std::vector<std::vector<std::size_t>>> seen;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Settings settings;
    settings.seed = seed;
    const Solution solution = solve_checked("random", problem, settings);
    std::vector<std::vector<std::size_t>> key;
    for (const tpn::Part& part : proposal_of(solution).mapping) {
      key.push_back({part.first_stage, part.last_stage, part.processors.front()});
    }
    seen.insert(key);
  }
  REQUIRE(seen.size() == 6);
}

TEST_CASE("where no mapping exists every heuristic says why", "[interval]") {
  // Source to P1, P2 to the sink, and no way from P1 to P2.
  tpn::Document problem = hand_problem();
  problem.platform.defaults = {};
  problem.platform.source->links.push_back({0, {.bandwidth = 10, .latency = {}, .time = {}}});
  problem.platform.sink->links.push_back({1, {.bandwidth = 10, .latency = {}, .time = {}}});
  const auto reason = [&](std::string_view name) { return reason_of(solve_checked(name, problem)); };
  REQUIRE(reason("bs121") == "it found no mapping of its intervals over the links that the platform has");
  REQUIRE(reason("spl") ==
          "no processor has links from the source and to the sink, and it starts with all stages on one");
  REQUIRE(reason("bsl") == "it found no mapping over the links that the platform has");
  REQUIRE(reason("bsc") == "it found no mapping over the links that the platform has");
  REQUIRE(reason("random") == "none of the 1000 mappings drawn has all the links that it needs");
  REQUIRE(reason("greedy") == "the fastest processors lack the links to follow one another");
  REQUIRE(reason("homogeneous-dp") == R"(processors "P1" and "P2" differ, and it needs equal ones)");

  // With the link there is one way, over P1 and P2 in this order.
  problem.platform.links.push_back({0, 1, {.bandwidth = 10, .latency = {}, .time = {}}, true});
  for (const std::string_view name : {"bsl", "bsc", "random"}) {
    INFO(name);
    const Solution solution = solve_checked(name, problem);
    REQUIRE(proposal_of(solution).mapping.front().processors == std::vector<std::size_t>{0});
    REQUIRE(proposal_of(solution).mapping.back().processors == std::vector<std::size_t>{1});
  }
}

TEST_CASE("unequal links are noted once, equal ones not at all", "[interval]") {
  for (const std::string_view name : {"bs121", "spl", "bsl", "bsc"}) {
    INFO(name);
    tpn::Document problem = hand_problem();
    problem.platform.source->timing.bandwidth = 3;  // another than between processors, but the same to all
    REQUIRE(solve_checked(name, problem).log.notes.empty());
    problem.platform.links.push_back({0, 1, {.bandwidth = 5, .latency = {}, .time = {}}, false});
    const auto notes = solve_checked(name, problem).log.notes;
    REQUIRE(notes.size() == 1);
    REQUIRE_THAT(notes.front(), Catch::StartsWith("The platform's links differ: ") && Catch::EndsWith("."));
    problem.platform.defaults.bandwidth.reset();
    problem.platform.sink->timing.bandwidth = 1;
    REQUIRE_THAT(solve_checked(name, problem).log.notes.front(),
                 Catch::StartsWith("The platform's links are not all there: "));
  }
}

TEST_CASE("a fixed time among speeds is noted by those that sort processors", "[interval]") {
  tpn::Document problem = hand_problem();
  problem.platform.processors[0] = {"P1", {}, 3};
  REQUIRE(solve_checked("bs121", problem).log.notes.size() == 1);
  REQUIRE(solve_checked("spl", problem).log.notes.size() == 1);
  REQUIRE(solve_checked("bsl", problem).log.notes.empty());
}

TEST_CASE("the mean view takes the mean time over the links there are, in each direction", "[interval]") {
  tpn::Document problem = free_problem({6, 6}, {}, {1, 2, 3});
  problem.application.stages[0].output = 10;
  problem.platform.defaults = {};
  problem.platform.links = {{0, 1, {.bandwidth = 5, .latency = 1, .time = {}}, true},
                            {1, 0, {.bandwidth = 20, .latency = {}, .time = {}}, true},
                            {1, 2, {.bandwidth = {}, .latency = {}, .time = 4}, true}};
  const tpn::ProblemView view(problem);
  const heuristics::IntervalCosts costs(view, Model::kStrict);
  // Links of 1 + 2, 1/2 and 4.
  REQUIRE(costs.cycle_time({0, 0}, 1) == Rational(3) + fraction(15, 2) / 3);
  REQUIRE(costs.cycle_time({1, 1}, 2) == Rational(2) + fraction(15, 2) / 3);
  REQUIRE(costs.cycle_time({0, 1}, 0) == Rational(12));
  REQUIRE(heuristics::IntervalCosts(tpn::ProblemView(problem), Model::kOverlap).cycle_time({0, 0}, 2) ==
          fraction(15, 2) / 3);
  REQUIRE(costs.linked(1, 2));
  REQUIRE_FALSE(costs.linked(2, 1));
  REQUIRE_FALSE(costs.has_all_links());
}

TEST_CASE("of equally good mappings the last is kept", "[interval]") {
  const tpn::Document problem = free_problem({1, 1}, {}, {1, 1, 2});
  const tpn::ProblemView view(problem);
  const heuristics::IntervalCosts costs(view, Model::kStrict);
  heuristics::BestMapping best(costs);
  REQUIRE(best.offer({{0, 1, {2}}}) == 1);
  REQUIRE(best.offer({{0, 0, {0}}, {1, 1, {1}}}) == 1);
  REQUIRE(best.offer({{0, 1, {0}}}) == 2);
  REQUIRE(std::get<Proposal>(best.result(false, {})).mapping.size() == 2);
}

TEST_CASE("ties are broken as each heuristic says", "[interval]") {
  const auto mapping = [](std::string_view name, const std::vector<Rational>& works,
                          const std::vector<Rational>& speeds) {
    return proposal_of(solve_checked(name, free_problem(works, {}, speeds))).mapping;
  };
  // A split must be better, not as good.
  REQUIRE(mapping("spl", {4, 0}, {1, 1}) == tpn::Mapping{{0, 1, {0}}});
  // For a period of 2, S1 alone fits P1 and P2: it goes where it takes longer, and P1 is left for S2.
  REQUIRE(mapping("bsl", {2, 6}, {3, 1}) == tpn::Mapping{{0, 0, {1}}, {1, 1, {0}}});
  // For a period of 2, S1 with or without S2 takes 2 on P2: the longer interval.
  REQUIRE(mapping("bsc", {2, 0, 4}, {2, 1}) == tpn::Mapping{{0, 1, {1}}, {2, 2, {0}}});
  // Cuts at works of 1 and of 3 are equally near the target of 2.
  REQUIRE(mapping("greedy", {1, 2, 1}, {1, 1}) == tpn::Mapping{{0, 1, {0}}, {2, 2, {1}}});
  // Both cuts make a period of 9.
  REQUIRE(mapping("homogeneous-dp", {3, 6, 3}, {1, 1}) == tpn::Mapping{{0, 0, {0}}, {1, 2, {1}}});
}

TEST_CASE("the default link counts in the mean once for each pair that has no other", "[interval]") {
  tpn::Document problem = free_problem({0, 0}, {}, {1, 1, 1});
  problem.application.stages[0].output = 1;
  problem.platform.defaults = {.bandwidth = 1, .latency = {}, .time = {}};
  problem.platform.links = {{0, 1, {.bandwidth = 4, .latency = {}, .time = {}}, true}};
  REQUIRE(heuristics::IntervalCosts(tpn::ProblemView(problem), Model::kStrict).cycle_time({0, 0}, 0) ==
          (5 + fraction(1, 4)) / 6);
}

TEST_CASE("a mean over many unequal links is rounded down, by next to nothing", "[interval]") {
  // 1 / 2, 1 / 3, ...: the exact mean has a denominator of some 250 bits.
  tpn::Document problem = free_problem({0, 0}, {}, std::vector<Rational>(14, 1));
  problem.application.stages[0].output = 1;
  Rational sum;
  int bandwidth = 1;
  for (std::size_t u = 0; u < 14; ++u) {
    for (std::size_t v = 0; v < u; ++v) {
      problem.platform.links.push_back({u, v, {.bandwidth = ++bandwidth, .latency = {}, .time = {}}, false});
      sum += fraction(2, bandwidth);
    }
  }
  const Rational exact = sum / (14 * 13);
  const Rational mean = *heuristics::IntervalCosts(tpn::ProblemView(problem), Model::kStrict).cycle_time({0, 0}, 0);
  REQUIRE(mean < exact);
  REQUIRE(exact - mean < Rational::fraction(1, maxplus::Integer(1) << 110));
  // Equal links are never rounded, whatever their number.
  for (tpn::Link& link : problem.platform.links)
    link.timing.bandwidth = Rational::fraction(maxplus::Integer(1) << 200, 3);
  REQUIRE(heuristics::IntervalCosts(tpn::ProblemView(problem), Model::kStrict).cycle_time({0, 0}, 0) ==
          Rational::fraction(3, maxplus::Integer(1) << 200));
}

TEST_CASE("a work or a size that counts and is absent is named", "[interval]") {
  for (const std::string_view name : kIntervalHeuristics) {
    INFO(name);
    tpn::Document problem = hand_problem();
    for (tpn::Processor& processor : problem.platform.processors) processor.speed = 1;
    problem.application.stages[1].work.reset();
    REQUIRE_THROWS_AS(solve_checked(name, problem), tpn::InvalidInstance);
    problem.application.stages[1].work = 1;
    problem.application.stages[1].output.reset();
    REQUIRE_THROWS_WITH(solve_checked(name, problem), Catch::Contains("/application/stages/1/output"));
    // No link depends on it.
    problem.platform.defaults = {.bandwidth = {}, .latency = {}, .time = 1};
    REQUIRE(std::holds_alternative<Proposal>(solve_checked(name, problem).result));
  }
}

TEST_CASE("a deadline that has passed leaves what is at hand, and says so", "[interval]") {
  for (const std::string_view name : {"spl", "bsl", "bsc"}) {
    INFO(name);
    const Solution solution = solve_checked(name, hand_problem(), too_late());
    REQUIRE(proposal_of(solution).cut_short);
    REQUIRE(proposal_of(solution).predicted_period == fraction(13, 2));
  }
  REQUIRE(reason_of(solve_checked("bs121", hand_problem(), too_late())) ==
          "limit: the time limit passed before it had a mapping");
  REQUIRE(reason_of(solve_checked("homogeneous-dp", free_problem({1}, {}, {1}), too_late())) ==
          "limit: the time limit passed before it had a mapping");
}

TEST_CASE("more cycle times than can be sorted are a limit, unless processors are of few kinds", "[interval]") {
  std::vector<Rational> speeds;
  for (int u = 1; u <= 300; ++u) speeds.emplace_back(u);
  const std::vector<Rational> works(200, 1);
  REQUIRE(reason_of(solve_checked("bsl", free_problem(works, {}, speeds))) ==
          "limit: 20100 intervals on 300 kinds of processors have a cycle time each, and at most 4194304 are sorted");
  REQUIRE(proposal_of(solve_checked("bsl", free_problem(works, {}, std::vector<Rational>(300, 1)))).predicted_period ==
          1);
}

TEST_CASE("intervals have the places that they are listed at", "[interval]") {
  const auto intervals = heuristics::all_intervals(5);
  REQUIRE(intervals.size() == 15);
  for (std::size_t i = 0; i < intervals.size(); ++i) REQUIRE(heuristics::place_of(intervals[i], 5) == i);
}

}  // namespace
}  // namespace takt::testing
