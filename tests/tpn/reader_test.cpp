// Reading documents: what good ones mean, and the one message that each bad one earns.
#include "tpn/reader.hpp"

#include <catch2/catch.hpp>

#include <string>
#include <utility>
#include <vector>

#include "tests/support/bad_documents.hpp"
#include "tests/tpn/files.hpp"
#include "tpn/errors.hpp"

namespace takt::tpn {
namespace {

Rational fraction(int above, int below) { return Rational::fraction(above, below); }

// The smallest document, with `member` added to it.
std::string small_document(const std::string& member = "") {
  return R"({"application": {"stages": [{"name": "S"}]}, "platform": {"processors": [{"name": "P", "time": 1}]})" +
         (member.empty() ? "" : ", " + member) + "}";
}

TEST_CASE("every key of the format means what the format says") {
  const Document document =
      read_document(testing::contents(testing::source_path("tests/data/full-document.json")), "f");

  const Application& application = document.application;
  CHECK(application.name == "every key of the format, once at least");
  CHECK(application.item == "query");
  CHECK(application.input == Rational(10));
  REQUIRE(application.stages.size() == 3);
  CHECK(application.stages[0] == Stage{"load", 12, fraction(7, 2), true, 1, 4});
  CHECK(application.stages[1] == Stage{"segment", fraction(61, 2), 4, true, 2, 3});
  CHECK(application.stages[2] ==
        Stage{"rank", fraction(9, 10), 1, false, 3, 1, {{0, fraction(19, 2)}, {1, fraction(1, 3)}}});

  const Platform& platform = document.platform;
  REQUIRE(platform.processors.size() == 3);
  CHECK(platform.processors[0] == Processor{"P0", 2, std::nullopt});
  CHECK(platform.processors[1] == Processor{"P1", fraction(2, 3), std::nullopt});
  CHECK(platform.processors[2] == Processor{"P2", std::nullopt, 22});
  CHECK(platform.defaults == LinkTiming{10, fraction(1, 10), std::nullopt});
  REQUIRE(platform.links.size() == 3);
  CHECK(platform.links[0] == Link{0, 1, {5, fraction(1, 5), std::nullopt}, false});
  CHECK(platform.links[1] == Link{1, 0, {std::nullopt, 0, std::nullopt}, true});
  CHECK(platform.links[2] == Link{0, 2, {std::nullopt, std::nullopt, 186}, false});
  REQUIRE(platform.source.has_value());
  CHECK(*platform.source == Endpoint{{10, 0, std::nullopt}, {EndpointLink{0, {3, fraction(1, 2), std::nullopt}}}});
  REQUIRE(platform.sink.has_value());
  CHECK(*platform.sink == Endpoint{{std::nullopt, std::nullopt, 0},
                                   {EndpointLink{1, {20, std::nullopt, std::nullopt}},
                                    EndpointLink{2, {std::nullopt, std::nullopt, 2}}}});

  REQUIRE(document.mapping.has_value());
  CHECK(*document.mapping == Mapping{Part{0, 1, {1, 0, 0}}, Part{2, 2, {2}}});
  CHECK(document.predicted_period == fraction(7, 2));
  CHECK(document.model == Model::kStrict);
  REQUIRE(document.heuristic.has_value());
  CHECK(document.heuristic->name == "hedpm");
  CHECK(document.heuristic->seed == Rational(1));
  const std::vector<std::pair<std::string, OptionValue>> options{
      {"starts", Rational(12)}, {"ratio", fraction(1, 3)}, {"swap", true}, {"order", std::string("fast first")}};
  CHECK(document.heuristic->options == options);
}

TEST_CASE("the smallest document has nothing but a stage and a processor") {
  const Document document = read_document(small_document(), "f");
  Document expected;
  expected.application.stages = {Stage{"S", std::nullopt, std::nullopt, true, 1, 1}};
  expected.platform.processors = {Processor{"P", std::nullopt, 1}};
  CHECK(document == expected);
}

TEST_CASE("keys may stand in any order, links before the processors they name") {
  const Document document = read_document(R"({
    "mapping": [{"processors": ["Q", "P"], "stages": ["S"]}],
    "platform": {"links": [{"to": "P", "time": 2, "from": "Q"}],
                 "processors": [{"time": 1, "name": "P"}, {"speed": 1, "name": "Q"}]},
    "application": {"stages": [{"work": 3, "name": "S"}]}})",
                                          "f");
  CHECK(document.platform.links.front().from == 1);
  CHECK(document.mapping->front().processors == std::vector<std::size_t>{1, 0});
}

TEST_CASE("byte order mark, line ends and names of any characters are taken as they are") {
  const Document document = read_document(
      "\xEF\xBB\xBF{\"application\":{\"stages\":[{\"name\":\"a/b~c\"}]},\r\n\"platform\":"
      "{\"processors\":[{\"name\":\"\\u00e4 \\\"1\\\"\",\"time\":0}]}}\r\n",
      "f");
  CHECK(document.application.stages[0].name == "a/b~c");
  CHECK(document.platform.processors[0].name == "\xC3\xA4 \"1\"");
}

TEST_CASE("each bad document earns one message that names place, found and expected") {
  for (const auto& [message, text] : support::bad_documents()) {
    CAPTURE(text);
    CHECK(testing::message_of_text(text) == "f:" + message);
  }
}

TEST_CASE("a hundred thousand brackets are one clear error, closed or not") {
  const std::string open(100'000, '[');
  const std::string message = "f:1:65: found an array nested more than 64 levels deep, expected at most 64 levels";
  CHECK(testing::message_of_text(open) == message);
  CHECK(testing::message_of_text(open + std::string(100'000, ']')) == message);
}

TEST_CASE("a document cut short anywhere is refused") {
  const std::string text = testing::contents(testing::source_path("tests/data/full-document.json"));
  for (std::size_t length = 0; length + 2 < text.size(); ++length) {
    CAPTURE(length);
    CHECK_THROWS_AS(read_document(text.substr(0, length), "f"), ParseError);
  }
}

TEST_CASE("an invalid instance carries pointer and place") {
  try {
    read_document(small_document("\n\"mapping\": [{\"stages\": [\"S\"], \"processors\": [\"Q\"]}]"), "file.json");
    FAIL("accepted");
  } catch (const InvalidInstance& error) {
    CHECK(error.pointer == "/mapping/0/processors/0");
    CHECK(error.detail == "found the unknown processor \"Q\", expected the name of a processor of the platform");
    CHECK(std::string(error.what()) == "file.json:2:46: " + error.pointer + ": " + error.detail);
  }
}

TEST_CASE("a parse error carries file, line and column") {
  try {
    read_document(small_document("\n\"model\": 7"), "file.json");
    FAIL("accepted");
  } catch (const ParseError& error) {
    CHECK(error.file == "file.json");
    CHECK(error.line == 2);
    CHECK(error.column == 10);
  }
}

TEST_CASE("names that differ in nothing a person would see are still compared byte by byte") {
  const std::string text = small_document("\"mapping\": [{\"stages\": [\"s\"], \"processors\": [\"P\"]}]");
  CHECK_THAT(testing::message_of_text(text), Catch::Contains("the unknown stage \"s\""));
}

TEST_CASE("long sequences with a huge hyper-period are read without unfolding them") {
  std::string first = "\"P0\"";
  std::string second = "\"P1\"";
  for (int i = 1; i < 20'000; ++i) first += ", \"P0\"";
  for (int i = 1; i < 19'999; ++i) second += ", \"P1\"";
  const std::string text =
      R"({"application": {"stages": [{"name": "S0"}, {"name": "S1"}]}, "platform": {"processors": [)"
      R"({"name": "P0", "time": 1}, {"name": "P1", "time": 1}], "links": [{"from": "P0", "to": "P1", "time": 1}]}, )"
      R"("mapping": [{"stages": ["S0"], "processors": [)" +
      first + R"(]}, {"stages": ["S1"], "processors": [)" + second + "]}]}";
  CHECK(read_document(text, "f").mapping->back().processors.size() == 19'999);
}

}  // namespace
}  // namespace takt::tpn
