// The unlimited program, then multipliers, then labels.
#include "plan/counted.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "maxplus/contract.hpp"
#include "plan/edges.hpp"
#include "plan/labels.hpp"
#include "plan/limits.hpp"
#include "plan/multipliers.hpp"
#include "plan/typed_graph.hpp"

namespace takt::plan {

namespace {

std::size_t bits_of(const Integer& number) { return mpz_sizeinbase(number.get_mpz_t(), 2); }

Integer floor_of(const Rational& number) {
  Integer result;
  mpz_fdiv_q(result.get_mpz_t(), number.numerator().get_mpz_t(), number.denominator().get_mpz_t());
  return result;
}

// With ticks that many times as short.
Scales finer(Scales scales, const Integer& times) {
  scales.ticks *= times;
  scales.period *= times;
  scales.longest *= times;
  if (scales.tick_weight == 0) return scales;
  scales.unit /= times;
  for (Integer& weight : scales.weights) weight *= times;
  scales.most_cost *= times;
  return scales;
}

// The limits in whole numbers, and how many bits they need.
struct WholeLimits {
  WholeLimits(const Catalogue& catalogue, const CountedQuery& asked, const Scales& scales) {
    const Integer paid = Integer(static_cast<unsigned long>(asked.query.spare)) + 2;
    const Integer stages = static_cast<unsigned long>(catalogue.stages.size());
    // A transfer counts for two parts, or three times where it and they exclude one another.
    const Integer machines = 3 * (scales.longest / scales.period) + stages * paid;
    const Integer heaviest = *std::ranges::max_element(scales.weights);
    const Integer cost = heaviest * machines + scales.tick_weight * scales.longest + 1;
    step = scales.tick_weight;
    for (const Integer& weight : scales.weights) step = gcd(step, weight);
    std::size_t ratio = 1;  // of what a plan may use to what there is, in bits
    for (const MachineType& type : catalogue.types) {
      if (!type.count || *type.count == 0) continue;
      ratio = std::max(ratio, bits_of(machines / Integer(static_cast<unsigned long>(*type.count))));
    }
    std::size_t fine = kGridBits;
    if (asked.latency) {
      ticks = (*asked.latency * scales.ticks).numerator();
      ratio = std::max(ratio, bits_of(scales.longest / std::max(*ticks, Integer(1))));
      fine = std::max(fine, kGridBits / 2 + bits_of(*ticks) - std::min(bits_of(step), bits_of(*ticks)));
    }
    grid = Integer(1) << fine;
    most = (cost * grid) << kRoomBits;
    const std::size_t resources = catalogue.types.size() + 2;
    bits = std::max(bits_of(most) + ratio + bits_of(static_cast<unsigned long>(resources)),
                    bits_of(std::max({scales.longest, scales.period, machines})));
  }

  // Charges are that fine, and may be that much above the prices.
  static constexpr std::size_t kGridBits = 16;
  static constexpr std::size_t kRoomBits = 4;

  Integer step;
  std::optional<Integer> ticks;
  Integer grid;
  Integer most;
  std::size_t bits = 0;
};

bool keeps_limits(const Catalogue& catalogue, const CountedQuery& asked, const TypedPlan& plan) {
  const PlanFacts facts(catalogue, asked.query.model, plan);
  if (asked.latency && *asked.latency < facts.latency()) return false;
  for (std::size_t t = 0; t < catalogue.types.size(); ++t) {
    if (catalogue.types[t].count && *catalogue.types[t].count < facts.machines_by_type()[t]) return false;
  }
  return true;
}

template <typename Number>
Integer integer_from(const Number& value) {
  if constexpr (std::same_as<Number, std::int64_t>) {
    return Integer(static_cast<long>(value));
  } else {
    return maxplus::integer_of(value);
  }
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
        limits_(limits_of(catalogue, scales, whole)),
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
  static Limits<Number> limits_of(const Catalogue& catalogue, const Scales& scales, const WholeLimits& whole) {
    Limits<Number> limits;
    for (const Integer& weight : scales.weights) limits.prices.push_back(Edges<Number>::number_of(weight));
    for (const MachineType& type : catalogue.types) limits.counts.push_back(type.count);
    limits.tick_price = Edges<Number>::number_of(scales.tick_weight);
    limits.step = Edges<Number>::number_of(whole.step);
    limits.grid = Edges<Number>::number_of(whole.grid);
    limits.most = Edges<Number>::number_of(whole.most);
    if (whole.ticks) limits.ticks = Edges<Number>::number_of(*whole.ticks);
    return limits;
  }

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
    return -Rational(floor_of(-(cost / step))) * step;
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

}  // namespace

CountedAnswer solve_within(const Catalogue& catalogue, const CountedQuery& query) {
  maxplus::expects(!query.latency || query.latency->sign() >= 0, "a latency is not negative");
  ProgramAnswer program = solve(catalogue, query.query, true);
  if (!program.plan || keeps_limits(catalogue, query, *program.plan))
    return without_limits(catalogue, std::move(program));
  const Scales own(catalogue, query.query);
  const Scales scales = query.latency ? finer(own, (*query.latency * own.ticks).denominator()) : own;
  const WholeLimits whole(catalogue, query, scales);
  constexpr std::size_t kMostBits64 = 61;
  constexpr std::size_t kMostBits128 = 120;
  if (whole.bits <= kMostBits64) return LimitedProgram<std::int64_t>(catalogue, query, scales, whole).run();
  if (whole.bits <= kMostBits128) return LimitedProgram<maxplus::Int128>(catalogue, query, scales, whole).run();
  return LimitedProgram<Integer>(catalogue, query, scales, whole).run();
}

}  // namespace takt::plan
