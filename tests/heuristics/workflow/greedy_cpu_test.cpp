// greedy-cpu against the rule of its paper, written down again, and against loads added up file by file.
#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "tests/heuristics/judge.hpp"
#include "tests/heuristics/problems.hpp"
#include "tests/support/draw.hpp"
#include "tests/support/seeds.hpp"
#include "tpn/timing.hpp"
#include "tpn/workflow.hpp"
#include "tpn/writer.hpp"

namespace takt::testing {
namespace {

using maxplus::Rational;
using support::Draw;
using support::random_workflow_problem;
using tpn::Model;

bool runs(const tpn::Document& problem, std::size_t stage, std::size_t processor) {
  const auto& names = problem.application.stages[stage].runs_on;
  return names.empty() || std::ranges::find(names, problem.platform.processors[processor].name) != names.end();
}

// The rule: by stage, its processor; nothing if one has no candidate.
std::optional<std::vector<std::size_t>> placed_by_rule(const tpn::Document& problem) {
  const tpn::Timing timing(problem);
  const std::size_t processors = problem.platform.processors.size();
  const std::vector<bool> exits = tpn::exit_stages(problem.application);
  std::vector<std::size_t> chosen;
  std::vector<Rational> load(processors);
  std::vector<Rational> held(processors);
  for (std::size_t k = 0; k < exits.size(); ++k) {
    const tpn::Stage& stage = problem.application.stages[k];
    const std::vector<std::size_t> before = tpn::stages_before(problem.application, k);
    std::optional<std::tuple<Rational, Rational, std::size_t>> best;
    for (std::size_t p = 0; p < processors; ++p) {
      if (!runs(problem, k, p)) continue;
      const auto& memory = problem.platform.processors[p].memory;
      if (memory && held[p] + stage.memory.value_or(0) > *memory) continue;
      if (std::ranges::any_of(before, [&](std::size_t b) { return chosen[b] != p && !timing.has_link(chosen[b], p); }))
        continue;
      if (before.empty() && problem.platform.source && !timing.source_link(p)) continue;
      if (exits[k] && problem.platform.sink && !timing.sink_link(p)) continue;
      const std::tuple candidate(load[p], load[p] + timing.computation(k, k, p), p);
      if (!best || candidate < *best) best = candidate;
    }
    if (!best) return std::nullopt;
    const std::size_t p = std::get<2>(*best);
    chosen.push_back(p);
    load[p] = std::get<1>(*best);
    held[p] += stage.memory.value_or(0);
  }
  return chosen;
}

// What each processor computes, receives and sends per data set, and the source and the sink; the largest.
Rational largest_load(const tpn::Document& problem, const std::vector<std::size_t>& processor_of) {
  const tpn::Timing timing(problem);
  std::map<std::string, Rational> loads;
  const auto port = [](const char* kind, std::size_t p) { return kind + std::to_string(p); };
  const std::vector<bool> exits = tpn::exit_stages(problem.application);
  for (std::size_t k = 0; k < processor_of.size(); ++k) {
    const std::size_t p = processor_of[k];
    loads[port("computes", p)] += timing.computation(k, k, p);
    const std::vector<std::size_t> before = tpn::stages_before(problem.application, k);
    for (const std::size_t b : before) {
      if (processor_of[b] == p) continue;
      loads[port("sends", processor_of[b])] += timing.transfer(b, processor_of[b], p);
      loads[port("receives", p)] += timing.transfer(b, processor_of[b], p);
    }
    if (before.empty() && problem.platform.source) {
      loads["source"] += timing.from_source(p);
      loads[port("receives", p)] += timing.from_source(p);
    }
    if (exits[k] && problem.platform.sink) {
      loads["sink"] += timing.to_sink(std::span(&k, 1), p, 0);
      loads[port("sends", p)] += timing.to_sink(std::span(&k, 1), p, 0);
    }
  }
  return std::ranges::max_element(loads, {}, [](const auto& entry) { return entry.second; })->second;
}

std::vector<std::size_t> processors_of(const tpn::Mapping& mapping) {
  std::vector<std::size_t> processors;
  for (const tpn::Part& part : mapping) {
    REQUIRE(part.first_stage == processors.size());
    REQUIRE(part.last_stage == part.first_stage);
    REQUIRE(part.processors.size() == 1);
    processors.push_back(part.processors.front());
  }
  return processors;
}

// decode (4) -> left (6), right (5) -> join (3), on a fast and a slow processor: files of 2, bandwidth 1.
tpn::Document diamond() {
  tpn::Document problem;
  const auto stage = [](const char* name, int work, std::vector<std::size_t> after) {
    return tpn::Stage{.name = name, .work = Rational(work), .output = Rational(2), .after = std::move(after)};
  };
  problem.application.stages = {stage("decode", 4, {}), stage("left", 6, {0}), stage("right", 5, {0}),
                                stage("join", 3, {1, 2})};
  problem.platform.processors = {{.name = "slow", .speed = Rational(1), .time = {}},
                                 {.name = "fast", .speed = Rational(2), .time = {}}};
  problem.platform.defaults.bandwidth = Rational(1);
  return problem;
}

TEST_CASE("greedy-cpu places a diamond as by hand, and predicts its largest load") {
  // decode: nobody has a load, and fast is done sooner (2); left: slow has none (6); right: fast has 2 of 6 (4.5);
  // join: fast has 4.5 of 6 (6). Sent: decode to left, left to join.
  const auto solution = solve_checked("greedy-cpu", diamond());
  const auto& proposal = proposal_of(solution);
  REQUIRE(processors_of(proposal.mapping) == std::vector<std::size_t>{1, 0, 1, 1});
  REQUIRE(proposal.predicted_period == 6);
  REQUIRE_FALSE(proposal.order);
  // fast joins a data set before it decodes the next: 2 + 2 + 6 + 2 + 1.5 time units.
  REQUIRE(exact_period(diamond(), proposal.mapping, Model::kOverlap) == Rational::fraction(27, 2));

  // Files five times as large: decode's and left's take 10 each, more than any computation.
  tpn::Document slow_links = diamond();
  slow_links.platform.defaults.bandwidth = Rational::fraction(1, 5);
  REQUIRE(proposal_of(solve_checked("greedy-cpu", slow_links)).predicted_period == 10);
}

TEST_CASE("greedy-cpu leaves out who lacks the memory, the link or the stage") {
  tpn::Document problem = diamond();
  problem.application.stages[1].memory = Rational(8);
  problem.platform.processors[0].memory = Rational(7);
  REQUIRE(processors_of(proposal_of(solve_checked("greedy-cpu", problem)).mapping) ==
          std::vector<std::size_t>{1, 1, 0, 1});
  problem = diamond();
  problem.application.stages[1].runs_on = {"fast"};
  REQUIRE(processors_of(proposal_of(solve_checked("greedy-cpu", problem)).mapping) ==
          std::vector<std::size_t>{1, 1, 0, 1});
  problem = diamond();
  problem.platform.defaults = {};
  REQUIRE(processors_of(proposal_of(solve_checked("greedy-cpu", problem)).mapping) ==
          std::vector<std::size_t>{1, 1, 1, 1});
  problem.application.stages[3].runs_on = {"slow"};
  REQUIRE(std::get<heuristics::Infeasible>(solve_checked("greedy-cpu", problem).result).reason ==
          "it has no processor left for \"join\" that runs it, has memory for it and has links with all processors "
          "that exchange files with it");
}

TEST_CASE("greedy-cpu follows the rule on random workflows and chains, and its load is never above the period") {
  std::size_t placed = 0;
  std::size_t refused = 0;
  std::size_t attained = 0;
  std::size_t shared = 0;
  const std::uint64_t problems = support::draws(300);
  for (std::uint64_t seed = 1; seed <= problems; ++seed) {
    Draw draw(seed);
    const Shape shape{.stages = draw.count(3, 9),
                      .processors = draw.count(1, 5),
                      .speeds = draw.one_in(4) ? Speeds::none : Speeds::unequal,
                      .links = draw.coin() ? Links::equal : Links::unequal,
                      .ends = draw.coin(),
                      .all_replicable = draw.coin()};
    tpn::Document problem = draw.one_in(4) ? random_problem(shape, seed) : random_workflow_problem(shape, seed);
    give_limits(problem, draw, 5, 30);
    CAPTURE(seed, tpn::write_document(problem));
    const auto solution = solve_checked("greedy-cpu", problem);
    const auto expected = placed_by_rule(problem);
    if (!expected) {
      REQUIRE(std::holds_alternative<heuristics::Infeasible>(solution.result));
      ++refused;
      continue;
    }
    const auto& proposal = proposal_of(solution);
    REQUIRE(processors_of(proposal.mapping) == *expected);
    REQUIRE(proposal.predicted_period == largest_load(problem, *expected));
    const Rational overlap = exact_period(problem, proposal.mapping, Model::kOverlap);
    REQUIRE(proposal.predicted_period <= overlap);
    REQUIRE(overlap <= exact_period(problem, proposal.mapping, Model::kStrict));
    attained += proposal.predicted_period == overlap ? 1 : 0;
    std::vector<std::size_t> sorted = *expected;
    std::ranges::sort(sorted);
    shared += std::ranges::adjacent_find(sorted) != sorted.end() ? 1 : 0;
    ++placed;
  }
  CAPTURE(placed, refused, attained, shared);
  CHECK(placed * 3 > problems * 2);
  CHECK(refused > 0);
  CHECK(attained > 0);
  CHECK(attained < placed);
  CHECK(shared * 2 > placed);
}

}  // namespace
}  // namespace takt::testing
