// What all mappings cost at least, machines being whole: a covering knapsack.
//
// Problem. Machines have whole numbers and prices. A bound by shares of machines (plan/bounds.hpp) lacks what the last
// machine costs, and if there are few of each kind that is much.
//
// Method. Give each stage a worth w_k >= 0, together 1. In a period P a machine works on each stage of a share f_k <= 1
// of the data sets, with sum f_k d_k <= P, so it earns at most the fractional knapsack v = max sum f_k w_k. All stages
// of all data sets are done, so the machines earn 1 together: none cheaper than the cheapest whole cover of 1 by values
// v are enough. A stage that is not replicable is on one machine, which does all of it, and the others none: the bound
// is the least over that machine. Every choice of worths gives a bound; tried are times on each of some types, times at
// the least price, one stage alone.
//
// Invariant. Values are rounded up and never down, so no rounding raises the bound.
//
// Cost. O(n log n) per type and choice, and a cover of T items (plan/cover.hpp) for each of the best choices;
// for a stage that is not replicable one for each type.
#pragma once

#include "plan/resource_demands.hpp"

namespace takt::plan {

/// No mapping whatsoever of that period, > 0, costs less, by one kind of resource; 0 if nothing is known.
Rational work_cover_bound(const Catalogue& catalogue, const Demands& demands, const Rational& period);

}  // namespace takt::plan
