// Asks the planner, then the net.
#include "tools/plan/planning.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <stdexcept>
#include <utility>
#include <variant>

#include "evaluators/evaluate.hpp"
#include "plan/bounds.hpp"
#include "plan/fastest.hpp"
#include "plan/program.hpp"
#include "tools/limit_words.hpp"
#include "tools/result.hpp"
#include "tpn/expansion.hpp"
#include "tpn/models.hpp"

namespace takt::tools {

using maxplus::Rational;

namespace {

tpn::HeuristicRecord record_of(const PlanWish& wish, const FoundPlan& found) {
  tpn::HeuristicRecord record{"plan", {}, {}};
  const auto note = [&](const char* name, tpn::OptionValue value) {
    record.options.emplace_back(name, std::move(value));
  };
  if (wish.aim == PlanAim::period) note("period", wish.period);
  if (wish.aim == PlanAim::budget) note("budget", wish.budget);
  note("cost", found.facts.cost());
  note("among", std::string("typed"));
  if (wish.latency) note("latency", *wish.latency);
  if (wish.headroom.sign() > 0) note("headroom", wish.headroom);
  if (wish.survive > 0) note("survive", Rational(wish.survive));
  if (wish.all_apart) note("apart", true);
  return record;
}

// One wish: the plan first, then what lies around it.
class PlanSearch {
 public:
  PlanSearch(const plan::Catalogue& catalogue, const PlanWish& wish, const PlanQuestions& questions)
      : catalogue_(catalogue), wish_(wish), questions_(questions) {
    findings_.wish = wish;
  }

  PlanFindings find() {
    if (wish_.aim == PlanAim::period) {
      find_cheapest();
    } else {
      find_fastest();
    }
    if (!findings_.found) {
      find_unlimited();
      return std::move(findings_);
    }
    if (wish_.aim == PlanAim::period) findings_.cost_together = cost_together();
    if (questions_.frontier) find_frontier();
    if (questions_.losses) find_replans();
    if (questions_.upgrade) find_neighbors();
    return std::move(findings_);
  }

 private:
  FoundPlan with_facts(plan::TypedPlan parts) const { return found_plan(catalogue_, wish_, std::move(parts)); }

  void find_cheapest() {
    const Rational period = wish_.planned_period();
    findings_.any_bound = plan::cost_bound(catalogue_, wish_.model, period);
    findings_.answer = plan::solve_within(catalogue_, {wish_.query(period), wish_.latency, questions_.deadline});
    const plan::CountedAnswer& answer = *findings_.answer;
    findings_.proof = answer.proof;
    findings_.is_cut_short = answer.cut_short;
    if (!answer.plan) return;
    findings_.found = with_facts(*answer.plan);
    findings_.lower_bound = std::max(answer.lower_bound, *findings_.any_bound);
    findings_.is_optimal = *findings_.lower_bound == findings_.found->facts.cost();
  }

  void find_fastest() {
    if (wish_.aim == PlanAim::budget) {
      findings_.found = fastest_of(catalogue_, [&](const auto& point) { return point.cost <= wish_.budget; });
    } else {
      const plan::CountedQuery query{wish_.query(1), wish_.latency, questions_.deadline};
      plan::GivenAnswer answer = plan::fastest_within(catalogue_, query, plan::LeastOf::money);
      findings_.is_cut_short = !answer.is_proved;
      if (answer.point) findings_.found = with_facts(std::move(answer.point->plan));
    }
    findings_.proof = findings_.is_cut_short ? plan::PlanProof::none : plan::PlanProof::search;
    findings_.is_optimal = findings_.found && !findings_.is_cut_short;
    for (const plan::PeriodBound& bound : plan::period_bounds(catalogue_, wish_.model))
      findings_.any_bound = std::max(findings_.any_bound.value_or(0), bound.period);
  }

  // Within counts and latency.
  plan::PlanSolver solver_of(const plan::Catalogue& catalogue) {
    return [this, &catalogue](const plan::Query& query) {
      plan::CountedAnswer answer = plan::solve_within(catalogue, {query, wish_.latency, questions_.deadline});
      if (answer.cut_short) findings_.is_cut_short = true;
      return std::move(answer.plan);
    };
  }

  std::optional<FoundPlan> fastest_of(const plan::Catalogue& catalogue,
                                      const std::function<bool(const plan::FrontierPoint&)>& accepts) {
    plan::FastestPlan fastest =
        plan::fastest(catalogue, wish_.query(1), solver_of(catalogue), accepts, questions_.deadline);
    if (!fastest.is_proved) findings_.is_cut_short = true;
    if (!fastest.point) return std::nullopt;
    return with_facts(std::move(fastest.point->plan));
  }

  // What keeping stages apart costs, or would.
  std::optional<Rational> cost_together() {
    plan::Catalogue together = catalogue_;
    bool is_apart = wish_.all_apart;
    for (plan::PlannedStage& stage : together.stages) is_apart = std::exchange(stage.apart, false) || is_apart;
    if (!is_apart) return std::nullopt;
    plan::Query query = wish_.query(wish_.planned_period());
    query.all_apart = false;
    const auto answer = plan::solve_within(together, {query, wish_.latency, questions_.deadline});
    if (!answer.plan || answer.cost >= findings_.found->facts.cost()) return std::nullopt;
    return answer.cost;
  }

  void find_unlimited() {
    if (wish_.aim != PlanAim::period) {
      // The cheapest of all.
      const auto answer = plan::solve(catalogue_, wish_.query(plan::ample_period(catalogue_)));
      if (answer.plan) findings_.unlimited = with_facts(*answer.plan);
      return;
    }
    const auto answer = plan::solve(catalogue_, wish_.query(wish_.planned_period()));
    if (answer.plan) findings_.unlimited = with_facts(*answer.plan);
  }

  void find_frontier() {
    const Rational& kept = findings_.found->kept;
    const Rational until = questions_.until               ? *questions_.until
                           : wish_.aim == PlanAim::period ? std::min(kept, wish_.planned_period() / Rational(2))
                                                          : kept;
    findings_.frontier = plan::frontier(catalogue_, wish_.query(1), until, solver_of(catalogue_), questions_.deadline);
    if (findings_.frontier->cut_short) findings_.is_cut_short = true;
  }

  void find_replans() {
    PlanWish after = wish_;
    after.survive = 0;
    const plan::CountedQuery query{after.query(1), wish_.latency, questions_.deadline};
    for (plan::PlanChange& change : plan::replans(catalogue_, query, findings_.found->facts.machines_by_type())) {
      if (!change.is_proved) {
        findings_.is_cut_short = true;
        continue;
      }
      FoundReplan& shown = findings_.replans.emplace_back(FoundReplan{change.type, {}});
      if (change.point) shown.left = found_plan(catalogue_, after, std::move(change.point->plan));
    }
  }

  void find_neighbors() {
    const FoundPlan& found = *findings_.found;
    const Rational& cost = found.facts.cost();
    const bool was_cut_short = std::exchange(findings_.is_cut_short, false);
    findings_.cheaper = fastest_of(catalogue_, [&](const plan::FrontierPoint& point) { return point.cost < cost; });
    // One that is not proved to be the fastest is not the next one.
    if (findings_.is_cut_short) findings_.cheaper.reset();
    findings_.is_cut_short = findings_.is_cut_short || was_cut_short;
    if (found.kept.sign() > 0) {
      plan::Query query = wish_.query(found.kept);
      query.strictly = true;
      if (auto faster = solver_of(catalogue_)(query)) findings_.faster = with_facts(std::move(*faster));
    }
    const plan::CountedQuery query{wish_.query(1), wish_.latency, questions_.deadline};
    for (plan::PlanChange& upgrade : plan::upgrades(catalogue_, query, found.facts.machines_by_type())) {
      if (!upgrade.is_proved) findings_.is_cut_short = true;
      if (!upgrade.point || !upgrade.is_proved) continue;
      FoundUpgrade& shown = findings_.upgrades.emplace_back(FoundUpgrade{upgrade.type, {}});
      if (upgrade.point->period < found.kept) shown.faster = with_facts(std::move(upgrade.point->plan));
    }
  }

  const plan::Catalogue& catalogue_;
  const PlanWish& wish_;
  const PlanQuestions& questions_;
  PlanFindings findings_;
};

}  // namespace

plan::Query PlanWish::query(const Rational& at_most) const {
  plan::Query query;
  query.model = model;
  query.period = at_most;
  query.spare = survive;
  query.all_apart = all_apart;
  return query;
}

FoundPlan found_plan(const plan::Catalogue& catalogue, const PlanWish& wish, plan::TypedPlan parts) {
  plan::PlanFacts facts(catalogue, wish.model, parts);
  Rational kept = facts.period_after(wish.survive).value();
  return {std::move(parts), std::move(facts), std::move(kept)};
}

PlanFindings find_plan(const plan::Catalogue& catalogue, const PlanWish& wish, const PlanQuestions& questions) {
  return PlanSearch(catalogue, wish, questions).find();
}

std::optional<std::string> too_large_to_map(const tpn::Document& problem, const FoundPlan& found) {
  const std::uint64_t machines = found.facts.machines();
  if (machines > kMostMachinesMade) {
    return fmt::format("{} machines are more than the {} of which a mapped document is made", machines,
                       kMostMachinesMade);
  }
  const std::uint64_t times = tpn::inherited_times(problem.application, found.facts.machines_by_type());
  if (times > tpn::kMostInheritedTimes) {
    return fmt::format("{} times of stages on machines are more than the {} of a mapped document", times,
                       tpn::kMostInheritedTimes);
  }
  return std::nullopt;
}

tpn::Document planned_document(const tpn::Document& problem, const plan::Catalogue& catalogue, const PlanWish& wish,
                               const FoundPlan& found) {
  tpn::Document mapped = plan::mapped_document(problem, catalogue, wish.model, found.parts);
  mapped.heuristic = record_of(wish, found);
  return mapped;
}

std::optional<std::string> judge(const tpn::Document& mapped, const evaluators::Deadline& deadline) {
  auto folded = fold_instance("", mapped, *mapped.model, deadline);
  if (const auto* too_large = std::get_if<tpn::TooLarge>(&folded)) return too_large_text(*too_large);
  evaluators::Options options;
  options.deadline = deadline;
  const evaluators::Evaluation evaluation = evaluators::evaluate(std::get<EvaluatedInstance>(folded).net, options);
  const Rational& planned = *mapped.predicted_period;
  if (planned < evaluation.lower || evaluation.upper < planned) {
    throw std::logic_error(fmt::format("a plan of period {} has the exact period {} to {}", planned.to_string(),
                                       evaluation.lower.to_string(), evaluation.upper.to_string()));
  }
  if (!evaluation.exact()) return "its evaluation met a limit";
  return std::nullopt;
}

}  // namespace takt::tools
