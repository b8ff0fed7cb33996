// Ticks to time units, without allocation where 64 bits do.
#pragma once

#include <cstdint>
#include <optional>

#include "evaluators/kernel/period.hpp"
#include "maxplus/rational.hpp"

namespace takt::evaluators {

/// a times b, whose denominators are positive; nothing if a part of it leaves 64 bits.
std::optional<NarrowFraction> product(NarrowFraction a, NarrowFraction b);

/// How many ticks a time unit has.
class TickScale {
 public:
  /// Positive.
  explicit TickScale(const maxplus::Rational& ticks_per_unit);

  const maxplus::Rational& ticks_per_unit() const { return ticks_per_unit_; }
  /// The same, where it is one of two 64-bit integers.
  const std::optional<NarrowFraction>& narrow() const { return narrow_; }

  /// Ticks per data set as time units per data set.
  Period time_units(const NarrowFraction& ticks) const;

 private:
  maxplus::Rational ticks_per_unit_;
  std::optional<NarrowFraction> narrow_;
};

}  // namespace takt::evaluators
