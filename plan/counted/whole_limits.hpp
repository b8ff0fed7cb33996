// The limits of a search in whole numbers, and how many bits those need.
#pragma once

#include <cstddef>
#include <optional>

#include "plan/catalogue.hpp"
#include "plan/counted/counted.hpp"
#include "plan/counted/limits.hpp"
#include "plan/typed/edges.hpp"

namespace takt::plan {

/// The scales of a query, of whose ticks the latency is a whole number.
Scales scales_within(const Catalogue& catalogue, const CountedQuery& asked);

/// As `Limits`, of any size.
struct WholeLimits {
  WholeLimits(const Catalogue& catalogue, const CountedQuery& asked, const Scales& scales);

  template <typename Number>
  Limits<Number> in(const Catalogue& catalogue, const Scales& scales) const {
    Limits<Number> limits;
    for (const Integer& weight : scales.weights) limits.prices.push_back(Edges<Number>::number_of(weight));
    for (const MachineType& type : catalogue.types) limits.counts.push_back(type.count);
    limits.tick_price = Edges<Number>::number_of(scales.tick_weight);
    limits.step = Edges<Number>::number_of(step);
    limits.grid = Edges<Number>::number_of(grid);
    limits.most = Edges<Number>::number_of(most);
    for (const tpn::QuotaUses& quota : catalogue.quotas) {
      WholeQuota<Number>& whole = limits.quotas.emplace_back();
      for (const Rational& use : quota.uses)
        whole.uses.push_back(Edges<Number>::number_of((use / quota.unit).numerator()));
      whole.most = Edges<Number>::number_of((quota.most / quota.unit).numerator());
    }
    if (ticks) limits.ticks = Edges<Number>::number_of(*ticks);
    limits.has_further_costs = scales.setup != 0 || !scales.premiums.empty();
    if (most_cost) limits.most_cost = Edges<Number>::number_of(*most_cost);
    return limits;
  }

  /// Calls use(number) with a number of the narrowest kind that will do.
  template <typename Use>
  auto with_number(const Use& use) const {
    if (bits <= kMostBits64) return use(std::int64_t{0});
    if (bits <= kMostBits128) return use(maxplus::Int128{0});
    return use(Integer{0});
  }

  /// Whether no machine's integers hold them.
  bool is_long() const { return bits > kMostBits128; }

  Integer machines;  // that a way through the graph may have at most
  Integer step;
  std::optional<Integer> ticks;
  std::optional<Integer> most_cost;
  Integer grid;
  Integer most;
  std::size_t bits = 0;

 private:
  static constexpr std::size_t kMostBits64 = 61;
  static constexpr std::size_t kMostBits128 = 120;
};

}  // namespace takt::plan
