// The search over lambda: Bellman-Ford on the clocks of all segments, whatever plays the passes.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "evaluators/kernel/clock_cycles.hpp"
#include "evaluators/sweep/cycle.hpp"
#include "evaluators/sweep/pass.hpp"
#include "evaluators/sweep/plan.hpp"

namespace takt::evaluators {

/// What a search has found, in net units a hyper-period.
template <typename Number>
struct Found {
  PassOutcome outcome = PassOutcome::done;
  SweepRatio<Number> lambda;                // of a circuit of the net
  std::vector<std::uint32_t> clocks;        // of that circuit; empty where it is the one that the search started from
  std::optional<SweepRatio<Number>> upper;  // proven by `proven`
  std::vector<Number> proven;               // clocks of all segments, in units of 1 / factor
  Number factor = 1;
  std::size_t passes = 0;

  bool exact() const { return upper && !(lambda < *upper); }
};

/// The search of evaluators/sweep/sweep.hpp from clocks `x` and the ratio `lambda` of some circuit. Passes must offer
/// what LanePasses does.
template <typename Passes>
class SweepSearch {
 public:
  using Number = typename Passes::Number;

  SweepSearch(const Plan& plan, Passes& passes, const SweepRatio<Number>& lambda, std::vector<Number> x)
      : passes_(passes), tokens_(plan.tokens.size()), x_(std::move(x)) {
    maxplus::expects(tokens_ > 0 && x_.size() == tokens_ * passes.segments(), "a clock a token and segment");
    found_.lambda = {0, 1};
    raise_lambda(lambda, {});
  }

  Found<Number> run(const Deadline& deadline) {
    bool lambda_is_new = true;
    while (found_.outcome == PassOutcome::done) {
      if (!all_in_range()) found_.outcome = PassOutcome::too_wide;
      if (found_.outcome == PassOutcome::done) found_.outcome = passes_.run(x_, factor_, deadline, arcs_);
      if (found_.outcome != PassOutcome::done) break;
      ++found_.passes;
      keep_proof();
      weigh();
      auto own = best_cycle(arcs_.origins, weights_, passes_.segments(), found_.outcome);
      if (found_.outcome != PassOutcome::done) break;
      if (own && found_.lambda < own->ratio) {
        raise_lambda(own->ratio, own->clocks);
        lambda_is_new = true;
      }
      if (found_.exact()) break;
      if (lambda_is_new) foresee();
      lambda_is_new = false;
      relax();
      auto parents = best_cycle(parent_, parent_weight_, passes_.segments(), found_.outcome);
      if (parents && found_.lambda < parents->ratio) {
        raise_lambda(parents->ratio, parents->clocks);
        lambda_is_new = true;
      }
    }
    return std::move(found_);
  }

 private:
  bool all_in_range() const {
    return std::all_of(x_.begin(), x_.end(), [](const Number& value) { return in_range<Number>(value); });
  }

  // The new lambda is that of `clocks`; clocks are scaled by its denominator.
  void raise_lambda(const SweepRatio<Number>& lambda, const std::vector<std::uint32_t>& clocks) {
    found_.lambda = lambda;
    found_.lambda.reduce();
    found_.clocks = clocks;
    const Number& factor = found_.lambda.tokens;
    if (factor != factor_) {
      for (Number& value : x_) value = scaled(value, factor, factor_);
      factor_ = factor;
    }
    parent_.assign(x_.size(), kNoVertex<std::uint32_t>);
    parent_weight_.assign(x_.size(), Number(0));
  }

  // value * factor / divisor, rounded towards 0.
  Number scaled(const Number& value, const Number& factor, const Number& divisor) {
    const Wide<Number> product = Wide<Number>(value) * factor / divisor;
    if (in_range<Number>(product)) return as_number<Number>(product);
    found_.outcome = PassOutcome::too_wide;
    return 0;
  }

  // Segment s takes clocks x_s to at most x_(s+1) + rise_s, so all together take x_0 to at most x_0 + the sum of rises:
  // a segment started later by what the ones before rise ends later by as much.
  void keep_proof() {
    Wide<Number> sum = 0;
    for (std::size_t s = 0; s < passes_.segments(); ++s) {
      const std::size_t first = s * tokens_;
      Number rise = arcs_.values[first] - x_[first];
      for (std::size_t v = first + 1; v < first + tokens_; ++v) {
        if (Number(arcs_.values[v] - x_[v]) > rise) rise = arcs_.values[v] - x_[v];
      }
      sum += rise;
    }
    if (!in_range<Number>(sum)) {
      found_.outcome = PassOutcome::too_wide;
      return;
    }
    const SweepRatio<Number> upper{as_number<Number>(sum), factor_};
    if (found_.upper && *found_.upper < upper) return;
    found_.upper = upper;
    found_.proven = x_;
    found_.factor = factor_;
  }

  void weigh() {
    weights_.resize(x_.size());
    for (std::size_t v = 0; v < x_.size(); ++v) weights_[v] = (arcs_.values[v] - x_[arcs_.origins[v]]) / factor_;
  }

  // Clocks that the segments leave to one another if each path stays as it is: what a pass over all rows from x_0
  // would see.
  void foresee() {
    for (std::size_t v = tokens_; v < x_.size(); ++v) {
      const Wide<Number> value = Wide<Number>(weights_[v]) * factor_ + x_[arcs_.origins[v]];
      if (!in_range<Number>(value)) {
        found_.outcome = PassOutcome::too_wide;
        return;
      }
      x_[v] = as_number<Number>(value);
    }
  }

  // Raises clocks along the arcs of the pass until none of them asks for more.
  void relax() {
    const std::size_t clocks = x_.size();
    for (bool rose = true; rose;) {
      rose = false;
      for (std::size_t k = 0; k < clocks; ++k) {
        const std::size_t v = k + tokens_ < clocks ? k + tokens_ : k + tokens_ - clocks;  // segment 0 last
        Wide<Number> value = Wide<Number>(weights_[v]) * factor_ + x_[arcs_.origins[v]];
        if (v < tokens_) value -= found_.lambda.weight;
        if (value <= x_[v]) continue;
        if (!in_range<Number>(value)) {
          found_.outcome = PassOutcome::too_wide;
          return;
        }
        x_[v] = as_number<Number>(value);
        parent_[v] = arcs_.origins[v];
        parent_weight_[v] = weights_[v];
        rose = true;
      }
    }
  }

  Passes& passes_;
  std::size_t tokens_;
  Number factor_ = 1;      // denominator of lambda
  std::vector<Number> x_;  // clocks, net units times factor_
  SweepArcs<Number> arcs_;
  std::vector<Number> weights_;  // of the arcs, net units
  std::vector<std::uint32_t> parent_;
  std::vector<Number> parent_weight_;
  Found<Number> found_;
};

}  // namespace takt::evaluators
