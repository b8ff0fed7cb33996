// Powers of ten near the width of the axis, then exact integers times a step.
#include "tools/gantt/ticks.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

#include "maxplus/contract.hpp"

namespace takt::tools {

using maxplus::Integer;
using maxplus::Rational;

namespace {

struct Step {
  int digit = 1;  // times 10^exponent
  long exponent = 0;
};

Integer power_of_ten(long exponent) {
  Integer power;
  mpz_ui_pow_ui(power.get_mpz_t(), 10, static_cast<unsigned long>(exponent));
  return power;
}

Rational value_of(const Step& step) {
  if (step.exponent >= 0) return Rational(Integer(step.digit * power_of_ten(step.exponent)));
  return Rational::fraction(step.digit, power_of_ten(-step.exponent));
}

Step after(const Step& step) {
  if (step.digit == 5) return {1, step.exponent + 1};
  return {step.digit == 1 ? 2 : 5, step.exponent};
}

// A power of ten at or below a positive number, by no more than two.
long exponent_below(const Rational& number) {
  const auto digits = [](const Integer& integer) { return static_cast<long>(mpz_sizeinbase(integer.get_mpz_t(), 10)); };
  return digits(number.numerator()) - digits(number.denominator()) - 2;
}

// Of factor * 10^exponent: plain where that is no longer than a decimal point and some digits.
std::string label_of(const Integer& factor, long exponent) {
  constexpr long kMostZeros = 9;
  const bool is_negative = factor < 0;
  std::string digits = Integer(abs(factor)).get_str();
  if (factor == 0) return "0";
  while (digits.ends_with('0')) {
    digits.pop_back();
    ++exponent;
  }
  std::string ending;
  const auto length = static_cast<long>(digits.size());
  if (exponent > kMostZeros || length + exponent < -kMostZeros) {
    ending = "e" + std::to_string(exponent);
  } else if (exponent >= 0) {
    digits.append(static_cast<std::size_t>(exponent), '0');
  } else {
    if (length + exponent <= 0) digits.insert(0, static_cast<std::size_t>(1 - length - exponent), '0');
    digits.insert(digits.size() - static_cast<std::size_t>(-exponent), ".");
  }
  return (is_negative ? "−" : "") + digits + ending;
}

}  // namespace

std::vector<AxisTick> axis_ticks(const Rational& from, const Rational& to, std::size_t most) {
  maxplus::expects(from < to && most > 0, "an axis has a width, and place for a tick");
  Step step{1, exponent_below((to - from) / Rational(most))};
  Integer first;
  Integer last;
  for (;; step = after(step)) {
    last = (to / value_of(step)).floor();
    first = (from / value_of(step)).ceiling();
    if (last - first < most) break;
  }
  std::vector<AxisTick> ticks;
  for (Integer k = first; k <= last; ++k) {
    ticks.push_back({Rational(k) * value_of(step), label_of(k * step.digit, step.exponent)});
  }
  return ticks;
}

}  // namespace takt::tools
