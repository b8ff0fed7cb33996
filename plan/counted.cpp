// The unlimited program, then multipliers, then labels.
#include "plan/counted.hpp"

#include <algorithm>
#include <utility>

#include "maxplus/contract.hpp"
#include "plan/bounds.hpp"
#include "plan/edges.hpp"
#include "plan/frontier.hpp"
#include "plan/labels.hpp"
#include "plan/limits.hpp"
#include "plan/multipliers.hpp"
#include "plan/typed_graph.hpp"
#include "plan/whole_limits.hpp"

namespace takt::plan {

namespace {

bool keeps_limits(const Catalogue& catalogue, const CountedQuery& asked, const TypedPlan& plan) {
  const PlanFacts facts(catalogue, asked.query.model, plan);
  if (asked.latency && *asked.latency < facts.latency()) return false;
  for (std::size_t t = 0; t < catalogue.types.size(); ++t) {
    if (catalogue.types[t].count && *catalogue.types[t].count < facts.machines_by_type()[t]) return false;
  }
  return true;
}

// One query in integers of one kind.
template <typename Number>
class LimitedProgram {
 public:
  LimitedProgram(const Catalogue& catalogue, const CountedQuery& asked, const Scales& scales, const WholeLimits& whole)
      : catalogue_(catalogue),
        asked_(asked),
        scales_(scales),
        edges_(catalogue, asked.query, scales),
        limits_(whole.in<Number>(catalogue, scales)),
        graph_(edges_, limits_),
        multipliers_(graph_, limits_, asked.deadline) {}

  CountedAnswer run() {
    if (!multipliers_.raise()) return answer_excess(missing_types());
    if (!multipliers_.incumbent()) multipliers_.look_for_excess();
    if (multipliers_.excess() != nullptr) return answer_excess(*multipliers_.excess());
    CountedAnswer answer;
    prove(answer);
    if (multipliers_.is_closed()) {
      answer.proof = PlanProof::potentials;
      take_plan(answer, *multipliers_.incumbent());
      take_smaller_plan(answer);
    } else {
      search(answer);
    }
    return answer;
  }

 private:
  Rational parts(const Number& value) const {
    return Rational(integer_from(value)) * scales_.unit / Rational(integer_from(limits_.grid));
  }
  Rational units(const Number& value) const { return Rational(integer_from(value)) * scales_.unit; }

  // One for each machine of which there is none.
  Charges<Number> missing_types() const {
    Charges<Number> charges;
    for (const auto& count : limits_.counts) charges.by_type.push_back(count && *count == 0 ? 1 : 0);
    return charges;
  }

  // The program with such multipliers.
  Query charged_query(const CountedAnswer& answer, bool with_prices) const {
    Query query = asked_.query;
    if (!with_prices) query.latency_weight = 0;
    query.weights.assign(limits_.counts.size(), 0);
    for (std::size_t t = 0; t < query.weights.size(); ++t) {
      query.weights[t] = answer.multipliers[t];
      if (with_prices) query.weights[t] += units(limits_.prices[t]);
    }
    query.latency_weight += answer.latency_multiplier;
    return query;
  }

  // Machines of which there is none are charged more than any plan without them costs, since that is free.
  void set_multipliers(CountedAnswer& answer, const Charges<Number>& charges, const Number& of_any_plan) const {
    for (std::size_t t = 0; t < limits_.counts.size(); ++t) {
      const bool is_missing = limits_.counts[t] && *limits_.counts[t] == 0;
      answer.multipliers.push_back(parts(is_missing ? of_any_plan : charges.by_type[t]));
    }
    answer.latency_multiplier = parts(charges.by_tick) * scales_.ticks;
  }

  Rational of_limits(const CountedAnswer& answer) const {
    Rational sum;
    for (std::size_t t = 0; t < limits_.counts.size(); ++t) {
      if (limits_.counts[t]) sum += answer.multipliers[t] * Rational(*limits_.counts[t]);
    }
    if (asked_.latency) sum += answer.latency_multiplier * *asked_.latency;
    return sum;
  }

  Rational rounded_up(const Rational& cost) const {
    const Rational step = units(limits_.step);
    if (step.sign() == 0) return 0;
    return plan::rounded_up(cost, step);
  }

  void prove(CountedAnswer& answer) {
    const Charges<Number>& charges = multipliers_.charges();
    const Number any = multipliers_.bound() + charges.of_limits(limits_);
    set_multipliers(answer, charges, any);
    ProgramAnswer program = solve(catalogue_, charged_query(answer, true), true);
    answer.potentials = std::move(program.potentials);
    answer.potentials_bound = rounded_up(program.cost - of_limits(answer));
    answer.lower_bound = answer.potentials_bound;
    proving_plan_ = std::move(program.plan);
  }

  CountedAnswer answer_excess(const Charges<Number>& charges) {
    CountedAnswer answer;
    const Number any = charges.of_limits(limits_) + 1;
    set_multipliers(answer, charges, any);
    ProgramAnswer program = solve(catalogue_, charged_query(answer, false), true);
    answer.potentials = std::move(program.potentials);
    answer.potentials_bound = program.cost - of_limits(answer);
    answer.proof = PlanProof::excess;
    return answer;
  }

  void search(CountedAnswer& answer) {
    LabelSearch<TypedGraph<Number>> labels(graph_, limits_, multipliers_.charges(), multipliers_.tightest(),
                                           multipliers_.incumbent());
    answer.cut_short = labels.run(asked_.deadline) != LabelsEnd::all_seen;
    if (labels.incumbent()) take_plan(answer, *labels.incumbent());
    if (!answer.cut_short) {
      answer.proof = PlanProof::search;
      answer.lower_bound = answer.cost;
      return;
    }
    if (const auto bound = labels.bound())
      answer.lower_bound = std::max(answer.lower_bound, units(limits_.rounded_up(*bound)));
    if (answer.plan) answer.lower_bound = std::min(answer.lower_bound, answer.cost);
  }

  void take_plan(CountedAnswer& answer, const PlanRoute<Number>& route) const {
    TypedPlan& plan = answer.plan.emplace();
    const std::uint64_t spare = asked_.query.spare;
    for (const PlannedMove& move : route.moves) {
      const bool is_replicable = catalogue_.least_replicable_stage(move.last_stage) <= move.first_stage;
      plan.push_back(
          {move.first_stage, move.last_stage, move.type, is_replicable ? move.machines : 1, is_replicable ? 0 : spare});
    }
    answer.cost = units(route.usage.cost);
  }

  // The program's own plan has the fewest machines of those that cost as much with the multipliers.
  void take_smaller_plan(CountedAnswer& answer) const {
    if (!proving_plan_ || !keeps_limits(catalogue_, asked_, *proving_plan_)) return;
    Rational cost = asked_.query.latency_weight * PlanFacts(catalogue_, asked_.query.model, *proving_plan_).latency();
    for (const TypedPart& part : *proving_plan_)
      cost += units(limits_.prices[part.type]) * Rational(part.machines + part.standby);
    if (cost == answer.cost) answer.plan = proving_plan_;
  }

  const Catalogue& catalogue_;
  const CountedQuery& asked_;
  const Scales& scales_;
  Edges<Number> edges_;
  Limits<Number> limits_;
  TypedGraph<Number> graph_;
  Multipliers<TypedGraph<Number>> multipliers_;
  std::optional<TypedPlan> proving_plan_;
};

CountedAnswer without_limits(const Catalogue& catalogue, ProgramAnswer program) {
  CountedAnswer answer;
  answer.proof = program.plan ? PlanProof::potentials : PlanProof::no_path;
  answer.plan = std::move(program.plan);
  answer.cost = program.cost;
  answer.lower_bound = program.cost;
  answer.potentials_bound = program.cost;
  answer.potentials = std::move(program.potentials);
  answer.multipliers.resize(catalogue.types.size());
  return answer;
}

// Whether parts might need more machines than the program looks at.
bool may_exceed_machines(const Catalogue& catalogue, const Rational& period) {
  return ample_period(catalogue) > period * Rational(kMostMachines);
}

// A plan that the program finds, of which nothing else is known.
CountedAnswer unproved(const Catalogue& catalogue, const CountedQuery& query) {
  ProgramAnswer program = solve(catalogue, query.query);
  CountedAnswer answer;
  answer.cut_short = true;
  if (!program.plan || !keeps_limits(catalogue, query, *program.plan)) return answer;
  answer.plan = std::move(program.plan);
  answer.cost = program.cost;
  return answer;
}

}  // namespace

CountedAnswer solve_within(const Catalogue& catalogue, const CountedQuery& query) {
  maxplus::expects(!query.latency || query.latency->sign() >= 0, "a latency is not negative");
  if (may_exceed_machines(catalogue, query.query.period)) return unproved(catalogue, query);
  ProgramAnswer program = solve(catalogue, query.query, true);
  if (!program.plan || keeps_limits(catalogue, query, *program.plan))
    return without_limits(catalogue, std::move(program));
  const Scales scales = scales_within(catalogue, query);
  const WholeLimits whole(catalogue, query, scales);
  return whole.with_number(
      [&]<typename Number>(const Number&) { return LimitedProgram<Number>(catalogue, query, scales, whole).run(); });
}

}  // namespace takt::plan
