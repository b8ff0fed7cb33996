// The power of ten of the first digit is that of the lengths of numerator and denominator, or one off.
#include "live/probing/significant.hpp"

#include <cstddef>

#include "maxplus/contract.hpp"

namespace takt::live {

namespace {

using maxplus::Integer;

Rational power_of_ten(long exponent) {
  Integer power;
  mpz_ui_pow_ui(power.get_mpz_t(), 10, static_cast<unsigned long>(exponent < 0 ? -exponent : exponent));
  return exponent < 0 ? Rational::fraction(1, power) : Rational(power);
}

long digits_of(const Integer& positive) { return static_cast<long>(mpz_sizeinbase(positive.get_mpz_t(), 10)); }

}  // namespace

Rational significant(const Rational& number, int digits) {
  maxplus::expects(digits >= 1, "at least one significant digit");
  if (number.sign() == 0) return number;
  const Rational size = number.sign() < 0 ? -number : number;
  // 10^exponent <= size < 10^(exponent + 1)
  long exponent = digits_of(size.numerator()) - digits_of(size.denominator()) + 1;
  while (power_of_ten(exponent) > size) --exponent;
  const Rational unit = power_of_ten(exponent + 1 - digits);
  const Rational scaled = size / unit;
  const Integer count = (2 * scaled.numerator() + scaled.denominator()) / (2 * scaled.denominator());
  return Rational(number.sign() * count) * unit;
}

}  // namespace takt::live
