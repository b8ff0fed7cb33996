// The edges of the planner's graph, in integers of one kind: how many machines a part needs, and what it costs.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <type_traits>
#include <vector>

#include "maxplus/deadline.hpp"
#include "maxplus/rational.hpp"
#include "plan/catalogue.hpp"
#include "plan/typed/program.hpp"
#include "tpn/models.hpp"

namespace takt::plan {

/// A search within the planner has no time left; its entry points answer with what there is.
class PlanTimeUp : public std::exception {
 public:
  const char* what() const noexcept override { return "the time for a plan was up"; }
};

/// Looks at the deadline after a fixed amount of work: small problems end whatever the time.
class PlanWatch {
 public:
  explicit PlanWatch(const maxplus::Deadline& deadline) : watch_(deadline) {}

  /// Throws PlanTimeUp.
  void spend(std::size_t steps = 1) {
    if (watch_.has_passed(static_cast<double>(steps))) throw PlanTimeUp();
  }

 private:
  maxplus::DeadlineWatch watch_;
};

/// How times become ticks: exactly; or on a grid, no shorter and the period no longer, so that what keeps the period on
/// the grid keeps it; or no longer and the period no shorter, so that what keeps it keeps it on the grid.
enum class GridRounding { none, up, down };

/// Scales that make the times of a catalogue, all quotients of its demands, the period, the weights and the weight of a
/// tick whole numbers, as small as they can be.
struct Scales {
  /// Throws PlanTimeUp.
  Scales(const Catalogue& catalogue, const Query& query);

  /// The same on a grid with `bits` bits for the sum of all times; nothing if that is too coarse for the period
  /// or where ticks have a weight.
  std::optional<Scales> on_grid(const Catalogue& catalogue, const Query& query, GridRounding rounding,
                                std::size_t bits = kFinestGrid) const;
  static constexpr std::size_t kFinestGrid = 56;

  /// That `longest` asks for, rounded down; none at a period of 0, which a part keeps on one or not at all.
  Integer all_machines() const { return period == 0 ? Integer(0) : Integer(longest / period); }

  Integer ticks;                  // per time unit
  Rational unit;                  // of cost, positive
  Integer period;                 // in ticks
  std::vector<Integer> weights;   // in units, by type
  Integer tick_weight;            // in units
  Integer setup;                  // in units
  Integer base;                   // in ticks, the period that machines on demand keep
  std::vector<Integer> premiums;  // in units, by type; empty if no machine is on demand
  Integer longest;                // bounds a demand and the time in one part, in ticks
  Integer most_machines;          // bounds the machines of a part
  Integer most_cost;              // bounds the cost of a plan
  GridRounding rounding = GridRounding::none;
  Integer places = 1;  // of a grid, whose ticks are whole multiples of it
};

/// The whole numbers of a catalogue and a query as Numbers, std::int64_t, maxplus::Int128 or Integer.
template <typename Number>
class Edges {
 public:
  static inline const Number kAbsent = -1;

  /// Throws PlanTimeUp.
  Edges(const Catalogue& catalogue, const Query& query, const Scales& scales);

  std::size_t stages() const { return stages_; }
  std::size_t types() const { return types_; }
  /// States (b, t, u) as potentials list them; for b = stages() there is u = 0 alone.
  std::size_t state(std::size_t b, std::size_t t, std::size_t u) const { return (b * types_ + t) * types_ + u; }
  std::size_t states() const { return (stages_ + 1) * types_ * types_; }

  /// Parts [a, last] with a >= this may be on that type.
  std::size_t least_first(std::size_t last, std::size_t t) const { return least_first_[last * types_ + t]; }
  bool is_replicable(std::size_t a, std::size_t last) const { return a >= least_replicable_[last]; }
  Number computation(std::size_t a, std::size_t last, std::size_t t) const {
    if (!is_fixed_.empty() && is_fixed_[t]) return fixed_[t];
    return sums_[(last + 1) * types_ + t] - sums_[a * types_ + t];
  }
  /// Of the file before stage `first`, from the source where it is 0, whatever tp then is; kAbsent if there is no
  /// link.
  const Number& reception(std::size_t first, std::size_t tp, std::size_t t) const {
    return first == 0 ? source_[t] : transfers_[(first - 1) * types_ * types_ + tp * types_ + t];
  }
  /// Of the file behind stage `last`, to the sink where it is the last stage, whatever u then is.
  const Number& sending(std::size_t last, std::size_t t, std::size_t u) const {
    return last + 1 == stages_ ? sink_[t] : transfers_[last * types_ * types_ + t * types_ + u];
  }
  /// Of a machine of the type that serves a part, of which all cores compute if that is replicable.
  Number demand(std::size_t t, bool is_replicable, const Number& receive, const Number& compute,
                const Number& send) const {
    Number longest = 0;
    for (const WholeLimit& limit : limits_[2 * t + (is_replicable ? 1 : 0)]) {
      Number sum = 0;
      if (limit.operations.receive) sum += receive;
      if (limit.operations.compute) sum += compute;
      if (limit.operations.send) sum += send;
      if (limit.places != 1) sum /= limit.places;
      if (longest < sum) longest = sum;
    }
    return longest;
  }
  /// Machines that must compute for a part of that demand, spare ones not among them; kAbsent if no number will do:
  /// one is too slow where a stage is not replicable, or as many cores as are needed divide no partitions.
  Number machines(std::size_t a, std::size_t last, std::size_t t, const Number& demand) const {
    Number least = working(demand);
    if (least == kAbsent) return kAbsent;
    if (!is_replicable(a, last)) return least > 1 ? kAbsent : least;
    if (divisors_.empty()) return least;
    const std::vector<Number>& allowed = divisors_[partitions_[a * stages_ + last]].by_type[t];
    if (allowed.empty()) return least;
    const auto enough = std::ranges::lower_bound(allowed, least);
    return enough == allowed.end() ? kAbsent : *enough;
  }
  /// Machines that a demand alone asks for; kAbsent if no number will do, as machines_for says of a period of 0.
  Number working(const Number& demand) const {
    if (!strictly_ && demand <= period_) return 1;
    if (period_ == 0) return kAbsent;
    if (strictly_) return demand / period_ + 1;
    return (demand + period_ - 1) / period_;
  }
  /// Whether the source, or the sink, may take that long.
  bool fits_source(const Number& transfer) const { return fits_end(transfer, source_ports_); }
  bool fits_sink(const Number& transfer) const { return fits_end(transfer, sink_ports_); }
  const Number& period() const { return period_; }
  const Number& spare() const { return spare_; }
  /// How many of these machines of a part with that demand are on demand and cost a premium.
  Number on_demand(std::size_t t, const Number& demand, const Number& machines) const {
    if (premiums_.empty() || premiums_[t] == 0) return 0;
    const Number enough = demand <= base_ ? Number(1) : Number((demand + base_ - 1) / base_);
    return std::min(enough, machines);
  }
  bool has_premium(std::size_t t) const { return !premiums_.empty() && premiums_[t] != 0; }
  /// The weight of these machines of a part [a, last], spare ones included, with further_cost. Grows with `machines`.
  Number cost(std::size_t a, std::size_t last, std::size_t t, const Number& machines, const Number& on_demand) const {
    return weights_[t] * machines + further_cost(a, last, t, machines, on_demand);
  }
  /// What it costs to set up those that do not serve this part already, and to have some on demand.
  Number further_cost(std::size_t a, std::size_t last, std::size_t t, const Number& machines,
                      const Number& on_demand) const {
    Number sum = setup(a, last, t, machines);
    if (on_demand != 0) sum += premiums_[t] * on_demand;
    return sum;
  }
  const Number& tick_weight() const { return tick_weight_; }

  /// Of a value that fits.
  static Number number_of(const Integer& value);

 private:
  Number setup(std::size_t a, std::size_t last, std::size_t t, const Number& machines) const {
    if (setup_ == 0) return 0;
    for (const Staying& staying : staying_[last * types_ + t]) {
      if (staying.first == a) return machines <= staying.machines ? Number(0) : setup_ * (machines - staying.machines);
    }
    return setup_ * machines;
  }

  // Machines of a type that serve the stages from this one on, up to one that is known.
  struct Staying {
    std::size_t first;
    Number machines;
  };
  // Numbers of machines that a part may have whose stages have partitions, ascending; none: any.
  struct Divisors {
    std::vector<std::vector<Number>> by_type;
  };
  struct WholeLimit {
    tpn::ExclusiveOperations operations;
    Number places;
  };

  bool fits_end(const Number& transfer, const Number& ports) const {
    if (ports == 0) return true;
    const Number each = ports == 1 ? transfer : Number(transfer / ports);
    return strictly_ ? each < period_ : each <= period_;
  }

  void list_divisors(const Catalogue& catalogue) {
    if (!catalogue.has_partitions()) return;
    std::map<std::uint64_t, std::size_t> places;
    partitions_.resize(stages_ * stages_);
    for (std::size_t last = 0; last < stages_; ++last) {
      std::uint64_t common = 0;
      for (std::size_t a = last + 1; a-- > 0;) {
        common = std::gcd(common, catalogue.stages[a].partitions);
        const auto [place, is_new] = places.try_emplace(common, divisors_.size());
        partitions_[a * stages_ + last] = place->second;
        if (!is_new) continue;
        Divisors& made = divisors_.emplace_back();
        for (const MachineType& type : catalogue.types) made.by_type.push_back(machines_dividing(common, type.cores));
      }
    }
  }

  // Numbers of machines with these cores; kAbsent alone if none divides, nothing if there is nothing to divide.
  static std::vector<Number> machines_dividing(std::uint64_t partitions, std::uint64_t cores) {
    std::vector<Number> result;
    for (std::uint64_t divisor = 1; divisor <= partitions / divisor; ++divisor) {
      if (partitions % divisor != 0) continue;
      for (const std::uint64_t all : std::set{divisor, partitions / divisor}) {
        if (all % cores == 0) result.push_back(number_of(Integer(static_cast<unsigned long>(all / cores))));
      }
    }
    std::ranges::sort(result);
    if (partitions > 0 && result.empty()) result.push_back(kAbsent);
    return result;
  }

  static std::vector<WholeLimit> whole(const std::vector<MachineLimit>& limits) {
    std::vector<WholeLimit> result;
    result.reserve(limits.size());
    for (const MachineLimit& limit : limits)
      result.push_back({limit.operations, number_of(Integer(static_cast<unsigned long>(limit.places)))});
    return result;
  }

  static Number ticks_of(const std::optional<Rational>& time, const Scales& scales) {
    if (!time) return kAbsent;
    const Integer& scale = scales.ticks;
    if (scales.rounding != GridRounding::none) {
      const Rational grains = *time * Rational(Integer(scale / scales.places));
      return number_of((scales.rounding == GridRounding::up ? grains.ceiling() : grains.floor()) * scales.places);
    }
    // The scale is a multiple of the denominator: no fraction need be reduced.
    if (time->is_integer() && scale == 1) return number_of(time->numerator());
    return number_of(time->numerator() * (scale / time->denominator()));
  }

  std::size_t stages_;
  std::size_t types_;
  std::vector<std::vector<WholeLimit>> limits_;  // by 2 * type, one more where the part is replicable
  Number source_ports_;
  Number sink_ports_;
  Number period_;
  bool strictly_;
  Number spare_;
  std::vector<Number> weights_;
  Number tick_weight_;
  Number setup_;
  Number base_;
  std::vector<Number> premiums_;               // by type; empty if no machine is on demand
  std::vector<std::vector<Staying>> staying_;  // by last stage * T + type; empty if nothing is to be set up
  std::vector<Number> sums_;    // by (stage and one more) * T + type; of all stages before that run on it
  std::vector<bool> is_fixed_;  // empty if none is
  std::vector<Number> fixed_;
  std::vector<Number> transfers_;
  std::vector<Number> source_;
  std::vector<Number> sink_;
  std::vector<std::size_t> least_first_;  // by last stage * T + type
  std::vector<std::size_t> least_replicable_;
  std::vector<Divisors> divisors_;       // empty if no stage has partitions
  std::vector<std::size_t> partitions_;  // by first stage * n + last stage: places in that list
};

template <typename Number>
Number Edges<Number>::number_of(const Integer& value) {
  if constexpr (std::same_as<Number, Integer>) {
    return value;
  } else if constexpr (std::same_as<Number, std::int64_t>) {
    return value.get_si();
  } else {
    const Integer high = value >> 62;
    const Integer low = value - (high << 62);
    return (static_cast<Number>(high.get_si()) << 62) + low.get_si();
  }
}

template <typename Number>
Edges<Number>::Edges(const Catalogue& catalogue, const Query& query, const Scales& scales)
    : stages_(catalogue.stages.size()),
      types_(catalogue.types.size()),
      source_ports_(number_of(Integer(static_cast<unsigned long>(catalogue.source_ports)))),
      sink_ports_(number_of(Integer(static_cast<unsigned long>(catalogue.sink_ports)))),
      period_(number_of(scales.period)),
      strictly_(query.strictly),
      spare_(number_of(Integer(static_cast<unsigned long>(query.spare)))),
      tick_weight_(number_of(scales.tick_weight)),
      setup_(number_of(scales.setup)),
      base_(number_of(scales.base)) {
  for (const Integer& premium : scales.premiums) premiums_.push_back(number_of(premium));
  list_divisors(catalogue);
  if (setup_ != 0) staying_.resize(stages_ * types_);
  for (const TypedPart& part : query.running) {
    if (setup_ == 0) break;
    const Integer machines = Integer(static_cast<unsigned long>(part.machines + part.standby));
    staying_[part.last_stage * types_ + part.type].push_back(
        {part.first_stage, number_of(std::min(machines, scales.most_machines))});
  }
  for (std::size_t t = 0; t < types_; ++t) {
    limits_.push_back(whole(catalogue.limits(query.model, t, false)));
    limits_.push_back(whole(catalogue.limits(query.model, t, true)));
  }
  for (const Integer& weight : scales.weights) weights_.push_back(number_of(weight));
  sums_.assign(types_, 0);
  for (std::size_t k = 0; k < stages_; ++k) {
    for (std::size_t t = 0; t < types_; ++t) {
      const auto& time = catalogue.stage_time(k, t);
      sums_.push_back(sums_[k * types_ + t] + (time ? ticks_of(time, scales) : Number(0)));
      least_first_.push_back(catalogue.least_first_stage(k, t, query.all_apart));
    }
    least_replicable_.push_back(catalogue.least_replicable_stage(k));
  }
  PlanWatch clock(query.deadline);
  for (const auto& time : catalogue.transfers) {
    clock.spend();
    transfers_.push_back(ticks_of(time, scales));
  }
  for (const auto& time : catalogue.from_source) source_.push_back(ticks_of(time, scales));
  for (const auto& time : catalogue.to_sink) sink_.push_back(ticks_of(time, scales));
  for (const MachineType& type : catalogue.types) {
    fixed_.push_back(ticks_of(type.fixed_time, scales));
    is_fixed_.push_back(type.fixed_time.has_value());
  }
  if (std::ranges::find(is_fixed_, true) == is_fixed_.end()) is_fixed_.clear();
}

/// Calls use(Edges) with the narrowest integers that hold all sums of a query. Throws PlanTimeUp.
template <typename Use>
auto with_edges(const Catalogue& catalogue, const Query& query, const Use& use) {
  const Scales scales(catalogue, query);
  const Integer most = std::max({scales.period, scales.base, scales.longest, scales.most_machines, scales.most_cost});
  const std::size_t bits = mpz_sizeinbase(most.get_mpz_t(), 2);
  // Sums of two, and products of a time and a number of machines in 128 bits.
  if (bits <= 60) return use(Edges<std::int64_t>(catalogue, query, scales), scales);
  if (bits <= 120) return use(Edges<maxplus::Int128>(catalogue, query, scales), scales);
  return use(Edges<Integer>(catalogue, query, scales), scales);
}

}  // namespace takt::plan
