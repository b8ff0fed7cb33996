// The least to add to the machines that there are, so that a typed plan keeps a period.
//
// Problem. There are N_t machines of type t, and more of each can be had at its price. Which
// plan that keeps the period asks for the least money beyond what is there: sum_t p_t max(0, m_t - N_t)?
//
// Method. For any 0 <= y_t <= p_t a machine more than N_t costs at least y_t: the cheapest way through the graph by y,
// less sum_t y_t N_t, bounds the cost from below. Good y come from subgradient steps, and the ways that they find are
// plans. Then best first over the beginnings of plans: a label is dropped where another of its node has spent no more
// and used no more of any type of which there are machines, for what is added behind costs it no less.
//
// Invariant. The cost is the least, unless cut short; the bound holds in any case.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "plan/catalogue.hpp"
#include "plan/counted/counted.hpp"
#include "plan/plan.hpp"

namespace takt::plan {

struct Additions {
  std::optional<TypedPlan> plan;     // nothing: there is none however many are added, or, cut short, none was found
  std::vector<std::uint64_t> added;  // by type
  Rational cost;                     // of those
  bool cut_short = false;            // then a plan may need less
};

/// The least to add to the catalogue's counts, types without one having as many as one likes already. Prices that are
/// all 0 count as 1 each. The query's weights do not count.
Additions least_additions(const Catalogue& catalogue, const CountedQuery& query);

}  // namespace takt::plan
