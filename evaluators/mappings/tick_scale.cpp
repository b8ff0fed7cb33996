// Products of fractions that stay within 64 bits, and GMP's if they do not.
#include "evaluators/mappings/tick_scale.hpp"

#include <numeric>

#include "maxplus/contract.hpp"

namespace takt::evaluators {

using maxplus::Rational;

std::optional<NarrowFraction> product(NarrowFraction a, NarrowFraction b) {
  std::int64_t common = std::gcd(a.numerator, b.denominator);
  a.numerator /= common;
  b.denominator /= common;
  common = std::gcd(b.numerator, a.denominator);
  b.numerator /= common;
  a.denominator /= common;
  NarrowFraction result;
  if (__builtin_mul_overflow(a.numerator, b.numerator, &result.numerator)) return std::nullopt;
  if (__builtin_mul_overflow(a.denominator, b.denominator, &result.denominator)) return std::nullopt;
  return result;
}

TickScale::TickScale(const Rational& ticks_per_unit) : ticks_per_unit_(ticks_per_unit) {
  maxplus::expects(ticks_per_unit.sign() > 0, "a time unit has some ticks");
  const Period period = ticks_per_unit;
  if (const NarrowFraction* narrow = period.narrow()) narrow_ = *narrow;
}

Period TickScale::time_units(const NarrowFraction& ticks) const {
  if (narrow_) {
    std::int64_t denominator = 0;
    if (narrow_->denominator == 1 && !__builtin_mul_overflow(ticks.denominator, narrow_->numerator, &denominator)) {
      return Period::fraction(ticks.numerator, denominator);
    }
    if (const auto units = product(ticks, {narrow_->denominator, narrow_->numerator})) {
      return Period::fraction(units->numerator, units->denominator);
    }
  }
  return Period::fraction(ticks.numerator, ticks.denominator).rational() / ticks_per_unit_;
}

}  // namespace takt::evaluators
