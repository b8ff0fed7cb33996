// takt simulate: CSV and JSON of the first data sets; takt evaluate --method simulate: what was measured.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/tools/program.hpp"
#include "tools/command.hpp"

namespace takt::testing {
namespace {

using Catch::Contains;
using Catch::EndsWith;
using Catch::StartsWith;
using nlohmann::ordered_json;

const std::string kHeading = "model,data_set,operation,part,stages,processor,peer,start,end,start_decimal,end_decimal";

// A processor computes the stages a and b, whose name takes quotes, and sends for 1/3 to another, from which the sink
// receives.
constexpr const char* kSmall = R"({
  "application": {"stages": [{"name": "a", "work": 2, "output": 1}, {"name": "b, \"c\"", "work": 1, "output": "1/3"},
                             {"name": "d", "work": 5, "output": 2}]},
  "platform": {"processors": [{"name": "P", "speed": 2}, {"name": "Q", "speed": 1}], "bandwidth": 1, "sink": {}},
  "mapping": [{"stages": ["a", "b, \"c\""], "processors": ["P"]}, {"stages": ["d"], "processors": ["Q"]}],
  "model": "strict"})";

TEST_CASE("times of thirty digits complete exactly") {
  const std::string file = R"({"application": {"stages": [{"name": "A"}, {"name": "B"}]},
    "platform": {"time": "1/1000000000000000000000000000001", "processors": [
      {"name": "P1", "time": "1/1000000000000000000000000000003"},
      {"name": "P2", "time": "1/1000000000000000000000000000007"}]},
    "mapping": [{"stages": ["A"], "processors": ["P1"]}, {"stages": ["B"], "processors": ["P2"]}]})";
  const Outcome outcome = takt({"simulate", "-", "--model", "strict", "--completion", "1e30"}, file);
  CHECK(outcome.status == tools::kAnswered);
  CHECK(outcome.err.empty());
  CHECK_THAT(outcome.out, Contains("1000000000000000000000000000000"));
}

TEST_CASE("simulate writes a line for each operation as CSV") {
  const Outcome outcome = takt({"simulate", "-", "--data-sets", "2"}, kSmall);
  REQUIRE(outcome.status == tools::kAnswered);
  REQUIRE(outcome.err.empty());
  REQUIRE(outcome.out == kHeading + "\n" + R"(strict,0,compute,0,"a;b, ""c""",P,,0,3/2,0,1.5
strict,0,transfer,0,,P,Q,3/2,11/6,1.5,1.8333333333333333
strict,0,compute,1,d,Q,,11/6,41/6,1.8333333333333333,6.833333333333333
strict,0,transfer,1,,Q,sink,41/6,53/6,6.833333333333333,8.833333333333334
strict,0,compute,sink,,sink,,53/6,53/6,8.833333333333334,8.833333333333334
strict,1,compute,0,"a;b, ""c""",P,,11/6,10/3,1.8333333333333333,3.3333333333333335
strict,1,transfer,0,,P,Q,53/6,55/6,8.833333333333334,9.166666666666666
strict,1,compute,1,d,Q,,55/6,85/6,9.166666666666666,14.166666666666666
strict,1,transfer,1,,Q,sink,85/6,97/6,14.166666666666666,16.166666666666668
strict,1,compute,sink,,sink,,97/6,97/6,16.166666666666668,16.166666666666668
)");
}

TEST_CASE("simulate writes an object for a model as JSON, with the fields of a circuit's steps") {
  const Outcome outcome = takt({"simulate", "-", "--data-sets", "1", "--format", "json", "--model", "overlap"}, kSmall);
  REQUIRE(outcome.status == tools::kAnswered);
  REQUIRE(ordered_json::parse(outcome.out).dump() == ordered_json::parse(R"({
    "file": "-", "model": "overlap", "data_sets": 1, "operations": [
      {"operation": "compute", "part": 0, "stages": ["a", "b, \"c\""], "processor": "P", "data_set": 0,
       "start": "0", "start_decimal": 0.0, "end": "3/2", "end_decimal": 1.5},
      {"operation": "transfer", "part": 0, "processor": "P", "peer": "Q", "data_set": 0,
       "start": "3/2", "start_decimal": 1.5, "end": "11/6", "end_decimal": 1.8333333333333333},
      {"operation": "compute", "part": 1, "stages": ["d"], "processor": "Q", "data_set": 0,
       "start": "11/6", "start_decimal": 1.8333333333333333, "end": "41/6", "end_decimal": 6.833333333333333},
      {"operation": "transfer", "part": 1, "processor": "Q", "peer": "sink", "data_set": 0,
       "start": "41/6", "start_decimal": 6.833333333333333, "end": "53/6", "end_decimal": 8.833333333333334},
      {"operation": "compute", "part": "sink", "stages": [], "processor": "sink", "data_set": 0,
       "start": "53/6", "start_decimal": 8.833333333333334, "end": "53/6", "end_decimal": 8.833333333333334}]})")
                                                         .dump());
}

TEST_CASE("simulate writes both models where none is named, 100 data sets unless told otherwise") {
  const std::vector<std::string> lines = lines_of(takt({"simulate", source(kExampleA)}).out);
  REQUIRE(lines.size() == 1 + 2 * 100 * 7);
  REQUIRE(lines.front() == kHeading);
  REQUIRE_THAT(lines[1], StartsWith("overlap,0,compute,0,S0,P0,,0,22,"));
  REQUIRE_THAT(lines[700], StartsWith("overlap,99,"));
  REQUIRE_THAT(lines[701], StartsWith("strict,0,"));
  const ordered_json both =
      ordered_json::parse(takt({"simulate", source(kExampleA), "--data-sets", "7", "--format", "json"}).out);
  REQUIRE(both.size() == 2);
  REQUIRE(both[0].at("model") == "overlap");
  REQUIRE(both[1].at("model") == "strict");
  for (const ordered_json& object : both) REQUIRE(object.at("operations").size() == 49);
}

TEST_CASE("CSV and JSON hold the same times, and no decimal where no double is large enough") {
  const std::string huge = R"({"application": {"stages": [{"name": "a"}]},
    "platform": {"processors": [{"name": "P", "time": ")" +
                           std::string(400, '9') + R"("}]}, "mapping": [{"stages": ["a"], "processors": ["P"]}]})";
  const Outcome csv = takt({"simulate", "-", "--model", "strict", "--data-sets", "1"}, huge);
  REQUIRE(csv.status == tools::kAnswered);
  REQUIRE(lines_of(csv.out)[1] == "strict,0,compute,0,a,P,,0," + std::string(400, '9') + ",0,");
  const Outcome json = takt({"simulate", "-", "--model", "strict", "--data-sets", "1", "--format", "json"}, huge);
  const ordered_json operation = ordered_json::parse(json.out).at("operations").at(0);
  REQUIRE(operation.at("end") == std::string(400, '9'));
  REQUIRE(operation.at("end_decimal").is_null());
}

TEST_CASE("simulate -o writes a file, JSON where its name says so") {
  const TemporaryFolder folder;
  const auto simulate = [&](const std::string& name, const std::vector<std::string>& more = {}) {
    const Outcome outcome =
        takt(appended({"simulate", source(kExampleA), "--data-sets", "3", "-o", folder.path(name)}, more));
    REQUIRE(outcome.status == tools::kAnswered);
    REQUIRE(outcome.err.empty());
    REQUIRE(outcome.out == "wrote " + folder.path(name) + ": 42 operations of 3 data sets\n");
    return text_of(folder.path(name));
  };
  const std::string csv = takt({"simulate", source(kExampleA), "--data-sets", "3"}).out;
  const std::string json = takt({"simulate", source(kExampleA), "--data-sets", "3", "--format", "json"}).out;
  REQUIRE(simulate("a.csv") == csv);
  REQUIRE(simulate("a.json") == json);
  REQUIRE(simulate("b.json", {"--format", "csv"}) == csv);
  REQUIRE(simulate("a.txt", {"--format", "json"}) == json);
  REQUIRE(folder.names() == std::vector<std::string>{"a.csv", "a.json", "a.txt", "b.json"});
}

TEST_CASE("simulate tells a wrong file and a place it cannot write to") {
  const TemporaryFolder folder;
  const Outcome missing = takt({"simulate", folder.path("none.json")});
  REQUIRE(missing.status == tools::kBadInput);
  REQUIRE_THAT(missing.err, Contains("none.json: cannot be read: "));
  const Outcome invalid = takt({"simulate", "-"}, "{\"application\": 3}");
  REQUIRE(invalid.status == tools::kBadInput);
  REQUIRE_THAT(invalid.err, StartsWith("takt: standard input:1:"));
  const Outcome nowhere = takt({"simulate", source(kExampleA), "-o", folder.path("no/such/folder.csv")});
  REQUIRE(nowhere.status == tools::kBadInput);
  REQUIRE(nowhere.out.empty());
  REQUIRE_THAT(nowhere.err, Contains("cannot be written"));
}

TEST_CASE("simulate refuses a table that would fill the disk, before it writes any of it") {
  const TemporaryFolder folder;
  const Outcome outcome = takt({"simulate", source(kExampleA), "--model", "strict", "--data-sets",
                                "18446744073709551615", "-o", folder.path("a.csv")});
  REQUIRE(outcome.status == tools::kLimit);
  REQUIRE(outcome.out.empty());
  REQUIRE_THAT(outcome.err,
               EndsWith(": 129127208515966861305 operations would be needed, the limit is 100000000 (--data-sets)\n"));
  REQUIRE(folder.names().empty());
}

TEST_CASE("evaluate --method simulate gives an interval and what was measured") {
  const std::vector<std::string> arguments = {"evaluate", source(kExampleA), "--model",
                                              "strict",   "--method",        "simulate"};
  const Outcome table = takt(arguments);
  REQUIRE(table.status == tools::kLimit);
  REQUIRE_THAT(table.out, Contains("The period is not known exactly: simulate measures it and proves bounds only."));
  REQUIRE_THAT(table.out, Contains("\n  measured period     230.667 time units per data set (exactly 692/3), playing 3 "
                                   "hyper-periods of 6 data sets\n  transient           2 data sets; then everything "
                                   "repeats every 1 hyper-period\n"));
  const Outcome outcome = takt(appended(arguments, {"--json"}));
  REQUIRE(outcome.status == tools::kLimit);
  const ordered_json json = ordered_json::parse(outcome.out);
  REQUIRE(json.at("exact") == false);
  REQUIRE(json.at("period_lower_bound") == "1295/6");
  REQUIRE(json.at("period_upper_bound") == "692/3");
  REQUIRE(json.at("method") == "simulate");
  REQUIRE(json.at("limit") == "simulate measures it and proves bounds only");
  REQUIRE(json.at("measured").dump() ==
          ordered_json::parse(R"({"period": "692/3", "period_decimal": 230.66666666666666, "data_sets": 18,
            "hyper_periods": 3, "repeats_every_hyper_periods": 1, "transient_data_sets": 2,
            "column_transients": [2, 1, 1, 1, 1, 1, 1]})")
              .dump());
}

TEST_CASE("evaluate --method simulate is exact where the measure meets the largest cycle time") {
  const TemporaryFolder folder;
  const std::string certificate = folder.path("a.certificate.json");
  const Outcome outcome = takt({"evaluate", source(kExampleA), "--model", "overlap", "--method", "simulate", "--json",
                                "--certificate", certificate});
  REQUIRE(outcome.status == tools::kAnswered);
  const ordered_json json = ordered_json::parse(outcome.out);
  REQUIRE(json.at("period") == "189");
  REQUIRE(json.at("measured").at("period") == "189");
  REQUIRE_FALSE(json.contains("limit"));
  REQUIRE(takt({"check", source(kExampleA), certificate}).status == tools::kAnswered);
}

TEST_CASE("evaluate --method simulate says what it played where the rows are too many") {
  const Outcome outcome =
      takt({"evaluate", source(kExampleA), "--model", "strict", "--method", "simulate", "--max-rows", "5"});
  REQUIRE(outcome.status == tools::kLimit);
  REQUIRE_THAT(outcome.out, Contains("6 rows would be needed, the limit is 5 (--max-rows)"));
  REQUIRE_THAT(outcome.out, Contains("playing 5 data sets\n"));
  REQUIRE_THAT(outcome.out, Contains("\n  transient           no repetition was seen\n"));
  const Outcome json =
      takt({"evaluate", source(kExampleA), "--model", "strict", "--method", "simulate", "--max-rows", "5", "--json"});
  const ordered_json measured = ordered_json::parse(json.out).at("measured");
  REQUIRE(measured.at("data_sets") == 5);
  REQUIRE(measured.at("hyper_periods") == 0);
  for (const char* unknown : {"repeats_every_hyper_periods", "transient_data_sets", "column_transients"}) {
    REQUIRE(measured.at(unknown).is_null());
  }
}

}  // namespace
}  // namespace takt::testing
