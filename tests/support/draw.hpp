// Seeded draws for tests.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "experiments/draws/stream.hpp"
#include "maxplus/rational.hpp"

namespace takt::support {

/// Same seed, same numbers, on every machine.
class Draw {
 public:
  explicit Draw(std::uint64_t seed) : stream_({.seed = seed}, experiments::Purpose::choice) {}

  /// 64 random bits.
  std::uint64_t bits() { return stream_.next(); }
  /// In [low, high].
  std::int64_t between(std::int64_t low, std::int64_t high) { return stream_.between(low, high); }
  int whole(int low, int high) { return static_cast<int>(stream_.between(low, high)); }
  std::size_t count(std::size_t low, std::size_t high) { return low + stream_.below(high - low + 1); }
  /// Below `count`.
  std::size_t index(std::size_t count) { return stream_.below(count); }
  /// True with probability 1 / times.
  bool one_in(std::size_t times) { return stream_.below(times) == 0; }
  bool coin() { return one_in(2); }
  /// A numerator of 1 to `highest` over a denominator of 1 to `denominator`.
  maxplus::Rational fraction(int highest, int denominator) {
    const int numerator = whole(1, highest);
    return maxplus::Rational::fraction(numerator, whole(1, denominator));
  }
  template <typename Item>
  void shuffle(std::vector<Item>& items) {
    experiments::shuffle(std::span(items), stream_);
  }

 private:
  experiments::Stream stream_;
};

}  // namespace takt::support
