// The heuristics for interval mappings: predictions against exact periods, optima against brute force, cases by hand.
#include <algorithm>
#include <catch2/catch.hpp>
#include <chrono>
#include <functional>
#include <set>
#include <string>

#include "heuristics/interval_costs.hpp"
#include "heuristics/interval_search.hpp"
#include "heuristics/registry.hpp"
#include "tests/heuristics/problems.hpp"
#include "tests/heuristics/varied_problems.hpp"
#include "tpn/errors.hpp"

namespace takt::testing {
namespace {

using heuristics::Infeasible;
using heuristics::LimitMet;
using heuristics::Proposal;
using heuristics::Settings;
using heuristics::Solution;
using maxplus::Rational;
using tpn::Model;

constexpr std::string_view kAll[] = {"bs121", "spl", "bsl", "bsc", "random", "greedy", "homogeneous-dp"};

Rational fraction(int above, int below) { return Rational::fraction(above, below); }

Settings under(Model model) {
  Settings settings;
  settings.model = model;
  return settings;
}

std::string reason_of(const Solution& solution) {
  if (const auto* infeasible = std::get_if<Infeasible>(&solution.result)) return infeasible->reason;
  if (const auto* limit = std::get_if<LimitMet>(&solution.result)) return "limit: " + limit->reason;
  return "a mapping";
}

std::vector<std::string> column(const heuristics::Steps& table, std::size_t index) {
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

// Every interval mapping, or one-to-one mapping, of a problem of Shape::links equal or free: the least period by
// equation (2) of the paper, with nothing but the fields of the document.
class BruteForce {
 public:
  BruteForce(const tpn::Document& problem, Model model, std::size_t longest)
      : problem_(problem), model_(model), longest_(longest), used_(problem.platform.processors.size()) {}

  std::optional<Rational> least() {
    extend(0, 0);
    return least_;
  }

 private:
  Rational file_time(std::size_t before) const {
    const auto& stages = problem_.application.stages;
    const auto& platform = problem_.platform;
    if (before == 0 && !platform.source) return 0;
    if (before == stages.size() && !platform.sink) return 0;
    if (platform.defaults.time) return *platform.defaults.time;
    const Rational size = before == 0 ? *problem_.application.input : *stages[before - 1].output;
    return size / *platform.defaults.bandwidth;
  }

  void extend(std::size_t first, const Rational& so_far) {
    const auto& stages = problem_.application.stages;
    if (first == stages.size()) {
      if (!least_ || so_far < *least_) least_ = so_far;
      return;
    }
    for (std::size_t u = 0; u < used_.size(); ++u) {
      if (used_[u]) continue;
      used_[u] = true;
      Rational work;
      for (std::size_t last = first; last < std::min(first + longest_, stages.size()); ++last) {
        work += *stages[last].work;
        const Rational in = file_time(first);
        const Rational computation = work / *problem_.platform.processors[u].speed;
        const Rational out = file_time(last + 1);
        const Rational cycle =
            model_ == Model::strict ? in + computation + out : std::max(std::max(in, out), computation);
        extend(last + 1, std::max(so_far, cycle));
      }
      used_[u] = false;
    }
  }

  const tpn::Document& problem_;
  Model model_;
  std::size_t longest_;
  std::vector<bool> used_;
  std::optional<Rational> least_;
};

TEST_CASE("predictions are exact STRICT periods, on 1000 problems with all there is", "[interval]") {
  std::size_t proposals = 0;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    const tpn::Document problem = varied_problem(seed);
    for (const std::string_view name : kAll) {
      INFO(name << ", seed " << seed);
      const Solution solution = solve_checked(name, problem);
      if (name == "homogeneous-dp" && std::holds_alternative<Infeasible>(solution.result)) continue;
      const Proposal& proposal = proposal_of(solution);
      REQUIRE(proposal.predicted_period == exact_period(problem, proposal.mapping, Model::strict));
      REQUIRE_FALSE(proposal.cut_short);
      ++proposals;
    }
  }
  REQUIRE(proposals > 6000);
}

TEST_CASE("with model overlap predictions are exact OVERLAP periods", "[interval]") {
  for (std::uint64_t seed = 2000; seed < 2300; ++seed) {
    const tpn::Document problem = varied_problem(seed);
    for (const std::string_view name : kAll) {
      INFO(name << ", seed " << seed);
      const Solution solution = solve_checked(name, problem, under(Model::overlap));
      if (name == "homogeneous-dp" && std::holds_alternative<Infeasible>(solution.result)) continue;
      const Proposal& proposal = proposal_of(solution);
      REQUIRE(proposal.predicted_period == exact_period(problem, proposal.mapping, Model::overlap));
    }
  }
}

TEST_CASE("on platforms with gaps no mapping needs a link that is absent, and predictions are exact", "[interval]") {
  std::size_t found = 0;
  std::size_t refused = 0;
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    const tpn::Document problem = varied_problem(seed, Reach::gaps);
    const heuristics::IntervalCosts costs(problem, Model::strict);
    const bool one_for_all = heuristics::whole_chain(costs).has_value();
    for (const std::string_view name : kAll) {
      INFO(name << ", seed " << seed);
      const Solution solution = solve_checked(name, problem);
      if (const auto* proposal = std::get_if<Proposal>(&solution.result)) {
        REQUIRE(proposal->predicted_period == exact_period(problem, proposal->mapping, Model::strict));
        ++found;
      } else {
        REQUIRE(std::holds_alternative<Infeasible>(solution.result));
        REQUIRE_THAT(reason_of(solution), !Catch::Contains("the mapping it chose"));
        if (name == "spl" || name == "bsl" || name == "bsc") REQUIRE_FALSE(one_for_all);
        ++refused;
      }
    }
  }
  REQUIRE(found > 500);
  REQUIRE(refused > 500);
}

TEST_CASE("bs121 is optimal one-to-one where links are equal", "[interval]") {
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    INFO("seed " << seed);
    const std::size_t stages = 1 + seed % 5;
    const tpn::Document problem = random_problem({.stages = stages,
                                                  .processors = stages + seed / 5 % 3,
                                                  .links = seed % 7 == 0 ? Links::free : Links::equal,
                                                  .ends = seed % 2 == 0},
                                                 seed);
    for (const Model model : {Model::strict, Model::overlap}) {
      const Solution solution = solve_checked("bs121", problem, under(model));
      REQUIRE(proposal_of(solution).mapping.size() == stages);
      REQUIRE(proposal_of(solution).predicted_period == BruteForce(problem, model, 1).least());
    }
  }
}

TEST_CASE("homogeneous-dp is optimal among interval mappings on homogeneous platforms", "[interval]") {
  std::set<std::size_t> parts;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    INFO("seed " << seed);
    const tpn::Document problem = random_problem({.stages = 1 + seed % 6,
                                                  .processors = 1 + seed / 6 % 4,
                                                  .speeds = Speeds::equal,
                                                  .links = seed % 7 == 0 ? Links::free : Links::equal,
                                                  .ends = seed % 2 == 0},
                                                 seed);
    for (const Model model : {Model::strict, Model::overlap}) {
      const Solution solution = solve_checked("homogeneous-dp", problem, under(model));
      REQUIRE(proposal_of(solution).predicted_period == BruteForce(problem, model, 6).least());
      parts.insert(proposal_of(solution).mapping.size());
    }
  }
  REQUIRE(parts == std::set<std::size_t>{1, 2, 3, 4});
}

TEST_CASE("spl, bsl and bsc lie between the best interval mapping and all stages on one processor", "[interval]") {
  std::size_t optimal = 0;
  std::size_t below_one = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const tpn::Document problem =
        random_problem({.stages = 1 + seed % 5, .processors = 1 + seed / 5 % 4, .ends = seed % 2 == 0}, seed);
    const std::size_t stages = problem.application.stages.size();
    const auto best = BruteForce(problem, Model::strict, stages).least();
    std::optional<Rational> one;
    for (std::size_t u = 0; u < problem.platform.processors.size(); ++u) {
      const Rational period = exact_period(problem, {{0, stages - 1, {u}}}, Model::strict);
      if (!one || period < *one) one = period;
    }
    for (const std::string_view name : kAll) {
      INFO(name << ", seed " << seed);
      const Solution solution = solve_checked(name, problem);
      if (std::holds_alternative<Infeasible>(solution.result)) continue;
      const Rational& period = proposal_of(solution).predicted_period;
      REQUIRE(period >= *best);
      if (name != "spl" && name != "bsl" && name != "bsc") continue;
      REQUIRE(period <= *one);
      optimal += period == *best ? 1 : 0;
      below_one += period < *one ? 1 : 0;
    }
  }
  REQUIRE(optimal > 450);
  REQUIRE(below_one > 300);
}

TEST_CASE("spl by hand: one split helps, the next does not", "[interval]") {
  const Solution solution = solve_checked("spl", hand_problem());
  REQUIRE(proposal_of(solution).mapping == tpn::Mapping{{0, 1, {1}}, {2, 2, {0}}});
  REQUIRE(proposal_of(solution).predicted_period == 5);
  REQUIRE(solution.log.tables.size() == 1);
  const std::vector<std::vector<std::string>> rows = {
      {"S1 .. S3", "P2", "6.5", "P1", "S1 .. S2", "P2", "5", "S3", "P1", "5", "yes"},
      {"S1 .. S2", "P2", "5", "P3", "S1", "P2", "4", "S2", "P3", "6", "no"}};
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
    const heuristics::Steps& table = solution.log.tables.front();
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
  const heuristics::Steps& table = solution.log.tables.front();
  REQUIRE(column(table, 0) == std::vector<std::string>{"P2", "P1", "P3"});
  REQUIRE(column(table, 1) == std::vector<std::string>{"10.2857", "15.4286", "18"});
  REQUIRE(column(table, 2) == std::vector<std::string>{"S1 .. S2", "S3", ""});
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
          R"(it needs equal links, and the links from "P2" to "P3" and from "P1" to "P2" differ)");
  problem.platform.defaults = {};
  REQUIRE(reason_of(solve_checked("homogeneous-dp", problem)) ==
          R"(it needs a link between any two, and there is no link from "P1" to "P2")");
  problem.platform.processors[2].speed = 2;
  REQUIRE(reason_of(solve_checked("homogeneous-dp", problem)) ==
          R"(it needs equal processors, and "P1" and "P3" differ)");

  problem = hand_problem();
  for (tpn::Processor& processor : problem.platform.processors) processor.speed = 1;
  problem.platform.sink->timing.bandwidth = 5;
  REQUIRE(reason_of(solve_checked("homogeneous-dp", problem)) == "a mapping");
  problem.platform.sink->links.push_back({1, {.bandwidth = 7, .latency = {}, .time = {}}});
  REQUIRE(reason_of(solve_checked("homogeneous-dp", problem)) ==
          R"(it needs equal links, and the links from "P1" to the sink and from "P2" to the sink differ)");
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
          "it starts with all stages on one processor, and none has links from the source and to the sink");
  REQUIRE(reason("bsl") == "it found no mapping over the links that the platform has");
  REQUIRE(reason("bsc") == "it found no mapping over the links that the platform has");
  REQUIRE(reason("random") == "none of the 1000 mappings drawn has all the links that it needs");
  REQUIRE(reason("greedy") == "the fastest processors lack the links to follow one another");
  REQUIRE(reason("homogeneous-dp") == R"(it needs equal processors, and "P1" and "P2" differ)");

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
  const heuristics::IntervalCosts costs(problem, Model::strict);
  // Links of 1 + 2, 1/2 and 4.
  REQUIRE(costs.cycle_time({0, 0}, 1) == Rational(3) + fraction(15, 2) / 3);
  REQUIRE(costs.cycle_time({1, 1}, 2) == Rational(2) + fraction(15, 2) / 3);
  REQUIRE(costs.cycle_time({0, 1}, 0) == Rational(12));
  REQUIRE(heuristics::IntervalCosts(problem, Model::overlap).cycle_time({0, 0}, 2) == fraction(15, 2) / 3);
  REQUIRE(costs.linked(1, 2));
  REQUIRE_FALSE(costs.linked(2, 1));
  REQUIRE_FALSE(costs.has_all_links());
}

TEST_CASE("a work or a size that counts and is absent is named", "[interval]") {
  for (const std::string_view name : kAll) {
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
  Settings settings;
  settings.deadline = std::chrono::steady_clock::now() - std::chrono::seconds(1);
  for (const std::string_view name : {"spl", "bsl", "bsc"}) {
    INFO(name);
    const Solution solution = solve_checked(name, hand_problem(), settings);
    REQUIRE(proposal_of(solution).cut_short);
    REQUIRE(proposal_of(solution).predicted_period == fraction(13, 2));
  }
  REQUIRE(reason_of(solve_checked("bs121", hand_problem(), settings)) ==
          "limit: the deadline passed before it had a mapping");
  REQUIRE(reason_of(solve_checked("homogeneous-dp", free_problem({1}, {}, {1}), settings)) ==
          "limit: the deadline passed before it had a mapping");
}

TEST_CASE("more cycle times than can be sorted are a limit, unless processors are of few kinds", "[interval]") {
  std::vector<Rational> speeds;
  for (int u = 1; u <= 300; ++u) speeds.emplace_back(u);
  const std::vector<Rational> works(200, 1);
  REQUIRE(reason_of(solve_checked("bsl", free_problem(works, {}, speeds))) ==
          "limit: 20100 intervals on 300 kinds of processors have more cycle times than the 4194304 that it sorts");
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
