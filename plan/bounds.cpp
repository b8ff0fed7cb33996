// Shares of stages on types, bounded by any multipliers; good ones are searched in floating point, what they prove is
// exact.
#include "plan/bounds.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "maxplus/contract.hpp"
#include "plan/resource_demands.hpp"
#include "plan/work_cover.hpp"
#include "tpn/models.hpp"

namespace takt::plan {

namespace {

// By stage, the least over the types of weight times demand; the types that attain it, where wanted.
template <typename Number, typename Row>
Number sum_of_least(const Row& demands, const std::vector<Number>& weights, std::vector<Number>* loads) {
  const std::size_t count = weights.size();
  Number sum = 0;
  for (std::size_t begin = 0; begin < demands.size(); begin += count) {
    std::optional<std::size_t> best;
    Number least = 0;
    for (std::size_t t = 0; t < count; ++t) {
      const auto& demand = demands[begin + t];
      if (!demand) continue;
      const Number value = weights[t] * *demand;
      if (!best || value < least) {
        best = t;
        least = value;
      }
    }
    if (!best) continue;
    sum += least;
    if (loads != nullptr) (*loads)[*best] += *demands[begin + *best];
  }
  return sum;
}

std::vector<std::optional<double>> approximate(const Demands& demands) {
  std::vector<std::optional<double>> result;
  for (const auto& demand : demands) {
    auto& value = result.emplace_back();
    if (demand) value = demand->to_double().value_or(0);
  }
  return result;
}

// A number near enough, exactly; none below 0.
Rational exactly(double value) {
  constexpr double kGrid = 1 << 20;
  if (!(value > 0) || value > 1e12) return 0;
  return Rational::fraction(Integer(std::floor(value * kGrid)), Integer(kGrid));
}

// Multipliers of types with counts that make a bound large: `value(y, loads)` is the bound and, by type, how far its
// machines are overdrawn. Nothing of the result depends on the last digits but how good the bound is.
template <typename Value>
std::vector<double> ascend(std::size_t count, double start, const Value& value) {
  constexpr int kSteps = 200;
  std::vector<double> y(count, start);
  std::vector<double> best = y;
  double best_value = -1;
  for (int step = 0; step < kSteps; ++step) {
    std::vector<double> slope(count);
    const double here = value(y, slope);
    if (here > best_value) {
      best_value = here;
      best = y;
    }
    double norm = 0;
    for (const double s : slope) norm += s * s;
    if (norm <= 0) break;
    const double scale = start / (1 + 0.2 * step) / std::sqrt(norm);
    for (std::size_t t = 0; t < count; ++t) y[t] = std::max(0.0, y[t] + scale * slope[t]);
  }
  return best;
}

std::vector<Rational> exactly(const std::vector<double>& values) {
  std::vector<Rational> result;
  result.reserve(values.size());
  for (const double value : values) result.push_back(exactly(value));
  return result;
}

// By the speed for all stages together: where types differ in nothing else, these are the best. 0 of a type that lacks
// a stage, or takes no time.
std::vector<Rational> by_speed(const Demands& demands, std::size_t count) {
  std::vector<Rational> speeds;
  for (std::size_t t = 0; t < count; ++t) {
    Rational sum;
    bool has_all = true;
    for (std::size_t at = t; at < demands.size(); at += count) {
      has_all = has_all && demands[at].has_value();
      if (has_all) sum += *demands[at];
    }
    speeds.push_back(has_all && sum.sign() > 0 ? Rational(1) / sum : Rational(0));
  }
  return speeds;
}

// P sum y N >= sum_k min y w, for the best y that is found.
Rational work_bound(const Catalogue& catalogue, const Demands& demands) {
  const std::size_t count = catalogue.types.size();
  const auto about = approximate(demands);
  std::vector<double> counts;
  for (const MachineType& type : catalogue.types) counts.push_back(static_cast<double>(*type.count));
  const auto ratio = [&](const std::vector<double>& y, std::vector<double>& slope) {
    std::vector<double> loads(count);
    const double work = sum_of_least(about, y, &loads);
    double machines = 0;
    for (std::size_t t = 0; t < count; ++t) machines += y[t] * counts[t];
    if (machines <= 0) return 0.0;
    for (std::size_t t = 0; t < count; ++t) slope[t] = loads[t] - work / machines * counts[t];
    return work / machines;
  };
  const auto bound_by = [&](const std::vector<Rational>& y) {
    Rational machines;
    for (std::size_t t = 0; t < count; ++t) machines += y[t] * Rational(*catalogue.types[t].count);
    if (machines.sign() <= 0) return Rational(0);
    return sum_of_least<Rational>(demands, y, nullptr) / machines;
  };
  const std::vector<Rational> equal(count, Rational(1));
  return std::max({bound_by(equal), bound_by(by_speed(demands, count)), bound_by(exactly(ascend(count, 1, ratio)))});
}

// What multipliers say of costs: demand / P - owned is no more than any mapping's.
struct CostLine {
  Rational demand;
  Rational owned;

  // At any rate what takes time costs more than any number, which nobody needs to know.
  Rational at(const Rational& period) const { return period.sign() == 0 ? -owned : demand / period - owned; }
};

CostLine cost_line(const Catalogue& catalogue, const Demands& demands, const std::vector<Rational>& y) {
  CostLine line;
  std::vector<Rational> weights;
  for (std::size_t t = 0; t < catalogue.types.size(); ++t) {
    const MachineType& type = catalogue.types[t];
    weights.push_back(type.count ? type.price + y[t] : type.price);
    if (type.count) line.owned += y[t] * Rational(*type.count);
  }
  line.demand = sum_of_least<Rational>(demands, weights, nullptr);
  return line;
}

// The best that is found for a period.
CostLine best_cost_line(const Catalogue& catalogue, const Demands& demands, const Rational& period) {
  const std::size_t count = catalogue.types.size();
  double dearest = 0;
  for (const MachineType& type : catalogue.types) dearest = std::max(dearest, type.price.to_double().value_or(0));
  CostLine plain = cost_line(catalogue, demands, std::vector<Rational>(count));
  const double about_period = period.to_double().value_or(0);
  if (!catalogue.has_counts() || !(about_period > 0) || !(dearest > 0)) return plain;
  const auto about = approximate(demands);
  const auto value = [&](const std::vector<double>& y, std::vector<double>& slope) {
    std::vector<double> weights;
    double owned = 0;
    for (std::size_t t = 0; t < count; ++t) {
      const auto& type = catalogue.types[t];
      weights.push_back(type.price.to_double().value_or(0) + (type.count ? y[t] : 0));
      owned += type.count ? y[t] * static_cast<double>(*type.count) : 0;
    }
    std::vector<double> loads(count);
    const double cost = sum_of_least(about, weights, &loads) / about_period - owned;
    for (std::size_t t = 0; t < count; ++t) {
      const auto& available = catalogue.types[t].count;
      slope[t] = available ? loads[t] / about_period - static_cast<double>(*available) : 0;
    }
    return cost;
  };
  CostLine charged = cost_line(catalogue, demands, exactly(ascend(count, dearest, value)));
  return plain.at(period) < charged.at(period) ? charged : plain;
}

Rational cost_bound(const Catalogue& catalogue, const Demands& demands, const Rational& period) {
  return best_cost_line(catalogue, demands, period).at(period);
}

// The shortest period at which no line that is found says more than the budget: line by line, each the best where the
// last one ended (Dinkelbach), of whatever resource.
Rational budget_bound(const Catalogue& catalogue, const std::vector<Demands>& all, const Rational& budget) {
  constexpr int kMostRounds = 20;
  Rational period;
  const auto reach = [&](const CostLine& line) {
    const Rational paid = budget + line.owned;
    const Rational reached = paid.sign() > 0 ? line.demand / paid : Rational(0);
    if (reached <= period) return false;
    period = reached;
    return true;
  };
  const std::vector<Rational> nothing(catalogue.types.size());
  for (const Demands& demands : all) reach(cost_line(catalogue, demands, nothing));
  bool is_higher = period.sign() > 0;
  for (int round = 0; round < kMostRounds && is_higher; ++round) {
    is_higher = false;
    for (const Demands& demands : all) is_higher = reach(best_cost_line(catalogue, demands, period)) || is_higher;
  }
  return period;
}

// The least of the values that are there, and whose.
std::optional<std::pair<Rational, std::size_t>> least_of(const std::vector<std::optional<Rational>>& values) {
  std::optional<std::pair<Rational, std::size_t>> least;
  for (std::size_t t = 0; t < values.size(); ++t) {
    if (values[t] && (!least || *values[t] < least->first)) least.emplace(*values[t], t);
  }
  return least;
}

// Of the ends' transfers, those of types that run the stage.
std::optional<std::pair<Rational, std::size_t>> least_end(const Catalogue& catalogue,
                                                          const std::vector<std::optional<Rational>>& transfers,
                                                          std::size_t k) {
  std::vector<std::optional<Rational>> times(transfers.size());
  for (std::size_t t = 0; t < times.size(); ++t) {
    if (catalogue.runs(k, t) && catalogue.types[t].count != 0) times[t] = transfers[t];
  }
  return least_of(times);
}

std::optional<std::pair<Rational, std::size_t>> least_stage_time(const Catalogue& catalogue, std::size_t k) {
  std::vector<std::optional<Rational>> times(catalogue.types.size());
  for (std::size_t t = 0; t < times.size(); ++t) {
    const MachineType& type = catalogue.types[t];
    if (catalogue.runs(k, t) && type.count != 0)
      times[t] = type.fixed_time ? type.fixed_time : catalogue.stage_time(k, t);
  }
  return least_of(times);
}

}  // namespace

std::vector<PeriodBound> period_bounds(const Catalogue& catalogue, const tpn::Model& model) {
  using Kind = PeriodBound::Kind;
  std::vector<PeriodBound> bounds;
  for (std::size_t k = 0; k < catalogue.stages.size(); ++k) {
    if (catalogue.stages[k].replicable) continue;
    if (const auto least = least_stage_time(catalogue, k))
      bounds.push_back({Kind::not_replicable, least->first, k, least->second});
  }
  // The slowest first: it decides.
  std::ranges::stable_sort(bounds, [](const auto& a, const auto& b) { return a.period > b.period; });
  if (const auto least = least_end(catalogue, catalogue.from_source, 0))
    bounds.push_back({Kind::source, end_demand(least->first, catalogue.source_ports), 0, least->second});
  if (const auto least = least_end(catalogue, catalogue.to_sink, catalogue.stages.size() - 1))
    bounds.push_back(
        {Kind::sink, end_demand(least->first, catalogue.sink_ports), catalogue.stages.size() - 1, least->second});
  const bool all_counted =
      std::ranges::all_of(catalogue.types, [](const MachineType& type) { return type.count.has_value(); });
  if (all_counted) {
    PeriodBound work{Kind::work, {}, 0, 0};
    for (const Demands& demands : all_demands(catalogue, model))
      work.period = std::max(work.period, work_bound(catalogue, demands));
    bounds.push_back(work);
  }
  std::erase_if(bounds, [](const PeriodBound& bound) { return bound.period.sign() == 0; });
  return bounds;
}

namespace {

// A longer period than `period` at which the bound of costs still says more than the budget, to 1 in 500; `period`
// itself if it does not say more there.
Rational lengthened(const Catalogue& catalogue, const tpn::Model& model, const Rational& budget,
                    const Rational& period) {
  constexpr int kMostDoublings = 64;
  constexpr int kHalvings = 24;
  const auto is_dearer = [&](const Rational& at) { return cost_bound(catalogue, model, at) > budget; };
  if (period.sign() <= 0 || !is_dearer(period)) return period;
  Rational low = period;
  Rational high = period * Rational(2);
  for (int k = 0; k < kMostDoublings && is_dearer(high); ++k) {
    low = high;
    high *= Rational(2);
  }
  for (int k = 0; k < kHalvings; ++k) {
    const Rational middle = (low + high) / Rational(2);
    (is_dearer(middle) ? low : high) = middle;
  }
  return low;
}

}  // namespace

Rational period_bound_of_budget(const Catalogue& catalogue, const tpn::Model& model, const Rational& budget) {
  const std::optional<Rational> step = price_step(catalogue);
  if (!step) return 0;
  // What costs more than the last multiple of the step within the budget costs more than the budget.
  const Rational spent = Rational((budget / *step).floor()) * *step;
  return lengthened(catalogue, model, spent, budget_bound(catalogue, all_demands(catalogue, model), spent));
}

Rational kept_period_bound(const Catalogue& catalogue, const tpn::Model& model, std::uint64_t failures) {
  Rational longest;
  const auto include = [&](const Catalogue& left) {
    for (const PeriodBound& bound : period_bounds(left, model)) longest = std::max(longest, bound.period);
  };
  include(catalogue);
  constexpr std::size_t kMostTypes = 20;  // whose bounds take a moment
  if (failures == 0 || catalogue.types.size() > kMostTypes) return longest;
  for (std::size_t t = 0; t < catalogue.types.size(); ++t) {
    if (!catalogue.types[t].count) continue;
    Catalogue left = catalogue;
    std::uint64_t& count = *left.types[t].count;
    count -= std::min(count, failures);
    const bool is_any_left = std::ranges::any_of(left.types, [](const MachineType& type) { return type.count != 0U; });
    if (is_any_left) include(left);
  }
  return longest;
}

namespace {

// The least transfer across the boundary behind stage k: received by the type from any that runs the stage, or sent by
// it to any that runs the next.
std::optional<Rational> least_transfer(const Catalogue& catalogue, bool receives, std::size_t k, std::size_t type) {
  std::optional<Rational> best;
  for (std::size_t u = 0; u < catalogue.types.size(); ++u) {
    if (!catalogue.runs(receives ? k : k + 1, u) || catalogue.types[u].count == 0) continue;
    const auto& time = receives ? catalogue.transfer(k, u, type) : catalogue.transfer(k, type, u);
    if (time && (!best || *time < *best)) best = time;
  }
  return best;
}

}  // namespace

std::vector<std::optional<Rational>> least_transfers(const Catalogue& catalogue, bool receives) {
  const std::size_t count = catalogue.types.size();
  const std::size_t stages = catalogue.stages.size();
  std::vector<std::optional<Rational>> least =
      receives ? catalogue.from_source : std::vector<std::optional<Rational>>();
  for (std::size_t k = 0; k + 1 < stages; ++k) {
    for (std::size_t t = 0; t < count; ++t) least.push_back(least_transfer(catalogue, receives, k, t));
  }
  if (!receives) least.insert(least.end(), catalogue.to_sink.begin(), catalogue.to_sink.end());
  return least;
}

namespace {

// Those that are there, the largest period first.
std::vector<PartBound> by_period(std::vector<std::optional<PartBound>> best) {
  std::vector<PartBound> bounds;
  for (auto& bound : best) {
    if (bound) bounds.push_back(std::move(*bound));
  }
  std::ranges::stable_sort(bounds, std::greater<>(),
                           [](const PartBound& bound) -> const Rational& { return bound.period; });
  return bounds;
}

}  // namespace

std::vector<PartBound> part_bounds(const Catalogue& catalogue, const tpn::Model& model, bool all_apart) {
  const std::size_t count = catalogue.types.size();
  const std::size_t stages = catalogue.stages.size();
  const auto receptions = least_transfers(catalogue, true);
  const auto sendings = least_transfers(catalogue, false);
  std::vector<std::vector<MachineLimit>> lone;  // by type, of a part that must not be replicated
  for (std::size_t t = 0; t < count; ++t) lone.push_back(catalogue.limits(model, t, false));
  std::vector<std::optional<PartBound>> best(stages);
  const auto look_at = [&](std::size_t first, std::size_t last, std::size_t t, const Rational& compute) {
    const auto& receive = receptions[first * count + t];
    const auto& send = sendings[last * count + t];
    if (!receive || !send) return;
    const Rational period = machine_demand(lone[t], *receive, compute, *send);
    for (std::size_t k = first; k <= last; ++k) {
      if (catalogue.stages[k].replicable || (best[k] && best[k]->period <= period)) continue;
      best[k] = PartBound{k, first, last, t, {*receive, compute, *send}, period};
    }
  };
  for (std::size_t t = 0; t < count; ++t) {
    if (catalogue.types[t].count == 0) continue;
    for (std::size_t last = 0; last < stages; ++last) {
      const std::size_t least_first = catalogue.least_first_stage(last, t, all_apart);
      Rational compute = catalogue.types[t].fixed_time.value_or(0);
      for (std::size_t first = last + 1; first-- > least_first;) {
        compute += *catalogue.stage_time(first, t);
        if (catalogue.least_replicable_stage(last) > first) look_at(first, last, t, compute);
      }
    }
  }
  return by_period(std::move(best));
}

Rational cost_bound(const Catalogue& catalogue, const tpn::Model& model, const Rational& period,
                    const std::optional<Rational>& on_demand) {
  maxplus::expects(period.sign() >= 0, "a period is not negative");
  if (on_demand) {
    Catalogue premiums = catalogue;
    for (MachineType& type : premiums.types) type.price = std::exchange(type.premium, 0);
    return cost_bound(catalogue, model, period) + cost_bound(premiums, model, *on_demand);
  }
  Rational bound;
  for (const Demands& demands : all_demands(catalogue, model)) {
    bound = std::max({bound, cost_bound(catalogue, demands, period), work_cover_bound(catalogue, demands, period)});
  }
  // Each stage needs a machine that runs it.
  for (std::size_t k = 0; k < catalogue.stages.size(); ++k) {
    std::vector<std::optional<Rational>> prices(catalogue.types.size());
    for (std::size_t t = 0; t < prices.size(); ++t) {
      if (catalogue.runs(k, t)) prices[t] = catalogue.types[t].price;
    }
    if (const auto least = least_of(prices)) bound = std::max(bound, least->first);
  }
  return rounded_up(bound, price_step(catalogue));
}

Rational latency_bound(const Catalogue& catalogue) {
  const std::size_t count = catalogue.types.size();
  Rational sum;
  for (std::size_t k = 0; k < catalogue.stages.size(); ++k) {
    std::vector<std::optional<Rational>> times(count);
    for (std::size_t t = 0; t < count; ++t) {
      if (catalogue.runs(k, t)) times[t] = least_time(catalogue, k, t);
    }
    if (const auto least = least_of(times)) sum += least->first;
  }
  for (const auto* ends : {&catalogue.from_source, &catalogue.to_sink}) {
    if (const auto least = least_of(*ends)) sum += least->first;
  }
  return sum;
}

std::optional<std::size_t> stage_without_type(const Catalogue& catalogue) {
  for (std::size_t k = 0; k < catalogue.stages.size(); ++k) {
    bool found = false;
    for (std::size_t t = 0; t < catalogue.types.size(); ++t) found = found || catalogue.runs(k, t);
    if (!found) return k;
  }
  return std::nullopt;
}

std::optional<Rational> price_step(const Catalogue& catalogue) {
  Integer numerator = 0;
  Integer denominator = 1;
  for (const MachineType& type : catalogue.types) {
    for (const Rational& price : {type.price, type.premium}) {
      numerator = gcd(numerator, price.numerator());
      denominator = lcm(denominator, price.denominator());
    }
  }
  if (numerator == 0) return std::nullopt;
  return Rational::fraction(numerator, denominator);
}

Rational rounded_up(const Rational& cost, const std::optional<Rational>& step) {
  if (!step) return 0;
  return Rational((cost / *step).ceiling()) * *step;
}

}  // namespace takt::plan
