// Comparisons by cross products of 128 bits, or in GMP's numbers.
#include "evaluators/kernel/period.hpp"

#include "evaluators/kernel/numbers.hpp"

namespace takt::evaluators {

using maxplus::Integer;
using maxplus::Rational;

Period::Period(const Rational& value) {
  if (value.numerator().fits_slong_p() && value.denominator().fits_slong_p()) {
    value_ = NarrowFraction{value.numerator().get_si(), value.denominator().get_si()};
  } else {
    value_ = value;
  }
}

Period Period::fraction(std::int64_t numerator, std::int64_t denominator) {
  maxplus::expects(denominator > 0, "a fraction has a positive denominator");
  Period period;
  period.value_ = NarrowFraction{numerator, denominator};
  return period;
}

Rational Period::rational() const {
  if (const NarrowFraction* two = narrow()) {
    return Rational::fraction(Integer(long{two->numerator}), Integer(long{two->denominator}));
  }
  return std::get<Rational>(value_);
}

std::strong_ordering operator<=>(const Period& a, const Period& b) {
  const NarrowFraction* left = a.narrow();
  const NarrowFraction* right = b.narrow();
  if (left == nullptr && right == nullptr) return std::get<Rational>(a.value_) <=> std::get<Rational>(b.value_);
  if (left == nullptr || right == nullptr) return a.rational() <=> b.rational();
  // Products of two 64-bit integers fit 127 bits and a sign.
  return static_cast<Int128>(left->numerator) * right->denominator <=>
         static_cast<Int128>(right->numerator) * left->denominator;
}

}  // namespace takt::evaluators
