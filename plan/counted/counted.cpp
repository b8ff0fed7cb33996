// The unlimited program, then multipliers, then labels.
#include "plan/counted/counted.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>
#include <utility>

#include "maxplus/contract.hpp"
#include "plan/bounds.hpp"
#include "plan/counted/labels.hpp"
#include "plan/counted/limits.hpp"
#include "plan/counted/multipliers.hpp"
#include "plan/counted/typed_graph.hpp"
#include "plan/counted/whole_limits.hpp"
#include "plan/typed/edges.hpp"
#include "plan/typed/frontier.hpp"

namespace takt::plan {

namespace {

bool keeps_limits(const Catalogue& catalogue, const CountedQuery& asked, const TypedPlan& plan) {
  const PlanFacts facts(catalogue, asked.query.model, plan);
  if (asked.latency && *asked.latency < facts.latency()) return false;
  return catalogue.allows(facts.machines_by_type());
}

// What decides how many machines parts on a grid need.
struct OtherRounding {
  const Scales& scales;
  const Edges<Integer>& exact;
};

// One query in integers of one kind.
template <typename Number>
class LimitedProgram {
 public:
  // Of a grid with the scales of the other rounding, and the edges of long numbers.
  LimitedProgram(const Catalogue& catalogue, const CountedQuery& asked, const Scales& scales, const WholeLimits& whole,
                 const OtherRounding* other)
      : catalogue_(catalogue),
        asked_(asked),
        scales_(scales),
        edges_(catalogue, asked.query, scales),
        other_(other == nullptr ? std::nullopt : std::optional<Edges<Number>>({catalogue, asked.query, other->scales})),
        counts_(other == nullptr ? std::nullopt : std::optional<ExactCounts<Number>>({*other_, other->exact})),
        limits_(whole.in<Number>(catalogue, scales)),
        graph_(edges_, limits_, asked.deadline, counts_ ? &*counts_ : nullptr),
        multipliers_(graph_, limits_, asked.deadline) {}

  CountedAnswer run() {
    try {
      if (!multipliers_.raise()) return answer_excess(missing_types());
      if (multipliers_.is_beyond()) return {};
      if (!multipliers_.incumbent()) multipliers_.look_for_excess();
    } catch (const PlanTimeUp&) {
      // What is known is taken by the search, which has no time left either.
    }
    if (multipliers_.excess() != nullptr) return answer_excess(*multipliers_.excess());
    CountedAnswer answer;
    prove(answer);
    if (multipliers_.is_closed()) {
      answer.proof = answer.potentials ? PlanProof::potentials : PlanProof::search;
      take_plan(answer, *multipliers_.incumbent());
      take_smaller_plan(answer);
    } else {
      search(answer);
    }
    return answer;
  }

 private:
  Rational parts(const Number& value) const {
    return Rational(maxplus::integer_of(value)) * scales_.unit / Rational(maxplus::integer_of(limits_.grid));
  }
  Rational units(const Number& value) const { return Rational(maxplus::integer_of(value)) * scales_.unit; }

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
    if (!with_prices) query.setup = 0;
    if (!with_prices) query.on_demand.reset();
    query.weights.assign(limits_.counts.size(), 0);
    for (std::size_t t = 0; t < query.weights.size(); ++t) {
      query.weights[t] = answer.multipliers[t];
      for (std::size_t q = 0; q < answer.quota_multipliers.size(); ++q)
        query.weights[t] += answer.quota_multipliers[q] * catalogue_.quotas[q].uses[t];
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
    for (std::size_t q = 0; q < charges.by_quota.size(); ++q)
      answer.quota_multipliers.push_back(parts(charges.by_quota[q]) / catalogue_.quotas[q].unit);
    answer.latency_multiplier = parts(charges.by_tick) * scales_.ticks;
  }

  Rational of_limits(const CountedAnswer& answer) const {
    Rational sum;
    for (std::size_t t = 0; t < limits_.counts.size(); ++t) {
      if (limits_.counts[t]) sum += answer.multipliers[t] * Rational(*limits_.counts[t]);
    }
    for (std::size_t q = 0; q < answer.quota_multipliers.size(); ++q)
      sum += answer.quota_multipliers[q] * catalogue_.quotas[q].most;
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
    // On a grid potentials, of long numbers, take longer than all else.
    if (scales_.rounding != GridRounding::none && !asked_.has_potentials) {
      answer.potentials_bound = units(limits_.rounded_up(multipliers_.bound()));
      answer.lower_bound = answer.potentials_bound;
      return;
    }
    ProgramAnswer program = solve(catalogue_, charged_query(answer, true), true);
    answer.potentials = std::move(program.potentials);
    answer.potentials_bound = program.cut_short ? units(limits_.rounded_up(multipliers_.bound()))
                                                : rounded_up(program.cost - of_limits(answer));
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
    answer.proof = program.cut_short ? PlanProof::search : PlanProof::excess;
    return answer;
  }

  void search(CountedAnswer& answer) {
    const auto found = search_labels(graph_, limits_, multipliers_, asked_.deadline);
    answer.cut_short = found.cut_short;
    if (found.incumbent) take_plan(answer, *found.incumbent);
    if (!answer.cut_short) {
      answer.proof = PlanProof::search;
      answer.lower_bound = answer.cost;
      return;
    }
    answer.lower_bound = std::max(answer.lower_bound, units(limits_.rounded_up(found.bound)));
    if (answer.plan) answer.lower_bound = std::min(answer.lower_bound, answer.cost);
  }

  void take_plan(CountedAnswer& answer, const PlanRoute<Number>& route) const {
    TypedPlan& plan = answer.plan.emplace();
    const std::uint64_t spare = asked_.query.spare;
    for (const PlannedMove& move : route.moves) {
      const bool is_replicable = catalogue_.least_replicable_stage(move.last_stage) <= move.first_stage;
      plan.push_back({move.first_stage, move.last_stage, move.type, is_replicable ? move.machines : 1,
                      is_replicable ? 0 : spare, move.on_demand});
    }
    answer.cost = units(route.usage.cost);
  }

  // The program's own plan has the fewest machines of those that cost as much with the multipliers.
  void take_smaller_plan(CountedAnswer& answer) const {
    if (!proving_plan_ || !keeps_limits(catalogue_, asked_, *proving_plan_)) return;
    Rational cost = asked_.query.latency_weight * PlanFacts(catalogue_, asked_.query.model, *proving_plan_).latency();
    for (const TypedPart& part : *proving_plan_)
      cost += units(limits_.prices[part.type]) * Rational(part.machines + part.standby);
    if (cost + further_cost(catalogue_, asked_.query, *proving_plan_) == answer.cost) answer.plan = proving_plan_;
  }

  const Catalogue& catalogue_;
  const CountedQuery& asked_;
  const Scales& scales_;
  Edges<Number> edges_;
  std::optional<Edges<Number>> other_;
  std::optional<ExactCounts<Number>> counts_;
  Limits<Number> limits_;
  TypedGraph<Number> graph_;
  Multipliers<TypedGraph<Number>> multipliers_;
  std::optional<TypedPlan> proving_plan_;
};

CountedAnswer without_limits(const Catalogue& catalogue, ProgramAnswer program) {
  CountedAnswer answer;
  answer.proof = !program.potentials ? PlanProof::search : program.plan ? PlanProof::potentials : PlanProof::no_path;
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
  return period.sign() > 0 && ample_period(catalogue) > period * Rational(kMostMachines);
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

CountedAnswer on_scales(const Catalogue& catalogue, const CountedQuery& asked, const Scales& scales,
                        const OtherRounding* other = nullptr) {
  const WholeLimits whole(catalogue, asked, scales);
  return whole.with_number([&]<typename Number>(const Number&) {
    return LimitedProgram<Number>(catalogue, asked, scales, whole, other).run();
  });
}

// Long numbers twice on a grid: what keeps a latency there with times rounded up keeps it, and nothing costs less than
// with times rounded down; numbers of machines are exact. Nothing if the grid is too coarse.
std::optional<CountedAnswer> within_limits_on_grid(const Catalogue& catalogue, const CountedQuery& asked,
                                                   const Scales& exact) {
  constexpr std::size_t kBits = 42;
  const auto below = exact.on_grid(catalogue, asked.query, GridRounding::down, kBits);
  const auto above = exact.on_grid(catalogue, asked.query, GridRounding::up, kBits);
  if (!below || !above) return std::nullopt;
  const Edges<Integer> exact_edges(catalogue, asked.query, exact);
  const OtherRounding up{*above, exact_edges};
  const OtherRounding down{*below, exact_edges};
  CountedQuery feasible = asked;
  feasible.has_potentials = false;
  // Of no more than matters any plan will do.
  if (asked.most_cost) {
    CountedAnswer found = on_scales(catalogue, feasible, *above, &down);
    if (found.plan && found.cost <= *asked.most_cost) return found;
  }
  CountedAnswer answer = on_scales(catalogue, asked, *below, &up);
  if (asked.most_cost && answer.plan && *asked.most_cost < answer.cost) answer.plan.reset();
  if (!answer.plan && !answer.cut_short) return answer;
  if (asked.most_cost) return std::nullopt;
  CountedAnswer found = on_scales(catalogue, feasible, *above, &down);
  if (!answer.cut_short) answer.lower_bound = answer.cost;
  answer.plan = std::move(found.plan);
  answer.cost = found.cost;
  answer.cut_short = !answer.plan || answer.lower_bound < answer.cost;
  if (answer.cut_short) answer.proof = PlanProof::none;
  return answer;
}

// By multipliers and labels, where a plan without limits costs that much.
CountedAnswer within_limits(const Catalogue& catalogue, const CountedQuery& asked, const Rational& unlimited_cost) {
  std::optional<CountedAnswer> roughly;
  try {
    const Scales scales = scales_within(catalogue, asked);
    if (WholeLimits(catalogue, asked, scales).is_long()) roughly = within_limits_on_grid(catalogue, asked, scales);
    if (roughly && !roughly->cut_short) return *std::move(roughly);
    CountedAnswer answer = on_scales(catalogue, asked, scales);
    if (!roughly || !answer.cut_short) return answer;
    roughly->lower_bound = std::max(roughly->lower_bound, answer.lower_bound);
    if (answer.plan && (!roughly->plan || answer.cost < roughly->cost)) {
      roughly->plan = std::move(answer.plan);
      roughly->cost = answer.cost;
    }
    return *std::move(roughly);
  } catch (const PlanTimeUp&) {
    if (roughly) return *std::move(roughly);
    CountedAnswer answer;
    answer.cut_short = true;
    answer.lower_bound = unlimited_cost;
    return answer;
  }
}

CountedAnswer unanswered() {
  CountedAnswer answer;
  answer.cut_short = true;
  return answer;
}

// The catalogue with those types alone.
Catalogue with_types(const Catalogue& catalogue, const std::vector<std::size_t>& chosen) {
  Catalogue few;
  few.stages = catalogue.stages;
  few.sources = catalogue.sources;
  few.sinks = catalogue.sinks;
  few.source_ports = catalogue.source_ports;
  few.sink_ports = catalogue.sink_ports;
  for (const std::size_t t : chosen) {
    few.types.push_back(catalogue.types[t]);
    few.from_source.push_back(catalogue.from_source[t]);
    few.to_sink.push_back(catalogue.to_sink[t]);
  }
  few.quotas = catalogue.quotas;
  for (tpn::QuotaUses& quota : few.quotas) {
    const std::vector<Rational> all = std::exchange(quota.uses, {});
    for (const std::size_t t : chosen) quota.uses.push_back(all[t]);
  }
  for (std::size_t k = 0; k < catalogue.stages.size(); ++k) {
    for (const std::size_t t : chosen) few.stage_times.push_back(catalogue.stage_time(k, t));
    if (k + 1 == catalogue.stages.size()) break;
    for (const std::size_t t : chosen) {
      for (const std::size_t u : chosen) few.transfers.push_back(catalogue.transfer(k, t, u));
    }
  }
  return few;
}

// The types that look best for the stages: for each the one that asks for the least money, a few of the most frequent.
std::vector<std::size_t> promising_types(const Catalogue& catalogue, std::size_t most) {
  const std::size_t count = catalogue.types.size();
  std::vector<std::size_t> wins(count);
  for (std::size_t k = 0; k < catalogue.stages.size(); ++k) {
    std::optional<std::pair<double, std::size_t>> best;
    for (std::size_t t = 0; t < count; ++t) {
      if (catalogue.least_first_stage(k, t) > k || catalogue.types[t].count == 0) continue;
      const Rational time = catalogue.types[t].fixed_time.value_or(*catalogue.stage_time(k, t));
      const double money = (time * catalogue.types[t].price).to_double().value_or(0);
      if (!best || money < best->first) best.emplace(money, t);
    }
    if (best) ++wins[best->second];
  }
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::greater<>(), [&](std::size_t t) { return wins[t]; });
  order.resize(
      std::min(most, static_cast<std::size_t>(std::ranges::count_if(wins, [](std::size_t n) { return n > 0; }))));
  std::ranges::sort(order);
  return order;
}

// If there was no time for all types: a plan on a few of them.
CountedAnswer on_few_types(const Catalogue& catalogue, const CountedQuery& query) {
  constexpr std::array<std::size_t, 4> kFew = {1, 2, 4, 8};
  CountedAnswer answer;
  answer.cut_short = true;
  for (const std::size_t most : kFew) {
    const std::vector<std::size_t> chosen = promising_types(catalogue, most);
    if (chosen.empty() || query.deadline.has_passed()) return answer;
    const Catalogue few = with_types(catalogue, chosen);
    CountedQuery asked = query;
    asked.query.deadline = query.deadline;
    asked.query.weights.clear();
    for (const std::size_t t : chosen)
      asked.query.weights.push_back(query.query.weights.empty() ? catalogue.types[t].price : query.query.weights[t]);
    asked.query.running.clear();
    for (TypedPart part : query.query.running) {
      const auto known = std::ranges::lower_bound(chosen, part.type);
      if (known == chosen.end() || *known != part.type) continue;
      part.type = static_cast<std::size_t>(known - chosen.begin());
      asked.query.running.push_back(part);
    }
    ProgramAnswer program = solve(few, asked.query);
    if (!program.plan) continue;
    CountedAnswer found = keeps_limits(few, asked, *program.plan) ? without_limits(few, std::move(program))
                                                                  : within_limits(few, asked, program.cost);
    if (!found.plan || (answer.plan && answer.cost <= found.cost)) continue;
    answer.plan = std::move(found.plan);
    for (TypedPart& part : *answer.plan) part.type = chosen[part.type];
    answer.cost = found.cost;
  }
  return answer;
}

// The deadline of the search over all types. With many edges it is half way, so that time is left for a few types.
maxplus::Deadline for_all_types(const Catalogue& catalogue, const maxplus::Deadline& deadline) {
  constexpr double kManyEdges = 1 << 22;
  const auto stages = static_cast<double>(catalogue.stages.size());
  const auto types = static_cast<double>(catalogue.types.size());
  return stages * stages * types * types * types / 2 < kManyEdges ? deadline : deadline.half_way();
}

}  // namespace

CountedAnswer solve_within(const Catalogue& catalogue, const CountedQuery& query) {
  maxplus::expects(!query.latency || query.latency->sign() >= 0, "a latency is not negative");
  CountedQuery asked = query;
  asked.query.deadline = query.is_proof_wanted ? query.deadline : for_all_types(catalogue, query.deadline);
  if (may_exceed_machines(catalogue, query.query.period)) return unproved(catalogue, asked);
  ProgramAnswer program = solve(catalogue, asked.query, query.has_potentials);
  if (program.cut_short && !query.is_proof_wanted) return on_few_types(catalogue, query);
  if (program.cut_short) return unanswered();
  if (program.plan && query.most_cost && *query.most_cost < program.cost) return {};
  if (!program.plan || keeps_limits(catalogue, query, *program.plan))
    return without_limits(catalogue, std::move(program));
  asked.query.deadline = query.deadline;
  return within_limits(catalogue, asked, program.cost);
}

}  // namespace takt::plan
