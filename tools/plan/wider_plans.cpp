// One answer for three ways of asking.
#include "tools/plan/wider_plans.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>
#include <variant>

#include "heuristics/registry.hpp"
#include "heuristics/search/price_goal.hpp"
#include "heuristics/typed/named_plan.hpp"
#include "maxplus/contract.hpp"
#include "plan/bounds.hpp"
#include "plan/sequences.hpp"
#include "plan/wider/covers.hpp"
#include "plan/wider/unequal.hpp"
#include "tools/words/number_words.hpp"
#include "tpn/hosts.hpp"
#include "tpn/problem_view.hpp"

namespace takt::tools {

using maxplus::Rational;

namespace {

PlanClass class_of(heuristics::NamedClass named) {
  switch (named) {
    case heuristics::NamedClass::typed:
      return PlanClass::typed;
    case heuristics::NamedClass::mixed:
      return PlanClass::mixed;
    case heuristics::NamedClass::weighted:
      return PlanClass::weighted;
    case heuristics::NamedClass::any:
      break;
  }
  return PlanClass::any;
}

heuristics::NamedClass named_class_of(PlanClass among) {
  switch (among) {
    case PlanClass::parts:
    case PlanClass::typed:
      return heuristics::NamedClass::typed;
    case PlanClass::mixed:
      return heuristics::NamedClass::mixed;
    case PlanClass::weighted:
      return heuristics::NamedClass::weighted;
    case PlanClass::any:
      break;
  }
  return heuristics::NamedClass::any;
}

// For a document of it.
bool is_too_large(const plan::Catalogue& catalogue, const plan::SequencePlan& plan) {
  return plan::processors_of(catalogue, plan::machines_by_type(catalogue, plan)) > plan::kMostSequenced;
}

void find_mixed(WiderFindings& findings, const tpn::Document& problem, const plan::Catalogue& catalogue,
                const plan::CountedQuery& query) {
  plan::MixedAnswer answer = plan::mixed_on_all_links(problem, catalogue, query);
  findings.is_cut_short = answer.cut_short || (answer.plan && is_too_large(catalogue, *answer.plan));
  if (answer.plan && is_too_large(catalogue, *answer.plan)) {
    findings.bounds.push_back({PlanClass::mixed, answer.lower_bound});
  } else if (answer.plan) {
    findings.cost = answer.cost;
    findings.mapped = plan::mapped_document(problem, catalogue, query.query.model, *answer.plan, answer.period);
    findings.bounds.push_back({PlanClass::mixed, answer.lower_bound});
  } else {
    findings.bounds.push_back({PlanClass::mixed, answer.cut_short ? std::optional(answer.lower_bound) : std::nullopt});
  }
}

void find_weighted(WiderFindings& findings, const tpn::Document& problem, const plan::Catalogue& catalogue,
                   const plan::CountedQuery& query) {
  plan::WeightedAnswer answer = plan::weighted_on_all_links(problem, catalogue, query);
  findings.is_cut_short = answer.cut_short || (answer.plan && is_too_large(catalogue, *answer.plan));
  if (answer.plan && !is_too_large(catalogue, *answer.plan)) {
    findings.cost = answer.cost;
    findings.mapped = plan::mapped_document(problem, catalogue, query.query.model, *answer.plan, answer.period);
  }
  findings.bounds.push_back(
      {PlanClass::weighted, answer.is_impossible ? std::nullopt : std::optional(answer.lower_bound)});
}

// One step of the search for the fastest: a plan for a period, or that there is none.
struct ReachStep {
  std::optional<WiderReach> plan;
  bool is_impossible = false;
};

std::size_t machines_in(const plan::SequencePlan& plan) {
  std::size_t machines = 0;
  for (const plan::SequencePart& part : plan) machines += part.machines.size() + part.standby.size();
  return machines;
}

ReachStep step_at(const Rational& period, const tpn::Document& problem, const plan::Catalogue& catalogue,
                  const WiderFindings& findings, const evaluators::Deadline& deadline) {
  const PlanWish& wish = findings.wish;
  const plan::CountedQuery query{wish.query(period), std::nullopt, deadline};
  const auto found = [&](const plan::SequencePlan& plan, const Rational& own) {
    const Rational& kept = wish.survive > 0 ? period : own;
    return WiderReach{kept, machines_in(plan), {}};
  };
  if (findings.among == PlanClass::mixed) {
    const plan::MixedAnswer answer = plan::mixed_on_all_links(problem, catalogue, query);
    if (answer.plan) return {found(*answer.plan, answer.period), false};
    return {std::nullopt, !answer.cut_short};
  }
  const plan::WeightedAnswer answer = plan::weighted_on_all_links(problem, catalogue, query);
  if (answer.plan) return {found(*answer.plan, answer.period), false};
  return {std::nullopt, answer.is_impossible};
}

// The fastest of one type per part, which the wider classes have as well.
std::optional<WiderReach> reach_of(const PlanFindings& typed) {
  if (!typed.reach || !typed.reach->fastest) return std::nullopt;
  return WiderReach{typed.reach->fastest->kept, typed.reach->fastest->facts.machines(), {}};
}

}  // namespace

std::string name_of(PlanClass kind) {
  switch (kind) {
    case PlanClass::parts:
      return "parts";
    case PlanClass::typed:
      return "typed";
    case PlanClass::mixed:
      return "mixed";
    case PlanClass::weighted:
      return "weighted";
    case PlanClass::any:
      break;
  }
  return "any";
}

std::optional<PlanClass> plan_class_named(std::string_view name) {
  for (const PlanClass kind :
       {PlanClass::parts, PlanClass::typed, PlanClass::mixed, PlanClass::weighted, PlanClass::any}) {
    if (name_of(kind) == name) return kind;
  }
  return std::nullopt;
}

std::optional<std::string> why_not_wider(const plan::Catalogue& catalogue) {
  if (catalogue.has_partitions()) return "stages with partitions are for plans of one type per part";
  if (catalogue.types.size() <= plan::kMostCovered) return std::nullopt;
  return fmt::format("there are {} types here; these plans are for at most {}", catalogue.types.size(),
                     plan::kMostCovered);
}

plan::MappingClaim claim_of(PlanClass kind, bool is_named, const plan::Freedoms& usable) {
  switch (kind) {
    case PlanClass::parts:
      return {plan::Prover::parts, usable};
    case PlanClass::typed:
      return {is_named ? plan::Prover::alike : plan::Prover::typed, usable};
    case PlanClass::mixed:
      return {plan::Prover::mixed, usable};
    case PlanClass::weighted:
      return {plan::Prover::weighted, usable};
    case PlanClass::any:
      break;
  }
  return {plan::Prover::loads, usable};
}

std::optional<PlanClass> WiderFindings::optimal_in() const {
  std::optional<PlanClass> widest;
  for (const ClassBound& bound : bounds) {
    if (mapped && bound.cost == cost) widest = bound.of;
  }
  return widest;
}

std::optional<PlanClass> WiderFindings::impossible_in() const {
  if (least_stay || all_may_fail) return PlanClass::any;
  std::optional<PlanClass> widest;
  for (const ClassBound& bound : bounds) {
    if (!mapped && !bound.cost) widest = bound.of;
  }
  return widest;
}

bool WiderFindings::is_settled() const {
  if (mapped && wish.aim == PlanAim::budget) return period_bound == mapped->predicted_period;
  const auto widest = mapped ? optimal_in() : impossible_in();
  return widest && *widest >= among;
}

WiderFindings find_wider_plan(const tpn::Document& problem, const plan::Catalogue& catalogue, const PlanWish& wish,
                              PlanClass among, const evaluators::Deadline& deadline) {
  maxplus::expects(!why_not_wider(catalogue) && !wish.latency, "wider plans are of few types, without a latency");
  WiderFindings findings;
  findings.wish = wish;
  findings.among = among;
  const plan::CountedQuery query{wish.query(wish.planned_period()), std::nullopt, deadline};
  if (among == PlanClass::mixed) {
    find_mixed(findings, problem, catalogue, query);
  } else {
    find_weighted(findings, problem, catalogue, query);
  }
  findings.bounds.push_back({PlanClass::any, plan::cost_bound(catalogue, wish.model, wish.planned_period())});
  return findings;
}

void add_reach(WiderFindings& findings, const PlanFindings& typed, const tpn::Document& problem,
               const plan::Catalogue& catalogue, const evaluators::Deadline& deadline) {
  if (findings.mapped || !findings.is_settled()) return;
  constexpr int kMostSteps = 30;
  const Rational close = Rational::fraction(1001, 1000);
  Rational none = std::max(findings.wish.planned_period(),
                           plan::kept_period_bound(catalogue, findings.wish.model, findings.wish.survive));
  std::optional<WiderReach> best = reach_of(typed);
  if (!best) best = step_at(plan::ample_period(catalogue), problem, catalogue, findings, deadline).plan;
  for (int step = 0; best && step < kMostSteps && none * close < best->period && !deadline.has_passed(); ++step) {
    const Rational middle = (none + best->period) / Rational(2);
    ReachStep next = step_at(middle, problem, catalogue, findings, deadline);
    if (next.plan) {
      best = std::move(next.plan);
    } else if (next.is_impossible) {
      none = middle;
    } else {
      break;
    }
  }
  if (!best) return;
  best->lower_bound = std::min(none, best->period);
  findings.reach = std::move(best);
}

std::optional<WiderAnswer> wider_answer(const tpn::Document& problem, const plan::Catalogue& catalogue,
                                        const PlanWish& wish, const evaluators::Deadline& deadline) {
  constexpr std::uint64_t kMostMachines = 64;  // whose turns are tried in a moment
  std::uint64_t there = 0;
  for (const plan::MachineType& type : catalogue.types) {
    if (!type.count || *type.count > kMostMachines) return std::nullopt;
    there += *type.count;
  }
  if (wish.latency || there > kMostMachines || why_not_wider(catalogue)) return std::nullopt;
  for (const PlanClass among : {PlanClass::mixed, PlanClass::weighted}) {
    if (among == PlanClass::weighted && wish.survive > 0) break;
    const WiderFindings found = find_wider_plan(problem, catalogue, wish, among, deadline);
    if (!found.mapped) continue;
    WiderAnswer answer{name_of(among), *found.mapped->predicted_period, found.cost, {}};
    answer.machines.resize(catalogue.types.size());
    const tpn::Platform& platform = found.mapped->platform;
    for (const tpn::ProcessorGroup& machine : tpn::processor_groups(platform))
      ++answer.machines[*platform.processors[machine.first].type];
    return answer;
  }
  return std::nullopt;
}

namespace {

// The fastest mapping that local search finds on all processors, its period evaluated.
std::optional<tpn::Document> fastest_named(const tpn::Document& problem, const PlanWish& wish,
                                           const evaluators::Deadline& deadline) {
  heuristics::Settings settings;
  settings.model = wish.model;
  settings.deadline = deadline;
  const tpn::ProblemView view(problem);
  const heuristics::Solution solution = heuristics::solve(*heuristics::find_heuristic("polish"), view, settings);
  const auto* proposal = std::get_if<heuristics::Proposal>(&solution.result);
  if (proposal == nullptr) return std::nullopt;
  tpn::Document mapped = problem;
  mapped.mapping = proposal->mapping;
  mapped.predicted_period = proposal->predicted_period;
  mapped.model = wish.model;
  if (judge(mapped, deadline)) return std::nullopt;
  return mapped;
}

// Those that serve a part, with all their cores.
std::size_t count_machines(const tpn::Document& mapped) {
  const std::vector<std::size_t> machines = tpn::machines_of(mapped.platform);
  std::set<std::size_t> used;
  for (const tpn::Part& part : *mapped.mapping)
    for (const std::size_t p : part.processors) used.insert(machines[p]);
  return used.size();
}

}  // namespace

std::size_t WiderFindings::machines() const {
  std::size_t idle = 0;
  for (const auto& names : standing_by) idle += names.size();
  if (is_named) return count_machines(*mapped) + idle;
  return tpn::processor_groups(mapped->platform).size();  // all of them are the plan's, stand-bys included
}

std::optional<Rational> fastest_named_period(const tpn::Document& problem, const PlanWish& wish,
                                             const evaluators::Deadline& deadline) {
  const auto fastest = fastest_named(problem, wish, deadline);
  return fastest ? fastest->predicted_period : std::nullopt;
}

WiderFindings find_named_plan(const tpn::Document& problem, const PlanWish& wish, PlanClass among,
                              const evaluators::Deadline& deadline, bool with_reach) {
  const tpn::ProblemView view(problem);
  heuristics::NamedQuery query;
  query.model = wish.model;
  query.period = wish.planned_period();
  query.widest = named_class_of(among);
  // The rest is for how far mappings go.
  query.deadline = with_reach ? deadline.after_part(3, 4) : deadline;
  heuristics::NamedAnswer answer = heuristics::cheapest_on_platform(view, query);
  WiderFindings findings;
  findings.wish = wish;
  findings.among = among;
  findings.is_named = true;
  findings.is_cut_short = answer.cut_short;
  for (const heuristics::NamedBound& bound : answer.bounds) findings.bounds.push_back({class_of(bound.of), bound.cost});
  if (!answer.plan && !with_reach) return findings;
  if (!answer.plan) {
    auto fastest = fastest_named(problem, wish, deadline);
    // It is one of all mappings.
    if (!fastest || among != PlanClass::any) return findings;
    const Rational period = *fastest->predicted_period;
    if (period > query.period) {
      findings.reach = WiderReach{period, count_machines(*fastest), std::min(answer.least_period, period)};
      return findings;
    }
    // Fast enough after all.
    findings.cost = heuristics::price_of(problem, *fastest->mapping);
    findings.mapped = std::move(fastest);
    return findings;
  }
  findings.cost = answer.plan->cost;
  tpn::Document& mapped = findings.mapped.emplace(problem);
  mapped.mapping = std::move(answer.plan->mapping);
  mapped.predicted_period = std::move(answer.plan->period);
  mapped.model = wish.model;
  return findings;
}

}  // namespace takt::tools
