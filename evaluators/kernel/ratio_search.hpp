// The search for the largest ratio of a map of clocks, over any pass and any numbers: evaluators/sweep/sweep.hpp says
// how.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "evaluators/kernel/clock_cycles.hpp"
#include "evaluators/kernel/numbers.hpp"
#include "maxplus/contract.hpp"
#include "maxplus/none.hpp"

namespace takt::evaluators {

/// What holds sums and products of a few `Number`s.
template <typename Number>
using Wide = std::conditional_t<std::is_same_v<Number, std::int64_t>, Int128, maxplus::Integer>;

/// Clocks and weights stay within a sixteenth of their numbers (+-2^60 in 64 bits, +-2^124 in 128), so that any sum of
/// a few of them fits. GMP's integers have no limit.
template <typename Number>
bool in_range(const Wide<Number>& value) {
  if constexpr (std::is_same_v<Number, std::int64_t>) {
    constexpr Int128 kLimit = static_cast<Int128>(1) << 60;
    return -kLimit <= value && value <= kLimit;
  } else if constexpr (std::is_same_v<Number, Int128>) {
    return mpz_sizeinbase(value.get_mpz_t(), 2) <= 124;
  } else {
    return true;
  }
}

template <typename Number>
Wide<Number> as_wide(const Number& value) {
  if constexpr (std::is_same_v<Number, std::int64_t>) {
    return value;
  } else {
    return widen(value);
  }
}

template <typename Number>
Number as_number(const Wide<Number>& value) {
  if constexpr (std::is_same_v<Number, std::int64_t>) {
    return static_cast<Number>(value);
  } else {
    return narrow<Number>(value);
  }
}

/// The weight of a circuit to its tokens, at least one.
template <typename Number>
struct ClockRatio {
  Number weight = 0;
  Number tokens = 1;

  /// Both in range: weight * other.tokens <= 2^120 in 64 bits.
  friend bool operator<(const ClockRatio& a, const ClockRatio& b) {
    return as_wide(a.weight) * as_wide(b.tokens) < as_wide(b.weight) * as_wide(a.tokens);
  }

  void reduce() {
    if (tokens == 1) return;
    const Number divisor = common_divisor(weight, tokens);
    if (divisor == 1) return;
    weight /= divisor;
    tokens /= divisor;
  }

 private:
  static Number common_divisor(const Number& a, const Number& b) {
    if constexpr (std::is_same_v<Number, maxplus::Integer>) {
      return gcd(a, b);
    } else if constexpr (std::is_same_v<Number, std::int64_t>) {
      return std::gcd(a, b);
    } else {
      Number divisor = a < 0 ? -a : a;
      for (Number rest = b; rest != 0;) divisor = std::exchange(rest, divisor % rest);
      return divisor;
    }
  }
};

enum class PassOutcome {
  done,
  out_of_time,
  too_wide,  // a number might not fit: another kind of numbers must try
};

/// The clocks after one pass. They may be those of several segments of `tokens` tokens each, in a cycle: clock s *
/// tokens + t, and its path comes from a clock of segment s - 1; for s = 0 of the last one, and only there the time
/// starts anew.
template <typename Number>
struct ClockArcs {
  std::vector<Number> values;          // when the longest path into the clock ends
  std::vector<std::uint32_t> origins;  // the clock that it starts from
};

/// How a search ends: lambda proved; the caller's limit met; or as a pass did.
enum class SearchEnd { proved, stopped, out_of_time, too_wide };

/// What a search keeps: the ratio alone, or the evidence for it as well.
enum class Evidence { dropped, kept };

/// Looks for lambda, the largest ratio of weight to tokens of a map of clocks. Its memory serves one search after the
/// other, and grows to the largest so far.
template <typename NumberType, Evidence kEvidence>
class RatioSearch {
 public:
  using Number = NumberType;
  using Ratio = ClockRatio<Number>;

  /// Clocks x in which to start, all 0, to be changed before `run`.
  std::vector<Number>& prepare(std::size_t clocks, std::size_t segments = 1) {
    maxplus::expects(segments > 0 && clocks > 0 && clocks % segments == 0, "one clock per token and segment");
    maxplus::expects(clocks < maxplus::kNone<std::uint32_t>, "clocks have 32-bit numbers");
    segments_ = segments;
    tokens_ = clocks / segments;
    x_.assign(clocks, Number(0));
    arcs_.values.resize(clocks);
    arcs_.origins.resize(clocks);
    if (state_.size() < clocks) grow(clocks);
    upper_.reset();
    passes_ = 0;
    return x_;
  }

  /// Raises lambda, at least 0, to the largest ratio of the map where that is larger, or until stop(lambda): each value
  /// on the way is the ratio of a circuit. pass(x, factor, arcs) plays the map once from clocks in units of 1 / factor.
  template <typename Pass, typename Stop>
  SearchEnd run(const Ratio& lambda, Pass&& pass, Stop&& stop) {
    factor_ = 1;
    if (!raise_lambda(lambda, nullptr, maxplus::kNone<std::uint32_t>)) return SearchEnd::too_wide;
    bool is_new = true;  // lambda, since the last pass
    for (;;) {
      const PassOutcome outcome = pass(std::as_const(x_), std::as_const(factor_), arcs_);
      if (outcome != PassOutcome::done) return end_of(outcome);
      ++passes_;
      if (!keep_proof()) return SearchEnd::too_wide;
      weigh();
      LambdaChange step = raise_to_best(arcs_.origins, weights_);
      if (step == LambdaChange::failed) return SearchEnd::too_wide;
      if (step == LambdaChange::raised && stop(lambda_)) return SearchEnd::stopped;
      if (!(lambda_ < *upper_)) return SearchEnd::proved;
      if ((is_new || step == LambdaChange::raised) && !foresee()) return SearchEnd::too_wide;
      step = follow_arcs(stop);
      if (step == LambdaChange::failed) return SearchEnd::too_wide;
      if (step == LambdaChange::stopped) return SearchEnd::stopped;
      if (!(lambda_ < *upper_)) return SearchEnd::proved;
      is_new = step == LambdaChange::raised;
    }
  }

  const Ratio& lambda() const { return lambda_; }
  std::size_t passes() const { return passes_; }
  /// lambda is at most that, as `proven` shows: clocks in units of 1 / upper()->tokens. None before the first pass.
  const std::optional<Ratio>& upper() const { return upper_; }
  const std::vector<Number>& proven() const { return proven_; }
  /// The clocks of lambda's circuit, the later one first; empty while lambda is the one that the search started from.
  const std::vector<std::uint32_t>& circuit() const { return circuit_; }

 private:
  enum class LambdaChange : std::uint8_t { nothing, raised, stopped, failed };
  enum class ClockState : std::uint8_t { untouched, on_path, final };

  void grow(std::size_t clocks) {
    for (auto* numbers : {&weights_, &parent_weights_}) numbers->resize(clocks);
    for (auto* clocks_of : {&parents_, &seen_from_, &path_}) clocks_of->resize(clocks);
    earlier_x_.reserve(clocks);
    state_.resize(clocks);
  }

  static SearchEnd end_of(PassOutcome outcome) {
    return outcome == PassOutcome::out_of_time ? SearchEnd::out_of_time : SearchEnd::too_wide;
  }

  // The new lambda is that of the circuit of predecessors through `member`; clocks are scaled by its denominator, and
  // may be rounded, as they may start anywhere.
  [[gnu::noinline]] bool raise_lambda(const Ratio& lambda, const std::vector<std::uint32_t>* predecessors,
                                      std::uint32_t member) {
    lambda_ = lambda;
    lambda_.reduce();
    if constexpr (kEvidence == Evidence::kept) {
      circuit_.clear();
      if (predecessors != nullptr) {
        std::uint32_t t = member;
        do {
          circuit_.push_back(t);
          t = (*predecessors)[t];
        } while (t != member);
      }
    }
    if (lambda_.tokens != factor_) {
      for (Number& value : x_) {
        const Wide<Number> scaled = as_wide(value) * as_wide(lambda_.tokens) / as_wide(factor_);
        if (!in_range<Number>(scaled)) return false;
        value = as_number<Number>(scaled);
      }
      factor_ = lambda_.tokens;
    }
    std::fill_n(parents_.begin(), x_.size(), maxplus::kNone<std::uint32_t>);
    has_parents_ = false;
    return true;
  }

  // Segment s takes clocks x_s to at most x_(s+1) + rise_s, so all together take x_0 to at most x_0 + the sum of rises:
  // a segment started later by what the ones before rise ends later by as much.
  bool keep_proof() {
    Wide<Number> sum = 0;
    for (std::size_t first = 0; first < x_.size(); first += tokens_) {
      Number rise = arcs_.values[first] - x_[first];
      for (std::size_t v = first + 1; v < first + tokens_; ++v) {
        if (Number(arcs_.values[v] - x_[v]) > rise) rise = arcs_.values[v] - x_[v];
      }
      sum += as_wide(rise);
    }
    if (!in_range<Number>(sum)) return false;
    Ratio upper{as_number<Number>(sum), factor_};
    if (upper_ && !(upper < *upper_)) return true;
    upper_ = std::move(upper);
    if constexpr (kEvidence == Evidence::kept) proven_ = x_;
    return true;
  }

  // What the arcs weigh, in the map's units.
  void weigh() {
    for (std::size_t v = 0; v < x_.size(); ++v) {
      weights_[v] = arcs_.values[v] - x_[arcs_.origins[v]];
      if (factor_ != 1) weights_[v] /= factor_;
    }
  }

  // Where a lambda is new: the clocks that the segments leave to one another if each path stays as it is, what a pass
  // over all of them from the first one's clocks would see.
  bool foresee() {
    for (std::size_t v = tokens_; v < x_.size(); ++v) {
      const Wide<Number> value = end_of_arc(v);
      if (!in_range<Number>(value)) return false;
      x_[v] = as_number<Number>(value);
    }
    return true;
  }

  Wide<Number> end_of_arc(std::size_t v) const {
    return as_wide(weights_[v]) * as_wide(factor_) + as_wide(x_[arcs_.origins[v]]);
  }

  // Clocks rise along the arcs of the pass until none of them asks for more. Where they close a circuit of parents
  // above lambda, they were raised for too low a lambda: from where they were, once more.
  template <typename Stop>
  LambdaChange follow_arcs(Stop& stop) {
    LambdaChange result = LambdaChange::nothing;
    for (;;) {
      // Parents of this pass alone close no circuit that raise_to_best has not seen among its arcs.
      if (!has_parents_) {
        has_parents_ = true;
        return relax() ? result : LambdaChange::failed;
      }
      earlier_x_ = x_;
      if (!relax()) return LambdaChange::failed;
      std::swap(x_, earlier_x_);
      const LambdaChange step = raise_to_best(parents_, parent_weights_);
      if (step == LambdaChange::failed) return step;
      if (step == LambdaChange::nothing) {
        std::swap(x_, earlier_x_);
        return result;
      }
      if (stop(lambda_)) return LambdaChange::stopped;
      result = LambdaChange::raised;
    }
  }

  // As no circuit of the arcs exceeds lambda, twice around a circuit, then once along every path out of it, leaves
  // nothing to raise.
  [[gnu::noinline]] bool relax() {
    std::fill_n(state_.begin(), x_.size(), ClockState::untouched);
    bool fits = true;
    for (std::uint32_t start = 0; start < x_.size(); ++start) {
      std::size_t length = 0;
      std::uint32_t v = start;
      for (; state_[v] == ClockState::untouched; v = arcs_.origins[v]) {
        state_[v] = ClockState::on_path;
        path_[length++] = v;
      }
      if (state_[v] == ClockState::on_path) {
        for (std::size_t k = length; path_[k - 1] != v; --k) fits &= raise_clock(path_[k - 1]);
        fits &= raise_clock(v);
      }
      for (std::size_t k = length; k > 0; --k) {
        fits &= raise_clock(path_[k - 1]);
        state_[path_[k - 1]] = ClockState::final;
      }
    }
    return fits;
  }

  bool raise_clock(std::uint32_t v) {
    if constexpr (std::is_same_v<Number, std::int64_t>) {
      // Beyond 64 bits is beyond the range as well.
      std::int64_t value = 0;
      if (__builtin_mul_overflow(weights_[v], factor_, &value)) return false;
      if (__builtin_add_overflow(value, x_[arcs_.origins[v]], &value)) return false;
      if (v < tokens_ && __builtin_sub_overflow(value, lambda_.weight, &value)) return false;
      return value <= x_[v] || raise_to(v, value);
    } else {
      Wide<Number> value = end_of_arc(v);
      if (v < tokens_) value -= as_wide(lambda_.weight);
      return value <= as_wide(x_[v]) || raise_to(v, value);
    }
  }

  bool raise_to(std::uint32_t v, const Wide<Number>& value) {
    if (!in_range<Number>(value)) return false;
    x_[v] = as_number<Number>(value);
    parents_[v] = arcs_.origins[v];
    parent_weights_[v] = weights_[v];
    return true;
  }

  // Raises lambda where a cycle of predecessors, of which each clock has at most one, has a larger ratio. As many
  // clocks make a token as there are segments.
  [[gnu::noinline]] LambdaChange raise_to_best(const std::vector<std::uint32_t>& predecessors,
                                               const std::vector<Number>& weights) {
    std::fill_n(seen_from_.begin(), x_.size(), maxplus::kNone<std::uint32_t>);
    bool fits = true;
    std::uint32_t member = maxplus::kNone<std::uint32_t>;
    Ratio best = lambda_;
    const auto before = [&](std::uint32_t v) { return predecessors[v]; };
    for_each_cycle(std::span(seen_from_).first(x_.size()), before, [&](std::uint32_t first) {
      Wide<Number> weight = 0;
      std::int64_t clocks = 0;
      std::uint32_t v = first;
      do {
        weight += as_wide(weights[v]);
        ++clocks;
        v = predecessors[v];
      } while (v != first);
      fits &= in_range<Number>(weight);
      if (segments_ > 1) clocks /= static_cast<std::int64_t>(segments_);
      Ratio ratio{as_number<Number>(weight), Number(clocks)};
      if (!(best < ratio)) return;
      best = std::move(ratio);
      member = first;
    });
    if (!fits) return LambdaChange::failed;
    if (member == maxplus::kNone<std::uint32_t>) return LambdaChange::nothing;
    return raise_lambda(best, &predecessors, member) ? LambdaChange::raised : LambdaChange::failed;
  }

  std::size_t segments_ = 1;
  std::size_t tokens_ = 1;
  Ratio lambda_;
  Number factor_ = 1;      // lambda's tokens
  std::vector<Number> x_;  // clocks, in units of 1 / factor_
  ClockArcs<Number> arcs_;
  std::vector<Number> weights_;         // of the arcs
  std::vector<std::uint32_t> parents_;  // of each clock, the one that it was last raised from at this lambda
  std::vector<Number> parent_weights_;
  bool has_parents_ = false;  // of an earlier pass
  std::vector<std::uint32_t> circuit_;
  std::optional<Ratio> upper_;
  std::vector<Number> proven_;
  std::size_t passes_ = 0;
  // Within a step.
  std::vector<Number> earlier_x_;
  std::vector<std::uint32_t> seen_from_;
  std::vector<ClockState> state_;
  std::vector<std::uint32_t> path_;
};

}  // namespace takt::evaluators
