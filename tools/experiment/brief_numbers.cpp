// Rounding by GMP's whole numbers.
#include "tools/experiment/brief_numbers.hpp"

#include <fmt/format.h>

#include <gmpxx.h>

#include "live/files/checksum.hpp"
#include "tools/words/json_results.hpp"

namespace takt::tools {

using maxplus::Rational;

namespace {

std::size_t digits_of(const mpz_class& number) { return mpz_class(abs(number)).get_str().size(); }

mpz_class power_of_ten(std::size_t exponent) {
  mpz_class power;
  mpz_ui_pow_ui(power.get_mpz_t(), 10, exponent);
  return power;
}

// 0, or 1 if the digits are to be raised by one unit, away from 0.
int raise(const mpz_class& quotient, const mpz_class& remainder, const mpz_class& divisor, bool is_negative,
          RoundingDirection direction) {
  if (remainder == 0) return 0;
  if (direction == RoundingDirection::up) return is_negative ? 0 : 1;
  if (direction == RoundingDirection::down) return is_negative ? 1 : 0;
  const int half = cmp(mpz_class(2 * remainder), divisor);
  return half > 0 || (half == 0 && mpz_odd_p(quotient.get_mpz_t()) != 0) ? 1 : 0;
}

std::string with_point(std::string digits, long exponent) {
  if (exponent < -4 || exponent >= kRoundedDigits) {
    digits.insert(1, ".");
    return fmt::format("{}e{}{:02}", digits, exponent < 0 ? '-' : '+', std::abs(exponent));
  }
  if (exponent < 0) return "0." + std::string(static_cast<std::size_t>(-exponent - 1), '0') + digits;
  if (exponent + 1 < kRoundedDigits) digits.insert(static_cast<std::size_t>(exponent) + 1, ".");
  return digits;
}

}  // namespace

bool is_lengthy(const Rational& number) {
  return digits_of(number.numerator()) > kMostExactDigits || digits_of(number.denominator()) > kMostExactDigits;
}

std::string rounded_text(const Rational& number, RoundingDirection direction) {
  if (number.sign() == 0) return "0";
  const mpz_class above = abs(number.numerator());
  const mpz_class& below = number.denominator();
  // 10^exponent <= |number| < 10^(exponent + 1): the digits say so, or one more than they do.
  long exponent = static_cast<long>(digits_of(above)) - static_cast<long>(digits_of(below));
  const auto scaled = [](const mpz_class& integer, long power) {
    return power > 0 ? mpz_class(integer * power_of_ten(static_cast<std::size_t>(power))) : integer;
  };
  if (scaled(above, -exponent) < scaled(below, exponent)) --exponent;
  const long shift = kRoundedDigits - 1 - exponent;
  const mpz_class dividend = scaled(above, shift);
  const mpz_class divisor = scaled(below, -shift);
  mpz_class quotient;
  mpz_class remainder;
  mpz_fdiv_qr(quotient.get_mpz_t(), remainder.get_mpz_t(), dividend.get_mpz_t(), divisor.get_mpz_t());
  const bool is_negative = number.sign() < 0;
  quotient += raise(quotient, remainder, divisor, is_negative, direction);
  if (quotient == power_of_ten(kRoundedDigits)) {
    quotient /= 10;
    ++exponent;
  }
  return (is_negative ? "-" : "") + with_point(quotient.get_str(), exponent);
}

std::string crc64_of(const Rational& number) {
  live::Checksum sum;
  sum.add(number.to_string());
  return fmt::format("{:016x}", sum.value());
}

void write_brief(tpn::JsonWriter& json, std::string_view name, const Rational& number, RoundingDirection direction,
                 bool is_exact) {
  if (is_exact || !is_lengthy(number)) return write_exact(json, name, number);
  json.member(fmt::format("{}_rounded", name), rounded_text(number, direction));
  json.member(fmt::format("{}_decimal", name), number.to_double());
  json.member(fmt::format("{}_crc64", name), crc64_of(number));
}

}  // namespace takt::tools
