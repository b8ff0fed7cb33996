// The JSON writer: layouts, texts and numbers, held to nlohmann-json's.
#include "tpn/json_writer.hpp"

#include <algorithm>
#include <bit>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "maxplus/contract.hpp"
#include "tests/support/draw.hpp"
#include "tpn/visible.hpp"

namespace takt::tpn {
namespace {

using nlohmann::ordered_json;

std::string written(double number) {
  std::string text;
  JsonWriter(text, IllFormed::refused).value(number);
  return text;
}

// What a writer makes of some values in an object of that layout.
std::string sample(JsonLayout layout) {
  std::string text;
  JsonWriter json(text, IllFormed::refused);
  json.begin_object(layout);
  json.member("a", std::uint64_t{18446744073709551615U});
  json.member("none", std::optional<std::string>());
  json.member("yes", true);
  json.member("list", std::vector<std::vector<std::string>>{{"x", "y"}, {}});
  json.key("empty");
  json.begin_object();
  json.end();
  json.key("raw");
  json.raw("1e400");
  json.end();
  return text;
}

TEST_CASE("the items of each layout stand where it says") {
  CHECK(sample(JsonLayout::compact) ==
        R"({"a":18446744073709551615,"none":null,"yes":true,"list":[["x","y"],[]],"empty":{},"raw":1e400})");
  CHECK(
      sample(JsonLayout::line) ==
      R"({"a": 18446744073709551615, "none": null, "yes": true, "list": [["x", "y"], []], "empty": {}, "raw": 1e400})");
  CHECK(sample(JsonLayout::block) == R"({
  "a": 18446744073709551615,
  "none": null,
  "yes": true,
  "list": [
    [
      "x",
      "y"
    ],
    []
  ],
  "empty": {},
  "raw": 1e400
})");
  CHECK(sample(JsonLayout::hanging) == R"({
  "a": 18446744073709551615,
  "none": null,
  "yes": true,
  "list": [
    [
      "x",
      "y"],
    []],
  "empty": {},
  "raw": 1e400})");
}

TEST_CASE("a block within a line is indented by the blocks around it") {
  std::string text;
  JsonWriter json(text, IllFormed::refused);
  json.begin_array();
  json.begin_object(JsonLayout::line);
  json.member("n", 1U);
  json.key("items");
  json.begin_array(JsonLayout::block);
  json.value("x");
  json.end();
  json.end();
  json.end();
  CHECK(text == "[\n  {\"n\": 1, \"items\": [\n    \"x\"\n  ]}\n]");
}

TEST_CASE("an item may stay on the line of the one before") {
  std::string text;
  JsonWriter json(text, IllFormed::refused);
  json.begin_object(JsonLayout::block);
  json.member("a", 1U);
  json.stay_on_line();
  json.member("b", 2U);
  json.member("c", 3U);
  json.end();
  CHECK(text == "{\n  \"a\": 1, \"b\": 2,\n  \"c\": 3\n}");
}

// True for a text that nlohmann-json would have written but for escapes that it does without: what acts on a terminal.
bool is_like(const std::string& written, const std::string& theirs) {
  if (written == theirs) return true;
  std::string_view rest = written;
  while (!rest.empty()) {
    const Utf8Start start = first_character(rest);
    if (start.code && is_unseen(*start.code)) return false;
    rest.remove_prefix(start.length);
  }
  return written.size() > theirs.size() && ordered_json::parse(written) == ordered_json::parse(theirs);
}

TEST_CASE("random bytes are written as nlohmann-json writes them, ill-formed ones replaced or dropped") {
  support::Draw random(7);
  // Bytes at which the rules of UTF-8 change, and some in between.
  constexpr std::string_view kBytes =
      "a\"\\/"
      "\n\x01\x1F\x7F\x80\x8F\x90\x9F\xA0\xBF\xC0\xC1\xC2\xC3\xDF\xE0\xE2\xEC\xED\xEE\xEF\xF0\xF1\xF3\xF4\xF5\xFF";
  std::size_t well_formed = 0;
  for (int k = 0; k < 100'000; ++k) {
    std::string text;
    for (std::size_t n = random.index(7); n > 0; --n) text += kBytes[random.index(kBytes.size())];
    const ordered_json json(text);
    REQUIRE(is_like(json_string(text, IllFormed::replaced).value(),
                    json.dump(-1, ' ', false, ordered_json::error_handler_t::replace)));
    REQUIRE(is_like(json_string(text, IllFormed::dropped).value(),
                    json.dump(-1, ' ', false, ordered_json::error_handler_t::ignore)));
    const auto strict = json_string(text, IllFormed::refused);
    if (strict) {
      REQUIRE(is_like(*strict, json.dump()));
      ++well_formed;
    } else {
      REQUIRE_THROWS_AS(json.dump(), nlohmann::json::type_error);
    }
  }
  REQUIRE(well_formed > 1000);
  REQUIRE(well_formed < 99'000);
}

TEST_CASE("numbers in the form of nlohmann-json, as short as they can be") {
  CHECK(written(0.0) == "0.0");
  CHECK(written(-0.0) == "-0.0");
  CHECK(written(189) == "189.0");
  CHECK(written(-19.475) == "-19.475");
  CHECK(written(1e15 - 1) == "999999999999999.0");
  CHECK(written(1e15) == "1e+15");
  CHECK(written(1.5e-4) == "0.00015");
  CHECK(written(1.5e-5) == "1.5e-05");
  CHECK(written(std::numeric_limits<double>::denorm_min()) == "5e-324");
  CHECK(written(std::numeric_limits<double>::infinity()) == "null");
  CHECK(written(std::nan("")) == "null");

  support::Draw random(11);
  std::size_t alike = 0;
  constexpr std::size_t kNumbers = 20'000;
  for (std::size_t k = 0; k < kNumbers; ++k) {
    const double number =
        k % 2 == 0 ? static_cast<double>(random.between(-1'000'000'000'000'000'000, 1'000'000'000'000'000'000)) /
                         std::pow(10, random.whole(0, 40))
                   : std::bit_cast<double>(random.bits());
    if (!std::isfinite(number)) continue;
    const std::string text = written(number);
    const std::string theirs = ordered_json(number).dump();
    INFO(text << " and " << theirs);
    REQUIRE(ordered_json::parse(text).get<double>() == number);
    REQUIRE(ordered_json::parse(text).is_number_float());
    REQUIRE(text.size() <= theirs.size());
    if (text == theirs) ++alike;
  }
  // Theirs is now and then not the shortest.
  REQUIRE(alike > kNumbers * 99 / 100);
}

TEST_CASE("what would act on a terminal is escaped") {
  CHECK(json_string("\x1b\x7f\u0085\u061c\u200e\u2028\u202e\u2069é", IllFormed::refused) ==
        R"("\u001b\u007f\u0085\u061c\u200e\u2028\u202e\u2069é")");
}

TEST_CASE("a text that is drained stays short, and is the same in all") {
  const auto write = [](JsonWriter& json) {
    json.begin_array();
    for (std::uint64_t k = 0; k < 200'000; ++k) json.value(k);
    json.end();
  };
  std::string whole;
  JsonWriter plain(whole, IllFormed::refused);
  write(plain);
  std::string text;
  std::string drained;
  std::size_t longest = 0;
  JsonWriter draining(text, IllFormed::refused, [&](std::string& part) {
    longest = std::max(longest, part.size());
    drained += part;
    part.clear();
  });
  write(draining);
  CHECK(drained + text == whole);
  CHECK(whole.size() > 5 * JsonWriter::kDrained);
  CHECK(longest < JsonWriter::kDrained + 100);
}

TEST_CASE("a writer refuses what would be no JSON") {
  std::string text;
  JsonWriter json(text, IllFormed::refused);
  CHECK_THROWS_AS(json.end(), maxplus::ContractViolation);
  json.begin_object();
  CHECK_THROWS_AS(json.value(1U), maxplus::ContractViolation);
  CHECK_THROWS_AS(json.key("\xFF"), maxplus::ContractViolation);
  json.key("a");
  CHECK_THROWS_AS(json.key("b"), maxplus::ContractViolation);
  CHECK_THROWS_AS(json.end(), maxplus::ContractViolation);
  CHECK_THROWS_AS(json.value("\xFF"), maxplus::ContractViolation);
}

}  // namespace
}  // namespace takt::tpn
