// Arithmetic, rounding and the texts of exact numbers.
#include "maxplus/rational.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <limits>
#include <numeric>

namespace takt::maxplus {

namespace {

Integer power_of_ten(unsigned long exponent) {
  Integer power;
  mpz_ui_pow_ui(power.get_mpz_t(), 10, exponent);
  return power;
}

std::string_view take_digits(std::string_view& text) {
  const auto end = std::find_if_not(text.begin(), text.end(), is_digit);
  const std::string_view digits = text.substr(0, static_cast<std::size_t>(end - text.begin()));
  text.remove_prefix(digits.size());
  return digits;
}

bool take(std::string_view& text, char c) {
  if (text.empty() || text.front() != c) return false;
  text.remove_prefix(1);
  return true;
}

NumberExpectation at_most(std::size_t max_digits) {
  return {"a number of at most " + std::to_string(max_digits) + " digits"};
}

Integer integer_of_digits(std::string_view digits) { return Integer(std::string(digits), 10); }

}  // namespace

Integer integer_of(Int128 value) {
  const Integer high = static_cast<long>(value >> 64);  // floor, so the low half is not negative
  return (high << 64) + static_cast<unsigned long>(value);
}

Rational Rational::fraction(const Integer& numerator, const Integer& denominator) {
  expects(denominator != 0, "a denominator is not 0");
  Rational result;
  result.value_ = mpq_class(numerator, denominator);
  result.value_.canonicalize();
  return result;
}

Integer Rational::floor() const {
  Integer result;
  mpz_fdiv_q(result.get_mpz_t(), numerator().get_mpz_t(), denominator().get_mpz_t());
  return result;
}

Integer Rational::ceiling() const {
  Integer result;
  mpz_cdiv_q(result.get_mpz_t(), numerator().get_mpz_t(), denominator().get_mpz_t());
  return result;
}

Integer Rational::nearest() const { return (*this + fraction(1, 2)).floor(); }

Rational& Rational::operator+=(const Rational& other) {
  value_ += other.value_;
  return *this;
}

Rational& Rational::operator-=(const Rational& other) {
  value_ -= other.value_;
  return *this;
}

Rational& Rational::operator*=(const Rational& other) {
  value_ *= other.value_;
  return *this;
}

Rational& Rational::operator/=(const Rational& other) {
  expects(other.sign() != 0, "a divisor is not 0");
  value_ /= other.value_;
  return *this;
}

std::optional<double> Rational::to_double() const {
  const double toward_zero = value_.get_d();
  if (!std::isfinite(toward_zero)) return std::nullopt;
  const double outward = std::nextafter(
      toward_zero, sign() < 0 ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::infinity());
  if (!std::isfinite(outward)) return value_ == toward_zero ? std::optional(toward_zero) : std::nullopt;
  const mpq_class twice = value_ * 2;
  const mpq_class middle = mpq_class(toward_zero) + mpq_class(outward);
  const int side = sign() < 0 ? cmp(middle, twice) : cmp(twice, middle);
  if (side < 0) return toward_zero;
  if (side > 0) return outward;
  const bool even = (std::bit_cast<std::uint64_t>(toward_zero) & 1U) == 0;
  return even ? toward_zero : outward;
}

std::variant<Rational, NumberExpectation> parse_decimal(std::string_view text, std::size_t max_digits) {
  const NumberExpectation malformed{"a decimal number such as 12, 0.5 or 1e-3"};
  const bool negative = take(text, '-');
  const std::string_view whole = take_digits(text);
  if (whole.empty()) return malformed;
  std::string_view fractional;
  if (take(text, '.')) {
    fractional = take_digits(text);
    if (fractional.empty()) return malformed;
  }
  long exponent = 0;
  if (take(text, 'e') || take(text, 'E')) {
    const bool negative_exponent = take(text, '-');
    if (!negative_exponent) take(text, '+');
    std::string_view digits = take_digits(text);
    if (digits.empty()) return malformed;
    while (digits.size() > 1 && digits.front() == '0') digits.remove_prefix(1);
    const NumberExpectation too_large{"a number with an exponent within +-" + std::to_string(kMaxDecimalExponent)};
    if (digits.size() > 4) return too_large;
    std::from_chars(digits.data(), digits.data() + digits.size(), exponent);
    if (exponent > kMaxDecimalExponent) return too_large;
    if (negative_exponent) exponent = -exponent;
  }
  if (!text.empty()) return malformed;
  if (whole.size() + fractional.size() > max_digits) return at_most(max_digits);

  Integer mantissa = integer_of_digits(std::string(whole) + std::string(fractional));
  if (negative) mantissa = -mantissa;
  exponent -= static_cast<long>(fractional.size());
  if (exponent >= 0) return Rational(Integer(mantissa * power_of_ten(static_cast<unsigned long>(exponent))));
  return Rational::fraction(mantissa, power_of_ten(static_cast<unsigned long>(-exponent)));
}

std::variant<Rational, NumberExpectation> parse_fraction(std::string_view text, std::size_t max_digits) {
  const NumberExpectation malformed{"\"p/q\" or \"p\" with whole numbers p and q"};
  const bool negative = take(text, '-');
  const std::string_view above = take_digits(text);
  if (above.empty()) return malformed;
  std::string_view below = "1";
  if (take(text, '/')) {
    below = take_digits(text);
    if (below.empty()) return malformed;
  }
  if (!text.empty()) return malformed;
  if (above.size() > max_digits || below.size() > max_digits) return at_most(max_digits);
  const Integer denominator = integer_of_digits(below);
  if (denominator == 0) return NumberExpectation{"a denominator greater than 0"};
  Integer numerator = integer_of_digits(above);
  if (negative) numerator = -numerator;
  return Rational::fraction(numerator, denominator);
}

std::variant<Rational, NumberExpectation> parse_number(std::string_view text, std::size_t max_digits) {
  if (text.empty() || text.find_first_not_of("0123456789-+./eE") != std::string_view::npos) {
    return NumberExpectation{"a number such as 12, 0.5 or \"7/2\""};
  }
  const bool is_decimal = text.find_first_of(".eE") != std::string_view::npos;
  return is_decimal ? parse_decimal(text, max_digits) : parse_fraction(text, max_digits);
}

std::optional<std::uint64_t> checked_lcm(std::uint64_t a, std::uint64_t b) {
  expects(a > 0 && b > 0, "a least common multiple is taken of positive numbers");
  std::uint64_t product = 0;
  if (__builtin_mul_overflow(a / std::gcd(a, b), b, &product)) return std::nullopt;
  return product;
}

std::vector<std::uint64_t> prime_factors(std::uint64_t number) {
  expects(number > 0, "0 has no prime factors");
  std::vector<std::uint64_t> primes;
  for (std::uint64_t f = 2; f <= number / f; ++f) {
    while (number % f == 0) {
      primes.push_back(f);
      number /= f;
    }
  }
  if (number > 1) primes.push_back(number);
  return primes;
}

}  // namespace takt::maxplus
