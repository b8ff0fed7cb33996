// Parts with the least bound come first, so that most are never looked at.
#include "tools/plan/workflow_plans.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <utility>
#include <variant>

#include "evaluators/bounds.hpp"
#include "evaluators/evaluate.hpp"
#include "plan/bounds.hpp"
#include "plan/sequences.hpp"
#include "plan/workflow/grouped.hpp"
#include "tools/words/ahead_words.hpp"
#include "tpn/models.hpp"

namespace takt::tools {

using maxplus::Rational;

namespace {

// A plan that keeps the period.
struct KeptPlan {
  tpn::Document mapped;
  Rational cost;
  OrderCost order;
};

// What a net says of a plan.
struct JudgedPlan {
  plan::GroupedPlan plan;
  tpn::Document mapped;
  tpn::FoldedNet net;
  evaluators::Evaluation evaluation;

  // An upper bound where the evaluation met a limit.
  const Rational& period() const { return evaluation.upper; }
  // Whether a resource is busy all the time.
  bool is_busy() const { return evaluators::largest_cycle_time(net) == period(); }

  // Parts that the critical circuit passes.
  std::set<std::size_t> parts_on_circuit() const {
    std::set<std::size_t> parts;
    const auto add = [&](tpn::PartIndex index) {
      const tpn::NetPart& part = net.pipeline.parts[index];
      if (part.role == tpn::PartRole::mapped) parts.insert(part.mapping_part);
    };
    for (const evaluators::CircuitStep& step : evaluation.circuit.steps) {
      const tpn::Column& column = net.pipeline.columns[step.column];
      add(column.part);
      add(column.receiver);
    }
    return parts;
  }
};

class WorkflowPlanSearch {
 public:
  WorkflowPlanSearch(const tpn::Document& problem, const plan::WorkflowTimes& times, const PlanWish& wish,
                     const evaluators::Deadline& deadline)
      : problem_(problem), times_(times), wish_(wish), deadline_(deadline) {
    query_.model = wish.model;
    query_.period = wish.planned_period();
    query_.all_apart = wish.all_apart;
    query_.deadline = deadline;
    findings_.wish = wish;
    findings_.among = wish.all_apart ? PlanClass::parts : PlanClass::typed;
  }

  WiderFindings find() {
    const plan::Groupings groupings = plan::groupings_of(times_, query_);
    findings_.is_cut_short = groupings.cut_short;
    std::optional<Rational> least;  // of all parts that were looked at, by cycle times
    const auto at_least = [&](const Rational& bound) { least = least ? std::min(*least, bound) : bound; };
    for (const auto& entry : groupings.entries) {
      if ((best_ && best_->cost <= entry.bound) || deadline_.has_passed()) {
        if (!best_ || entry.bound < best_->cost) findings_.is_cut_short = true;
        at_least(entry.bound);
        break;
      }
      const plan::GroupedAnswer answer = plan::cheapest_machines(times_, entry.groups, query_);
      if (answer.cut_short) findings_.is_cut_short = true;
      if (answer.lower_bound) at_least(*answer.lower_bound);
      if (!answer.plan || (best_ && best_->cost <= answer.plan->cost)) continue;
      if (auto kept = keep(*answer.plan)) {
        best_ = std::move(kept);
        bound_of_parts_ = answer.lower_bound;
      }
    }
    hand_over(groupings.are_all, least);
    return std::move(findings_);
  }

 private:
  void hand_over(bool are_all, std::optional<Rational> least) {
    if (best_) {
      findings_.mapped = std::move(best_->mapped);
      findings_.cost = best_->cost;
      findings_.order = std::move(best_->order);
      findings_.bounds.push_back({PlanClass::parts, bound_of_parts_});
    } else if (are_all && wish_.all_apart) {
      findings_.bounds.push_back({PlanClass::parts, least});
    }
    if (are_all && !wish_.all_apart) findings_.bounds.push_back({PlanClass::typed, std::move(least)});
    const bool is_out_of_reach =
        std::ranges::any_of(plan::period_bounds(times_.catalogue(), wish_.model),
                            [&](const plan::PeriodBound& bound) { return bound.period > query_.period; });
    findings_.bounds.push_back(
        {PlanClass::any, is_out_of_reach
                             ? std::nullopt
                             : std::optional(plan::cost_bound(times_.catalogue(), wish_.model, query_.period))});
  }

  std::optional<JudgedPlan> judged(plan::GroupedPlan plan) {
    const plan::Catalogue& catalogue = times_.catalogue();
    if (plan::processors_of(catalogue, plan::machines_by_type(plan, times_.types())) > kMostMachinesMade) {
      findings_.is_cut_short = true;
      return std::nullopt;
    }
    tpn::Document mapped = plan::mapped_document(problem_, wish_.model, plan);
    auto folded = tpn::fold(mapped, wish_.model, deadline_);
    auto* const net = std::get_if<tpn::FoldedNet>(&folded);
    if (net == nullptr) {
      findings_.is_cut_short = true;
      return std::nullopt;
    }
    evaluators::Evaluation evaluation = evaluators::evaluate(*net, options());
    if (!evaluation.exact()) findings_.is_cut_short = true;
    mapped.predicted_period = evaluation.upper;
    return JudgedPlan{std::move(plan), std::move(mapped), std::move(*net), std::move(evaluation)};
  }

  evaluators::Options options() const {
    evaluators::Options options;
    options.deadline = deadline_;
    return options;
  }

  // As it is, or with what is ahead, where that keeps the period.
  std::optional<KeptPlan> kept(const JudgedPlan& judged) const {
    KeptPlan kept{judged.mapped, judged.plan.cost, {}};
    if (judged.period() <= query_.period) return kept;
    const auto advice = find_ahead(judged.mapped, judged.net, judged.evaluation, options(), AheadEffort::quick);
    if (!advice || advice->period > query_.period) return std::nullopt;
    kept.mapped.transfers = advice->transfers;
    kept.mapped.predicted_period = advice->period;
    kept.order.without_ahead = judged.period();
    return kept;
  }

  std::optional<KeptPlan> keep(const plan::GroupedPlan& plan) {
    auto current = judged(plan);
    if (!current) return std::nullopt;
    if (auto as_it_is = kept(*current)) return as_it_is;
    OrderCost::Fewer fewer{plan.cost, current->period(), current->is_busy(), {}};
    for (int step = 0; step < kMostSteps && !deadline_.has_passed(); ++step) {
      auto next = with_one_more(*current);
      if (!next) return std::nullopt;
      current = std::move(next);
      auto found = kept(*current);
      if (!found) continue;
      fewer.added = added(plan, current->plan);
      found->order.without_more = std::move(fewer);
      return found;
    }
    return std::nullopt;
  }

  // Of the parts on the critical circuit one has a machine more: the cheapest that keeps the period, else the one with
  // the least; nothing if none is any faster, or all cost too much.
  std::optional<JudgedPlan> with_one_more(const JudgedPlan& judged_before) {
    std::optional<JudgedPlan> best;
    for (const std::size_t part : judged_before.parts_on_circuit()) {
      plan::GroupedPlan more = judged_before.plan;
      if (!times_.is_replicable(more.groups[part]) || !has_another(more, more.machines[part].type)) continue;
      ++more.machines[part].machines;
      more.cost += times_.catalogue().types[more.machines[part].type].price;
      if (best_ && best_->cost <= more.cost) continue;
      auto next = judged(std::move(more));
      if (!next || next->period() >= judged_before.period()) continue;
      if (!best || is_better(*next, *best)) best = std::move(next);
      if (deadline_.has_passed()) break;
    }
    return best;
  }

  bool is_better(const JudgedPlan& one, const JudgedPlan& other) const {
    const bool keeps = one.period() <= query_.period;
    if (keeps != (other.period() <= query_.period)) return keeps;
    return keeps ? one.plan.cost < other.plan.cost : one.period() < other.period();
  }

  bool has_another(const plan::GroupedPlan& plan, std::size_t type) const {
    const auto& count = times_.catalogue().types[type].count;
    return !count || plan::machines_by_type(plan, times_.types())[type] < *count;
  }

  static std::vector<OrderCost::More> added(const plan::GroupedPlan& before, const plan::GroupedPlan& after) {
    std::vector<OrderCost::More> result;
    for (std::size_t g = 0; g < before.groups.size(); ++g) {
      const std::uint64_t more = after.machines[g].machines - before.machines[g].machines;
      if (more > 0) result.push_back({g, after.machines[g].type, more});
    }
    return result;
  }

  static constexpr int kMostSteps = 20;

  const tpn::Document& problem_;
  const plan::WorkflowTimes& times_;
  const PlanWish& wish_;
  evaluators::Deadline deadline_;
  plan::GroupedQuery query_;
  WiderFindings findings_;
  std::optional<KeptPlan> best_;
  std::optional<Rational> bound_of_parts_;  // of these parts, by cycle times
};

}  // namespace

std::optional<std::string> why_no_workflow_plan(const PlanWish& wish) {
  if (wish.model->has_rooms)
    return fmt::format("--model {}: workflows that fork or join are planned under overlap and strict",
                       tpn::name_of(wish.model));
  if (wish.survive > 0) return "--survive does not go with workflows that fork or join: their order has no closed form";
  return std::nullopt;
}

WiderFindings find_workflow_plan(const tpn::Document& problem, const plan::WorkflowTimes& times, const PlanWish& wish,
                                 const evaluators::Deadline& deadline) {
  return WorkflowPlanSearch(problem, times, wish, deadline).find();
}

}  // namespace takt::tools
