// Charges on scarce machines and on time that make the cheapest way through a graph respect the limits, or nearly so.
//
// Method. For charges lambda >= 0 the cheapest way by price and charge, less what all there is would be charged, is a
// lower bound of the cost: a plan within the limits pays no more charges than that. The bound is concave in lambda; the
// way's excess over the limits is a subgradient. Steps along it, each as long as the gap to the best plan suggests
// (Polyak), raise the bound, and each way that keeps the limits is a plan.
// Of one scarce resource alone the bound is a concave function of one charge, whose maximum is where the lines of two
// ways meet [handler1980dual]: a few ways find it.
// Where no plan turned up, charges alone, prices 0, may show that there is none: every way is charged more than all
// there is. Such charges are sought by multiplicative weights.
//
// Invariant. Charges are whole parts of a unit: however they were found, the bounds are exact.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "maxplus/deadline.hpp"
#include "plan/counted/limits.hpp"

namespace takt::plan {

template <typename Graph>
class Multipliers {
 public:
  using Number = typename Graph::Number;

  /// Keeps references.
  Multipliers(const Graph& graph, const Limits<Number>& limits, const maxplus::Deadline& deadline)
      : graph_(graph), limits_(limits), deadline_(deadline) {
    charges_ = no_charges();
    for (std::size_t t = 0; t < limits.counts.size(); ++t) {
      if (limits.counts[t] && *limits.counts[t] > 0)
        scarce_.push_back({Scarce::Of::type, t, roughly(number_from<Number>(*limits.counts[t]))});
    }
    for (std::size_t q = 0; q < limits.quotas.size(); ++q)
      scarce_.push_back({Scarce::Of::quota, q, std::max(roughly(limits.quotas[q].most), 0.5)});
    if (limits.ticks) scarce_.push_back({Scarce::Of::time, 0, std::max(roughly(*limits.ticks), 0.5)});
  }

  /// A plan that is known already.
  void offer(PlanRoute<Number> route) {
    if (!incumbent_ || is_better(route.usage)) incumbent_ = std::move(route);
  }

  /// Raises the bound; false if there is no way at all.
  bool raise() {
    if (!take_way(charges_, true)) return false;
    if (limits_.step == 0) return true;  // no charge on what is free raises a bound of 0
    if (scarce_.size() == 1) {
      raise_one();
      return true;
    }
    std::vector<double> charges(scarce_.size(), 0.0);
    double pace = 1;
    int stale = 0;
    for (int step = 1; step < kSteps && !is_closed() && !deadline_.has_passed(); ++step) {
      if (!step_along(charges, pace)) return true;
      const Number before = bound_;
      take_way(whole(charges, roughly(limits_.grid)), true);
      if (before < bound_) {
        stale = 0;
      } else if (++stale == kPatience) {
        stale = 0;
        pace /= 2;
      }
    }
    return true;
  }

  /// Looks for a plan, or for charges that show that there is none.
  void look_for_excess() {
    std::vector<double> shares(scarce_.size(), 1.0);
    for (int step = 0; step < kSteps && !incumbent_ && !excess() && !deadline_.has_passed(); ++step) {
      take_way(whole(spread(shares), roughly(limits_.most)), false);
      double largest = 0;
      for (std::size_t k = 0; k < scarce_.size(); ++k) largest = std::max(largest, std::abs(relative_excess(k)));
      if (largest == 0) return;
      for (std::size_t k = 0; k < scarce_.size(); ++k) shares[k] *= 1 + relative_excess(k) / largest / 2;
    }
  }

  /// What is proved of the cost, in parts of a unit, and by which charges.
  const Number& bound() const { return bound_; }
  const Charges<Number>& charges() const { return charges_; }
  /// Charges that every plan exceeds.
  const Charges<Number>* excess() const { return tightest_ && tightest_->first > 0 ? &tightest_->second : nullptr; }
  /// Charges that tell the most of what fits, where they were sought.
  const Charges<Number>* tightest() const { return tightest_ ? &tightest_->second : nullptr; }
  const std::optional<PlanRoute<Number>>& incumbent() const { return incumbent_; }

  /// Whether all plans cost more than matters.
  bool is_beyond() const { return !is_first_ && limits_.is_too_dear(bound_); }
  /// Whether nothing is cheaper than the plan at hand, or matters.
  bool is_closed() const { return is_beyond() || (incumbent_ && incumbent_->usage.cost <= limits_.rounded_up(bound_)); }

 private:
  // What a way costs, and takes of the one resource that is scarce.
  struct Line {
    Number cost;
    Number use;

    friend bool operator==(const Line&, const Line&) = default;
  };

  struct Scarce {
    enum class Of { type, quota, time };

    Of of = Of::type;
    std::size_t index = 0;
    double limit = 1;
  };

  Line last_line() const { return {last_.cost, used(scarce_.front())}; }

  // What the last way takes of it.
  Number used(const Scarce& scarce) const {
    switch (scarce.of) {
      case Scarce::Of::type:
        break;
      case Scarce::Of::quota:
        return limits_.quotas[scarce.index].of(last_.machines);
      case Scarce::Of::time:
        return last_.ticks;
    }
    return number_from<Number>(last_.machines[scarce.index]);
  }

  Charges<Number> no_charges() const {
    Charges<Number> charges;
    charges.by_type.assign(limits_.counts.size(), 0);
    charges.by_quota.assign(limits_.quotas.size(), 0);
    return charges;
  }

  static Number& charge_of(Charges<Number>& charges, const Scarce& scarce) {
    switch (scarce.of) {
      case Scarce::Of::type:
        break;
      case Scarce::Of::quota:
        return charges.by_quota[scarce.index];
      case Scarce::Of::time:
        return charges.by_tick;
    }
    return charges.by_type[scarce.index];
  }

  // One charge: where the way that is cheapest, and takes too much, costs as much as the one that takes least, both
  // with it, no other may cost less, or takes the place of one of them.
  void raise_one() {
    const Line cheapest = last_line();
    if (limits_.holds(last_)) return;
    Charges<Number> charges = no_charges();
    Number& charge = charge_of(charges, scarce_.front());
    charge = 1;
    take_way(charges, false);
    if (!limits_.holds(last_)) return;
    const Number most = whole_part<Number>(roughly(limits_.most) / scarce_.front().limit);
    Line low = cheapest;
    Line high = last_line();
    for (int step = 0; step < kSteps && low.use > high.use && !is_closed() && !deadline_.has_passed(); ++step) {
      const Number next = std::min<Number>(limits_.grid * (high.cost - low.cost) / (low.use - high.use), most);
      if (next < 0 || (step > 0 && next == charge)) return;
      charge = next;
      take_way(charges, true);
      const Line line = last_line();
      if (line == low || line == high) return;
      (limits_.holds(last_) ? high : low) = line;
    }
  }

  static constexpr int kSteps = 60;
  static constexpr int kPatience = 4;

  double relative_excess(std::size_t k) const { return roughly(used(scarce_[k])) / scarce_[k].limit - 1; }

  // Charges in the grid; nothing of which there is none is ever used.
  Charges<Number> whole(const std::vector<double>& charges, double grid) const {
    Charges<Number> result = no_charges();
    for (std::size_t k = 0; k < scarce_.size(); ++k) {
      const double most = roughly(limits_.most) / scarce_[k].limit;
      charge_of(result, scarce_[k]) = whole_part<Number>(std::min(charges[k] * grid, most));
    }
    return result;
  }

  // Those of all resources add up to 1 for what there is.
  std::vector<double> spread(const std::vector<double>& shares) const {
    double sum = 0;
    for (const double share : shares) sum += share;
    std::vector<double> result;
    for (std::size_t k = 0; k < shares.size(); ++k) result.push_back(shares[k] / sum / scarce_[k].limit);
    return result;
  }

  // Towards what the last way uses too much of; false if it uses all there is of all that is charged.
  bool step_along(std::vector<double>& charges, double pace) const {
    double norm = 0;
    for (std::size_t k = 0; k < scarce_.size(); ++k) {
      const double excess = relative_excess(k);
      if (excess > 0 || charges[k] > 0) norm += excess * excess;
    }
    if (norm == 0) return false;
    const double bound = roughly(bound_) / roughly(limits_.grid);
    const double now = roughly(last_bound_) / roughly(limits_.grid);
    const double goal =
        incumbent_ ? roughly(incumbent_->usage.cost) : bound + std::max(std::abs(bound) / 4, roughly(limits_.step));
    const double length = pace * std::max(goal - now, roughly(limits_.step) / 16) / norm;
    for (std::size_t k = 0; k < scarce_.size(); ++k)
      charges[k] = std::max(0.0, charges[k] + length * relative_excess(k) / scarce_[k].limit);
    return true;
  }

  // The best way for such charges; false if there is none.
  bool take_way(const Charges<Number>& charges, bool with_prices) {
    const auto table = graph_.table(charges.weights(limits_, with_prices), false);
    const auto start = graph_.best_start(table);
    if (!start) return false;
    const Number bound = graph_.ahead(table, *start) - charges.of_limits(limits_);
    if (with_prices && (is_first_ || bound_ < bound)) {
      bound_ = bound;
      charges_ = charges;
    }
    if (!with_prices && (!tightest_ || tightest_->first < bound)) tightest_.emplace(bound, charges);
    is_first_ = false;
    last_bound_ = bound;
    PlanRoute<Number> route = graph_.route(table, *start);
    last_ = route.usage;
    if (limits_.holds(route.usage) && is_better(route.usage)) incumbent_ = std::move(route);
    return true;
  }

  bool is_better(const Usage<Number>& usage) const {
    if (!incumbent_) return true;
    if (usage.cost != incumbent_->usage.cost) return usage.cost < incumbent_->usage.cost;
    return usage.all_machines() < incumbent_->usage.all_machines();
  }

  const Graph& graph_;
  const Limits<Number>& limits_;
  const maxplus::Deadline& deadline_;
  std::vector<Scarce> scarce_;
  bool is_first_ = true;
  Number bound_ = 0;
  Charges<Number> charges_;
  std::optional<std::pair<Number, Charges<Number>>> tightest_;  // free of prices, with what they prove
  std::optional<PlanRoute<Number>> incumbent_;
  Usage<Number> last_;
  Number last_bound_ = 0;
};

}  // namespace takt::plan
