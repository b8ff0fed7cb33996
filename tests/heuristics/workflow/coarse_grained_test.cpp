// coarse-grained against its three steps, written down again: what is fused, how many copies, who gets them.
#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "heuristics/everywhere.hpp"
#include "heuristics/ordered_problem.hpp"
#include "heuristics/workflow/fusion.hpp"
#include "tests/heuristics/judge.hpp"
#include "tests/heuristics/problems.hpp"
#include "tests/support/draw.hpp"
#include "tests/support/seeds.hpp"
#include "tpn/problem_view.hpp"
#include "tpn/workflow.hpp"
#include "tpn/writer.hpp"

namespace takt::testing {
namespace {

using heuristics::OrderedProblem;
using maxplus::Rational;
using support::Draw;
using support::random_workflow_problem;
using tpn::Model;

using Groups = std::vector<std::size_t>;
using Edges = std::set<std::pair<std::size_t, std::size_t>>;

// Stages of work 1 on two processors; each takes the files of those in `after`; those in `fixed` are not replicable.
tpn::Document graph(const std::vector<std::vector<std::size_t>>& after, const std::set<std::size_t>& fixed = {}) {
  tpn::Document problem;
  for (std::size_t k = 0; k < after.size(); ++k) {
    problem.application.stages.push_back({.name = "S" + std::to_string(k),
                                          .work = Rational(1),
                                          .output = Rational(1),
                                          .replicable = !fixed.contains(k),
                                          .after = after[k]});
  }
  problem.platform.processors = {{.name = "P0", .speed = Rational(1), .time = {}},
                                 {.name = "P1", .speed = Rational(1), .time = {}}};
  problem.platform.defaults.time = Rational(0);
  return problem;
}

Groups fused(const tpn::Document& problem) {
  const tpn::ProblemView view(problem);
  const heuristics::EverywhereView everywhere(view);
  return heuristics::fused_stages(everywhere.view(), {}).value();
}

TEST_CASE("replicable pipelines and split-joins are fused, by hand") {
  // A chain, all of it; around a stage that is not replicable.
  CHECK(fused(graph({{}, {0}, {1}, {2}})) == Groups{0, 0, 0, 0});
  CHECK(fused(graph({{}, {0}, {1}, {2}}, {1})) == Groups{0, 1, 2, 2});
  // A split-join between two stages: with both, with either, with neither, whose branches stay parallel.
  const std::vector<std::vector<std::size_t>> split_join = {{}, {0}, {0}, {1, 2}};
  CHECK(fused(graph(split_join)) == Groups{0, 0, 0, 0});
  CHECK(fused(graph(split_join, {0})) == Groups{0, 1, 1, 1});
  CHECK(fused(graph(split_join, {3})) == Groups{0, 0, 0, 3});
  CHECK(fused(graph(split_join, {0, 3})) == Groups{0, 1, 2, 3});
  CHECK(fused(graph(split_join, {1})) == Groups{0, 1, 2, 3});
  // A branch of two becomes one; an identity branch past another.
  CHECK(fused(graph({{}, {0}, {1}, {0}, {2, 3}}, {0, 4})) == Groups{0, 1, 1, 3, 4});
  CHECK(fused(graph({{}, {0}, {0, 1}}, {0})) == Groups{0, 1, 1});
  CHECK(fused(graph({{}, {0}, {0, 1}}, {2})) == Groups{0, 0, 2});
  // A split-join within a branch of another.
  CHECK(fused(graph({{}, {0}, {1}, {1}, {2, 3}, {0}, {4, 5}}, {0, 6})) == Groups{0, 1, 1, 1, 1, 5, 6});
  CHECK(fused(graph({{}, {0}, {1}, {1}, {2, 3}, {0}, {4, 5}})) == Groups{0, 0, 0, 0, 0, 0, 0});
  // Two branches that cross: no split-join.
  CHECK(fused(graph({{}, {}, {0, 1}, {0}, {2, 3}}, {0, 1, 4})) == Groups{0, 1, 2, 3, 4});
}

TEST_CASE("stages are fused only where a processor runs and holds them, and apart ones are not") {
  tpn::Document problem = graph({{}, {0}, {1}});
  problem.application.stages[0].runs_on = {"P0"};
  problem.application.stages[2].runs_on = {"P1"};
  CHECK(fused(problem) == Groups{0, 0, 2});
  problem = graph({{}, {0}, {1}});
  for (tpn::Stage& stage : problem.application.stages) stage.memory = Rational(3);
  for (tpn::Processor& processor : problem.platform.processors) processor.memory = Rational(8);
  CHECK(fused(problem) == Groups{0, 0, 2});
  problem = graph({{}, {0}, {0}, {1, 2}});
  problem.application.stages[2].apart = true;
  CHECK(fused(problem) == Groups{0, 1, 2, 3});
}

Edges edges_between(const tpn::Application& application, const Groups& groups) {
  Edges edges;
  for (std::size_t k = 0; k < groups.size(); ++k) {
    for (const std::size_t before : tpn::stages_before(application, k))
      if (groups[before] != groups[k]) edges.emplace(groups[before], groups[k]);
  }
  return edges;
}

// The nodes that edges lead to from a node, or those that lead to it.
std::set<std::size_t> next_to(const Edges& edges, std::size_t node, bool ahead) {
  std::set<std::size_t> found;
  for (const auto& [from, to] : edges)
    if ((ahead ? from : to) == node) found.insert(ahead ? to : from);
  return found;
}

bool is_acyclic(Edges edges) {
  for (bool goes_on = true; goes_on && !edges.empty();) {
    std::set<std::size_t> behind_others;
    for (const auto& [from, to] : edges) behind_others.insert(to);
    goes_on = std::erase_if(edges, [&](const auto& edge) { return !behind_others.contains(edge.first); }) > 0;
  }
  return edges.empty();
}

TEST_CASE("groups of random workflows are replicable, convex and as large as they can be") {
  std::size_t larger = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    const tpn::Document problem =
        random_workflow_problem({.stages = 3 + seed % 12, .processors = 3, .all_replicable = seed % 3 == 0}, seed);
    const tpn::Application& application = problem.application;
    CAPTURE(seed, tpn::write_document(problem));
    const Groups groups = fused(problem);
    std::map<std::size_t, std::size_t> sizes;
    std::map<std::size_t, bool> replicable;
    for (std::size_t k = 0; k < groups.size(); ++k) {
      REQUIRE(groups[groups[k]] == groups[k]);
      REQUIRE(groups[k] <= k);
      ++sizes[groups[k]];
      replicable.try_emplace(groups[k], true);
      replicable[groups[k]] = replicable[groups[k]] && application.stages[k].replicable;
    }
    const Edges edges = edges_between(application, groups);
    REQUIRE(is_acyclic(edges));
    for (const auto& [group, size] : sizes) {
      if (size > 1) REQUIRE(replicable[group]);
      larger += size > 1 ? 1 : 0;
      // No replicable group is all that one other sends to or receives from, nor siblings of it together.
      for (const bool ahead : {true, false}) {
        const auto near = [&](std::size_t node) { return next_to(edges, node, ahead); };
        const auto far = [&](std::size_t node) { return next_to(edges, node, !ahead); };
        if (!replicable[group] || near(group).size() != 1) continue;
        const std::size_t neighbor = *near(group).begin();
        bool may_fuse = replicable[neighbor];
        for (const std::size_t other : far(neighbor)) {
          if (far(group).contains(other)) continue;
          may_fuse = may_fuse && replicable[other] && near(other) == near(group) && far(other) == far(group);
        }
        REQUIRE_FALSE(may_fuse);
      }
    }
  }
  CHECK(larger > 100);
}

Rational work_over(const tpn::Document& problem, const tpn::Part& part, std::size_t processor) {
  const tpn::Timing timing(problem);
  return timing.computation(part.first_stage, part.last_stage, processor);
}

// The largest sum of what a processor computes in all of its turns.
Rational largest_computation(const tpn::Document& problem, const tpn::Mapping& mapping) {
  std::vector<Rational> loads(problem.platform.processors.size());
  for (const tpn::Part& part : mapping) {
    for (const std::size_t p : part.processors)
      loads[p] += work_over(problem, part, p) / Rational(part.processors.size());
  }
  return *std::ranges::max_element(loads);
}

// Of a problem whose processors are alike and all linked: the parts' sequences as the compiler would have them.
tpn::Mapping packed_by_rule(const tpn::Document& problem, tpn::Mapping parts) {
  const std::size_t processors = problem.platform.processors.size();
  std::vector<std::size_t> level(parts.size(), 0);
  std::vector<std::size_t> copies(parts.size(), 1);
  std::vector<Rational> work(parts.size());
  std::vector<bool> is_replicable(parts.size(), true);
  const auto part_of = [&](std::size_t stage) {
    return static_cast<std::size_t>(
        std::ranges::find_if(parts, [&](const tpn::Part& part) { return stage <= part.last_stage; }) - parts.begin());
  };
  for (std::size_t k = 0; k < problem.application.stages.size(); ++k) {
    const std::size_t i = part_of(k);
    if (!problem.application.stages[k].replicable) is_replicable[i] = false;
    for (const std::size_t before : tpn::stages_before(problem.application, k))
      if (part_of(before) != i) level[i] = std::max(level[i], level[part_of(before)] + 1);
  }
  for (std::size_t i = 0; i < parts.size(); ++i) work[i] = work_over(problem, parts[i], 0);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (!is_replicable[i]) continue;
    Rational sum;
    std::size_t left = processors;
    for (std::size_t j = 0; j < parts.size(); ++j) {
      if (level[j] != level[i]) continue;
      if (is_replicable[j]) sum += work[j];
      if (!is_replicable[j] && left > 0) --left;
    }
    while (Rational(copies[i] + 1) * sum <= work[i] * Rational(left)) ++copies[i];
  }
  std::vector<std::pair<Rational, std::size_t>> items;  // of negative work, so that the heaviest are first
  for (std::size_t i = 0; i < parts.size(); ++i) {
    for (std::size_t copy = 0; copy < copies[i]; ++copy) items.emplace_back(-(work[i] / Rational(copies[i])), i);
  }
  std::ranges::sort(items);
  std::vector<Rational> loads(processors);
  for (const auto& [negative, i] : items) {
    const auto least = std::ranges::min_element(loads);
    *least -= negative;
    parts[i].processors.push_back(static_cast<std::size_t>(least - loads.begin()));
  }
  return parts;
}

// Whether one is the other again and again.
bool is_repetition(const std::vector<std::size_t>& turns, const std::vector<std::size_t>& of) {
  if (turns.size() % of.size() != 0) return false;
  for (std::size_t k = 0; k < turns.size(); ++k)
    if (turns[k] != of[k % of.size()]) return false;
  return true;
}

TEST_CASE("coarse-grained deals out and packs a workflow as by hand") {
  // A stateful source (2), branches of 4 and 8 that are replicable, a stateful sink (3), on four processors: of the
  // four that the branches' level has, 4/12 and 8/12, rounded down: 1 and 2 copies, of 4 each. Packed: 4, 4, 4, 3, then
  // 2 on 3.
  tpn::Document problem = graph({{}, {0}, {0}, {1, 2}}, {0, 3});
  for (const char* name : {"P2", "P3"})
    problem.platform.processors.push_back({.name = name, .speed = Rational(1), .time = {}});
  const std::vector<int> works = {2, 4, 8, 3};
  for (std::size_t k = 0; k < works.size(); ++k) problem.application.stages[k].work = Rational(works[k]);
  const auto solution = solve_checked("coarse-grained", problem);
  const auto& proposal = proposal_of(solution);
  REQUIRE(proposal.mapping == tpn::Mapping{{0, 0, {3}}, {1, 1, {0}}, {2, 2, {1, 2}}, {3, 3, {3}}});
  REQUIRE(proposal.predicted_period == 5);

  // All of it replicable: one part for all four, 17/4 each.
  for (tpn::Stage& stage : problem.application.stages) stage.replicable = true;
  const auto all = solve_checked("coarse-grained", problem);
  REQUIRE(proposal_of(all).mapping == tpn::Mapping{{0, 3, {0, 1, 2, 3}}});
  REQUIRE(proposal_of(all).predicted_period == Rational::fraction(17, 4));
  REQUIRE(exact_period(problem, proposal_of(all).mapping, Model::kOverlap) == Rational::fraction(17, 4));
}

TEST_CASE("coarse-grained follows its rules on alike processors") {
  std::size_t dealt = 0;
  std::size_t reordered = 0;
  for (std::uint64_t seed = 1; seed <= support::draws(500); ++seed) {
    Draw draw(seed);
    const tpn::Document problem = random_workflow_problem({.stages = draw.count(3, 10),
                                                           .processors = draw.count(1, 7),
                                                           .speeds = Speeds::equal,
                                                           .links = Links::equal,
                                                           .ends = draw.coin(),
                                                           .all_replicable = draw.one_in(4)},
                                                          seed);
    CAPTURE(seed, tpn::write_document(problem));
    const auto solution = solve_checked("coarse-grained", problem);
    const auto& proposal = proposal_of(solution);
    const tpn::ProblemView view(problem);
    const OrderedProblem ordered(view, proposal.order);
    // Each part is a group.
    const Groups groups = fused(problem);
    REQUIRE(proposal.mapping.size() == std::set(groups.begin(), groups.end()).size());
    for (const tpn::Part& part : proposal.mapping) {
      for (std::size_t k = part.first_stage; k <= part.last_stage; ++k) {
        const auto stage = [&](std::size_t place) { return proposal.order ? (*proposal.order)[place] : place; };
        REQUIRE(groups[stage(k)] == groups[stage(part.first_stage)]);
      }
      dealt += part.processors.size() > 1 ? 1 : 0;
    }
    tpn::Mapping parts = proposal.mapping;
    for (tpn::Part& part : parts) part.processors.clear();
    const tpn::Mapping expected = packed_by_rule(ordered.view().document(), parts);
    for (std::size_t i = 0; i < expected.size(); ++i)
      REQUIRE(is_repetition(expected[i].processors, proposal.mapping[i].processors));
    REQUIRE(proposal.predicted_period == largest_computation(ordered.view().document(), expected));
    reordered += proposal.order ? 1 : 0;
  }
  CHECK(dealt > 10);
  CHECK(reordered > 0);
}

TEST_CASE("coarse-grained predicts the computations of its mapping, never above the period of any model") {
  std::size_t answered = 0;
  std::size_t attained = 0;
  std::size_t unequal_shares = 0;
  for (std::uint64_t seed = 1; seed <= support::draws(500); ++seed) {
    Draw draw(seed);
    const Shape shape{.stages = draw.count(3, 8),
                      .processors = draw.count(1, 5),
                      .speeds = draw.one_in(4) ? Speeds::none : Speeds::unequal,
                      .links = draw.one_in(3) ? Links::free : Links::unequal,
                      .ends = draw.coin(),
                      .all_replicable = draw.one_in(4)};
    tpn::Document problem = draw.one_in(4) ? random_problem(shape, seed) : random_workflow_problem(shape, seed);
    const bool is_restricted = give_limits(problem, draw, 10, 40);
    CAPTURE(seed, tpn::write_document(problem));
    const auto solution = solve_checked("coarse-grained", problem);
    const auto* proposal = std::get_if<heuristics::Proposal>(&solution.result);
    if (proposal == nullptr) {
      REQUIRE(is_restricted);
      continue;
    }
    const tpn::ProblemView view(problem);
    const OrderedProblem ordered(view, proposal->order);
    const tpn::Document& listed = ordered.view().document();
    REQUIRE(proposal->predicted_period == largest_computation(listed, proposal->mapping));
    for (const Model& model : judged_models())
      REQUIRE(proposal->predicted_period <= exact_period(listed, proposal->mapping, model));
    attained += proposal->predicted_period == exact_period(listed, proposal->mapping, Model::kOverlap) ? 1 : 0;
    for (const tpn::Part& part : proposal->mapping) {
      const std::set distinct(part.processors.begin(), part.processors.end());
      unequal_shares += distinct.size() > 1 && distinct.size() < part.processors.size() ? 1 : 0;
    }
    ++answered;
  }
  CAPTURE(answered, attained, unequal_shares);
  CHECK(answered > 20);
  CHECK(attained > 2);
  CHECK(attained < answered);
  CHECK(unequal_shares > 1);
}

}  // namespace
}  // namespace takt::testing
