// takt verify: relations, gaps, tolerances and statuses, as a table and as JSON.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/tools/program.hpp"
#include "tools/command.hpp"

namespace takt::testing {
namespace {

using Catch::Contains;
using nlohmann::ordered_json;

// P computes for 3 and sends for 1 to Q, which computes for 2: the period is 3 under OVERLAP, 4 under STRICT.
std::string document(const std::string& predicted, const std::string& more = "") {
  return R"({"application": {"stages": [{"name": "a", "work": 3, "output": 1}, {"name": "b", "work": 2}]},
             "platform": {"processors": [{"name": "P", "speed": 1}, {"name": "Q", "speed": 1}], "bandwidth": 1},
             "mapping": [{"stages": ["a"], "processors": ["P"]}, {"stages": ["b"], "processors": ["Q"]}])" +
         (predicted.empty() ? "" : R"(, "predicted_period": )" + predicted) + more + "}";
}

const std::string kStrict = R"(, "model": "strict", "heuristic": {"name": "by-hand"})";

struct Case {
  std::string predicted;
  std::vector<std::string> options;
  std::string relation;
  std::string gap_percent;  // as JSON
  bool holds;
};

TEST_CASE("a prediction is equal, optimistic or pessimistic, and holds within the tolerance") {
  const std::vector<Case> cases = {
      {"4", {}, "equal", "0.0", true},
      {"\"8/2\"", {}, "equal", "0.0", true},
      {"3", {}, "optimistic", "-25.0", false},
      {"3", {"--tolerance", "0.25"}, "optimistic", "-25.0", true},
      {"3", {"--tolerance", "1/4"}, "optimistic", "-25.0", true},
      {"3", {"--tolerance", "25%"}, "optimistic", "-25.0", true},
      {"3", {"--tolerance", "0.2499999999999999999"}, "optimistic", "-25.0", false},
      {"5", {"--tolerance", "0.2"}, "pessimistic", "25.0", false},
      {"5", {"--tolerance", "0.25"}, "pessimistic", "25.0", true},
      {"5", {"--tolerance", "200%"}, "pessimistic", "25.0", true},
      {"0", {"--tolerance", "1"}, "optimistic", "-100.0", true},
      {"4.000000000000000000000000001", {}, "pessimistic", "2.5e-26", false},
      {"3", {"--model", "overlap"}, "equal", "0.0", true},
      {"4", {"--model", "overlap"}, "pessimistic", "33.333333333333336", false},
  };
  for (const Case& expected : cases) {
    INFO(expected.predicted << " " << (expected.options.empty() ? "" : expected.options.back()));
    const Outcome outcome =
        takt(appended({"verify", "-", "--json"}, expected.options), document(expected.predicted, kStrict));
    REQUIRE(outcome.status == (expected.holds ? tools::kAnswered : tools::kNo));
    const ordered_json json = ordered_json::parse(outcome.out);
    REQUIRE(json["file"] == "-");
    REQUIRE(json["heuristic"] == "by-hand");
    REQUIRE(json["relation"] == expected.relation);
    REQUIRE(json["gap_percent"].dump() == expected.gap_percent);
    REQUIRE(json["holds"] == expected.holds);
    REQUIRE(json["periods"] == ordered_json({{{"model", "overlap"}, {"period", "3"}, {"period_decimal", 3.0}},
                                             {{"model", "strict"}, {"period", "4"}, {"period_decimal", 4.0}}}));
    REQUIRE(json["period"] == (json["model"] == "overlap" ? "3" : "4"));
    REQUIRE(json["critical_circuit"]["length"] > 0);
    REQUIRE_FALSE(json.contains("limit"));
  }
}

TEST_CASE("a prediction that names no model must hold under both") {
  const Outcome outcome = takt({"verify", "-"}, document("3"));
  REQUIRE(outcome.status == tools::kNo);
  REQUIRE(outcome.err.empty());
  REQUIRE(
      outcome.out ==
      R"(  file            predicted  exact overlap  exact strict  model    relation        gap  latency  longest sequence
  standard input          3              3             4  overlap  equal           0 %        6                 1
  standard input          3              3             4  strict   optimistic  -25.0 %        6                 1

standard input, STRICT ONE-PORT: predicted 3, but the period is 4

Critical circuit: 2 operations, together 4 time units for 1 data set
  data set  operation                 processor  duration
         0  compute a                 P                 3
         0  transfer the output of a  P -> Q            1
)");
}

TEST_CASE("several files are judged one by one, and one failure is a failure") {
  const TemporaryFolder folder;
  const std::string right = folder.write("right.json", document("4", kStrict));
  const std::string wrong = folder.write("wrong.json", document("3", kStrict));
  REQUIRE(takt({"verify", right, right}).status == tools::kAnswered);
  const Outcome outcome = takt({"verify", right, wrong});
  REQUIRE(outcome.status == tools::kNo);
  REQUIRE(lines_of(outcome.out).size() == 10);
  const ordered_json array = ordered_json::parse(takt({"verify", right, wrong, "--json"}).out);
  REQUIRE(array.size() == 2);
  REQUIRE(array[0]["holds"] == true);
  REQUIRE(array[1]["holds"] == false);
}

TEST_CASE("on a terminal, a line says which file is being judged, and is cleared") {
  const TemporaryFolder folder;
  const std::string file = folder.write("a.json", document("4", kStrict));
  const std::string other = folder.write("b.json", document("4", kStrict));
  REQUIRE(takt({"verify", file, other}).err.empty());
  const Outcome shown = takt_at_terminal({"verify", file, other});
  REQUIRE(shown.out == takt({"verify", file, other}).out);
  const std::string clear = "\r\x1b[K";
  REQUIRE(shown.err == clear + "takt: a.json, 1 of 2" + clear + "takt: b.json, 2 of 2" + clear);
}

TEST_CASE("the published prediction of HeDPM's case study is optimistic by 4.4 % under STRICT") {
  const std::string file = source("examples/hedpm-case-study.json");
  const Outcome outcome = takt({"verify", file, "--model", "strict", "--json"});
  REQUIRE(outcome.status == tools::kNo);
  const ordered_json json = ordered_json::parse(outcome.out);
  REQUIRE(json["predicted_period"] == "35459/10000");
  REQUIRE(json["period"] == "518519/139800");
  REQUIRE(json["relation"] == "optimistic");
  REQUIRE(takt({"verify", file, "--model", "strict", "--tolerance", "0.044"}).status == tools::kAnswered);
  REQUIRE(takt({"verify", file, "--model", "strict", "--tolerance", "0.0439"}).status == tools::kNo);
}

TEST_CASE("where the period is 0 a prediction above it has no gap in percent") {
  const std::string idle = R"({"application": {"stages": [{"name": "a", "work": 0}]},
    "platform": {"processors": [{"name": "P", "speed": 1}]},
    "mapping": [{"stages": ["a"], "processors": ["P"]}], "model": "strict", "predicted_period": )";
  REQUIRE(takt({"verify", "-"}, idle + "0}").status == tools::kAnswered);
  const Outcome outcome = takt({"verify", "-"}, idle + "1}");
  REQUIRE(outcome.status == tools::kNo);
  REQUIRE_THAT(outcome.out, Contains("pessimistic  infinite"));
  REQUIRE(ordered_json::parse(takt({"verify", "-", "--json"}, idle + "1}").out)["gap_percent"].is_null());
}

TEST_CASE("without a prediction or a mapping there is nothing to verify") {
  const Outcome unpredicted = takt({"verify", "-"}, document(""));
  REQUIRE(unpredicted.status == tools::kBadInput);
  REQUIRE(unpredicted.err ==
          "takt: standard input: /predicted_period: found none, expected the period that a heuristic or a person "
          "predicts\n");
  const Outcome unmapped = takt({"verify", source("examples/hedpm-problem.json")});
  REQUIRE(unmapped.status == tools::kBadInput);
  REQUIRE_THAT(unmapped.err, Contains("/mapping: found no mapping"));
  REQUIRE(takt({"verify", "no-such-file.json"}).status == tools::kBadInput);
}

}  // namespace
}  // namespace takt::testing
