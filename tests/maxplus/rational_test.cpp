// Exact numbers: parsing within limits, rounding to doubles, comparison, least common multiples.
#include <rapidcheck/catch.h>
#include <catch2/catch.hpp>

#include <cstdlib>
#include <limits>
#include <string>

#include "maxplus/rational.hpp"

namespace takt::maxplus::test {

namespace {

Rational decimal(const std::string& text) {
  const auto parsed = parse_decimal(text);
  INFO(text);
  REQUIRE(std::holds_alternative<Rational>(parsed));
  return std::get<Rational>(parsed);
}

Rational fraction(const std::string& text) {
  const auto parsed = parse_fraction(text);
  INFO(text);
  REQUIRE(std::holds_alternative<Rational>(parsed));
  return std::get<Rational>(parsed);
}

std::string expected_instead_of_decimal(const std::string& text) {
  const auto parsed = parse_decimal(text);
  INFO(text);
  REQUIRE(std::holds_alternative<NumberExpectation>(parsed));
  return std::get<NumberExpectation>(parsed).expected;
}

std::string expected_instead_of_fraction(const std::string& text) {
  const auto parsed = parse_fraction(text);
  INFO(text);
  REQUIRE(std::holds_alternative<NumberExpectation>(parsed));
  return std::get<NumberExpectation>(parsed).expected;
}

Integer power(unsigned long base, unsigned long exponent) {
  Integer result;
  mpz_ui_pow_ui(result.get_mpz_t(), base, exponent);
  return result;
}

TEST_CASE("prime factors are ascending primes with the number as their product") {
  REQUIRE(prime_factors(1).empty());
  REQUIRE(prime_factors(360) == std::vector<std::uint64_t>{2, 2, 2, 3, 3, 5});
  REQUIRE(prime_factors(97) == std::vector<std::uint64_t>{97});
  REQUIRE(prime_factors(49) == std::vector<std::uint64_t>{7, 7});
  // The last two prime factors are beyond 32 bits together, and the number takes all 64.
  REQUIRE(prime_factors(~std::uint64_t{0}) == std::vector<std::uint64_t>{3, 5, 17, 257, 641, 65537, 6700417});
  REQUIRE(prime_factors(std::uint64_t{65537} * 65539) == std::vector<std::uint64_t>{65537, 65539});
}

}  // namespace

TEST_CASE("Decimals are read exactly") {
  REQUIRE(decimal("0.1") == Rational::fraction(1, 10));
  REQUIRE(decimal("12") == 12);
  REQUIRE(decimal("-0.5") == Rational::fraction(-1, 2));
  REQUIRE(decimal("1.5e-3") == Rational::fraction(3, 2000));
  REQUIRE(decimal("1.25E+2") == 125);
  REQUIRE(decimal("-0") == 0);
  REQUIRE(decimal("-0").to_string() == "0");
  REQUIRE(decimal("0.30000000000000000000000000000000000001") ==
          Rational::fraction(Integer("30000000000000000000000000000000000001"), power(10, 38)));
}

TEST_CASE("A decimal's exponent is bounded before it is used") {
  REQUIRE(decimal("1e300") == Rational(power(10, 300)));
  REQUIRE(decimal("1e-300") == Rational::fraction(1, power(10, 300)));
  REQUIRE(decimal("1e+0000000300") == Rational(power(10, 300)));
  for (const char* text : {"1e301", "1e-301", "1e9999", "1e400", "1e-999999999", "1e99999999999999999999", "0e301"}) {
    REQUIRE_THAT(expected_instead_of_decimal(text), Catch::Contains("300"));
  }
}

TEST_CASE("At most a thousand digits are read") {
  const std::string thousand(1000, '7');
  REQUIRE(decimal(thousand) == Rational(Integer(thousand)));
  REQUIRE(fraction(thousand + "/" + thousand) == 1);
  REQUIRE(decimal("0." + std::string(999, '1')) == Rational::fraction(Integer(std::string(999, '1')), power(10, 999)));
  for (const std::string& text : {thousand + "7", "0." + thousand}) {
    REQUIRE_THAT(expected_instead_of_decimal(text), Catch::Contains("1000 digits"));
  }
  for (const std::string& text : {thousand + "7", "1/" + thousand + "7"}) {
    REQUIRE_THAT(expected_instead_of_fraction(text), Catch::Contains("1000 digits"));
  }
}

TEST_CASE("What is no decimal is refused") {
  for (const char* text : {"", "-", "1.", ".5", "+1", "0x10", "1e", "1e+", "1e1.5", "1 ", " 1", "--1", "1/2", "nan",
                           "inf", "1.5.2", "1,5"}) {
    REQUIRE_FALSE(expected_instead_of_decimal(text).empty());
  }
}

TEST_CASE("Fractions are read reduced or not") {
  REQUIRE(fraction("4/6") == fraction("2/3"));
  REQUIRE(fraction("4/6").to_string() == "2/3");
  REQUIRE(fraction("-6/3").to_string() == "-2");
  REQUIRE(fraction("7") == 7);
  REQUIRE(fraction("-0/5") == 0);
  REQUIRE(fraction("007/010") == Rational::fraction(7, 10));
}

TEST_CASE("What is no fraction is refused") {
  for (const char* text : {"", "-", "/", "1/", "/2", "1/-2", "+1", "1.5", "1e3", "1/2/3", " 1", "1 /2", "0x10"}) {
    REQUIRE_FALSE(expected_instead_of_fraction(text).empty());
  }
  REQUIRE_THAT(expected_instead_of_fraction("1/0"), Catch::Contains("denominator"));
  REQUIRE_THAT(expected_instead_of_fraction("0/000"), Catch::Contains("denominator"));
}

TEST_CASE("Rationals are canonical and calculate exactly") {
  const Rational third = Rational::fraction(1, 3);
  REQUIRE(Rational::fraction(2, -6) == -third);
  REQUIRE(Rational::fraction(2, -6).denominator() == 3);
  REQUIRE(third + third + third == 1);
  REQUIRE((third * 3).is_integer());
  REQUIRE(third - Rational::fraction(1, 2) == Rational::fraction(-1, 6));
  REQUIRE(third / Rational::fraction(-2, 3) == Rational::fraction(-1, 2));
  REQUIRE(third.sign() == 1);
  REQUIRE((-third).sign() == -1);
  REQUIRE(Rational().sign() == 0);
  REQUIRE_THROWS_AS(Rational::fraction(1, 0), ContractViolation);
  REQUIRE_THROWS_AS(third / Rational(), ContractViolation);
}

TEST_CASE("Rationals compare as numbers") {
  REQUIRE(Rational::fraction(1, 3) < Rational::fraction(1, 2));
  REQUIRE(Rational::fraction(-1, 3) > Rational::fraction(-1, 2));
  REQUIRE(Rational::fraction(692, 3) <= Rational::fraction(1384, 6));
  REQUIRE(Rational(std::numeric_limits<std::uint64_t>::max()) > Rational(std::numeric_limits<std::int64_t>::max()));
  REQUIRE(Rational(std::numeric_limits<std::int64_t>::min()) < 0);
  REQUIRE(Rational::fraction(power(10, 40) + 1, power(10, 40)) > 1);
}

TEST_CASE("The nearest double is given, ties to even") {
  REQUIRE(Rational::fraction(692, 3).to_double() == 230.66666666666666);
  REQUIRE(Rational::fraction(-692, 3).to_double() == -230.66666666666666);
  REQUIRE(decimal("0.1").to_double() == 0.1);
  REQUIRE(Rational().to_double() == 0.0);
  const Integer two53 = power(2, 53);
  REQUIRE(Rational(Integer(two53 + 1)).to_double() == 9007199254740992.0);
  REQUIRE(Rational(Integer(two53 + 3)).to_double() == 9007199254740996.0);
  REQUIRE(Rational::fraction(2 * two53 + 3, 2).to_double() == 9007199254740994.0);
  REQUIRE(Rational(Integer(-two53 - 1)).to_double() == -9007199254740992.0);
}

TEST_CASE("Subnormal doubles are rounded correctly, and what is below half the least one is 0") {
  constexpr double kLeast = std::numeric_limits<double>::denorm_min();
  const Rational least = Rational::fraction(1, power(2, 1074));
  REQUIRE(least.to_double() == kLeast);
  REQUIRE((least / 2).to_double() == 0.0);
  REQUIRE((least * Rational::fraction(51, 100)).to_double() == kLeast);
  REQUIRE((least * Rational::fraction(3, 2)).to_double() == 2 * kLeast);
  REQUIRE((least * Rational::fraction(5, 2)).to_double() == 2 * kLeast);
  REQUIRE((-least * Rational::fraction(5, 2)).to_double() == -2 * kLeast);
  REQUIRE(Rational::fraction(1, power(10, 400)).to_double() == 0.0);
}

TEST_CASE("Beyond the largest double there is none") {
  const Rational largest(Integer(power(2, 1024) - power(2, 971)));
  REQUIRE(largest.to_double() == std::numeric_limits<double>::max());
  REQUIRE((-largest).to_double() == std::numeric_limits<double>::lowest());
  REQUIRE_FALSE(Rational(power(2, 1024)).to_double().has_value());
  REQUIRE_FALSE(Rational(Integer(-power(2, 1024))).to_double().has_value());
  REQUIRE_FALSE(Rational(power(10, 400)).to_double().has_value());
  REQUIRE_FALSE(Rational(Integer(power(2, 1024) - 1)).to_double().has_value());
  REQUIRE_FALSE(Rational(Integer(1 - power(2, 1024))).to_double().has_value());
}

TEST_CASE("Least common multiples are checked") {
  REQUIRE(checked_lcm(4, 6) == 12U);
  REQUIRE(checked_lcm(1, 1) == 1U);
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
  REQUIRE(checked_lcm(kMost, kMost) == kMost);
  REQUIRE(checked_lcm(std::uint64_t{1} << 63, 1024) == std::uint64_t{1} << 63);
  REQUIRE_FALSE(checked_lcm(kMost, 2).has_value());
  REQUIRE_FALSE(checked_lcm(4294967296U, 4294967297U).has_value());
  REQUIRE_THROWS_AS(checked_lcm(0, 3), ContractViolation);
  REQUIRE_THROWS_AS(checked_lcm(3, 0), ContractViolation);
}

TEST_CASE("Properties of exact numbers") {
  rc::prop("a fraction's text reads back as itself", [](std::int64_t numerator) {
    const auto denominator = *rc::gen::positive<std::int64_t>();
    const Rational value = Rational::fraction(numerator, denominator);
    RC_ASSERT(std::get<Rational>(parse_fraction(value.to_string())) == value);
  });
  rc::prop("a decimal's double is the one that the C library reads", [](std::int64_t mantissa) {
    const auto exponent = *rc::gen::inRange(-300, 281);
    const std::string text = std::to_string(mantissa) + "e" + std::to_string(exponent);
    RC_ASSERT(std::get<Rational>(parse_decimal(text)).to_double() == std::strtod(text.c_str(), nullptr));
  });
}

}  // namespace takt::maxplus::test
