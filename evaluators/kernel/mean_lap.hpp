// The mean time of a closed walk's laps, where each visit's weight depends on a residue that laps move on.
#pragma once

#include <cstdint>
#include <map>
#include <numeric>

#include "maxplus/deadline.hpp"
#include "maxplus/rational.hpp"

namespace takt::evaluators {

/// Adds up what a walk visits that begins anew `height` data sets later, lap after lap. A visit to data set j of a
/// table of weights meets, over the laps, the weights of all data sets j modulo gcd(height, size), each equally often.
class MeanLap {
 public:
  explicit MeanLap(std::uint64_t height) : height_(height) {}

  /// The residues of visits to a table of that size that differ in their weight, over all laps: gcd(height, size).
  std::uint64_t residues(std::uint64_t size) const { return std::gcd(height_, size); }

  /// `count` visits a lap to that residue of a table of `size` weights; weight_at(j) for j below that. False, and
  /// nothing is added, where the watch says that time is up. Cost: size / residues(size) additions.
  template <typename WeightAt>
  bool add(std::uint64_t size, std::uint64_t residue, std::uint64_t count, WeightAt weight_at,
           maxplus::DeadlineWatch& watch) {
    const std::uint64_t stride = residues(size);
    maxplus::Integer total = 0;
    for (std::uint64_t j = residue; j < size; j += stride) {
      if (watch.has_passed()) return false;
      total += weight_at(j);
    }
    totals_[size / stride] += total * count;
    return true;
  }

  /// Weight per data set.
  maxplus::Rational ratio() const {
    maxplus::Rational sum;
    for (const auto& [laps, total] : totals_) sum += maxplus::Rational::fraction(total, maxplus::Integer(laps));
    return sum / maxplus::Rational(height_);
  }

  /// The laps after which all weights repeat.
  maxplus::Integer laps() const {
    maxplus::Integer all = 1;
    for (const auto& [laps, total] : totals_) all = lcm(all, maxplus::Integer(laps));
    return all;
  }

 private:
  std::uint64_t height_;
  std::map<std::uint64_t, maxplus::Integer> totals_;  // by the number of laps they add up
};

}  // namespace takt::evaluators
