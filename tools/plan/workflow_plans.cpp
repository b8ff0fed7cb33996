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
  Rational period;                   // an upper bound where the evaluation met a limit
  bool is_busy = false;              // whether a resource is busy all the time
  std::set<std::size_t> on_circuit;  // parts
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
    std::uint64_t processors = 0;
    for (const plan::GroupMachines& one : plan.machines)
      processors += one.machines * times_.catalogue().types[one.type].cores;
    if (processors > kMostMachinesMade) {
      findings_.is_cut_short = true;
      return std::nullopt;
    }
    JudgedPlan result{std::move(plan), {}, {}, false, {}};
    result.mapped = plan::mapped_document(problem_, wish_.model, result.plan);
    net_ = folded(result.mapped);
    if (!net_) return std::nullopt;
    evaluators::Options options;
    options.deadline = deadline_;
    evaluation_ = evaluators::evaluate(*net_, options);
    if (!evaluation_.exact()) findings_.is_cut_short = true;
    result.period = evaluation_.upper;
    result.is_busy = evaluators::largest_cycle_time(*net_) == result.period;
    for (const evaluators::CircuitStep& step : evaluation_.circuit.steps) {
      const tpn::Column& column = net_->pipeline.columns[step.column];
      add_part(column.part, result);
      if (net_->pipeline.is_transfer(step.column)) add_part(column.receiver, result);
    }
    result.mapped.predicted_period = result.period;
    return result;
  }

  void add_part(tpn::PartIndex index, JudgedPlan& plan) const {
    const tpn::NetPart& part = net_->pipeline.parts[index];
    if (part.role == tpn::PartRole::mapped) plan.on_circuit.insert(part.mapping_part);
  }

  std::optional<tpn::FoldedNet> folded(const tpn::Document& mapped) {
    auto result = tpn::fold(mapped, wish_.model, deadline_);
    if (auto* net = std::get_if<tpn::FoldedNet>(&result)) return std::move(*net);
    findings_.is_cut_short = true;
    return std::nullopt;
  }

  // With what is ahead, where that keeps the period; asks for the plan that was judged last.
  std::optional<KeptPlan> with_ahead(const JudgedPlan& judged) const {
    evaluators::Options options;
    options.deadline = deadline_;
    const auto advice = find_ahead(judged.mapped, *net_, evaluation_, options, AheadEffort::quick);
    if (!advice || advice->period > query_.period) return std::nullopt;
    KeptPlan kept{judged.mapped, judged.plan.cost, {}};
    kept.mapped.transfers = advice->transfers;
    kept.mapped.predicted_period = advice->period;
    kept.order.without_ahead = judged.period;
    return kept;
  }

  std::optional<KeptPlan> keep(const plan::GroupedPlan& plan) {
    auto current = judged(plan);
    if (!current) return std::nullopt;
    if (current->period <= query_.period) return KeptPlan{std::move(current->mapped), plan.cost, {}};
    if (auto kept = with_ahead(*current)) return kept;
    OrderCost::Fewer fewer{plan.cost, current->period, current->is_busy, {}};
    for (int step = 0; step < kMostSteps && !deadline_.has_passed(); ++step) {
      auto next = with_one_more(*current);
      if (!next) return std::nullopt;
      current = std::move(next);
      std::optional<KeptPlan> kept;
      if (current->period <= query_.period) {
        kept = KeptPlan{std::move(current->mapped), current->plan.cost, {}};
      } else if (judged(current->plan)) {
        kept = with_ahead(*current);
      }
      if (!kept) continue;
      fewer.added = added(plan, current->plan);
      kept->order.without_more = std::move(fewer);
      return kept;
    }
    return std::nullopt;
  }

  // Of the parts on the critical circuit one has a machine more: the cheapest that keeps the period, else the one with
  // the least; nothing where none is any faster, or all cost too much.
  std::optional<JudgedPlan> with_one_more(const JudgedPlan& judged_before) {
    std::optional<JudgedPlan> best;
    for (const std::size_t part : judged_before.on_circuit) {
      plan::GroupedPlan more = judged_before.plan;
      if (!times_.is_replicable(more.groups[part]) || !has_another(more, more.machines[part].type)) continue;
      ++more.machines[part].machines;
      more.cost += times_.catalogue().types[more.machines[part].type].price;
      if (best_ && best_->cost <= more.cost) continue;
      auto next = judged(std::move(more));
      if (!next || next->period >= judged_before.period) continue;
      if (!best || is_better(*next, *best)) best = std::move(next);
      if (deadline_.has_passed()) break;
    }
    return best;
  }

  bool is_better(const JudgedPlan& one, const JudgedPlan& other) const {
    const bool keeps = one.period <= query_.period;
    if (keeps != (other.period <= query_.period)) return keeps;
    return keeps ? one.plan.cost < other.plan.cost : one.period < other.period;
  }

  bool has_another(const plan::GroupedPlan& plan, std::size_t type) const {
    const auto& count = times_.catalogue().types[type].count;
    if (!count) return true;
    std::uint64_t used = 0;
    for (const plan::GroupMachines& one : plan.machines)
      if (one.type == type) used += one.machines;
    return used < *count;
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
  std::optional<tpn::FoldedNet> net_;       // of the plan that was judged last
  evaluators::Evaluation evaluation_;
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
