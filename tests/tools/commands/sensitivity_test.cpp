// takt sensitivity: tables, JSON and changed instances.
#include <catch2/catch.hpp>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/tools/program.hpp"
#include "tools/command.hpp"

namespace takt::testing {
namespace {

using Catch::Contains;
using Catch::StartsWith;
using nlohmann::ordered_json;

std::string without_file(const std::string& text) { return text.substr(text.find(", ")); }

// What is told exactly; that decimals stand beside it, tests of schemas see.
ordered_json without_decimals(const ordered_json& value) {
  if (!value.is_structured()) return value;
  ordered_json kept = value.is_array() ? ordered_json::array() : ordered_json::object();
  for (const auto& [key, item] : value.items()) {
    if (value.is_array()) {
      kept.push_back(without_decimals(item));
    } else if (!key.ends_with("_decimal")) {
      kept[key] = without_decimals(item);
    }
  }
  return kept;
}

TEST_CASE("sensitivity lists what helps most, and what may become slower") {
  const Outcome outcome = takt({"sensitivity", source(kExampleA), "--model", "strict", "--top", "8"});
  REQUIRE(outcome.status == tools::kAnswered);
  REQUIRE(outcome.err.empty());
  REQUIRE(without_file(outcome.out) == R"(, STRICT ONE-PORT: period 230.667 (exactly 692/3)
10 of 42 operations are critical, on one circuit.

  parameter  value  share of period  10 % faster  if free  then limited by                      may grow by
  P0 -> P2     192           41.6 %       +3.9 %  +15.2 %  P1, always busy                      0
  S1 on P2     128           18.5 %       +1.7 %   +9.3 %  P0, always busy                      0
  P0 -> P1     186           13.4 %       +1.2 %   +6.9 %  P2, always busy                      0
  P2 -> P5     165           11.9 %       +1.1 %   +4.8 %  a circuit through P0, P1 and 2 more  0
  P2 -> P4     157           11.3 %       +1.0 %   +4.1 %  a circuit through P0, P1 and 2 more  0
  S0 on P0      22            3.2 %       +0.3 %   +3.3 %  a circuit through P0, P1 and 3 more  0
  S1 on P1     147                       nothing  nothing                                       61 (41 %)
  P1 -> P5      77                       nothing  nothing                                       67 (87 %)
9 more may grow by 84 or more.

One port or core more: ports take files, and cores data sets, in turn
  one more                                  period  throughput
  P1: one core more (1 -> 2)                   210      +9.8 %
  P1, P2: one core more each (1 -> 2)          211      +9.3 %
  P2: one core more (1 -> 2)                   212      +8.8 %
  P0: one core more (1 -> 2)               223.333      +3.3 %
  P3: one core more (1 -> 2)                224.75      +2.6 %
  P3, P4, P5: one core more each (1 -> 2)  230.667     nothing
  P6: one core more (1 -> 2)               230.667     nothing
  P4: one core more (1 -> 2)                 238.5      -3.3 %
1 more: --top 9.
)");
}

TEST_CASE("sensitivity says which value alone reaches a target") {
  const Outcome outcome = takt({"sensitivity", source(kExampleA), "--model", "strict", "--target", "210", "--parameter",
                                "P0 -> P2", "--parameter", "/platform/processors/2/time"});
  REQUIRE(outcome.status == tools::kAnswered);
  REQUIRE_THAT(outcome.out, Contains("value for 210") && Contains("150.667") && Contains("not by this alone"));
  const std::vector<std::string> lines = lines_of(outcome.out);
  REQUIRE(lines.size() == 6);
}

TEST_CASE("sensitivity as JSON is exact, and its curve ends at twice the value") {
  const Outcome outcome =
      takt({"sensitivity", source(kExampleA), "--model", "strict", "--json", "--curve", "--parameter", "P0 -> P2"});
  REQUIRE(outcome.status == tools::kAnswered);
  const ordered_json json = ordered_json::parse(outcome.out);
  CHECK(json["period"] == "692/3");
  CHECK(json["critical_operations"].dump() ==
        R"({"critical_operation_count":10,"operation_count":42,"single_circuit":true,"circuit_count":1})");
  REQUIRE(json["parameters"].size() == 1);
  ordered_json parameter = json["parameters"][0];
  CHECK(parameter["free"]["limiting_resource"].dump() == R"({"processor":"P1","kind":"processor"})");
  parameter["faster"].erase("gain_percent");
  parameter["free"].erase("gain_percent");
  CHECK(without_decimals(parameter).dump() == ordered_json::parse(R"({
    "name": "P0 -> P2", "pointer": "/platform/links/1/time", "value": "192", "inverse": false, "share": "72/173",
    "left_derivative": "1/2", "right_derivative": "1/2", "slack": "0",
    "faster": {"faster_percent": "10", "value": "1920/11", "period": "7324/33"},
    "free": {"period": "1201/6", "limiting_resource": {"processor": "P1", "kind": "processor"}},
    "period_curve": [{"weight": "0", "period": "1201/6"}, {"weight": "131", "period": "1201/6"},
                     {"weight": "384", "period": "980/3"}]})")
                                                  .dump());
}

TEST_CASE("sensitivity of both models is an array") {
  const Outcome outcome = takt({"sensitivity", source(kExampleA), "--json"});
  REQUIRE(outcome.status == tools::kAnswered);
  const ordered_json json = ordered_json::parse(outcome.out);
  REQUIRE(json.size() == 2);
  CHECK(json[0]["model"] == "overlap");
  CHECK(json[0]["period"] == "189");
  CHECK(json[1]["model"] == "strict");
  CHECK(json[1]["parameters"].size() == 17);
}

TEST_CASE("one port or core more has the period of the file with the larger number") {
  const std::string file = source("examples/cores.json");
  const ordered_json json = ordered_json::parse(takt({"sensitivity", file, "--model", "overlap", "--json"}).out);
  REQUIRE(json["one_more"].size() == 12);
  const TemporaryFolder folder;
  const std::string changed = folder.path("changed.json");
  int ports = 0;
  int worse = 0;
  for (const auto& row : json["one_more"]) {
    CAPTURE(row.dump());
    REQUIRE(row["names"].size() == row["pointers"].size());
    ordered_json document = ordered_json::parse(text_of(file));
    for (const std::string pointer : row["pointers"])
      document[ordered_json::json_pointer(pointer)] = row["count_now"].get<int>() + 1;
    std::ofstream(changed) << document.dump();
    const ordered_json answer = ordered_json::parse(takt({"evaluate", changed, "--model", "overlap", "--json"}).out);
    CHECK(answer["period"] == row["period"]);
    ports += row["count_of"] == "ports" ? 1 : 0;
    worse += row["gain_percent"] < 0 ? 1 : 0;
  }
  CHECK(ports == 6);
  CHECK(worse == 4);
  CHECK_THAT(takt({"sensitivity", file, "--model", "overlap"}).out,
             Contains("\nOne port or core more: ports take files, and cores frames, in turn\n") &&
                 Contains("  edge1: one core more (4 -> 5)                  13.3333 ms     -10.0 %\n"));
  // Each alone; of one parameter nothing of them.
  CHECK(ordered_json::parse(takt({"sensitivity", file, "--model", "overlap", "--each", "--json"}).out)["one_more"]
            .size() == 8);
  CHECK_FALSE(ordered_json::parse(
                  takt({"sensitivity", file, "--model", "overlap", "--parameter", "decode output", "--json"}).out)
                  .contains("one_more"));
}

TEST_CASE("floats are those of the operations of one hyper-period") {
  const Outcome outcome = takt({"sensitivity", source(kExampleA), "--model", "strict", "--json", "--floats"});
  const ordered_json json = ordered_json::parse(outcome.out);
  REQUIRE(json["floats"].size() == 42);
  CHECK(
      json["floats"][0].dump() ==
      R"({"operation":"compute","part":0,"stages":["S0"],"processor":"P0","data_set":0,"float":"63","float_decimal":63.0})");
  int critical = 0;
  for (const auto& operation : json["floats"]) critical += operation["float"] == "0" ? 1 : 0;
  CHECK(critical == 10);
  const Outcome table = takt({"sensitivity", source(kExampleA), "--model", "strict", "--floats"});
  REQUIRE_THAT(table.out, Contains("         0  transfer the output of S0  P0 -> P1      63\n"));
}

TEST_CASE("a changed instance has the period that was promised") {
  const TemporaryFolder folder;
  const std::string changed = folder.path("changed.json");
  const Outcome written =
      takt({"sensitivity", source(kExampleA), "--apply", "P0 -> P2=1920/11", "--apply", "S3 on P6=24", "-o", changed});
  REQUIRE(written.status == tools::kAnswered);
  REQUIRE_THAT(written.out, StartsWith("wrote ") && Contains("P0 -> P2 at 174.545 in place of 192; S3 on P6 at 24"));
  const Outcome outcome = takt({"evaluate", changed, "--model", "strict", "--json"});
  REQUIRE(ordered_json::parse(outcome.out)["period"] == "7324/33");
}

TEST_CASE("wrong questions are told with what would be right") {
  const TemporaryFolder folder;
  const std::string out = folder.path("out.json");
  const auto refused = [](const std::vector<std::string>& arguments) {
    const Outcome outcome = takt(arguments);
    CHECK(outcome.status == tools::kUsage);
    CHECK(outcome.out.empty());
    return outcome.err;
  };
  CHECK_THAT(refused({"sensitivity", source(kExampleA), "--parameter", "P9"}),
             Contains("no parameter \"P9\"") && Contains("it has \"S0 on P0\", ") && Contains("and 5 more"));
  CHECK_THAT(refused({"sensitivity", source(kExampleA), "--apply", "P9=3", "-o", out}),
             Contains("no parameter \"P9\""));
  CHECK_THAT(refused({"sensitivity", source(kExampleA), "--apply", "P0 -> P2=x", "-o", out}),
             Contains("P0 -> P2: found \"x\", expected a number\n"));
  CHECK_THAT(refused({"sensitivity", source(kExampleA), "--apply", "P0 -> P2=-1", "-o", out}), Contains("at least 0"));
  CHECK_THAT(refused({"sensitivity", source(kExampleA), "--apply", "P0 -> P2=1"}), Contains("-o OUT"));
  CHECK_THAT(refused({"sensitivity", source(kExampleA), "--faster", "0"}), Contains("above 0"));
  CHECK(takt({"sensitivity", source(kExampleA), "--faster", "5%"}).out ==
        takt({"sensitivity", source(kExampleA), "--faster", "5"}).out);
  CHECK_THAT(refused({"sensitivity", source(kExampleA), "--target", "fast"}), Contains("above 0"));
  CHECK(takt({"sensitivity", source(kExampleA), "--apply", "P0 -> P2=1", "-o", source(kExampleA)}).status ==
        tools::kBadInput);
  CHECK(folder.names().empty());
}

TEST_CASE("without time there is no table, but the status that says so") {
  const Outcome outcome = takt({"sensitivity", source("examples/example-c.json"), "--time-limit", "0.000001"});
  CHECK(outcome.status == tools::kLimit);
  CHECK_FALSE(outcome.err.empty());
}

TEST_CASE("a number of a type is one parameter, and changes for all that have it from there") {
  const TemporaryFolder folder;
  const std::string changed = folder.path("changed.json");
  const std::string text = R"({"application": {"stages": [{"name": "a", "time": {"small": 6, "Q": 4}}]},
      "platform": {"types": [{"name": "small"}], "processors": [{"name": "P", "type": "small"},
                   {"name": "Q", "type": "small"}, {"name": "R", "type": "small"}]},
      "mapping": [{"stages": ["a"], "processors": ["P", "Q", "R"]}]})";
  const auto json = ordered_json::parse(takt({"sensitivity", "-", "--model", "strict", "--json"}, text).out);
  const auto& parameters = json["parameters"];
  REQUIRE(parameters.size() == 2);
  CHECK(parameters[0]["name"] == "a on small");
  CHECK(parameters[0]["pointer"] == "/application/stages/0/time/small");
  CHECK(parameters[1]["name"] == "a on Q");
  REQUIRE(takt({"sensitivity", "-", "--apply", "a on small=3", "-o", changed}, text).status == tools::kAnswered);
  CHECK_THAT(text_of(changed),
             Contains(R"("time": {"small": 3, "Q": 4})") && Contains(R"({"name": "P", "type": "small"})"));
  CHECK_THAT(takt({"evaluate", changed, "--model", "strict"}).out, Contains("4/3"));
}

}  // namespace
}  // namespace takt::testing
