// What a search is to make small where machines have prices: how far the period is beyond a target, then what the
// processors in use cost, then how many they are, then the period.
#pragma once

#include <span>
#include <vector>

#include "evaluators/kernel/period.hpp"
#include "maxplus/rational.hpp"
#include "tpn/document.hpp"

namespace takt::heuristics {

class PriceGoal {
 public:
  /// Periods of at most `period` are short enough; no mapping that keeps it costs less than `least_cost`.
  PriceGoal(const tpn::Document& problem, const maxplus::Rational& period, const maxplus::Rational& least_cost);

  const evaluators::Period& period() const { return period_; }
  bool is_within(const evaluators::Period& period) const { return period <= period_; }
  /// A number that is less for the cheaper of two mappings, and for the one of fewer processors where they cost the
  /// same. Not for two threads at once.
  maxplus::Integer cost_of(std::span<const tpn::Part> mapping);
  /// What the processors of such a number cost.
  maxplus::Rational price_of(const maxplus::Integer& cost) const;
  /// Whether nothing is cheaper, by the least cost that is known; where that is 0 there may be fewer processors.
  bool is_least(const maxplus::Integer& cost) const { return least_ > 0 && cost / row_ <= least_; }

 private:
  evaluators::Period period_;
  maxplus::Integer row_;                  // more than there are processors
  maxplus::Rational unit_ = 1;            // of prices
  std::vector<std::size_t> machines_;     // by processor: the first of those that the price is one of
  std::vector<maxplus::Integer> prices_;  // in units, times row_, and one more
  maxplus::Integer least_;                // in units
  std::vector<bool> used_;                // kept for its memory
};

/// The sum of the prices of the processors in use; of cores that the document names at once their one price.
maxplus::Rational price_of(const tpn::Document& problem, std::span<const tpn::Part> mapping);

/// A number of which all prices of a platform are whole multiples; 1 if all are 0.
maxplus::Rational price_step(const tpn::Document& problem);

}  // namespace takt::heuristics
