// The search for the largest ratio of a map of clocks, in keys: a clock's value and the clock that it came from in one
// 64-bit integer, so that a pass takes maxima and adds.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "evaluators/kernel/ratio_search.hpp"
#include "evaluators/mappings/tick_answer.hpp"

namespace takt::evaluators {

class KeySearch {
 public:
  /// Which clocks of a pass a search is over.
  struct Clocks {
    std::size_t first = 0;
    std::size_t count = 0;
  };

  /// Raises `best`, in ticks per data set, to the period of the net of those rows where that is larger, or until it
  /// passes the cutoff, and says how it ended. play(keys, unit) plays the rows once: it starts from the keys of all
  /// clocks, of which the map is that of `clocks`; each operation adds its ticks times `unit`, and no path of a pass
  /// has more than `longest_path` ticks.
  template <typename Play>
  SearchEnd raise_to_period(std::uint64_t rows, const Clocks& clocks, std::int64_t longest_path,
                            const TickCutoff& cutoff, NarrowFraction& best, Play play) {
    const auto all = static_cast<std::int64_t>(rows);
    const std::int64_t common = std::gcd(best.denominator, all);
    const std::int64_t data_sets = all / common;
    if (!fits(static_cast<std::uint64_t>(data_sets), best.numerator)) return SearchEnd::too_wide;
    NarrowFraction lambda{best.numerator * data_sets, best.denominator / common};
    const NarrowFraction start = lambda;
    // Where lambda has risen, its denominator is a number of clocks.
    const auto period = [&](const NarrowFraction& ratio) {
      return NarrowFraction{ratio.numerator, ratio.denominator * all};
    };
    const auto stop = [&](const NarrowFraction& ratio) { return cutoff.is_passed_by(period(ratio)); };
    const SearchEnd end = run(clocks, longest_path, lambda, play, stop);
    if (less(start, lambda)) best = period(lambda);
    return end;
  }

 private:
  template <typename Play, typename Stop>
  SearchEnd run(const Clocks& clocks, std::int64_t longest_path, NarrowFraction& lambda, Play play, Stop stop) {
    const int bits = static_cast<int>(std::bit_width(clocks.count));
    const auto mask = (std::int64_t{1} << bits) - 1;
    search_.prepare(clocks.count);
    if (keys_.size() < clocks.first + clocks.count) keys_.resize(clocks.first + clocks.count);
    std::int64_t* const keys = keys_.data() + clocks.first;
    const auto pass = [&](const std::vector<std::int64_t>& x, std::int64_t factor, ClockArcs<std::int64_t>& arcs) {
      // No key of a pass leaves 62 bits: |value| <= highest clock + longest path, the origin below 2^bits.
      const Int128 largest = static_cast<Int128>(longest_path) * factor + *std::ranges::max_element(x);
      if (largest >= (std::int64_t{1} << (62 - bits)) - 1) return PassOutcome::too_wide;
      for (std::size_t t = 0; t < clocks.count; ++t) keys[t] = (x[t] << bits) + static_cast<std::int64_t>(t);
      play(keys_.data(), factor << bits);
      for (std::size_t t = 0; t < clocks.count; ++t) {
        arcs.values[t] = keys[t] >> bits;
        arcs.origins[t] = static_cast<std::uint32_t>(keys[t] & mask);
      }
      return PassOutcome::done;
    };
    const auto stops = [&](const ClockRatio<std::int64_t>& ratio) {
      return stop(NarrowFraction{ratio.weight, ratio.tokens});
    };
    const SearchEnd end = search_.run({lambda.numerator, lambda.denominator}, pass, stops);
    lambda = {search_.lambda().weight, search_.lambda().tokens};
    return end;
  }

  std::vector<std::int64_t> keys_;  // of a pass, by clock: value * 2^bits + the clock it came from
  RatioSearch<std::int64_t, Evidence::dropped> search_;
};

}  // namespace takt::evaluators
