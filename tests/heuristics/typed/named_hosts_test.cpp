// Plans, and typed-dp, on machines of several cores with others on their hosts: against all mappings of small
// platforms.
#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "evaluators/mappings/evaluator.hpp"
#include "heuristics/registry.hpp"
#include "heuristics/typed/named_plan.hpp"
#include "tests/heuristics/judge.hpp"
#include "tests/heuristics/problems.hpp"
#include "tests/heuristics/typed/named_problems.hpp"
#include "tests/support/draw.hpp"
#include "tests/support/host_documents.hpp"
#include "tests/support/named_ends.hpp"
#include "tests/support/seeds.hpp"
#include "tpn/hosts.hpp"
#include "tpn/models.hpp"
#include "tpn/problem_view.hpp"
#include "tpn/writer.hpp"

namespace takt::testing {
namespace {

using heuristics::NamedAnswer;
using heuristics::NamedBound;
using heuristics::NamedClass;
using heuristics::NamedQuery;
using maxplus::Rational;
using tpn::Model;

// Two machines of one or two cores, a third that is alone, and cards on the first two's hosts; at most five processors.
// Stages run on machines, on cards, or on both. What computes alike has the same price.
tpn::Document machines_with_cards(std::uint64_t seed) {
  support::Draw draw(seed);
  tpn::Document document;
  auto& processors = document.platform.processors;
  const std::size_t cores = draw.count(1, 2);
  const int prices[] = {draw.whole(1, 5), draw.whole(1, 5)};
  std::vector<bool> is_card;
  const std::size_t hosts = cores == 1 ? 3 : 2;
  for (std::size_t h = 0; h < hosts; ++h) {
    tpn::Processor machine;
    machine.name = "node" + std::to_string(h);
    machine.price = prices[0];
    if (draw.one_in(3)) machine.ports = 2;
    tpn::add_cores(machine, cores, processors);
    is_card.resize(processors.size(), false);
    if (h == 1 || (h == 0 && (cores == 1 || draw.coin()))) {
      if (processors.size() == 5) continue;
      tpn::Processor card = machine;
      card.name = "card" + std::to_string(h);
      card.host = machine.name;
      card.price = prices[1];
      processors.push_back(card);
      is_card.push_back(true);
    }
  }
  const std::size_t stages = draw.count(1, 3);
  for (std::size_t k = 0; k < stages; ++k) {
    tpn::Stage& stage = document.application.stages.emplace_back();
    stage.name = "S" + std::to_string(k);
    stage.output = draw.whole(0, 8);
    stage.replicable = !draw.one_in(4);
    const int time = draw.whole(1, 9);
    const int on_card = draw.whole(1, 4);
    const std::size_t who = draw.count(0, 3);  // 0: cards alone, 1: machines alone
    for (std::size_t p = 0; p < processors.size(); ++p) {
      if ((who == 0 && !is_card[p]) || (who == 1 && is_card[p])) continue;
      stage.times.push_back({p, is_card[p] ? on_card : time});
    }
  }
  // Whoever runs nothing so far runs the last one.
  for (std::size_t p = 0; p < processors.size(); ++p) {
    const bool runs = std::ranges::any_of(document.application.stages, [&](const tpn::Stage& stage) {
      return std::ranges::find(stage.times, p, &tpn::StageTime::processor) != stage.times.end();
    });
    if (!runs) document.application.stages.back().times.push_back({p, 6});
  }
  document.platform.defaults.bandwidth = draw.whole(1, 4);
  document.application.input = draw.whole(1, 8);
  if (draw.coin()) document = support::with_named_ends(document, seed, support::EndPorts::any);
  return document;
}

Rational price_of_machines(const tpn::Document& problem, const tpn::Mapping& mapping) {
  const std::vector<std::size_t> machines = tpn::machines_of(problem.platform);
  std::set<std::size_t> used;
  for (const tpn::Part& part : mapping)
    for (const std::size_t p : part.processors) used.insert(machines[p]);
  Rational cost;
  for (const std::size_t machine : used) cost += problem.platform.processors[machine].price;
  return cost;
}

// Parts of machines that compute alike, each machine in one part.
bool are_parts_of_types(const tpn::Document& problem, const tpn::Mapping& mapping) {
  const std::vector<std::size_t> machines = tpn::machines_of(problem.platform);
  std::map<std::size_t, std::size_t> part_of_machine;
  for (std::size_t i = 0; i < mapping.size(); ++i) {
    std::set<std::string> types;
    for (const std::size_t p : mapping[i].processors) {
      const tpn::Processor& processor = problem.platform.processors[p];
      types.insert(processor.name.substr(0, 4) + std::to_string(processor.ports));
      if (part_of_machine.emplace(machines[p], i).first->second != i) return false;
    }
    if (types.size() > 1) return false;
  }
  return true;
}

bool runs_where_it_has_times(const tpn::Document& problem, const tpn::Mapping& mapping) {
  for (const tpn::Part& part : mapping) {
    for (std::size_t k = part.first_stage; k <= part.last_stage; ++k) {
      const auto& times = problem.application.stages[k].times;
      for (const std::size_t p : part.processors)
        if (std::ranges::find(times, p, &tpn::StageTime::processor) == times.end()) return false;
    }
  }
  return true;
}

std::vector<WeighedMapping> all_on_hosts(const tpn::Document& problem, const Model& model) {
  evaluators::MappingEvaluator evaluator(problem);
  std::vector<WeighedMapping> all;
  for_each_mapping(problem, [&](const tpn::Mapping& mapping) {
    if (!runs_where_it_has_times(problem, mapping)) return;
    all.push_back({price_of_machines(problem, mapping), evaluator.evaluate(mapping, model).lower.rational(),
                   are_parts_of_types(problem, mapping)});
  });
  return all;
}

struct HostCounts {
  int targets = 0;
  int found = 0;
  int optimal = 0;
  int proved = 0;
};

void judge_plan(const tpn::Document& problem, const std::vector<WeighedMapping>& all, const Model& model,
                const Rational& target, HostCounts& counts) {
  NamedQuery query;
  query.model = model;
  query.period = target;
  query.widest = NamedClass::mixed;
  query.moves = 3000;
  query.restarts = 5;
  const NamedAnswer answer = heuristics::cheapest_on_platform(tpn::ProblemView(problem), query);
  const auto any = least_cost(all, target, false);
  const auto typed = least_cost(all, target, true);
  ++counts.targets;
  if (answer.plan) {
    REQUIRE(any.has_value());
    CHECK(answer.plan->period == exact_period(problem, answer.plan->mapping, model));
    CHECK(answer.plan->period <= target);
    CHECK(answer.plan->cost == price_of_machines(problem, answer.plan->mapping));
    CHECK(answer.plan->cost >= *any);
    ++counts.found;
    counts.optimal += answer.plan->cost == *any ? 1 : 0;
  }
  for (const NamedBound& bound : answer.bounds) {
    CAPTURE(heuristics::name_of(bound.of), bound.proof);
    const auto& best = bound.of == NamedClass::typed ? typed : any;
    if (best) REQUIRE((bound.cost && *bound.cost <= *best));
    counts.proved += best && *bound.cost == *best ? 1 : 0;
  }
}

void judge_typed_dp(const tpn::Document& problem, const std::vector<WeighedMapping>& all, const Model& model) {
  const auto solution = heuristics::solve(*heuristics::find_heuristic("typed-dp"), problem, under(model));
  const auto* proposal = std::get_if<heuristics::Proposal>(&solution.result);
  if (proposal == nullptr) return;
  CHECK(proposal->predicted_period == exact_period(problem, proposal->mapping, model));
  CHECK(*proposal->lower_bound <= proposal->predicted_period);
  const bool claims = claims_least(solution);
  for (const WeighedMapping& one : all) {
    REQUIRE(*proposal->lower_bound <= one.period);
    if (claims && one.is_typed) REQUIRE(proposal->predicted_period <= one.period);
  }
}

// Under both models, with a target that half of all mappings keep and one that few do.
void judge_problem(const tpn::Document& problem, HostCounts& counts) {
  for (const Model& model : {Model(Model::kOverlap), Model(Model::kStrict)}) {
    CAPTURE(tpn::label_of(model));
    const std::vector<WeighedMapping> all = all_on_hosts(problem, model);
    judge_typed_dp(problem, all, model);
    if (all.empty()) continue;
    const auto least = std::ranges::min_element(all, {}, &WeighedMapping::period);
    for (const Rational& target : {all[all.size() / 2].period, least->period * Rational::fraction(5, 4)}) {
      if (target.sign() == 0) continue;
      CAPTURE(target.to_string());
      judge_plan(problem, all, model, target, counts);
    }
  }
}

TEST_CASE("plans on machines with cores and cards cost what they cost, and no mapping is below their bounds") {
  HostCounts counts;
  for (std::uint64_t seed = 1; seed <= support::draws(16); ++seed) {
    const tpn::Document problem = machines_with_cards(seed);
    CAPTURE(seed, tpn::write_document(problem));
    judge_problem(problem, counts);
  }
  CAPTURE(counts.targets, counts.found, counts.optimal, counts.proved);
  CHECK(counts.found > counts.targets * 3 / 4);
  CHECK(counts.optimal > counts.found * 3 / 4);
  CHECK(counts.proved > counts.targets / 4);
}

TEST_CASE("plans whose transfers share segments keep their periods in the net, and no mapping is below their bounds") {
  HostCounts counts;
  int slowed = 0;
  for (std::uint64_t seed = 1; seed <= support::draws(4); ++seed) {
    const tpn::Document problem = support::with_segments(machines_with_cards(seed), seed);
    if (problem.platform.processors.size() > 5) continue;
    CAPTURE(seed, tpn::write_document(problem));
    judge_problem(problem, counts);
    tpn::Document free = problem;
    free.platform.segments.clear();
    const auto with = all_on_hosts(problem, Model::kOverlap);
    const auto without = all_on_hosts(free, Model::kOverlap);
    REQUIRE(with.size() == without.size());
    for (std::size_t k = 0; k < with.size(); ++k) {
      REQUIRE(without[k].period <= with[k].period);
      slowed += without[k].period < with[k].period ? 1 : 0;
    }
  }
  CAPTURE(counts.targets, counts.found, counts.optimal, counts.proved, slowed);
  CHECK(counts.targets > 0);
  CHECK(slowed > 0);
  CHECK(counts.found > 0);
}

TEST_CASE("cards on the hosts of machines are one type, and a part has all of them") {
  tpn::Document problem;
  auto& processors = problem.platform.processors;
  for (int h = 0; h < 2; ++h) {
    tpn::Processor machine;
    machine.name = "node" + std::to_string(h);
    tpn::add_cores(machine, 2, processors);
    tpn::Processor card;
    card.name = "card" + std::to_string(h);
    card.host = machine.name;
    processors.push_back(card);
  }
  problem.application.stages = {{.name = "read", .work = {}, .output = 1, .times = {{0, 4}, {1, 4}, {3, 4}, {4, 4}}},
                                {.name = "detect", .work = {}, .output = {}, .times = {{2, 6}, {5, 6}}}};
  problem.platform.defaults.bandwidth = 1;
  const auto solution = heuristics::solve(*heuristics::find_heuristic("typed-dp"), problem);
  CHECK(proposal_of(solution).predicted_period ==
        exact_period(problem, proposal_of(solution).mapping, *solution.settings.model));
  CHECK(proposal_of(solution).mapping.back().processors == std::vector<std::size_t>{2, 5});
  // Each stage on all that run it: 6 on two cards.
  CHECK(proposal_of(solve_checked("typed-dp", problem, under(Model::kOverlap))).lower_bound == Rational(3));
}

}  // namespace
}  // namespace takt::testing
