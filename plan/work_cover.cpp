// Worths are chosen in floating point; what they prove is exact.
#include "plan/work_cover.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <utility>

#include "plan/bounds.hpp"
#include "plan/cover.hpp"

namespace takt::plan {

namespace {

using Worths = std::vector<Rational>;

constexpr double kDearest = 0x1p40;  // prices of so many steps are no prices

class WorkCover {
 public:
  WorkCover(const Catalogue& catalogue, const Demands& demands, const Rational& period, const Rational& step)
      : catalogue_(catalogue), demands_(demands), period_(period), step_(step) {
    for (const MachineType& type : catalogue.types) {
      const Rational steps = type.price / step;
      dearest_ = std::max(dearest_, steps.to_double().value_or(HUGE_VAL));
      prices_.push_back(steps.numerator().get_si());
    }
  }

  Rational bound() {
    if (dearest_ > kDearest) return 0;
    std::vector<std::pair<double, Worths>> choices;
    for (Worths& worths : worths_to_try()) {
      const double about = fractional(worths);
      choices.emplace_back(about, std::move(worths));
    }
    std::ranges::stable_sort(choices, [](const auto& a, const auto& b) { return a.first > b.first; });
    if (choices.size() > kBest) choices.resize(kBest);
    Rational best;
    for (const auto& [about, worths] : choices) best = std::max(best, whole(worths));
    return best * step_;
  }

 private:
  static constexpr std::size_t kBest = 3;         // choices of worths that are looked at exactly
  static constexpr std::size_t kMostSpread = 16;  // types by whose times worths are tried
  static constexpr std::size_t kMostAlone = 64;   // stages that are tried as all that is worth something, dearest first
  static constexpr std::size_t kMostLooks = 1 << 20;  // at demands, for choices of worths
  static constexpr std::size_t kMostFixed = 300;      // types that a stage which is not replicable is tried on

  std::size_t types() const { return catalogue_.types.size(); }
  std::size_t stages() const { return catalogue_.stages.size(); }
  const std::optional<Rational>& demand(std::size_t stage, std::size_t type) const {
    return demands_[stage * types() + type];
  }
  bool is_there(std::size_t type) const { return catalogue_.types[type].count != 0U; }

  // Together 1; nothing if they are all 0, or there are enough.
  void add(std::vector<Worths>& all, Worths worths) const {
    const Rational sum = std::accumulate(worths.begin(), worths.end(), Rational(0));
    if (sum.sign() <= 0 || all.size() * types() * stages() > kMostLooks) return;
    for (Rational& worth : worths) worth /= sum;
    if (std::ranges::find(all, worths) == all.end()) all.push_back(std::move(worths));
  }

  std::vector<Worths> worths_to_try() const {
    std::vector<Worths> all;
    std::size_t tried = 0;
    for (std::size_t t = 0; t < types() && tried < kMostSpread; ++t) {
      Worths worths;
      for (std::size_t k = 0; k < stages() && demand(k, t) && is_there(t); ++k) worths.push_back(*demand(k, t));
      if (worths.size() < stages()) continue;
      add(all, std::move(worths));
      ++tried;
    }
    Worths cheapest(stages());
    for (std::size_t k = 0; k < stages(); ++k) {
      std::optional<Rational> least;
      for (std::size_t t = 0; t < types(); ++t) {
        if (!demand(k, t) || !is_there(t)) continue;
        const Rational cost = *demand(k, t) * catalogue_.types[t].price;
        if (!least || cost < *least) least = cost;
      }
      if (least) cheapest[k] = *least;
    }
    add(all, cheapest);
    std::vector<std::size_t> order(stages());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, std::greater<>(), [&](std::size_t k) -> const Rational& { return cheapest[k]; });
    if (order.size() > kMostAlone) order.resize(kMostAlone);
    for (const std::size_t k : order) {
      Worths alone(stages());
      alone[k] = 1;
      add(all, std::move(alone));
    }
    return all;
  }

  // What a machine earns in a period with `room` of it, without one stage, if that is given.
  Rational earned(const Worths& worths, std::size_t type, Rational room, std::optional<std::size_t> without) const {
    std::vector<std::size_t> order;
    for (std::size_t k = 0; k < stages(); ++k) {
      if (demand(k, type) && worths[k].sign() > 0 && k != without) order.push_back(k);
    }
    std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
      return worths[a] * *demand(b, type) > worths[b] * *demand(a, type);
    });
    Rational sum;
    for (const std::size_t k : order) {
      const Rational& needed = *demand(k, type);
      if (needed > room) return sum + worths[k] * room / needed;
      sum += worths[k];
      room -= needed;
    }
    return sum;
  }

  // The price of a fractional cover, about.
  double fractional(const Worths& worths) const {
    std::vector<std::pair<double, double>> ratios;  // price per value, value
    for (std::size_t t = 0; t < types(); ++t) {
      if (!is_there(t)) continue;
      const double value = earned(worths, t, period_, std::nullopt).to_double().value_or(0);
      const double all = catalogue_.types[t].count ? value * static_cast<double>(*catalogue_.types[t].count) : 1;
      if (value > 0) ratios.emplace_back(static_cast<double>(prices_[t]) / value, all);
    }
    std::ranges::sort(ratios);
    double left = 1;
    double price = 0;
    for (const auto& [ratio, value] : ratios) {
      const double taken = std::min(left, value);
      price += ratio * taken;
      left -= taken;
    }
    return price;
  }

  // In steps of the price.
  Rational whole(const Worths& worths) const {
    Rational best = cover_of(values_of(worths, std::nullopt), 1, std::nullopt).value_or(Rational(0));
    for (std::size_t k = 0; k < stages(); ++k) {
      if (catalogue_.stages[k].replicable || types() > kMostFixed) continue;
      const std::vector<Rational> values = values_of(worths, k);
      std::optional<Rational> least;
      for (std::size_t t = 0; t < types(); ++t) {
        if (!is_there(t) || !demand(k, t) || *demand(k, t) > period_) continue;
        const Rational alone = worths[k] + earned(worths, t, period_ - *demand(k, t), k);
        const auto price = cover_of(values, Rational(1) - alone, t);
        if (price && (!least || *price < *least)) least = price;
      }
      if (least) best = std::max(best, *least);
    }
    return best;
  }

  // By type, what a machine earns, without one stage, if that is given.
  std::vector<Rational> values_of(const Worths& worths, std::optional<std::size_t> without) const {
    std::vector<Rational> values;
    for (std::size_t t = 0; t < types(); ++t) {
      values.push_back(is_there(t) ? earned(worths, t, period_, without) : Rational(0));
    }
    return values;
  }

  // The price of a cover of what is needed, beside a machine of the type that is taken, if one is; nothing if there
  // is none.
  std::optional<Rational> cover_of(const std::vector<Rational>& values, const Rational& need,
                                   std::optional<std::size_t> taken) const {
    const Rational paid = taken ? Rational(prices_[*taken]) : Rational(0);
    if (need.sign() <= 0) return paid;
    const WholeValues whole = whole_values(values, need);
    if (whole.need <= 0) return paid;
    std::vector<CoverItem> items;
    double total = 0;
    for (std::size_t t = 0; t < types(); ++t) {
      CoverItem& item = items.emplace_back();
      item.price = prices_[t];
      item.value = whole.values[t];
      if (item.value == 0) continue;
      item.count = (whole.need + item.value - 1) / item.value;
      if (const auto& there = catalogue_.types[t].count) {
        const std::uint64_t others = *there - (taken == t ? 1 : 0);
        item.count = static_cast<std::int64_t>(std::min(others, static_cast<std::uint64_t>(item.count)));
      }
      total += static_cast<double>(item.price) * static_cast<double>(item.count);
    }
    if (total > 0x1p61) return paid;
    const CoverAnswer answer = cheapest_cover(items, whole.need);
    if (!answer.cover) return std::nullopt;
    return paid + Rational(Integer(answer.lower_bound));
  }

  const Catalogue& catalogue_;
  const Demands& demands_;
  const Rational& period_;
  const Rational step_;
  std::vector<std::int64_t> prices_;  // in steps; as long as none is too dear
  double dearest_ = 0;
};

}  // namespace

Rational work_cover_bound(const Catalogue& catalogue, const Demands& demands, const Rational& period) {
  const auto step = price_step(catalogue);
  if (!step) return 0;
  return WorkCover(catalogue, demands, period, *step).bound();
}

}  // namespace takt::plan
