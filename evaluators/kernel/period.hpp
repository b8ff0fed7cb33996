// A period as an exact number that costs no memory of its own as long as two 64-bit integers hold it.
#pragma once

#include <compare>
#include <cstdint>
#include <variant>

#include "maxplus/rational.hpp"

namespace takt::evaluators {

/// numerator / denominator, reduced or not; the denominator is positive.
struct NarrowFraction {
  std::int64_t numerator = 0;
  std::int64_t denominator = 1;
};

/// An exact number of time units per data set, for callers that compare millions of them. Copies and
/// comparisons allocate nothing unless a number needs more than 64 bits above or below its bar.
class Period {
 public:
  Period() = default;
  Period(const maxplus::Rational& value);  // NOLINT(google-explicit-constructor): exact, the same number

  /// numerator / denominator, reduced or not; the denominator must be positive.
  static Period fraction(std::int64_t numerator, std::int64_t denominator);

  maxplus::Rational rational() const;

  /// The two integers, reduced or not, where they fit; null otherwise.
  const NarrowFraction* narrow() const { return std::get_if<NarrowFraction>(&value_); }

  friend std::strong_ordering operator<=>(const Period& a, const Period& b);
  friend bool operator==(const Period& a, const Period& b) { return (a <=> b) == std::strong_ordering::equal; }

 private:
  std::variant<NarrowFraction, maxplus::Rational> value_;
};

}  // namespace takt::evaluators
