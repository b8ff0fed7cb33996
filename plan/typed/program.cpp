// Scales, and the narrowest numbers for them.
#include "plan/typed/program.hpp"

#include <algorithm>
#include <concepts>
#include <utility>

#include "maxplus/contract.hpp"
#include "plan/typed/edges.hpp"
#include "plan/typed/forward.hpp"
#include "plan/typed/grid.hpp"

namespace takt::plan {

namespace {

// Makes a denominator common to that number too.
void include_denominator(Integer& denominator, const std::optional<Rational>& number) {
  if (!number || mpz_divisible_p(denominator.get_mpz_t(), number->denominator().get_mpz_t()) != 0) return;
  denominator = lcm(denominator, number->denominator());
}

// Of all that a part's machines and the ends divide their times by.
Integer common_places(const Catalogue& catalogue, const tpn::Model& model) {
  Integer common = 1;
  const auto include = [&](std::uint64_t places) {
    if (places > 0) common = lcm(common, Integer(static_cast<unsigned long>(places)));
  };
  for (std::size_t t = 0; t < catalogue.types.size(); ++t) {
    for (const bool is_replicable : {false, true}) {
      for (const MachineLimit& limit : catalogue.limits(model, t, is_replicable)) include(limit.places);
    }
  }
  include(catalogue.source_ports);
  include(catalogue.sink_ports);
  return common;
}

// Goes through a catalogue's times.
class TimeScan {
 public:
  TimeScan(const Catalogue& catalogue, const Query& query)
      : denominator_(query.period.denominator()), clock_(query.deadline) {
    include_denominator(denominator_, query.on_demand);
    const std::size_t count = catalogue.types.size();
    add_largest(catalogue.stage_times, count);
    add_largest(catalogue.transfers, count * count);
    add_largest(catalogue.from_source, count);
    add_largest(catalogue.to_sink, count);
    Rational fixed;
    for (const MachineType& type : catalogue.types) {
      include(type.fixed_time);
      fixed = std::max(fixed, type.fixed_time.value_or(0));
    }
    sum_ += fixed * Rational(catalogue.stages.size());
  }

  /// Common to all times and the query's period.
  const Integer& denominator() const { return denominator_; }
  /// No part, and no demand, takes longer than all there is on the slowest types.
  const Rational& sum() const { return sum_; }

 private:
  void include(const std::optional<Rational>& time) {
    clock_.spend();
    include_denominator(denominator_, time);
  }

  // The largest of each row.
  void add_largest(const std::vector<std::optional<Rational>>& times, std::size_t row) {
    for (std::size_t begin = 0; begin < times.size(); begin += row) {
      const std::optional<Rational>* largest = nullptr;
      for (std::size_t k = begin; k < begin + row; ++k) {
        include(times[k]);
        if (times[k] && (largest == nullptr || **largest < *times[k])) largest = &times[k];
      }
      if (largest != nullptr) sum_ += **largest;
    }
  }

  Integer denominator_;
  Rational sum_;
  PlanWatch clock_;
};

}  // namespace

Scales::Scales(const Catalogue& catalogue, const Query& query) {
  const TimeScan times(catalogue, query);
  ticks = times.denominator() * common_places(catalogue, query.model);
  period = (query.period * ticks).numerator();
  longest = (times.sum() * ticks).numerator();
  most_machines = all_machines() + 2 + Integer(static_cast<unsigned long>(query.spare));
  for (const PlannedStage& stage : catalogue.stages)
    most_machines = std::max(most_machines, Integer(static_cast<unsigned long>(stage.partitions)));

  const Rational per_tick = query.latency_weight / ticks;
  Integer denominator = per_tick.denominator();
  std::vector<Rational> costs = query.weights;
  if (costs.empty()) {
    for (const MachineType& type : catalogue.types) costs.push_back(type.price);
  }
  for (const Rational& weight : costs) denominator = lcm(denominator, weight.denominator());
  denominator = lcm(denominator, query.setup.denominator());
  for (const MachineType& type : catalogue.types)
    if (query.on_demand) denominator = lcm(denominator, type.premium.denominator());
  unit = Rational::fraction(1, denominator);
  tick_weight = (per_tick / unit).numerator();
  setup = (query.setup / unit).numerator();
  Integer dearest = setup;
  if (query.on_demand) {
    base = (*query.on_demand * ticks).numerator();
    for (const MachineType& type : catalogue.types) {
      premiums.push_back((type.premium / unit).numerator());
      dearest = std::max(dearest, Integer(setup + premiums.back()));
    }
  }
  Integer heaviest = 0;
  for (const Rational& weight : costs) {
    weights.push_back((weight / unit).numerator());
    heaviest = std::max(heaviest, weights.back());
  }
  most_cost = Integer(static_cast<unsigned long>(catalogue.stages.size())) * (heaviest + dearest) * most_machines +
              tick_weight * longest;
}

std::optional<Scales> Scales::on_grid(const Catalogue& catalogue, const Query& query, GridRounding toward,
                                      std::size_t most_bits) const {
  constexpr std::size_t kCostBits = 58;  // of a cost
  constexpr long kCoarsest = 1L << 24;   // ticks of the period
  if (tick_weight != 0 || mpz_sizeinbase(most_cost.get_mpz_t(), 2) > kCostBits) return std::nullopt;
  Scales grid = *this;
  grid.rounding = toward;
  grid.places = common_places(catalogue, query.model);
  // `longest` counts in the exact scale's ticks; a row of times may add one tick each.
  const Rational all = Rational::fraction(longest, ticks) * Rational(grid.places);
  const std::size_t bits = mpz_sizeinbase(all.ceiling().get_mpz_t(), 2);
  if (bits > most_bits) return std::nullopt;
  const Integer grains = Integer(1) << (most_bits - bits);
  grid.ticks = grains * grid.places;
  // Rounding adds a tick to each time at most, of which a way through the pipeline has three for each stage and one
  // more.
  const Integer times = 3 * Integer(static_cast<unsigned long>(catalogue.stages.size())) + 1;
  grid.longest = (all * Rational(grains)).ceiling() + times * grid.places;
  const Rational scaled = query.period * Rational(grains);
  grid.period = (toward == GridRounding::up ? scaled.floor() : scaled.ceiling()) * grid.places;
  if (query.on_demand) {
    const Rational base_scaled = *query.on_demand * Rational(grains);
    grid.base = (toward == GridRounding::up ? base_scaled.floor() : base_scaled.ceiling()) * grid.places;
  }
  if (grid.period < kCoarsest || (query.on_demand && grid.base < kCoarsest)) return std::nullopt;
  return grid;
}

std::uint64_t staying(const std::vector<TypedPart>& running, const TypedPart& part) {
  for (const TypedPart& now : running) {
    if (now.first_stage == part.first_stage && now.last_stage == part.last_stage && now.type == part.type)
      return std::min(now.machines + now.standby, part.machines + part.standby);
  }
  return 0;
}

Rational further_cost(const Catalogue& catalogue, const Query& query, const TypedPlan& plan) {
  Rational cost;
  for (const TypedPart& part : plan) {
    cost += query.setup * Rational(part.machines + part.standby - staying(query.running, part));
    cost += catalogue.types[part.type].premium * Rational(part.on_demand);
  }
  return cost;
}

Rational above_all_costs(const Catalogue& catalogue, const Query& query) {
  Query asked = query;
  asked.setup = 0;
  asked.deadline = {};
  const Scales scales(catalogue, asked);
  return Rational(scales.most_cost) * scales.unit + Rational(1);
}

ProgramAnswer solve(const Catalogue& catalogue, const Query& query, bool with_potentials) {
  maxplus::expects(query.period.sign() >= 0, "a period is not negative");
  maxplus::expects(tpn::follows_cycle_times(query.model), "the planner's closed forms are of cycle times");
  const auto run = [&]<typename Number>(const Edges<Number>& edges, const Scales& scales) {
    if constexpr (std::same_as<Number, Integer>) {
      if (auto answer = solve_by_grid(catalogue, query, edges, scales, with_potentials)) return *std::move(answer);
    }
    const Program program(edges, query.deadline);
    ProgramAnswer answer = answer_of(program, scales);
    if (with_potentials) answer.potentials = potentials_of(program, scales);
    return answer;
  };
  try {
    return with_edges(catalogue, query, run);
  } catch (const PlanTimeUp&) {
    ProgramAnswer answer;
    answer.cut_short = true;
    return answer;
  }
}

}  // namespace takt::plan
