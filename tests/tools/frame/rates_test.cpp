// Rates as users write them.
#include "tools/frame/rates.hpp"

#include <catch2/catch.hpp>

#include "tools/command.hpp"
#include "tpn/document.hpp"

namespace takt::tools {

namespace {

using maxplus::Rational;

Rational rate_of(std::string_view text) { return read_rate(text).value().rate; }

}  // namespace

TEST_CASE("rates have a unit of time, or Hz, and a multiple") {
  CHECK(rate_of("200/s") == Rational(200));
  CHECK(rate_of("200 Hz") == Rational(200));
  CHECK(rate_of("200Hz") == Rational(200));
  CHECK(rate_of("2.5 kHz") == Rational(2500));
  CHECK(rate_of("50k/s") == Rational(50'000));
  CHECK(rate_of("50 k / s") == Rational(50'000));
  CHECK(rate_of("0.2M/min") == Rational::fraction(200'000, 60));
  CHECK(rate_of("1G/h") == Rational::fraction(1'000'000'000, 3600));
  CHECK(rate_of("1/3/s") == Rational::fraction(1, 3));
  CHECK(rate_of("3/ms") == Rational(3000));
  CHECK(rate_of("3/2") == Rational::fraction(3, 2));
  CHECK_FALSE(read_rate("3/2").value().pace.has_value());
  CHECK(read_rate("12000/min").value().pace.value().name == "min");
  CHECK(read_rate("200 Hz").value().pace.value().name == "s");
}

TEST_CASE("what is no rate above 0 is refused") {
  for (const char* text : {"", "/s", "Hz", "0/s", "-3/s", "200/", "200/day", "200 hz", "50K/s", "1,000/s", "fast", "5k",
                           "5kk/s", "200 Hz/s"}) {
    CAPTURE(text);
    CHECK_FALSE(read_rate(text).has_value());
  }
}

TEST_CASE("a rate has a unit exactly where the document has units") {
  tpn::Document plain;
  tpn::Document with_units;
  with_units.time_unit = tpn::TimeUnit::second;
  CHECK(period_of_rate("--rate", "200/s", with_units) == Rational::fraction(1, 200));
  CHECK(period_of_rate("--rate", "3/2", plain) == Rational::fraction(2, 3));
  CHECK_THROWS_WITH(period_of_rate("--rate", "200", with_units),
                    "--rate: found \"200\", expected a unit, as in 200/s: the file has units");
  CHECK_THROWS_WITH(period_of_rate("--rate", "200/s", plain),
                    "--rate: found \"200/s\", expected a number alone: the numbers of the file have no units");
}

}  // namespace takt::tools
