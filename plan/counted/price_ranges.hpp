// Between which prices of a type a cheapest plan stays one.
//
// Problem. A plan x keeps a period at least cost. While only the price p of type t changes, a plan y costs
// rest(y) + p y_t, where y_t are its machines of the type and rest(y) what the others cost. Between which p does no y
// cost less than x?
//
// Method. From the outside in: the plan with the fewest machines of the type meets x at p = (rest(y) - rest(x)) /
// (x_t - y_t); what is cheapest there, where it costs less than x, meets x closer to the price of today; and so on
// until x itself is cheapest. From below likewise, from p = 0 on. Each step is a plan with fewer, or more, machines of
// the type than the last one saved, so that they end. [dinkelbach1967nonlinear]
//
// Invariant. At the ends of the range x is one of the cheapest, by the proof of a search; beyond them it is not.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "plan/catalogue.hpp"
#include "plan/counted/counted.hpp"

namespace takt::plan {

struct PriceRange {
  std::size_t type = 0;
  Rational lowest;                  // at least 0
  std::optional<Rational> highest;  // nothing: however dear it is
};

struct PriceRanges {
  std::vector<PriceRange> ranges;  // those that were found in time
  bool cut_short = false;
};

/// The range of each price in the catalogue, the others fixed, in which a plan with `machines` by type, stand-bys
/// included, stays a cheapest one of the query. The plan must be a cheapest one; the query's weights do not count.
PriceRanges price_ranges(const Catalogue& catalogue, const CountedQuery& query,
                         const std::vector<std::uint64_t>& machines);

}  // namespace takt::plan
