// The search of evaluators/sweep/sweep.hpp in 64-bit integers and reused memory, over any pass.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "evaluators/kernel/clock_cycles.hpp"
#include "evaluators/kernel/numbers.hpp"
#include "evaluators/kernel/period.hpp"
#include "maxplus/contract.hpp"

namespace takt::evaluators {

/// Products of two 64-bit integers fit 127 bits and a sign.
inline bool less(const NarrowFraction& a, const NarrowFraction& b) {
  return static_cast<Int128>(a.numerator) * b.denominator < static_cast<Int128>(b.numerator) * a.denominator;
}

/// How a search ends: lambda proved; the caller's limit met; or more than 64 bits needed.
enum class SearchEnd { proved, stopped, unfit };

/// The largest ratio of weight to tokens of a map of clocks.
class ClockSearch {
 public:
  /// Raises lambda, at least 0, to the map's largest ratio where that is larger, or until stop(lambda); each
  /// value on the way is the ratio of a circuit. `pass(keys, unit)` plays the map once over clocks that start at
  /// `keys`: each operation adds its ticks times `unit`, and no path of a pass has more than `longest_path` ticks.
  template <typename Pass, typename Stop>
  SearchEnd run(std::size_t clocks, std::int64_t longest_path, NarrowFraction& lambda, Pass pass, Stop stop) {
    // A key is value * 2^bits + origin, the value in ticks times lambda's denominator.
    int bits = 1;
    while ((clocks >> bits) != 0) ++bits;
    const auto mask = (std::int64_t{1} << bits) - 1;
    prepare(clocks);
    const std::int64_t common = std::gcd(lambda.numerator, lambda.denominator);
    lambda = {lambda.numerator / common, lambda.denominator / common};
    std::int64_t highest = 0;  // of the clocks, none of which is negative
    for (;;) {
      if (!fits(highest, longest_path, lambda, bits)) return SearchEnd::unfit;
      for (std::size_t t = 0; t < clocks; ++t) keys_[t] = (x_[t] << bits) + static_cast<std::int64_t>(t);
      pass(keys_.data(), lambda.denominator << bits);
      bool rose = false;
      for (std::size_t t = 0; t < clocks; ++t) {
        const std::int64_t value = keys_[t] >> bits;
        const auto origin = static_cast<std::uint32_t>(keys_[t] & mask);
        const Arc arc{origin, value - x_[origin]};
        origins_[t] = arc;
        const std::int64_t raised = value - lambda.numerator;
        next_[t] = std::max(x_[t], raised);
        if (raised > x_[t]) {
          parents_[t] = arc;
          rose = true;
        }
        highest = std::max(highest, next_[t]);
      }
      if (!rose) return SearchEnd::proved;
      std::swap(x_, next_);
      NarrowFraction best = lambda;
      raise_to_best_cycle(clocks, parents_, lambda.denominator, best);
      raise_to_best_cycle(clocks, origins_, lambda.denominator, best);
      if (!less(lambda, best)) continue;
      if (!rescale(clocks, lambda.denominator, best.denominator, highest)) return SearchEnd::unfit;
      lambda = best;
      if (stop(lambda)) return SearchEnd::stopped;
      std::fill_n(parents_.begin(), clocks, Arc{});
    }
  }

 private:
  static constexpr std::uint32_t kNone = kNoVertex<std::uint32_t>;

  // The clock a path came from, and its weight in ticks times lambda's denominator.
  struct Arc {
    std::uint32_t origin = kNone;
    std::int64_t weight = 0;
  };

  void prepare(std::size_t clocks) {
    maxplus::expects(clocks < kNone, "clocks have 32-bit numbers");
    if (x_.size() < clocks) {
      for (auto* values : {&x_, &next_, &keys_}) values->resize(clocks);
      for (auto* arcs : {&parents_, &origins_}) arcs->resize(clocks);
      seen_from_.resize(clocks);
    }
    std::fill_n(x_.begin(), clocks, 0);
    std::fill_n(parents_.begin(), clocks, Arc{});
  }

  // No key of a pass leaves 62 bits: |value| <= highest clock + longest path, the origin below 2^bits. Nor
  // does a sum of weights of up to 2^bits arcs, each of a value.
  static bool fits(std::int64_t highest, std::int64_t longest_path, const NarrowFraction& lambda, int bits) {
    const Int128 largest = static_cast<Int128>(longest_path) * lambda.denominator + highest;
    return largest < (std::int64_t{1} << (62 - bits)) - 1 && lambda.numerator < (std::int64_t{1} << 62);
  }

  // Clocks may start anywhere, so it does not matter that they are rounded.
  bool rescale(std::size_t clocks, std::int64_t from, std::int64_t to, std::int64_t& highest) {
    if (from == to) return true;
    if (static_cast<Int128>(highest) * to >= std::numeric_limits<std::int64_t>::max()) return false;
    for (std::size_t t = 0; t < clocks; ++t) {
      x_[t] *= to;
      if (from != 1) x_[t] /= from;
    }
    highest = highest * to / from + 1;
    return true;
  }

  // The cycle of largest ratio in a graph in which each clock has at most one predecessor.
  void raise_to_best_cycle(std::size_t clocks, const std::vector<Arc>& arcs, std::int64_t unit, NarrowFraction& best) {
    std::fill_n(seen_from_.begin(), clocks, kNone);
    const auto before = [&](std::uint32_t t) { return arcs[t].origin; };
    for_each_cycle(std::span(seen_from_).first(clocks), before, [&](std::uint32_t first) {
      NarrowFraction cycle{0, 0};
      std::uint32_t t = first;
      do {
        cycle.numerator += arcs[t].weight;
        ++cycle.denominator;
        t = arcs[t].origin;
      } while (t != first);
      cycle.numerator /= unit;
      if (!less(best, cycle)) return;
      const std::int64_t common = std::gcd(cycle.numerator, cycle.denominator);
      best = {cycle.numerator / common, cycle.denominator / common};
    });
  }

  std::vector<std::int64_t> x_;
  std::vector<std::int64_t> next_;
  std::vector<std::int64_t> keys_;
  std::vector<Arc> parents_;
  std::vector<Arc> origins_;
  std::vector<std::uint32_t> seen_from_;
};

}  // namespace takt::evaluators
