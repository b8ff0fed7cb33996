// Lengthy numbers of reports: rounded as they should be, and known again by their check sums.
#include <algorithm>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/support/draw.hpp"
#include "tools/experiment/brief_numbers.hpp"

namespace takt::tools {

namespace {

using maxplus::Integer;
using maxplus::Rational;
using enum RoundingDirection;

Rational read(const std::string& text) { return std::get<Rational>(maxplus::parse_number(text)); }

// 1 in the last of the digits.
Rational unit_of(const std::string& text) {
  const auto end = std::min(text.find('e'), text.size());
  std::string unit = text.substr(0, end);
  const auto last = unit.rfind(unit.back());
  for (char& c : unit) c = c >= '0' && c <= '9' ? '0' : c;
  unit[last] = '1';
  return read((unit[0] == '-' ? unit.substr(1) : unit) + text.substr(end));
}

Integer drawn_integer(support::Draw& draw, std::size_t digits) {
  std::string text(1, static_cast<char>('1' + draw.index(9)));
  while (text.size() < digits) text += static_cast<char>('0' + draw.index(10));
  return Integer(text);
}

std::string brief(const Rational& number, bool is_exact = false) {
  std::string text;
  tpn::JsonWriter json(text, tpn::IllFormed::refused);
  json.begin_object(tpn::JsonLayout::line);
  write_brief(json, "value", number, nearest, is_exact);
  json.end();
  return text;
}

}  // namespace

TEST_CASE("a number is rounded to twenty digits, to the even one where two are as near") {
  CHECK(rounded_text(0, nearest) == "0");
  CHECK(rounded_text(2, nearest) == "2.0000000000000000000");
  CHECK(rounded_text(Rational::fraction(2, 3), nearest) == "0.66666666666666666667");
  CHECK(rounded_text(Rational::fraction(2, 3), down) == "0.66666666666666666666");
  CHECK(rounded_text(Rational::fraction(2, 3), up) == "0.66666666666666666667");
  CHECK(rounded_text(Rational::fraction(-2, 3), down) == "-0.66666666666666666667");
  CHECK(rounded_text(Rational::fraction(-2, 3), up) == "-0.66666666666666666666");
  CHECK(rounded_text(Rational::fraction(1, 30000), nearest) == "3.3333333333333333333e-05");
  CHECK(rounded_text(Rational::fraction(1, 3000), nearest) == "0.00033333333333333333333");
  CHECK(rounded_text(read("12345678901234567890.5"), nearest) == "12345678901234567890");
  CHECK(rounded_text(read("12345678901234567891.5"), nearest) == "12345678901234567892");
  CHECK(rounded_text(read("99999999999999999999.5"), nearest) == "1.0000000000000000000e+20");
  CHECK(rounded_text(read("99999999999999999999.4"), nearest) == "99999999999999999999");
  CHECK(rounded_text(read("99999999999999999999.4"), up) == "1.0000000000000000000e+20");
}

TEST_CASE("what is rounded is off by no more than is said, whatever its size") {
  for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
    CAPTURE(seed);
    support::Draw draw(seed);
    const Integer above = drawn_integer(draw, draw.count(1, 90)) * (draw.coin() ? 1 : -1);
    const auto number = Rational::fraction(above, drawn_integer(draw, draw.count(1, 90)));
    const std::string texts[] = {rounded_text(number, nearest), rounded_text(number, down), rounded_text(number, up)};
    for (const std::string& text : texts) {
      CAPTURE(text);
      const std::string mantissa = text.substr(0, text.find('e'));
      const auto from = std::find_if(mantissa.begin(), mantissa.end(), [](char c) { return c >= '1' && c <= '9'; });
      CHECK(std::count_if(from, mantissa.end(), [](char c) { return c != '.'; }) == kRoundedDigits);
    }
    const Rational off = read(texts[0]) - number;
    CHECK((off.sign() < 0 ? -off : off) * Rational(2) <= unit_of(texts[0]));
    CHECK(read(texts[1]) <= number);
    CHECK(number <= read(texts[2]));
    CHECK(read(texts[2]) - read(texts[1]) <= std::max(unit_of(texts[1]), unit_of(texts[2])));
  }
}

TEST_CASE("a number of more than forty digits above or below is rounded, with the check sum of its text") {
  // The check value of CRC-64/XZ is that of these nine bytes.
  CHECK(crc64_of(123456789) == "995dc9bbdf1939fa");
  const Rational longest(Integer(std::string(40, '7')));
  CHECK_FALSE(is_lengthy(longest));
  CHECK_FALSE(is_lengthy(-longest));
  CHECK(is_lengthy(longest * Rational(10)));
  CHECK(is_lengthy(Rational(3) / (longest * Rational(10))));
  CHECK(nlohmann::json::parse(brief(longest)) ==
        nlohmann::json{{"value", std::string(40, '7')}, {"value_decimal", 7.777777777777778e39}});
  const auto third = Rational::fraction(Integer("1" + std::string(40, '0')), Integer("3" + std::string(39, '0') + "9"));
  CHECK(nlohmann::json::parse(brief(third)) == nlohmann::json{{"value_rounded", "0.33333333333333333333"},
                                                              {"value_decimal", 1.0 / 3},
                                                              {"value_crc64", crc64_of(third)}});
  CHECK(nlohmann::json::parse(brief(third, true)) ==
        nlohmann::json{{"value", third.to_string()}, {"value_decimal", 1.0 / 3}});
}

}  // namespace takt::tools
