// Numbers with units: what they are, what is refused with which words, and the unit that is chosen to write one.
#include "tpn/units.hpp"

#include <catch2/catch.hpp>

#include <string>
#include <utility>
#include <vector>

#include "tests/support/draw.hpp"
#include "tpn/json.hpp"

namespace takt::tpn {
namespace {

Rational fraction(const std::string& above, const std::string& below) {
  return Rational::fraction(Integer(above), Integer(below));
}

std::string read(const std::string& text, Quantity quantity) {
  const auto parsed = parse_quantity(text, quantity, maxplus::kMaxDigits);
  if (const auto* refused = std::get_if<maxplus::NumberExpectation>(&parsed)) return "expected " + refused->expected;
  return std::get<Rational>(parsed).to_string();
}

TEST_CASE("quantities are exact numbers of seconds, bytes, bytes per second and operations per second") {
  const std::vector<std::pair<std::string, std::string>> times{{"10 ms", "1/100"},
                                                               {"10ms", "1/100"},
                                                               {"10   ms", "1/100"},
                                                               {"0.1 ms", "1/10000"},
                                                               {"1/3 s", "1/3"},
                                                               {"7 us", "7/1000000"},
                                                               {"7 \u00b5s", "7/1000000"},
                                                               {"7 \u03bcs", "7/1000000"},
                                                               {"2 ns", "1/500000000"},
                                                               {"1.5 min", "90"},
                                                               {"2 h", "7200"},
                                                               {"1.5e3 ms", "3/2"},
                                                               {"1E-3 s", "1/1000"},
                                                               {"0 ms", "0"},
                                                               {"-3 s", "-3"},
                                                               {"12", "12"},
                                                               {"0.5", "1/2"},
                                                               {"4/6", "2/3"},
                                                               {"1e-2", "1/100"},
                                                               {"4/6ms", "1/1500"}};
  for (const auto& [text, seconds] : times) {
    CAPTURE(text);
    CHECK(read(text, Quantity::time) == seconds);
  }
  const std::vector<std::pair<std::string, std::string>> sizes{{"4 MB", "4000000"},        {"1 B", "1"},
                                                               {"2 kB", "2000"},           {"3 GB", "3000000000"},
                                                               {"1 TB", "1000000000000"},  {"1 KiB", "1024"},
                                                               {"1 MiB", "1048576"},       {"0.5 GiB", "536870912"},
                                                               {"1 TiB", "1099511627776"}, {"1 bit", "1/8"},
                                                               {"8 kbit", "1000"},         {"1/3 Mbit", "125000/3"},
                                                               {"8 Gbit", "1000000000"},   {"8 Tbit", "1000000000000"}};
  for (const auto& [text, bytes] : sizes) {
    CAPTURE(text);
    CHECK(read(text, Quantity::size) == bytes);
  }
  CHECK(read("1.25 GB/s", Quantity::bandwidth) == "1250000000");
  CHECK(read("100 Mbit/s", Quantity::bandwidth) == "12500000");
  CHECK(read("1 MiB/ms", Quantity::bandwidth) == "1048576000");
  CHECK(read("3 kB/min", Quantity::bandwidth) == "50");
  CHECK(read("1/3 GB/s", Quantity::bandwidth) == "1000000000/3");
  CHECK(read("2e9/s", Quantity::speed) == "2000000000");
  CHECK(read("2e9 /s", Quantity::speed) == "2000000000");
  CHECK(read("5/ms", Quantity::speed) == "5000");
  CHECK(read("1/3/s", Quantity::speed) == "1/3");
  CHECK(read("1/3/min", Quantity::speed) == "1/180");
}

TEST_CASE("what is no quantity is refused with the units there are, and the one that may be meant") {
  const std::string times = "expected a time in s, ms, us, ns, min or h, such as \"10 ms\"";
  const std::string sizes =
      "expected a size in B, kB, MB, GB, TB, KiB, MiB, GiB, TiB or bits (kbit, Mbit, ...), such as \"4 MB\"";
  const std::string bandwidths =
      "expected a bandwidth in bytes or bits per time, such as \"1.25 GB/s\" or \"100 Mbit/s\"";
  const std::string speeds = "expected a speed in operations per time, such as \"2e9/s\"";
  const std::vector<std::tuple<std::string, Quantity, std::string>> cases{
      {"10 mss", Quantity::time, times},
      {"10 MS", Quantity::time, times + " (did you mean \"10 ms\"?)"},
      {"10 sec", Quantity::time, times + " (did you mean \"10 s\"?)"},
      {"1/2 hours", Quantity::time, times + " (did you mean \"1/2 h\"?)"},
      {"10 ms ", Quantity::time, times},
      {"10 ms/s", Quantity::time, times},
      {"10 m", Quantity::time, times},
      {"10 MB", Quantity::time, times + ", not a size"},
      {"10 MB/s", Quantity::time, times + ", not a bandwidth"},
      {"10/s", Quantity::time, times + ", not a speed"},
      {"4 mb", Quantity::size, sizes + " (did you mean \"4 MB\" or \"4 Mbit\"?)"},
      {"4 KB", Quantity::size, sizes + " (did you mean \"4 kB\"?)"},
      {"4 mib", Quantity::size, sizes + " (did you mean \"4 MiB\"?)"},
      {"4 bytes", Quantity::size, sizes + " (did you mean \"4 B\"?)"},
      {"4 ms", Quantity::size, sizes + ", not a time"},
      {"100 Mbps", Quantity::bandwidth, bandwidths + " (did you mean \"100 MB/s\" or \"100 Mbit/s\"?)"},
      {"1 Gb/s", Quantity::bandwidth, bandwidths + " (did you mean \"1 GB/s\" or \"1 Gbit/s\"?)"},
      {"1 GB", Quantity::bandwidth, bandwidths + ", not a size"},
      {"1 GB/", Quantity::bandwidth, bandwidths},
      {"1 GB / s", Quantity::bandwidth, bandwidths},
      {"1 GB/s/s", Quantity::bandwidth, bandwidths},
      {"2 GHz", Quantity::speed, speeds},
      {"2 GB/s", Quantity::speed, speeds + ", not a bandwidth"},
      {"2/", Quantity::speed, speeds},
  };
  for (const auto& [text, quantity, message] : cases) {
    CAPTURE(text);
    CHECK(read(text, quantity) == message);
  }
}

TEST_CASE("a unit needs a number, and the number keeps to the limits of numbers") {
  const std::string none = "expected a number, or a time in s, ms, us, ns, min or h, such as \"10 ms\"";
  for (const std::string text : {"ms", " ms", " 10 ms", "+1 s", ".5 s", "/s", "x", "--1 s", "\u00b5s"}) {
    CAPTURE(text);
    CHECK(read(text, Quantity::time) == none);
  }
  CHECK(read("1/0 s", Quantity::time) == "expected a denominator greater than 0");
  CHECK(read("1e301 s", Quantity::time) == "expected a number with an exponent within +-300");
  CHECK(read("1e-99999999999999999999 s", Quantity::time) == "expected a number with an exponent within +-300");
  CHECK(read(std::string(1001, '1') + " s", Quantity::time) == "expected a number of at most 1000 digits");
  CHECK(read("1/" + std::string(1001, '1') + " s", Quantity::time) == "expected a number of at most 1000 digits");
  CHECK(read(std::string(1000, '9') + " h", Quantity::time) != "expected a number of at most 1000 digits");
  // An exponent without digits belongs to what would be the unit.
  CHECK(read("1e s", Quantity::time).starts_with("expected a time in s"));
  CHECK(read("1.s", Quantity::time).starts_with("expected a time in s"));
}

TEST_CASE("a quantity is written with few characters and, where it can be, a number from 1 to 1000") {
  const auto time = [](const Rational& seconds) { return *quantity_text(seconds, Quantity::time, TimeUnit::second); };
  CHECK(time(fraction("1", "100")) == "\"10 ms\"");
  CHECK(time(fraction("3", "2")) == "\"1.5 s\"");
  CHECK(time(fraction("1", "2000")) == "\"500 us\"");
  CHECK(time(fraction("757", "200000")) == "\"3.785 ms\"");
  CHECK(time(3600) == "\"1 h\"");
  CHECK(time(fraction("1", "10")) == "\"100 ms\"");
  CHECK(time(90) == "\"90 s\"");
  CHECK(time(120) == "\"2 min\"");
  CHECK(time(0) == "\"0 s\"");
  CHECK(time(fraction("1", "3000")) == "\"1/3 ms\"");
  const auto size = [](const Rational& bytes) { return *quantity_text(bytes, Quantity::size, TimeUnit::second); };
  CHECK(size(4'000'000) == "\"4 MB\"");
  CHECK(size(4'194'304) == "\"4 MiB\"");
  CHECK(size(100) == "\"100 B\"");
  CHECK(size(0) == "\"0 B\"");
  CHECK(size(fraction("1", "8")) == "\"0.125 B\"");
  CHECK(quantity_text(1'250'000'000, Quantity::bandwidth, TimeUnit::second) == "\"1.25 GB/s\"");
  CHECK(quantity_text(12'500'000, Quantity::bandwidth, TimeUnit::second) == "\"12.5 MB/s\"");
  CHECK(quantity_text(2'000'000'000, Quantity::speed, TimeUnit::second) == "\"2e9/s\"");
  CHECK(quantity_text(1'500'000, Quantity::speed, TimeUnit::second) == "\"1.5e6/s\"");
  CHECK(quantity_text(120, Quantity::speed, TimeUnit::second) == "\"120/s\"");
  CHECK(quantity_text(fraction("1", "3"), Quantity::speed, TimeUnit::second) == "\"1/3/s\"");
}

TEST_CASE("quantities of documents without units are written as numbers are") {
  CHECK(quantity_text(fraction("1", "100"), Quantity::time, TimeUnit::own) == "0.01");
  CHECK(quantity_text(2'000'000'000, Quantity::speed, TimeUnit::own) == "2000000000");
}

TEST_CASE("what is written of a quantity reads back as the same number, at the limits of digits too") {
  support::Draw random(20261122);
  const auto below = [&](std::size_t bound) { return random.index(bound); };
  const std::vector<std::vector<std::string>> units{
      {" s", " ms", " us", " ns", " min", " h"},
      {" B", " kB", " MB", " GB", " TB", " KiB", " MiB", " GiB", " TiB", " bit", " kbit", " Mbit", " Gbit", " Tbit"},
      {" B/s", " MB/ms", " GiB/h", " bit/ns", " Tbit/min", " KiB/us"},
      {"/s", "/ms", "/us", "/ns", "/min", "/h"}};
  const auto digits = [&](std::size_t count) {
    std::string text(1, static_cast<char>('1' + below(9)));
    while (text.size() < count) text += static_cast<char>('0' + below(10));
    return text;
  };
  const auto number = [&] {
    switch (below(4)) {
      case 0:
        return digits(1 + below(20));
      case 1:
        return digits(1 + below(1000)) + "/" + digits(1 + below(1000));
      case 2:
        return digits(1 + below(500)) + "." + digits(1 + below(500));
      default:
        return digits(1 + below(3)) + (below(2) == 0 ? "e-" : "e") + std::to_string(below(301));
    }
  };
  for (int round = 0; round < 2000; ++round) {
    const auto quantity = static_cast<Quantity>(below(4));
    const auto& names = units[static_cast<std::size_t>(quantity)];
    const std::string text = number() + names[below(names.size())];
    CAPTURE(text);
    const auto parsed = parse_quantity(text, quantity, maxplus::kMaxDigits);
    REQUIRE(std::holds_alternative<Rational>(parsed));
    const Rational& value = std::get<Rational>(parsed);
    const auto written = quantity_text(value, quantity, TimeUnit::second);
    REQUIRE(written.has_value());
    const std::string inside = written->substr(1, written->size() - 2);
    CHECK(has_unit(inside));
    CHECK(std::get<Rational>(parse_quantity(inside, quantity, maxplus::kMaxDigits)) == value);
  }
}

}  // namespace
}  // namespace takt::tpn
