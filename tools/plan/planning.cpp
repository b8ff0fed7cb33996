// Asks the planner, then the net.
#include "tools/plan/planning.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <stdexcept>
#include <utility>
#include <variant>

#include "evaluators/evaluate.hpp"
#include "plan/bounds.hpp"
#include "plan/counted/additions.hpp"
#include "plan/counted/fastest.hpp"
#include "plan/typed/program.hpp"
#include "tools/answers/limit_words.hpp"
#include "tools/answers/result.hpp"
#include "tpn/expansion.hpp"
#include "tpn/models.hpp"
#include "tpn/rates.hpp"

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
  if (wish.on_demand) note("on_demand", *wish.on_demand);
  if (!wish.have.empty()) note("adds", true);
  if (wish.from) note("set_up", Rational(ChangeOver(found.parts, *wish.from).set_up));
  return record;
}

// The catalogue with each type twice: the machines that are there, for nothing, and as many new ones as one likes.
// Without transfers between types, which bounds of every mapping do not know.
plan::Catalogue with_owned(const plan::Catalogue& catalogue, const std::vector<std::uint64_t>& have) {
  const std::size_t count = catalogue.types.size();
  plan::Catalogue result = catalogue;
  result.transfers.clear();
  const bool are_free =
      std::ranges::all_of(catalogue.types, [](const plan::MachineType& type) { return type.price.sign() == 0; });
  for (std::size_t t = 0; t < count; ++t) {
    plan::MachineType& fresh = result.types[t];
    fresh.count.reset();
    if (are_free) fresh.price = 1;
    plan::MachineType& owned = result.types.emplace_back(catalogue.types[t]);
    owned.price = 0;
    owned.count = have[t];
  }
  result.stage_times.clear();
  for (std::size_t k = 0; k < catalogue.stages.size(); ++k) {
    for (int copy = 0; copy < 2; ++copy) {
      for (std::size_t t = 0; t < count; ++t) result.stage_times.push_back(catalogue.stage_time(k, t));
    }
  }
  for (auto* ends : {&result.from_source, &result.to_sink}) {
    const auto once = *ends;
    ends->insert(ends->end(), once.begin(), once.end());
  }
  return result;
}

// One wish: the plan first, then what lies around it.
class PlanSearch {
 public:
  PlanSearch(const plan::Catalogue& catalogue, const PlanWish& wish, const PlanQuestions& questions)
      : catalogue_(catalogue), wish_(wish), questions_(questions), deadline_(questions.deadline) {
    findings_.wish = wish;
  }

  PlanFindings find() {
    if (wish_.aim == PlanAim::none) {
      find_frontier();
      return std::move(findings_);
    }
    // The rows of a frontier are to have their share of the time.
    if (questions_.frontier) deadline_ = questions_.deadline.half_way();
    if (!wish_.have.empty()) {
      find_least_to_add();
    } else if (wish_.from) {
      find_nearest();
    } else if (wish_.aim == PlanAim::period) {
      find_cheapest();
    } else {
      find_fastest();
    }
    deadline_ = questions_.deadline;
    if (!findings_.found) {
      findings_.is_undecided = findings_.is_cut_short;
      if (!findings_.is_undecided) find_reach();
      if (questions_.frontier) find_frontier();
      return std::move(findings_);
    }
    if (wish_.aim == PlanAim::period && wish_.have.empty() && !wish_.from) findings_.cost_together = cost_together();
    if (questions_.frontier) find_frontier();
    if (questions_.prices && findings_.is_optimal && wish_.aim == PlanAim::period) find_price_ranges();
    if (questions_.losses) find_replans();
    if (questions_.upgrade) find_neighbors();
    return std::move(findings_);
  }

 private:
  FoundPlan with_facts(plan::TypedPlan parts) const { return found_plan(catalogue_, wish_, std::move(parts)); }

  plan::CountedQuery counted(plan::Query query) const {
    query.deadline = deadline_;
    return {std::move(query), wish_.latency, deadline_};
  }

  void find_cheapest() {
    const Rational period = wish_.planned_period();
    findings_.any_bound = plan::cost_bound(catalogue_, wish_.model, period, wish_.query(period).on_demand);
    plan::SettledPlan settled = plan::cheapest_and_fastest(catalogue_, counted(wish_.query(period)));
    findings_.answer = std::move(settled.answer);
    const plan::CountedAnswer& answer = *findings_.answer;
    findings_.proof = answer.proof;
    findings_.is_cut_short = answer.cut_short;
    if (!settled.point) return;
    findings_.found = with_facts(std::move(settled.point->plan));
    findings_.lower_bound = std::max(answer.lower_bound, *findings_.any_bound);
    findings_.is_optimal = *findings_.lower_bound == findings_.found->facts.cost();
    findings_.is_price_open = !answer.cut_short && !settled.is_fastest && !plan::has_free_machines(catalogue_);
    if (findings_.is_price_open) findings_.is_cut_short = true;
  }

  void find_least_to_add() {
    const Rational period = wish_.planned_period();
    plan::Catalogue owned = catalogue_;
    for (std::size_t t = 0; t < owned.types.size(); ++t) owned.types[t].count = wish_.have[t];
    findings_.any_bound = plan::cost_bound(with_owned(catalogue_, wish_.have), wish_.model, period);
    plan::Additions additions = plan::least_additions(owned, counted(wish_.query(period)));
    findings_.is_cut_short = additions.cut_short;
    if (!additions.plan) return;
    findings_.found = with_facts(std::move(*additions.plan));
    findings_.added = std::move(additions.added);
    findings_.added_cost = additions.cost;
    findings_.is_optimal = !additions.cut_short || additions.cost == *findings_.any_bound;
    findings_.proof = findings_.is_optimal ? plan::PlanProof::search : plan::PlanProof::none;
    findings_.lower_bound = findings_.is_optimal ? additions.cost : *findings_.any_bound;
  }

  void find_nearest() {
    const Rational period = wish_.planned_period();
    plan::Query query = wish_.query(period);
    findings_.any_bound = plan::cost_bound(catalogue_, wish_.model, period);
    plan::CountedAnswer cheapest = plan::solve_within(catalogue_, counted(query));
    query.running = wish_.from->parts;
    query.setup = wish_.from->setup ? *wish_.from->setup : plan::above_all_costs(catalogue_, query);
    plan::CountedAnswer answer = plan::solve_within(catalogue_, counted(query));
    findings_.is_cut_short = answer.cut_short || cheapest.cut_short;
    if (!answer.plan) return;
    findings_.is_optimal = !answer.cut_short;
    findings_.proof = findings_.is_optimal ? plan::PlanProof::search : plan::PlanProof::none;
    findings_.found = with_facts(std::move(*answer.plan));
    findings_.changes.emplace(findings_.found->parts, *wish_.from);
    if (cheapest.plan && !cheapest.cut_short) findings_.cheapest = with_facts(std::move(*cheapest.plan));
  }

  void find_fastest() {
    if (wish_.aim == PlanAim::budget) {
      findings_.found = fastest_of(catalogue_, [&](const auto& point) { return point.cost <= wish_.budget; });
    } else {
      plan::GivenAnswer answer = plan::fastest_within(catalogue_, counted(wish_.query(1)), plan::LeastOf::money);
      findings_.is_cut_short = !answer.is_proved;
      if (answer.point) findings_.found = with_facts(std::move(answer.point->plan));
    }
    findings_.proof = findings_.is_cut_short ? plan::PlanProof::none : plan::PlanProof::search;
    findings_.is_optimal = findings_.found && !findings_.is_cut_short;
    Rational bound = plan::kept_period_bound(catalogue_, wish_.model, wish_.survive);
    if (wish_.aim == PlanAim::budget)
      bound = std::max(bound, plan::period_bound_of_budget(catalogue_, wish_.model, wish_.budget));
    if (bound.sign() > 0) findings_.any_bound = bound;
  }

  // Within counts and latency.
  plan::PlanSolver solver_of(const plan::Catalogue& catalogue, bool is_proof_wanted = false) {
    return [this, &catalogue, is_proof_wanted](const plan::Query& query) {
      plan::CountedQuery asked = counted(query);
      asked.is_proof_wanted = is_proof_wanted;
      asked.has_potentials = false;
      plan::CountedAnswer answer = plan::solve_within(catalogue, asked);
      if (answer.cut_short) findings_.is_cut_short = true;
      return plan::PlanSolution{std::move(answer.plan), !answer.cut_short};
    };
  }

  std::optional<FoundPlan> fastest_of(const plan::Catalogue& catalogue,
                                      const std::function<bool(const plan::FrontierPoint&)>& accepts) {
    plan::FastestPlan fastest = plan::fastest(catalogue, wish_.query(1), solver_of(catalogue), accepts, deadline_);
    if (!fastest.is_proved) findings_.is_cut_short = true;
    if (!fastest.point) return std::nullopt;
    if (fastest.is_proved) plan::take_fewest_machines(catalogue, counted(wish_.query(1)), *fastest.point);
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
    const auto answer = plan::solve_within(together, counted(query));
    if (!answer.plan || answer.cut_short || answer.cost >= findings_.found->facts.cost()) return std::nullopt;
    return answer.cost;
  }

  // Why there is none, and what there is instead.
  void find_reach() {
    const bool has_period = wish_.aim == PlanAim::period;
    plan::Query query = wish_.query(has_period ? wish_.planned_period() : plan::ample_period(catalogue_));
    query.deadline = questions_.deadline;
    plan::ProgramAnswer cheapest = plan::solve(catalogue_, query);
    if (cheapest.plan) findings_.unlimited = with_facts(std::move(*cheapest.plan));
    PlanReach& reach = findings_.reach.emplace();
    if (has_period) find_fastest_of_all(reach, cheapest);
    const bool is_short = findings_.unlimited && wish_.aim != PlanAim::budget;
    if (is_short && catalogue_.has_counts() && !wish_.on_demand) find_additions(reach, query);
    if (cheapest.cut_short) findings_.is_cut_short = true;
  }

  // Within what there is, and, where the period is out of reach whatever there is, of all.
  void find_fastest_of_all(PlanReach& reach, const plan::ProgramAnswer& cheapest) {
    plan::GivenAnswer fastest = plan::fastest_within(catalogue_, counted(wish_.query(1)), plan::LeastOf::money);
    if (fastest.point) reach.fastest = with_facts(std::move(fastest.point->plan));
    reach.is_fastest = fastest.is_proved;
    if (!fastest.is_proved) findings_.is_cut_short = true;
    if (cheapest.plan || cheapest.cut_short || (!catalogue_.limits_machines() && !wish_.latency)) return;
    plan::Catalogue all = catalogue_;
    all.quotas.clear();
    for (plan::MachineType& type : all.types) type.count.reset();
    plan::CountedQuery query = counted(wish_.query(1));
    query.latency.reset();
    plan::GivenAnswer unlimited = plan::fastest_within(all, query, plan::LeastOf::money);
    if (unlimited.point) reach.unlimited = with_facts(std::move(unlimited.point->plan));
    reach.is_unlimited_fastest = unlimited.is_proved;
    if (!unlimited.is_proved) findings_.is_cut_short = true;
  }

  void find_additions(PlanReach& reach, const plan::Query& query) {
    plan::Additions additions = plan::least_additions(catalogue_, counted(query));
    if (additions.cut_short) findings_.is_cut_short = true;
    if (!additions.plan) return;
    reach.with_more = with_facts(std::move(*additions.plan));
    reach.added = std::move(additions.added);
    reach.added_cost = additions.cost;
    reach.is_least_added = !additions.cut_short;
  }

  void find_frontier() {
    Rational until;
    if (questions_.until) {
      until = *questions_.until;
    } else if (findings_.found) {
      const Rational& kept = findings_.found->kept;
      until = wish_.aim == PlanAim::period   ? std::min(kept, wish_.planned_period() / Rational(2))
              : wish_.aim == PlanAim::budget ? kept * Rational::fraction(4, 5)
                                             : kept;
    }
    const bool is_open = until.sign() == 0;
    plan::Frontier& frontier =
        findings_.frontier.emplace(plan::frontier(catalogue_, wish_.query(1), until, solver_of(catalogue_, true),
                                                  questions_.deadline, is_open ? kMostRows : kAllRows));
    if (frontier.cut_short) {
      findings_.is_cut_short = true;
      add_plan_to(frontier);
    }
    for (plan::FrontierPoint& point : frontier.points) {
      if (questions_.deadline.has_passed()) return;
      plan::take_fewest_machines(catalogue_, counted(wish_.query(1)), point);
    }
  }

  // A plan that is proved to be the cheapest, and the fastest of its price, is a row, whatever else was found in time.
  void add_plan_to(plan::Frontier& frontier) const {
    if (wish_.aim != PlanAim::period || !findings_.found || !findings_.is_optimal || findings_.is_price_open) return;
    const FoundPlan& found = *findings_.found;
    auto& points = frontier.points;
    if (!points.empty() && points.back().period <= found.kept) return;
    if (!points.empty() && points.back().cost == found.facts.cost()) points.pop_back();
    points.push_back({found.facts.cost(), found.kept, found.parts});
    frontier.is_last_fastest = !plan::has_free_machines(catalogue_);
  }

  void find_price_ranges() {
    plan::PriceRanges found = plan::price_ranges(catalogue_, counted(wish_.query(wish_.planned_period())),
                                                 findings_.found->facts.machines_by_type());
    if (found.cut_short) findings_.is_cut_short = true;
    findings_.price_ranges = std::move(found.ranges);
  }

  void find_replans() {
    PlanWish after = wish_;
    after.survive = 0;
    const plan::CountedQuery query = counted(after.query(1));
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
    if (found.kept.sign() > 0) find_next_faster(found.kept);
    const plan::CountedQuery query = counted(wish_.query(1));
    for (plan::PlanChange& upgrade : plan::upgrades(catalogue_, query, found.facts.machines_by_type())) {
      if (!upgrade.is_proved) findings_.is_cut_short = true;
      if (!upgrade.point || !upgrade.is_proved) continue;
      FoundUpgrade& shown = findings_.upgrades.emplace_back(FoundUpgrade{upgrade.type, {}});
      if (upgrade.point->period < found.kept) shown.faster = with_facts(std::move(upgrade.point->plan));
    }
  }

  // The cheapest that is, and of its price the fastest.
  void find_next_faster(const Rational& period) {
    plan::Query query = wish_.query(period);
    query.strictly = true;
    plan::SettledPlan faster = plan::cheapest_and_fastest(catalogue_, counted(query));
    const bool is_open = faster.point && !faster.is_fastest && !plan::has_free_machines(catalogue_);
    if (faster.answer.cut_short || is_open) findings_.is_cut_short = true;
    if (faster.point && !faster.answer.cut_short) findings_.faster = with_facts(std::move(faster.point->plan));
  }

  static constexpr std::size_t kAllRows = std::numeric_limits<std::size_t>::max();

  const plan::Catalogue& catalogue_;
  const PlanWish& wish_;
  const PlanQuestions& questions_;
  evaluators::Deadline deadline_;  // of what is looked for now
  PlanFindings findings_;
};

}  // namespace

plan::Query PlanWish::query(const Rational& at_most) const {
  plan::Query query;
  query.model = model;
  query.period = at_most;
  query.spare = survive;
  query.all_apart = all_apart;
  if (on_demand && on_demand->sign() > 0) query.on_demand = (Rational(1) - headroom) / *on_demand;
  return query;
}

ChangeOver::ChangeOver(const plan::TypedPlan& parts, const RunningPlan& from)
    : moved(from.machines.size()), rented(from.machines.size()), returned(from.machines) {
  std::vector<std::uint64_t> set_up_of(from.machines.size());
  for (const plan::TypedPart& part : parts) {
    staying.push_back(plan::staying(from.parts, part));
    all_staying += staying.back();
    returned[part.type] -= staying.back();
    set_up_of[part.type] += part.machines + part.standby - staying.back();
  }
  for (std::size_t t = 0; t < set_up_of.size(); ++t) {
    set_up += set_up_of[t];
    moved[t] = std::min(returned[t], set_up_of[t]);
    rented[t] = set_up_of[t] - moved[t];
    returned[t] -= moved[t];
  }
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
    return fmt::format("{} machines are more than the {} that a mapped document may have", machines, kMostMachinesMade);
  }
  const auto& types = problem.platform.types;
  const std::uint64_t cores = found.facts.cores().value_or(std::numeric_limits<std::uint64_t>::max());
  if (cores > kMostMachinesMade) {
    return fmt::format("{} cores are more than the {} that a mapped document may have", cores, kMostMachinesMade);
  }
  std::vector<std::uint64_t> processors = found.facts.machines_by_type();
  for (std::size_t t = 0; t < types.size(); ++t) processors[t] *= types[t].cores;
  const std::uint64_t times = tpn::inherited_times(problem.application, processors);
  if (times > tpn::kMostInheritedTimes) {
    return fmt::format("{} times of stages on machines are more than the {} that a mapped document may have", times,
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

namespace {

std::variant<evaluators::Evaluation, tpn::TooLarge> evaluated(const tpn::Document& mapped,
                                                              const evaluators::Deadline& deadline) {
  auto folded = fold_instance("", mapped, *mapped.model, deadline);
  if (const auto* too_large = std::get_if<tpn::TooLarge>(&folded)) return *too_large;
  evaluators::Options options;
  options.deadline = deadline;
  return evaluators::evaluate(std::get<EvaluatedInstance>(folded).net, options);
}

}  // namespace

std::optional<Rational> exact_period(const tpn::Document& mapped, const evaluators::Deadline& deadline) {
  const auto found = evaluated(mapped, deadline);
  const auto* evaluation = std::get_if<evaluators::Evaluation>(&found);
  return evaluation != nullptr && evaluation->exact() ? std::optional(evaluation->lower) : std::nullopt;
}

std::optional<std::string> judge(const tpn::Document& mapped, const evaluators::Deadline& deadline) {
  if (tpn::has_rates(mapped.application)) return std::nullopt;  // known by the loads that it was planned by
  const auto found = evaluated(mapped, deadline);
  if (const auto* too_large = std::get_if<tpn::TooLarge>(&found)) return too_large_text(*too_large);
  const auto& evaluation = std::get<evaluators::Evaluation>(found);
  const Rational& planned = *mapped.predicted_period;
  if (planned < evaluation.lower || evaluation.upper < planned) {
    throw std::logic_error(fmt::format("a plan of period {} has the exact period {} to {}", planned.to_string(),
                                       evaluation.lower.to_string(), evaluation.upper.to_string()));
  }
  if (!evaluation.exact()) return "its evaluation met a limit";
  return std::nullopt;
}

}  // namespace takt::tools
