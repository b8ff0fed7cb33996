// One answer for three ways of asking.
#include "tools/plan/wider_plans.hpp"

#include <algorithm>
#include <utility>

#include "heuristics/typed/named_plan.hpp"
#include "maxplus/contract.hpp"
#include "plan/bounds.hpp"
#include "plan/mixed.hpp"
#include "plan/sequences.hpp"
#include "plan/weighted.hpp"
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
    case heuristics::NamedClass::any:
      break;
  }
  return PlanClass::any;
}

void find_mixed(WiderFindings& findings, const tpn::Document& problem, const plan::Catalogue& catalogue,
                const plan::CountedQuery& query) {
  plan::MixedAnswer answer = plan::solve_mixed(catalogue, query);
  findings.is_cut_short = answer.cut_short;
  if (answer.plan) {
    findings.cost = answer.cost;
    findings.mapped = plan::mapped_document(problem, catalogue, query.query.model, *answer.plan, answer.period);
    findings.bounds.push_back({PlanClass::mixed, answer.lower_bound});
  } else {
    findings.bounds.push_back({PlanClass::mixed, answer.cut_short ? std::optional(answer.lower_bound) : std::nullopt});
  }
}

void find_weighted(WiderFindings& findings, const tpn::Document& problem, const plan::Catalogue& catalogue,
                   const plan::CountedQuery& query) {
  plan::WeightedAnswer answer = plan::solve_weighted(problem, catalogue, query);
  findings.is_cut_short = answer.cut_short;
  if (answer.plan) {
    findings.cost = answer.cost;
    findings.mapped = plan::mapped_document(problem, catalogue, query.query.model, *answer.plan, answer.period);
  }
  findings.bounds.push_back(
      {PlanClass::weighted, answer.is_impossible ? std::nullopt : std::optional(answer.lower_bound)});
}

}  // namespace

std::string name_of(PlanClass kind) {
  switch (kind) {
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

std::string words_of(PlanClass kind) {
  switch (kind) {
    case PlanClass::typed:
      return "no plan with one type per part, in round robin,";
    case PlanClass::mixed:
      return "no plan with any machines in a part, in round robin,";
    case PlanClass::weighted:
      return "no plan with any machines and turns in a part";
    case PlanClass::any:
      break;
  }
  return "no mapping of any kind";
}

std::optional<PlanClass> WiderFindings::optimal_in() const {
  std::optional<PlanClass> widest;
  for (const ClassBound& bound : bounds) {
    if (mapped && bound.cost == cost) widest = bound.of;
  }
  return widest;
}

std::optional<PlanClass> WiderFindings::impossible_in() const {
  std::optional<PlanClass> widest;
  for (const ClassBound& bound : bounds) {
    if (!mapped && !bound.cost) widest = bound.of;
  }
  return widest;
}

bool WiderFindings::is_settled() const {
  const auto widest = mapped ? optimal_in() : impossible_in();
  return widest && *widest >= among;
}

WiderFindings find_wider_plan(const tpn::Document& problem, const plan::Catalogue& catalogue, const PlanWish& wish,
                              PlanClass among, const evaluators::Deadline& deadline) {
  maxplus::expects(catalogue.has_equal_links() && !wish.latency, "wider plans are of equal links, without a latency");
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

std::optional<WiderAnswer> wider_answer(const tpn::Document& problem, const plan::Catalogue& catalogue,
                                        const PlanWish& wish, const evaluators::Deadline& deadline) {
  constexpr std::uint64_t kMostMachines = 64;  // whose turns are tried in a moment
  std::uint64_t there = 0;
  for (const plan::MachineType& type : catalogue.types) {
    if (!type.count || *type.count > kMostMachines) return std::nullopt;
    there += *type.count;
  }
  if (wish.latency || there > kMostMachines || !catalogue.has_equal_links()) return std::nullopt;
  for (const PlanClass among : {PlanClass::mixed, PlanClass::weighted}) {
    if (among == PlanClass::weighted && wish.survive > 0) break;
    const WiderFindings found = find_wider_plan(problem, catalogue, wish, among, deadline);
    if (!found.mapped) continue;
    WiderAnswer answer{name_of(among), *found.mapped->predicted_period, found.cost, {}};
    answer.machines.resize(catalogue.types.size());
    for (const tpn::Processor& processor : found.mapped->platform.processors) ++answer.machines[*processor.type];
    return answer;
  }
  return std::nullopt;
}

WiderFindings find_named_plan(const tpn::Document& problem, const PlanWish& wish,
                              const evaluators::Deadline& deadline) {
  const tpn::ProblemView view(problem);
  heuristics::NamedQuery query;
  query.model = wish.model;
  query.period = wish.planned_period();
  query.deadline = deadline;
  heuristics::NamedAnswer answer = heuristics::cheapest_on_platform(view, query);
  WiderFindings findings;
  findings.wish = wish;
  findings.among = PlanClass::any;
  findings.is_cut_short = answer.cut_short;
  for (const heuristics::NamedBound& bound : answer.bounds) findings.bounds.push_back({class_of(bound.of), bound.cost});
  if (!answer.plan) return findings;
  findings.cost = answer.plan->cost;
  tpn::Document& mapped = findings.mapped.emplace(problem);
  mapped.mapping = std::move(answer.plan->mapping);
  mapped.predicted_period = std::move(answer.plan->period);
  mapped.model = wish.model;
  return findings;
}

}  // namespace takt::tools
