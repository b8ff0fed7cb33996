// {fmt} writes doubles, GMP what is beyond them.
#include "maxplus/decimal.hpp"

#include <fmt/format.h>

#include <limits>

namespace takt::maxplus {

namespace {

// Six digits of a number that is beyond doubles, or nearly.
std::string scientific(const Rational& number) {
  constexpr mp_bitcnt_t kBits = 128;
  constexpr std::size_t kDigits = 6;
  const mpf_class value = mpf_class(number.numerator(), kBits) / mpf_class(number.denominator(), kBits);
  mp_exp_t exponent = 0;
  std::string digits = value.get_str(exponent, 10, kDigits);
  if (digits.size() > 1) digits.insert(1, ".");
  return fmt::format("{}e{:+03}", digits, exponent - 1);
}

}  // namespace

std::string decimal(const Rational& number) {
  const auto value = number.to_double();
  const bool is_normal = number.sign() == 0 || (value && *value >= std::numeric_limits<double>::min());
  return is_normal ? fmt::format("{:.6g}", *value) : scientific(number);
}

}  // namespace takt::maxplus
