// The exact numbers of takt: integers of 128 bits or of any size and canonical rationals, on GMP.
#pragma once

#include <gmpxx.h>

#include <compare>
#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "maxplus/contract.hpp"

namespace takt::maxplus {

/// An integer of any size.
using Integer = mpz_class;

/// Holds the product of any two 64-bit integers.
__extension__ typedef __int128 Int128;

/// The same number.
inline Integer integer_of(const Integer& value) { return value; }
Integer integer_of(Int128 value);
template <std::same_as<std::int64_t> Number>
Integer integer_of(Number value) {
  return Integer(static_cast<long>(value));
}

template <typename T>
concept NativeInteger = std::integral<T> && !std::same_as<T, bool>;

/// An exact rational number, always canonical: the denominator is positive and shares no factor
/// with the numerator. There is no conversion from floating point.
class Rational {
 public:
  Rational() = default;
  template <NativeInteger T>
  Rational(T value) : value_(value) {  // NOLINT(google-explicit-constructor): exact, like int to long
    static_assert(sizeof(T) <= sizeof(long));
  }
  Rational(const Integer& value) : value_(value) {}  // NOLINT(google-explicit-constructor)
  template <std::floating_point T>
  Rational(T) = delete;

  /// `numerator / denominator`; the denominator must not be 0.
  static Rational fraction(const Integer& numerator, const Integer& denominator);

  const Integer& numerator() const { return value_.get_num(); }
  const Integer& denominator() const { return value_.get_den(); }
  bool is_integer() const { return denominator() == 1; }
  /// The largest integer that is not above it, the smallest that is not below it.
  Integer floor() const;
  Integer ceiling() const;
  /// The nearest integer, the larger of two.
  Integer nearest() const;
  /// -1, 0 or 1.
  int sign() const { return sgn(value_); }

  Rational& operator+=(const Rational& other);
  Rational& operator-=(const Rational& other);
  Rational& operator*=(const Rational& other);
  /// The divisor must not be 0.
  Rational& operator/=(const Rational& other);

  friend Rational operator+(Rational a, const Rational& b) { return a += b; }
  friend Rational operator-(Rational a, const Rational& b) { return a -= b; }
  friend Rational operator*(Rational a, const Rational& b) { return a *= b; }
  friend Rational operator/(Rational a, const Rational& b) { return a /= b; }
  friend Rational operator-(const Rational& a) { return Rational() - a; }

  friend bool operator==(const Rational& a, const Rational& b) { return a.value_ == b.value_; }
  friend std::strong_ordering operator<=>(const Rational& a, const Rational& b) {
    return cmp(a.value_, b.value_) <=> 0;
  }

  /// "p/q" in lowest terms, or "p" for an integer.
  std::string to_string() const { return value_.get_str(); }

  /// The nearest double, ties to even; nothing if the magnitude exceeds the largest double.
  std::optional<double> to_double() const;

 private:
  mpq_class value_;
};

/// What a number's text may be, the other alternative of a parse: a phrase that completes "expected".
struct NumberExpectation {
  std::string expected;
};

/// A decimal digit of ASCII, whatever the locale.
constexpr bool is_digit(char c) { return '0' <= c && c <= '9'; }

/// Limits on the text of one number, checked before any conversion.
inline constexpr int kMaxDecimalExponent = 300;
inline constexpr std::size_t kMaxDigits = 1000;

/// Reads a JSON number exactly: "12", "-0.5", "1.5e-3". At most `max_digits` digits, and an exponent
/// within +-kMaxDecimalExponent.
std::variant<Rational, NumberExpectation> parse_decimal(std::string_view text, std::size_t max_digits = kMaxDigits);

/// Reads "p/q" or "p": optional minus sign, decimal digits, q > 0; reduced or not. At most `max_digits`
/// digits each.
std::variant<Rational, NumberExpectation> parse_fraction(std::string_view text, std::size_t max_digits = kMaxDigits);

/// Reads either: whatever has neither a point nor an exponent as a fraction.
std::variant<Rational, NumberExpectation> parse_number(std::string_view text, std::size_t max_digits = kMaxDigits);

/// The remainder in 0 .. modulus - 1, of a negative number too. The modulus must not be 0.
inline std::uint64_t modulo(const Integer& number, std::uint64_t modulus) {
  return mpz_fdiv_ui(number.get_mpz_t(), modulus);
}
template <std::same_as<std::int64_t> Number>
std::uint64_t modulo(Number number, std::uint64_t modulus) {
  if (number >= 0) return static_cast<std::uint64_t>(number) % modulus;
  return modulus - 1 - static_cast<std::uint64_t>(-(number + 1)) % modulus;
}

/// The least common multiple of two positive integers, or nothing if it exceeds 64 bits.
std::optional<std::uint64_t> checked_lcm(std::uint64_t a, std::uint64_t b);

/// The primes whose product a positive number is, ascending, each as often as it divides the number.
/// Cost: the square root of the largest.
std::vector<std::uint64_t> prime_factors(std::uint64_t number);

}  // namespace takt::maxplus
