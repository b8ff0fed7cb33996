// What limits a search for plans, in integers of one kind: counts of types, the latency; and what a plan uses of them.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "maxplus/rational.hpp"
#include "plan/sequences.hpp"

namespace takt::plan {

template <typename Number>
Number number_from(std::uint64_t value) {
  if constexpr (std::same_as<Number, maxplus::Integer>) {
    return maxplus::Integer(static_cast<unsigned long>(value));
  } else {
    return static_cast<Number>(value);
  }
}

/// The whole part of a number that is not negative; the largest there is where it is larger.
template <typename Number>
Number whole_part(double value) {
  constexpr double kLargest = 9e18;
  if constexpr (std::same_as<Number, maxplus::Integer>) {
    return maxplus::Integer(value);
  } else if constexpr (std::same_as<Number, std::int64_t>) {
    return static_cast<std::int64_t>(value < kLargest ? value : kLargest);
  } else {
    return static_cast<Number>(value < kLargest * kLargest ? value : kLargest * kLargest);
  }
}

/// For choices alone, which any value may make.
template <typename Number>
double roughly(const Number& value) {
  if constexpr (std::same_as<Number, maxplus::Integer>) {
    return value.get_d();
  } else {
    return static_cast<double>(value);
  }
}

/// What a plan, or the beginning of one, costs and uses.
template <typename Number>
struct Usage {
  Number cost = 0;                      // in units
  Number ticks = 0;                     // that a data set stays
  std::vector<std::uint64_t> machines;  // by type, spare ones included

  std::uint64_t all_machines() const {
    std::uint64_t sum = 0;
    for (const std::uint64_t used : machines) sum += used;
    return sum;
  }
};

/// What plans may use of something, by type `uses` with each machine.
template <typename Number>
struct WholeQuota {
  std::vector<Number> uses;
  Number most = 0;

  Number of(const std::vector<std::uint64_t>& machines) const {
    Number sum = 0;
    for (std::size_t t = 0; t < machines.size(); ++t) sum += uses[t] * number_from<Number>(machines[t]);
    return sum;
  }
};

/// Prices in units, and what there is.
template <typename Number>
struct Limits {
  std::vector<Number> prices;  // by type, >= 0
  Number tick_price = 0;
  Number step = 0;                                   // every cost is a multiple of it; 0 if all plans are free
  Number grid = 1;                                   // charges are multiples of a unit / grid
  Number most = 0;                                   // the largest sum of a plan's charges, in units / grid
  std::vector<std::optional<std::uint64_t>> counts;  // by type
  std::vector<WholeQuota<Number>> quotas;
  std::optional<Number> ticks;      // of the latency
  bool has_further_costs = false;   // machines cost more than their prices: set-ups, some on demand
  std::optional<Number> most_cost;  // that matters, in units

  /// Whether plans that cost at least that number of parts of a unit do not matter.
  bool is_too_dear(const Number& parts) const { return most_cost && *most_cost < rounded_up(parts); }
  bool holds(const Usage<Number>& usage) const {
    for (std::size_t t = 0; t < counts.size(); ++t) {
      if (counts[t] && usage.machines[t] > *counts[t]) return false;
    }
    for (const WholeQuota<Number>& quota : quotas) {
      if (quota.most < quota.of(usage.machines)) return false;
    }
    return !ticks || usage.ticks <= *ticks;
  }
  /// Whether machines, by type, take no more of any quota than others.
  bool takes_no_more(const std::vector<std::uint64_t>& machines, const std::vector<std::uint64_t>& others) const {
    return std::ranges::all_of(quotas,
                               [&](const WholeQuota<Number>& quota) { return quota.of(machines) <= quota.of(others); });
  }
  /// The least multiple of `step` that is at least that number of parts of a unit, in units.
  Number rounded_up(const Number& parts) const {
    if (step == 0) return 0;
    const Number scale = step * grid;
    Number steps = parts / scale;
    if (parts % scale > 0) steps += 1;
    return steps * step;
  }
};

/// What scarce machines, and ticks, cost beyond their price, in parts of a unit.
template <typename Number>
struct Charges {
  std::vector<Number> by_type;
  std::vector<Number> by_quota;  // none if empty
  Number by_tick = 0;
  bool has_prices = false;  // among them, and of setting up

  /// What a plan that uses all there is would pay.
  Number of_limits(const Limits<Number>& limits) const {
    Number sum = 0;
    for (std::size_t t = 0; t < by_type.size(); ++t) {
      if (limits.counts[t]) sum += by_type[t] * number_from<Number>(*limits.counts[t]);
    }
    for (std::size_t q = 0; q < by_quota.size(); ++q) sum += by_quota[q] * limits.quotas[q].most;
    if (limits.ticks) sum += by_tick * *limits.ticks;
    return sum;
  }
  /// What each machine, and tick, is charged in all, with its price where that is to count.
  Charges weights(const Limits<Number>& limits, bool with_prices) const {
    Charges result = *this;
    result.by_quota.clear();
    for (std::size_t q = 0; q < by_quota.size(); ++q) {
      for (std::size_t t = 0; t < by_type.size(); ++t) result.by_type[t] += by_quota[q] * limits.quotas[q].uses[t];
    }
    if (!with_prices) return result;
    result.has_prices = true;
    for (std::size_t t = 0; t < by_type.size(); ++t) result.by_type[t] += limits.prices[t] * limits.grid;
    result.by_tick += limits.tick_price * limits.grid;
    return result;
  }
};

/// A way through the whole graph.
template <typename Number>
struct PlanRoute {
  std::vector<PlannedMove> moves;
  Usage<Number> usage;
};

/// The way of a plan of sequences, whose latency does not count.
template <typename Number>
PlanRoute<Number> route_of(const Catalogue& catalogue, const Limits<Number>& limits, const SequencePlan& plan) {
  PlanRoute<Number> route{moves_of(catalogue, plan), {}};
  route.usage.machines = machines_by_type(catalogue, plan);
  for (std::size_t t = 0; t < limits.prices.size(); ++t)
    route.usage.cost += limits.prices[t] * number_from<Number>(route.usage.machines[t]);
  return route;
}

}  // namespace takt::plan
