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

// docs/start.md has whole tables, and is held to them.
TEST_CASE("sensitivity lists what helps most, and counts what it leaves out") {
  const Outcome outcome = takt({"sensitivity", source(kExampleA), "--model", "strict", "--top", "8"});
  REQUIRE(outcome.status == tools::kAnswered);
  REQUIRE(outcome.err.empty());
  CHECK_THAT(outcome.out, Contains(", STRICT ONE-PORT: period 230.667 (exactly 692/3)\n"
                                   "10 of 42 operations are critical, on one circuit.\n") &&
                              Contains("  P1 -> P5      77                       nothing  nothing                     "
                                       "                  67 (87 %)\n9 more may grow by 84 or more.\n") &&
                              Contains("  P4 cores: one more (1 -> 2)                 238.5      -3.3 %\n"
                                       "1 more: --top 9.\n"));
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
                 Contains("  edge1 cores: one more (4 -> 5)                  13.3333 ms     -10.0 %\n"));
  // Each alone; of one parameter nothing of them.
  CHECK(ordered_json::parse(takt({"sensitivity", file, "--model", "overlap", "--each", "--json"}).out)["one_more"]
            .size() == 8);
  CHECK_FALSE(ordered_json::parse(
                  takt({"sensitivity", file, "--model", "overlap", "--parameter", "decode output", "--json"}).out)
                  .contains("one_more"));
}

TEST_CASE("what a row of one more names is set, written and looked at by that name") {
  const TemporaryFolder folder;
  const std::string changed = folder.path("changed.json");
  int rows = 0;
  int together = 0;
  for (const std::string name : {"cores.json", "racks.json", "example-a.json", "example-b.json", "batches.json"}) {
    const std::string file = source("examples/" + name);
    for (const std::string model : {"overlap", "strict"}) {
      const ordered_json json = ordered_json::parse(takt({"sensitivity", file, "--model", model, "--json"}).out);
      for (const auto& row : json["one_more"]) {
        CAPTURE(name, model, row.dump());
        const std::string number = row["name"];
        const std::string change = number + "=" + std::to_string(row["count_now"].get<int>() + 1);
        const ordered_json set =
            ordered_json::parse(takt({"evaluate", file, "--model", model, "--json", "--set", change}).out);
        CHECK(set["period"] == row["period"]);
        CHECK(set["period_before"] == json["period"]);
        CHECK(set["changed"][0]["name"] == number);
        CHECK(set["changed"][0]["pointer"] == row["pointers"][0]);
        REQUIRE(takt({"sensitivity", file, "--apply", change, "-o", changed}).status == tools::kAnswered);
        const ordered_json written = ordered_json::parse(text_of(changed));
        for (const std::string pointer : row["pointers"])
          CHECK(written[ordered_json::json_pointer(pointer)] == row["count_now"].get<int>() + 1);
        const ordered_json alone =
            ordered_json::parse(takt({"sensitivity", file, "--model", model, "--json", "--parameter", number}).out);
        CHECK(alone["one_more"] == ordered_json::array({row}));
        CHECK(alone["parameters"].empty());
        ++rows;
        together += row["names"].size() > 1 ? 1 : 0;
      }
    }
  }
  CHECK(rows > 60);
  CHECK(together > 10);
}

const std::string kTypedCounts = R"({
  "application": {"input": 1, "stages": [{"name": "a", "work": 6, "output": 2}, {"name": "b", "work": 6}]},
  "platform": {"types": [{"name": "small", "cores": 2, "speed": 1, "ports": 2}],
               "processors": [{"name": "m", "type": "small"}, {"name": "n", "type": "small", "cores": 3},
                              {"name": "idle", "type": "small", "ports": "unlimited"}],
               "bandwidth": 1, "source": {"ports": "unlimited"}},
  "mapping": [{"stages": ["a"], "processors": ["m"]}, {"stages": ["b"], "processors": ["n.1", "n.3"]}]})";

TEST_CASE("numbers of ports and cores are named, of types and of what is unused as well") {
  const auto said = [](const std::string& change) {
    const Outcome outcome = takt({"evaluate", "-", "--model", "overlap", "--set", change}, kTypedCounts);
    CHECK(outcome.status == tools::kAnswered);
    for (const std::string& line : lines_of(outcome.out))
      if (line.starts_with("With ")) return line;
    return outcome.out + outcome.err;
  };
  CHECK(said("small cores=6") == "With small cores at 6 in place of 2, the period stays 3.");
  CHECK(said("m cores = 1") ==
        "With m cores at 1 in place of 2, the period is 6 in place of 3: 50.0 % less throughput.");
  CHECK(said("idle ports=1") == "With idle ports at 1 in place of unlimited, the period stays 3.");
  CHECK(said("source ports=1") == "With source ports at 1 in place of unlimited, the period stays 3.");
  CHECK(said("m ports=unlimited") == "With m ports at unlimited in place of 2, the period stays 3.");
  CHECK(said("/platform/types/0/ports=3") == "With small ports at 3 in place of 2, the period stays 3.");
  const ordered_json json = ordered_json::parse(
      takt({"evaluate", "-", "--model", "overlap", "--json", "--set", "m ports=unlimited"}, kTypedCounts).out);
  CHECK(json["changed"].dump() ==
        R"([{"name":"m ports","pointer":"/platform/processors/0/ports","value_before":"2","value_before_decimal":2.0,)"
        R"("value":null,"value_decimal":null}])");
  const TemporaryFolder folder;
  const std::string file = folder.path("typed.json");
  std::ofstream(file) << kTypedCounts;
  const std::string changed = folder.path("changed.json");
  const Outcome written = takt({"sensitivity", file, "--apply", "small cores=4", "-o", changed});
  CHECK_THAT(written.out, Contains("; small cores at 4 in place of 2"));
  const ordered_json document = ordered_json::parse(text_of(changed));
  CHECK(document["platform"]["types"][0]["cores"] == 4);
  CHECK(document["platform"]["processors"][1]["cores"] == 3);
  CHECK_FALSE(document["platform"]["processors"][0].contains("cores"));
}

TEST_CASE("numbers of ports and cores that cannot be are refused in one line, with what can") {
  const auto refused = [](const std::string& change, const std::string& option = "--set") {
    const Outcome outcome = takt({"evaluate", "-", "--model", "overlap", option, change}, kTypedCounts);
    CHECK(outcome.status == tools::kUsage);
    CHECK(outcome.out.empty());
    CHECK(lines_of(outcome.err).size() == 2);  // the second says who helps
    return outcome.err;
  };
  for (const std::string value : {"0", "1.5", "-1", "4097", "unlimited", "2 ms", ""}) {
    CAPTURE(value);
    CHECK_THAT(refused("m cores=" + value),
               Contains("--set: m cores: found \"" + value + "\", expected a whole number from 1 to 4096\n"));
  }
  for (const std::string value : {"0", "1.5", "-1", "1001", "many"}) {
    CAPTURE(value);
    CHECK_THAT(refused("m ports=" + value), Contains("--set: m ports: found \"" + value +
                                                     "\", expected a whole number from 1 to 1000, or \"unlimited\"\n"));
  }
  CHECK_THAT(refused("gate ports=2"), Contains("has no parameter \"gate ports\"") && Contains("it has \"") &&
                                          Contains("\"m ports\"") && !Contains("bandwidth"));
  CHECK_THAT(refused("m port=2"), Contains("did you mean \"m ports\"?"));
  CHECK_THAT(refused("n cores=2"), Contains("--set: n cores: not 2: /mapping/1/processors: found the core \"n.3\", "
                                            "expected one of the 2 that there are then\n"));
}

TEST_CASE("sensitivity looks at an instance with another number, and writes it") {
  const TemporaryFolder folder;
  const std::string changed = folder.path("changed.json");
  const std::string racks = source("examples/racks.json");
  const Outcome outcome = takt({"sensitivity", racks, "--model", "overlap", "--set", "uplink ports=2", "-o", changed});
  REQUIRE(outcome.status == tools::kAnswered);
  CHECK_THAT(outcome.out, StartsWith("wrote ") &&
                              Contains("\nWith uplink ports at 2 in place of 1, the period is 30 ms in place of "));
  const Outcome plain = takt({"sensitivity", changed, "--model", "overlap"});
  // But for the lines of the change, and the file's name.
  const auto table = [](const std::string& text) { return text.substr(text.find("\n  parameter")); };
  CHECK(table(plain.out) == table(outcome.out));
  const ordered_json json =
      ordered_json::parse(takt({"sensitivity", racks, "--model", "overlap", "--json", "--set", "uplink ports=2"}).out);
  CHECK(json["changed"][0]["value"] == "2");
  CHECK(json["period_before"] ==
        ordered_json::parse(takt({"evaluate", racks, "--model", "overlap", "--json"}).out)["period"]);
  const auto refused = [&](std::vector<std::string> more) {
    const Outcome answer = takt(appended({"sensitivity", racks, "--model", "overlap"}, more));
    CHECK(answer.status == tools::kUsage);
    return answer.err;
  };
  CHECK_THAT(refused({"--set", "uplink ports=2", "--apply", "uplink ports=3", "-o", changed}),
             Contains("--apply and --set exclude each other"));
  CHECK_THAT(refused({"--curve", "--parameter", "uplink ports", "-o", folder.path("curve.svg")}),
             Contains("numbers of ports or cores have no curve to draw"));
  // Long names as the table cuts them.
  CHECK_THAT(outcome.out, Contains("  detect on detect-1, detect-2, de...  ") &&
                              Contains("  detect-1, detect-2, detect-3 ports: one more each (1 -> 2) "));
  const auto detect = [&](const std::string& name) {
    return ordered_json::parse(
        takt({"evaluate", racks, "--model", "overlap", "--json", "--set", name + "=270 ms"}).out);
  };
  CHECK(detect("detect on detect-1, detect-2, de...")["period"] == "9/100");
  CHECK(detect("detect on detect-1, detect-2, de...") == detect("detect on detect-1, detect-2, detect-3"));
  CHECK_THAT(takt({"sensitivity", "-", "--parameter", "source ports"}, kTypedCounts).err,
             Contains("--parameter: source ports have no limit, so there cannot be one more"));
  CHECK_THAT(takt({"sensitivity", "-", "--model", "overlap", "--parameter", "m cores"}, kTypedCounts).out,
             Contains("  m cores: one more (2 -> 3)       3     nothing\n") && !Contains("share of period"));
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

constexpr const char* kAhead = R"({
  "application": {"stages": [{"name": "a", "output": 1, "time": {"P": 1}}, {"name": "b", "time": {"Q": 1}}]},
  "platform": {"processors": [{"name": "P"}, {"name": "Q"}], "time": 1},
  "mapping": [{"stages": ["a"], "processors": ["P"]}, {"stages": ["b"], "processors": ["Q"]}],
  "transfers": [{"from": 0, "to": 1, "ahead": 5}]
})";

TEST_CASE("floats are on data sets of one hyper-period where transfers are ahead, too") {
  const Outcome outcome = takt({"sensitivity", "-", "--model", "overlap", "--json", "--floats"}, kAhead);
  const auto answer = ordered_json::parse(outcome.out);
  for (const auto& operation : answer["floats"]) CHECK(operation["data_set"] == 0);
}

TEST_CASE("the value for a target above the period gives that period, and no larger one does") {
  const Outcome outcome =
      takt({"sensitivity", source(kExampleA), "--model", "overlap", "--target", "300", "--json", "--top", "99"});
  const ordered_json json = ordered_json::parse(outcome.out);
  std::size_t checked = 0;
  for (const auto& row : json["parameters"]) {
    const std::string name = row["name"];
    const std::string value = row["target_value"];
    const auto period_at = [&](const std::string& changed) {
      const Outcome one =
          takt({"evaluate", source(kExampleA), "--model", "overlap", "--set", name + "=" + changed, "--json"});
      return ordered_json::parse(one.out)["period_decimal"].get<double>();
    };
    CHECK(period_at(value) == 300);
    CHECK(period_at(std::to_string(row["target_value_decimal"].get<double>() + 0.01)) > 300);
    ++checked;
  }
  CHECK(checked > 3);
}

TEST_CASE("a bandwidth may fall to that of the segment behind it") {
  const Outcome outcome = takt({"sensitivity", source("examples/racks.json"), "--model", "overlap", "--top", "99"});
  CHECK_THAT(outcome.out, Contains("down to 1.25 GB/s (150 % slower)"));
}

TEST_CASE("where nothing takes time any more, nothing limits the rate") {
  const Outcome outcome = takt({"sensitivity", "-", "--model", "overlap"}, R"({
    "application": {"stages": [{"name": "a", "work": 2}]},
    "platform": {"processors": [{"name": "P", "speed": 1}]},
    "mapping": [{"stages": ["a"], "processors": ["P"]}]
  })");
  CHECK_THAT(outcome.out, Contains("no limit") && !Contains("always busy"));
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
