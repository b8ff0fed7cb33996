// takt evaluate --latency: lines of the table and the member of the result.
#include <catch2/catch.hpp>
#include <chrono>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/support/counted_clock.hpp"
#include "tests/tools/program.hpp"
#include "tools/command.hpp"

namespace takt::testing {
namespace {

using Catch::Contains;
using nlohmann::ordered_json;

// F; P, P, Q, Q; Y, X, X, Y; Z: under OVERLAP the period is 4, and the least latency falls from 26.
constexpr const char* kTradeOff = R"({
  "application": {"stages": [{"name": "a"}, {"name": "b"}, {"name": "c"}, {"name": "d"}]},
  "platform": {"processors": [{"name": "F", "time": 1}, {"name": "P", "time": 8}, {"name": "Q", "time": 8},
                              {"name": "X", "time": 8}, {"name": "Y", "time": 8}, {"name": "Z", "time": 1}], "time": 0},
  "mapping": [{"stages": ["a"], "processors": ["F"]}, {"stages": ["b"], "processors": ["P", "P", "Q", "Q"]},
              {"stages": ["c"], "processors": ["Y", "X", "X", "Y"]}, {"stages": ["d"], "processors": ["Z"]}],
  "model": "overlap"})";

TEST_CASE("latency as JSON, where asked for") {
  CHECK_FALSE(ordered_json::parse(takt({"evaluate", source(kExampleA), "--model", "strict", "--json"}).out)
                  .contains("latencies"));
  const Outcome outcome = takt({"evaluate", source(kExampleA), "--model", "strict", "--json", "--latency"});
  REQUIRE(outcome.status == tools::kAnswered);
  ordered_json latencies = ordered_json::parse(outcome.out)["latencies"];
  for (const char* decimal : {"latency_alone_decimal", "least_latency_decimal", "paced_latency_decimal",
                              "paced_latency_by_data_set_decimal"}) {
    CHECK(latencies.erase(decimal) == 1);
  }
  CHECK(latencies == ordered_json::parse(R"({"latency_alone": "721", "least_latency": "721", "paced_latency": "2234/3",
    "paced_latency_by_data_set": ["685", "2234/3", "604", "2002/3", "2003/3", "670"], "unpaced": {"bounded": true}})"));
}

TEST_CASE("under OVERLAP data sets that are let in at will wait longer and longer") {
  const Outcome outcome = takt({"evaluate", source(kExampleA), "--model", "overlap", "--latency", "--json"});
  const ordered_json unpaced = ordered_json::parse(outcome.out)["latencies"]["unpaced"];
  CHECK(unpaced["bounded"] == false);
  CHECK(unpaced["growth"] == "167");
  CHECK_THAT(takt({"evaluate", source(kExampleA), "--model", "overlap", "--latency"}).out,
             Contains("let in at will      latency grows without bound, by up to 167 time units per data set"));
}

TEST_CASE("the trade-off of period and latency") {
  const ordered_json json =
      ordered_json::parse(takt({"evaluate", "-", "--latency-curve", "--json"}, kTradeOff).out)["latencies"];
  CHECK(json["least_latency"] == "26");
  CHECK(json["latency_alone"] == "18");
  REQUIRE(json["latency_curve"].size() >= 2);
  CHECK(json["latency_curve"].front().dump() ==
        R"({"period":"4","period_decimal":4.0,"least_latency":"26","least_latency_decimal":26.0})");
  CHECK(json["latency_curve"].back()["least_latency"] == "18");
  CHECK_THAT(takt({"evaluate", "-", "--latency-curve"}, kTradeOff).out, Contains("Trade-off: the least latency"));
  CHECK_THAT(takt({"evaluate", source(kExampleA), "--latency-curve", "--model", "strict"}).out,
             Contains("No trade-off"));
}

TEST_CASE("a latency that there is no time for is told, and the period all the same") {
  const support::CountedClock clock(std::chrono::milliseconds(1));
  const Outcome outcome =
      takt({"evaluate", source("examples/example-c.json"), "--model", "overlap", "--latency", "--time-limit", "5ms"});
  CHECK(outcome.status == tools::kLimit);
  CHECK_THAT(outcome.out, Contains("OVERLAP ONE-PORT"));
  CHECK_THAT(outcome.err, Contains("limit"));
}

}  // namespace
}  // namespace takt::testing
