// Times in the words of documents with and without units.
#include "tools/words/time_words.hpp"

#include <catch2/catch.hpp>
#include <string>

namespace takt::tools {
namespace {

using maxplus::Rational;

TimeWords in_seconds() {
  tpn::Document document;
  document.time_unit = tpn::TimeUnit::second;
  return TimeWords(document);
}

Rational milliseconds(long numerator, long denominator = 1) {
  return Rational::fraction(numerator, denominator * 1000);
}

TEST_CASE("times of documents without units are numbers of time units") {
  const TimeWords plain;
  CHECK_FALSE(plain.has_units());
  CHECK(plain.amount(1) == "1 time unit");
  CHECK(plain.amount(Rational::fraction(692, 3)) == "230.667 time units (exactly 692/3)");
  CHECK(plain.said(Rational::fraction(692, 3)) == "230.667 (exactly 692/3)");
  CHECK(plain.readable(Rational::fraction(692, 3)) == "230.667");
  CHECK(plain.brief(Rational::fraction(692, 3)) == "692/3");
  CHECK(plain.brief(Rational::fraction(123456789, 7000)) == "≈ 17637");
  CHECK(plain.cells(Rational::fraction(692, 3)).exact == "692/3");
  CHECK(plain.rate(Rational::fraction(3, 692)) == "0.00433526 data sets per time unit, exactly 3/692");
  CHECK(plain.scale_for(12).name.empty());
  CHECK(plain.scale_for(12).length == Rational(1));
}

TEST_CASE("times of documents with units are told in the largest unit that is not longer") {
  const TimeWords words = in_seconds();
  CHECK(words.has_units());
  CHECK(words.amount(milliseconds(3785, 1000)) == "3.785 ms");
  CHECK(words.amount(milliseconds(692, 3)) == "230.667 ms (exactly 692/3)");
  CHECK(words.amount(0) == "0 s");
  CHECK(words.amount(1) == "1 s");
  CHECK(words.amount(milliseconds(999)) == "999 ms");
  CHECK(words.amount(milliseconds(1)) == "1 ms");
  CHECK(words.amount(milliseconds(1, 2)) == "500 us");
  CHECK(words.amount(milliseconds(1, 1'000'000)) == "1 ns");
  CHECK(words.amount(milliseconds(1, 4'000'000)) == "0.25 ns");
  CHECK(words.amount(7200) == "7200 s");
  CHECK(words.said(milliseconds(10)) == "10 ms");
  CHECK(words.readable(milliseconds(692, 3)) == "230.667 ms");
  CHECK(words.brief(milliseconds(3785, 1000)) == "3.785 ms");
  CHECK(words.brief(milliseconds(692, 3)) == "692/3 ms");
  CHECK(words.brief(milliseconds(123456789, 700001)) == "≈ 176.37 ms");
}

TEST_CASE("quantities of other kinds are told in their units") {
  const TimeWords words = in_seconds();
  using tpn::Quantity;
  CHECK(words.readable(milliseconds(10), Quantity::time) == "10 ms");
  CHECK(words.readable(1'250'000'000, Quantity::bandwidth) == "1.25 GB/s");
  CHECK(words.readable(Rational::fraction(6'000'000'000, 29), Quantity::bandwidth) == "206.897 MB/s");
  CHECK(words.readable(6'000'000, Quantity::size) == "6 MB");
  CHECK(words.readable(Rational::fraction(1, 3), Quantity::size) == "0.333333 B");
  CHECK(words.readable(2'000'000'000, Quantity::speed) == "2e9/s");
  CHECK(words.readable(Rational::fraction(20, 3), Quantity::speed) == "6.66667/s");
  CHECK(TimeWords().readable(2'000'000'000, Quantity::speed) == "2000000000");
}

TEST_CASE("the cells of a time with a unit say the exact number where the readable one is not it") {
  const Cells exact = in_seconds().cells(milliseconds(3785, 1000));
  CHECK(exact.readable == "3.785 ms");
  CHECK(exact.exact.empty());
  const Cells rounded = in_seconds().cells(milliseconds(692, 3));
  CHECK(rounded.readable == "230.667 ms");
  CHECK(rounded.exact == "692/3 ms");
  const Cells long_one = in_seconds().cells(Rational::fraction(maxplus::Integer("12345678901234567890123"), 7));
  CHECK(long_one.readable == "1.76367e+21 s");
  CHECK(long_one.exact == "(see --json)");
}

TEST_CASE("rates are per second, minute or hour, whichever leaves more than none of it") {
  const TimeWords words = in_seconds();
  CHECK(words.rate(Rational(1) / milliseconds(4)) == "250 data sets/s");
  CHECK(words.rate(Rational::fraction(200'000, 757)) == "264.201 data sets/s, exactly 200000/757");
  CHECK(words.rate(1) == "1 data set/s");
  CHECK(words.rate(Rational::fraction(1, 2)) == "30 data sets/min");
  CHECK(words.rate(Rational::fraction(1, 1800)) == "2 data sets/h");
  CHECK(words.rate(Rational::fraction(1, 7200)) == "0.5 data sets/h");
}

TEST_CASE("a document's own word for a data set stands in rates and periods") {
  tpn::Document document;
  document.application.item = "frame";
  document.time_unit = tpn::TimeUnit::second;
  const TimeWords words(document);
  CHECK(words.rate(Rational::fraction(110'000, 911)) == "120.746 frames/s, exactly 110000/911");
  CHECK(words.amount_per_item(milliseconds(692, 3)) == "230.667 ms per frame, exactly 692/3");
  CHECK(words.amount(milliseconds(692, 3), words.per_item()) == "230.667 ms per frame (exactly 692/3)");
  CHECK(words.items(1) == "1 frame");
  CHECK(words.items(0) == "0 frames");
  CHECK(TimeWords().items(2) == "2 data sets");
  document.application.item = "query";
  CHECK(TimeWords(document).rate(3) == "3 queries/s");
  CHECK(TimeWords(document).rate(1) == "1 query/s");
}

TEST_CASE("plurals of nouns follow their endings") {
  CHECK(plural_of("frame") == "frames");
  CHECK(plural_of("query") == "queries");
  CHECK(plural_of("relay") == "relays");
  CHECK(plural_of("batch") == "batches");
  CHECK(plural_of("box") == "boxes");
  CHECK(plural_of("class") == "classes");
}

TEST_CASE("one scale serves times of about one size") {
  const TimeWords words = in_seconds();
  CHECK(words.scale_for(milliseconds(250)).name == "ms");
  CHECK(words.scale_for(milliseconds(250)).length == milliseconds(1));
  CHECK(words.scale_for(0).name == "s");
  CHECK(words.scale_for(milliseconds(1, 1'000'000'000)).name == "ns");
}

TEST_CASE("results of documents with units name the second") {
  const auto written = [](const TimeWords& words) {
    std::string text;
    tpn::JsonWriter json(text, tpn::IllFormed::refused);
    json.begin_object(tpn::JsonLayout::line);
    write_time_unit(json, words);
    json.end();
    return text;
  };
  CHECK(written(in_seconds()) == "{\"time_unit\": \"s\"}");
  CHECK(written({}) == "{}");
}

}  // namespace
}  // namespace takt::tools
