// Reading documents: what good ones mean, and the one message that each bad one earns.
#include "tpn/reader.hpp"

#include <catch2/catch.hpp>

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tests/tpn/files.hpp"
#include "tpn/errors.hpp"

namespace takt::tpn {
namespace {

Rational fraction(int above, int below) { return Rational::fraction(above, below); }

std::string error_of(const std::string& text, const std::string& file) {
  try {
    read_document(text, file);
  } catch (const ParseError& error) {
    return error.what();
  } catch (const InvalidInstance& error) {
    return error.what();
  }
  return "no error";
}

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
  const std::vector<std::pair<std::string, std::string>> cases{
      {"application-missing", R"(1:1: found the document without "application", expected the key "application")"},
      {"bad-escape", R"(6:16: found '"sa\ve"', expected one of "\/bfnrtu after a backslash)"},
      {"blank", R"(3:1: found an empty file, expected a JSON document)"},
      {"colon-missing", R"(4:31: found '12', expected ':' between key and value)"},
      {"comma-at-the-end", R"(7:5: found ']', expected a JSON value)"},
      {"comma-missing", R"(4:35: found '"output"', expected ',' or '}')"},
      {"comma-twice", R"(4:35: found ',', expected a key in double quotes)"},
      {"comment", R"(9:3: found '//', expected no comment, which JSON does not have: any object may have a text )"
                  R"(behind the key "//")"},
      {"comment-between-stars", R"(9:3: found '/*', expected no comment, which JSON does not have: any object may )"
                                R"(have a text behind the key "//")"},
      {"division-by-zero", R"(4:32: /application/stages/0/work: found the text "1/0")"
                           R"(, expected a denominator greater than 0)"},
      {"duplicate-key", R"(4:36: found the key "name" a second time, expected it once, as on line 4)"},
      {"duplicate-processor", R"(10:113: /platform/processors/3/name: found the name "P0" a second time)"
                              R"(, expected a name of its own)"},
      {"duplicate-stage", R"(7:16: /application/stages/3/name: found the name "load" a second time)"
                          R"(, expected a name of its own)"},
      {"empty-mapping", R"(17:14: /mapping: found an empty array, expected parts, at least one)"},
      {"empty-part", R"(20:16: /mapping/2/stages: found an empty array, expected names of stages, at least one)"},
      {"empty-sequence", R"(20:40: /mapping/2/processors: found an empty array)"
                         R"(, expected names of processors, at least one)"},
      {"empty", R"(1:1: found an empty file, expected a JSON document)"},
      {"exponent-far-too-large", R"(4:32: found the number 1e999999999)"
                                 R"(, expected a number with an exponent within +-300)"},
      {"exponent-too-large", R"(4:32: /application/stages/0/work: found the number 1e301)"
                             R"(, expected a number with an exponent within +-300)"},
      {"exponent-too-small", R"(4:32: /application/stages/0/work: found the number 1e-999999999)"
                             R"(, expected a number with an exponent within +-300)"},
      {"first-stage-consumes-two", R"(4:48: /application/stages/0/consumes: found the number 2)"
                                   R"(, expected 1: a data set is one firing of the first stage)"},
      {"heuristic-without-a-name", R"(17:16: /heuristic: found the heuristic without "name", expected the key "name")"},
      {"hexadecimal-number", R"(4:32: /application/stages/0/work: found the text "0x12")"
                             R"(, expected a number such as 12, 0.5 or "7/2")"},
      {"infinity", R"(4:32: found '-Infinity', expected a digit after '-')"},
      {"key-without-quotes", R"(4:24: found 'work', expected a key in double quotes)"},
      {"latency-without-bandwidth", R"(11:14: /platform/links: found no bandwidth or time from "P0" to "P1")"
                                    R"(, expected a link between them, or a default of the platform)"},
      {"leading-zero", R"(4:33: found '12', expected ',' or '}')"},
      {"line-break-in-text", R"(6:16: found '"sa', expected text without line breaks and other control characters)"},
      {"link-to-itself", R"(14:7: /platform/links/2: found a link from "P2" to itself)"
                         R"(, expected two different processors)"},
      {"missing-link-in-that-direction", R"(11:14: /platform/links: found no bandwidth or time from "P0" to "P1")"
                                         R"(, expected a link between them, or a default of the platform)"},
      {"missing-link", R"(11:14: /platform/links: found no bandwidth or time from "P0" to "P1")"
                       R"(, expected a link between them, or a default of the platform)"},
      {"missing-output", R"(5:7: /application/stages/1/output: found stage "rank" without "output")"
                         R"(, expected its size, as "P1" sends it to "P2" at a bandwidth)"},
      {"missing-work", R"(5:7: /application/stages/1/work: found stage "rank" without "work")"
                       R"(, expected its work, as "P1" computes it at a speed)"},
      {"name-is-a-number", R"(6:16: /application/stages/2/name: found the number 7)"
                           R"(, expected a text: the name of a stage)"},
      {"name-is-empty", R"(6:16: /application/stages/2/name: found an empty name, expected a name)"},
      {"name-is-missing", R"(6:7: /application/stages/2: found a stage without "name", expected the key "name")"},
      {"nan", R"(4:32: found 'NaN', expected a JSON value)"},
      {"negative-fraction", R"(4:32: /application/stages/0/work: found the text "-1/2")"
                            R"(, expected a number of at least 0)"},
      {"negative-latency", R"(12:61: /platform/links/0/latency: found the number -0.1)"
                           R"(, expected a number of at least 0)"},
      {"negative-period", R"(17:23: /predicted_period: found the number -1, expected a number of at least 0)"},
      {"negative-time", R"(10:99: /platform/processors/2/time: found the number -22, expected a number of at least 0)"},
      {"negative-work", R"(4:32: /application/stages/0/work: found the number -12, expected a number of at least 0)"},
      {"neither-speed-nor-time", R"(10:76: /platform/processors/2: found processor "P2" without "speed" and "time")"
                                 R"(, expected one of them, or "P2" in the "time" of the stages it computes)"},
      {"no-processor", R"(1:74: /platform/processors: found an empty array, expected processors, at least one)"},
      {"no-stage", R"(1:28: /application/stages: found an empty array, expected stages, at least one)"},
      {"not-replicable",
       R"(19:40: /mapping/1/processors: found several processors for stage "rank", which is not replicable)"
       R"(, expected one and the same processor)"},
      {"not-utf-8", R"(4:19: found the byte 0xe4, expected UTF-8 text)"},
      {"nul-byte", R"(4:23: found a NUL byte, expected text)"},
      {"only-brackets", R"(1:1: found an array, expected an object: the document)"},
      {"option-is-an-array", R"(17:56: /heuristic/options/starts: found an array)"
                             R"(, expected true, false, a number or a text)"},
      {"part-backwards", R"(19:25: /mapping/1/stages/1: found stage "rank")"
                         R"(, expected no stage behind the last, "save")"},
      {"part-behind-the-last", R"(21:17: /mapping/3/stages/0: found stage "load" a second time)"
                               R"(, expected no part behind the last stage)"},
      {"part-not-contiguous", R"(18:25: /mapping/0/stages/1: found stage "save")"
                              R"(, expected stage "rank", which follows "load")"},
      {"parts-out-of-order",
       R"(18:17: /mapping/0/stages/0: found stage "rank")"
       R"(, expected stage "load": parts hold every stage once, in the order of the application)"},
      {"point-at-the-end", R"(4:32: found '12.', expected a digit after '.')"},
      {"processor-named-like-the-sink", R"(10:57: /platform/processors/1/name: found the name "sink")"
                                        R"(, expected another name: the platform has a sink already)"},
      {"rate-not-whole", R"(5:48: /application/stages/1/produces: found the number 1.5)"
                         R"(, expected a whole number greater than 0)"},
      {"rate-zero", R"(5:48: /application/stages/1/consumes: found the number 0)"
                    R"(, expected a whole number greater than 0)"},
      {"replicable-is-a-text", R"(6:49: /application/stages/2/replicable: found the text "no")"
                               R"(, expected true or false)"},
      {"second-directed-link", R"(14:7: /platform/links/2: found a second directed link from "P0" to "P2")"
                               R"(, expected at most one)"},
      {"second-link-of-the-sink", R"(16:56: /platform/sink/links/1: found a second link of "P2")"
                                  R"(, expected at most one)"},
      {"second-undirected-link", R"(14:7: /platform/links/2: found a second undirected link between "P1" and "P0")"
                                 R"(, expected one for both directions: links are undirected unless "directed" is )"
                                 R"(true; say so in both, or drop one)"},
      {"second-undirected-link-the-same-way",
       R"(14:7: /platform/links/2: found a second undirected link between "P0" and "P1", expected at most one)"},
      {"seed-not-whole", R"(17:42: /heuristic/seed: found the number 0.5, expected a whole number of at least 0)"},
      {"single-quotes", R"(6:16: found ''save'', expected a JSON value)"},
      {"sink-without-output", R"(16:13: /platform/sink: found a sink, but no "output" of the last stage, "save")"
                              R"(, expected "output" in that stage)"},
      {"source-without-a-bandwidth", R"(17:15: /platform/source: found no bandwidth or time from the source to "P0")"
                                     R"(, expected a link between them, or a default of the platform)"},
      {"runs-on-a-fixed-time",
       R"(2:82: /application/stages/0/runs on: found "runs on" without "slow", which has a fixed )"
       R"("time", expected a "speed" there, or times in stages, in place of that "time")"},
      {"runs-on-elsewhere", R"(5:56: /mapping/0/processors/1: found stage "scan" on "c", which its "runs on" rules out)"
                            R"(, expected a processor that runs it: "a" or "b")"},
      {"runs-on-nobody", R"(2:88: /application/stages/0/runs on/1: found the unknown processor "gpus")"
                         R"(, expected the name of a processor of the platform)"},
      {"source-without-input", R"(16:15: /platform/source: found a source, but no "input" of the application)"
                               R"(, expected "input" in "application")"},
      {"stage-time-beside-a-processors", R"(6:59: /application/stages/2/time/P2: found a time of the stage for "P2", )"
                                         R"(whose own "time" at /platform/processors/2 holds for whatever it computes)"
                                         R"(, expected one of the two)"},
      {"stage-time-is-negative", R"(6:50: /application/stages/2/time/P0: found the number -3)"
                                 R"(, expected a number of at least 0)"},
      {"stage-time-missing", R"(5:57: /application/stages/1/time: found stage "rank" without a time on "P1")"
                             R"(, expected a processor that runs it ("P0" or "P2"), or "P1" in the stage's "time")"},
      {"stage-time-of-nobody", R"(6:43: /application/stages/2/time: found an empty object)"
                               R"(, expected times by processor or type, at least one)"},
      {"stage-time-unknown-processor", R"(6:59: /application/stages/2/time/P9: found a time for the unknown processor )"
                                       R"("P9", expected the name of a processor of the platform)"},
      {"stage-is-a-text", R"(6:7: /application/stages/2: found the text "save", expected an object: a stage)"},
      {"stage-missing", R"(17:14: /mapping: found no part for stage "save", expected every stage in exactly one part)"},
      {"stage-skipped", R"(19:17: /mapping/1/stages/0: found stage "save")"
                        R"(, expected stage "rank": parts hold every stage once, in the order of the application)"},
      {"stage-twice-in-a-part", R"(20:25: /mapping/2/stages/1: found stage "save" a second time)"
                                R"(, expected no stage behind the last, "save")"},
      {"stage-twice", R"(20:17: /mapping/2/stages/0: found stage "rank" a second time)"
                      R"(, expected stage "save": parts hold every stage once, in the order of the application)"},
      {"stages-is-an-object", R"(18:16: /mapping/0/stages: found an object, expected an array: names of stages)"},
      {"text-behind-the-document", R"(23:1: found '{', expected nothing behind the document)"},
      {"time-and-bandwidth", R"(13:42: /platform/links/1/time: found "time" beside "bandwidth")"
                             R"(, expected one of them: a time is fixed and says it all)"},
      {"time-and-latency", R"(13:56: /platform/links/1/time: found "time" beside "latency")"
                           R"(, expected one of them: a time is fixed and says it all)"},
      {"time-and-speed", R"(10:99: /platform/processors/2/time: found "time" beside "speed")"
                         R"(, expected one of them: a time is fixed and says it all)"},
      {"too-many-digits-in-a-fraction", R"(4:32: /application/stages/0/work: found the text )"
                                        R"("1/1111111111111111111111111111111111111111111111111111111111...")"
                                        R"(, expected a number of at most 1000 digits)"},
      {"too-many-digits", R"(4:32: /application/stages/0/work: found the number )"
                          R"(111111111111111111111111111111111111111111111111111111111111...)"
                          R"(, expected a number of at most 1000 digits)"},
      {"truncated-in-text", R"(19:17: found '"ra', expected text that ends with a double quote)"},
      {"truncated", R"(13:42: found the end of the file, expected a JSON value)"},
      {"unknown-key-far-from-any",
       R"(17:3: /comment: found the unknown key "comment")"
       R"(, expected "application", "platform", "mapping", "transfers", "order", "predicted_period", "heuristic", "model" or )"
       R"("rooms" in the document)"},
      {"unknown-key",
       R"(4:24: /application/stages/0/wrok: found the unknown key "wrok" (did you mean "work"?))"
       R"(, expected "name", "work", "output", "replicable", "consumes", "produces", "time", "memory", "apart",)"
       R"( "partitions", "runs on" or "after")"
       R"( in a stage)"},
      {"unknown-model", R"(17:12: /model: found the text "STRICT" (did you mean "strict"?))"
                        R"(, expected "overlap", "strict" or "bounded")"},
      {"rooms-without-a-model",
       R"(17:12: /rooms: found "rooms" without a "model", expected "rooms" only with the model "bounded")"},
      {"rooms-of-another-model",
       R"(18:12: /rooms: found "rooms" with the model "strict", expected "rooms" only with the model "bounded")"},
      {"rooms-beyond-the-limit", R"(18:12: /rooms: found the number 1001, expected a whole number from 1 to 1000)"},
      {"unknown-processor-at-the-source",
       R"(16:40: /platform/source/links/0/processor: found the unknown processor "P9")"
       R"(, expected the name of a processor of the platform)"},
      {"unknown-processor-in-a-link", R"(14:16: /platform/links/2/from: found the unknown processor "P9")"
                                      R"(, expected the name of a processor of the platform)"},
      {"unknown-processor", R"(20:41: /mapping/2/processors/0: found the unknown processor "P3")"
                            R"(, expected the name of a processor of the platform)"},
      {"unknown-stage", R"(20:17: /mapping/2/stages/0: found the unknown stage "safe")"
                        R"(, expected the name of a stage of the application)"},
      {"work-is-an-array", R"(4:32: /application/stages/0/work: found an array)"
                           R"(, expected a number such as 12, 0.5 or "7/2")"},
      {"work-is-null", R"(4:32: /application/stages/0/work: found null, expected a number such as 12, 0.5 or "7/2")"},
      {"unit-among-plain-numbers", R"(10:99: /platform/processors/2/time: found the text "22 ms" with a unit)"
                                   R"(, though the number 2 at /platform/processors/0/speed (line 10) has none)"
                                   R"(, expected units on all times, latencies)"
                                   R"(, bandwidths, speeds and predictions, or on nothing)"},
      {"time-of-a-stage",
       R"(6:32: /application/stages/2/time: found the number 3 as the "time" of a stage)"
       R"(, expected times by processor or type, such as {"P1": 30}, or "work" in the stage and "speed" in its processors; )"
       R"(a "time" in a processor is fixed for whatever it computes)"},
      {"unit-of-a-work", R"(4:32: /application/stages/0/work: found the text "12 GFLOP")"
                         R"(, expected a number such as 12, 0.5 or "7/2", without a unit)"},
      {"remark-is-a-number", R"(9:9: /~1~1: found the number 7)"
                             R"(, expected a text: a remark)"},
      {"plain-number-among-units", R"(33:71: /platform/source/links/0/bandwidth: found the number 3e9 without a unit)"
                                   R"(, though the text "10 kB" at /application/input (line 7) has one)"
                                   R"(, expected units on all times, latencies)"
                                   R"(, bandwidths, speeds and predictions, or on nothing)"},
      {"unknown-unit", R"(20:45: /platform/processors/2/time: found the text "22 mss")"
                       R"(, expected a time in s, ms, us, ns, min or h, such as "10 ms")"},
      {"unit-in-capitals", R"(20:45: /platform/processors/2/time: found the text "22 MS")"
                           R"(, expected a time in s, ms, us, ns, min or h, such as "10 ms" (did you mean "22 ms"?))"},
      {"unit-of-another-kind", R"(25:86: /platform/links/0/latency: found the text "200 MB")"
                               R"(, expected a time in s, ms, us, ns, min or h, such as "10 ms", not a size)"},
      {"unit-without-a-number", R"(25:86: /platform/links/0/latency: found the text " ns")"
                                R"(, expected a number, or a time in s, ms, us, ns, min or h, such as "10 ms")"},
      {"negative-time-with-a-unit", R"(25:86: /platform/links/0/latency: found the text "-200 ns")"
                                    R"(, expected a number of at least 0)"},
      {"too-many-digits-before-a-unit", R"(25:86: /platform/links/0/latency: found the text )"
                                        R"("111111111111111111111111111111111111111111111111111111111111...")"
                                        R"(, expected a number of at most 1000 digits)"},
      {"zero-bandwidth", R"(12:47: /platform/links/0/bandwidth: found the text "0/7")"
                         R"(, expected a number greater than 0)"},
      {"zero-speed", R"(10:44: /platform/processors/0/speed: found the number 0, expected a number greater than 0)"},
  };
  std::set<std::string> tried;
  for (const auto& [name, message] : cases) {
    CAPTURE(name);
    const std::string file = name + ".json";
    CHECK(error_of(testing::contents(testing::source_path("tests/data/bad/" + file)), file) == file + ":" + message);
    tried.insert(file);
  }
  for (const auto& file : testing::json_files("tests/data/bad")) {
    CAPTURE(file.string());
    CHECK(tried.count(file.filename().string()) == 1);
  }
}

TEST_CASE("a hundred thousand brackets are one clear error, closed or not") {
  const std::string open(100'000, '[');
  const std::string message = "f:1:65: found an array nested more than 64 levels deep, expected at most 64 levels";
  CHECK(error_of(open, "f") == message);
  CHECK(error_of(open + std::string(100'000, ']'), "f") == message);
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
  CHECK(error_of(text, "f").find("the unknown stage \"s\"") != std::string::npos);
}

TEST_CASE("long sequences with a huge hyper-period are read without unfolding them") {
  std::string processors;
  std::string first = "\"P0\"";
  std::string second = "\"P1\"";
  for (int i = 0; i < 2; ++i) {
    processors += (i == 0 ? "" : ", ") + std::string("{\"name\": \"P") + std::to_string(i) + "\", \"time\": 1}";
  }
  for (int i = 1; i < 20'000; ++i) first += ", \"P0\"";
  for (int i = 1; i < 19'999; ++i) second += ", \"P1\"";
  const std::string text =
      R"({"application": {"stages": [{"name": "S0"}, {"name": "S1"}]}, "platform": {"processors": [)" + processors +
      R"(], "links": [{"from": "P0", "to": "P1", "time": 1}]}, "mapping": [)" +
      R"({"stages": ["S0"], "processors": [)" + first + R"(]}, {"stages": ["S1"], "processors": [)" + second + "]}]}";
  CHECK(read_document(text, "f").mapping->back().processors.size() == 19'999);
}

}  // namespace
}  // namespace takt::tpn
