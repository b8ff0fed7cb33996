// Heuristics of a user's own in experiments: as commands and as servers, with what takt's have.
#include <catch2/catch.hpp>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "maxplus/rational.hpp"
#include "tests/support/counted_clock.hpp"
#include "tests/tools/program.hpp"

namespace takt::testing {
namespace {

using Catch::Contains;
using maxplus::Rational;
using Json = nlohmann::json;

// A description of problems for such heuristics.
Json description_of(const std::vector<Json>& heuristics) {
  return {{"name", "own"},
          {"seed", 3},
          {"study", "heuristics"},
          {"generator", {{"name", "skeleton-pair"}, {"processors", 3}}},
          {"grid", {{"draws", 2}, {"stages", {3, 4}}}},
          {"chunk", 1},
          {"heuristics", heuristics}};
}

Json own(const std::string& name, const std::string& form, const std::string& command) {
  return {{"name", name}, {form, command}};
}

Outcome run(const TemporaryFolder& folder, const Json& description, const std::string& name,
            const std::vector<std::string>& options = {}) {
  return takt(appended({"experiment", "run", folder.write(name + ".json", description.dump()), "-o", folder.path(name)},
                       options));
}

std::vector<Json> rows_of(const TemporaryFolder& folder, const std::string& name) {
  std::istringstream lines(takt({"experiment", "rows", folder.path(name), "--format", "jsonl", "--exact"}).out);
  std::vector<Json> rows;
  for (std::string line; std::getline(lines, line);) rows.push_back(Json::parse(line));
  return rows;
}

// All stages on the first processor; a mapping that every problem has.
constexpr const char* kAlone = R"(python3 -c '
import json, sys
for line in sys.stdin:
    problem = json.loads(line).get("problem")
    stages = [stage["name"] for stage in problem["application"]["stages"]]
    processor = problem["platform"]["processors"][0]["name"]
    print(json.dumps({"mapping": [{"stages": stages, "processors": [processor]}], "predicted_period": "7/2"}), flush=True)
')";

}  // namespace

TEST_CASE("an own heuristic of an experiment gives the rows that its mappings have") {
  const TemporaryFolder folder;
  const Json description =
      description_of({own("command", "command", "python3 " + source("examples/own_heuristic.py") + " {}"),
                      own("server", "server", "python3 " + source("examples/own_heuristic.py") + " --lines"), "bsc"});
  const Outcome outcome = run(folder, description, "run", {"--jobs", "2"});
  INFO(outcome.err);
  REQUIRE(outcome.status == 0);
  const std::vector<Json> rows = rows_of(folder, "run");
  REQUIRE(rows.size() == 2 * 2 * 3 * 2);
  std::size_t compared = 0;
  for (const Json& row : rows) {
    REQUIRE(row["failed"].is_null());
    if (row["heuristic"] != "command") continue;
    // The same mapping by the other form, and by the command on the draw alone.
    for (const Json& other : rows) {
      if (other["heuristic"] != "server" || other["cell"] != row["cell"] || other["draw"] != row["draw"] ||
          other["model"] != row["model"])
        continue;
      REQUIRE(other["period"] == row["period"]);
      REQUIRE(other["predicted_period"] == row["predicted_period"]);
      ++compared;
    }
    if (row["draw"] != 1) continue;
    const Outcome draw = takt({"experiment", "draw", folder.path("run"), "--cell", row["cell"].get<std::string>(),
                               "--draw", std::to_string(row["draw"].get<int>())});
    const Outcome alone =
        takt({"compare", folder.write("draw.json", draw.out), "--mine",
              "own=python3 " + source("examples/own_heuristic.py") + " {}", "--heuristics", "none", "--model",
              row["model"].get<std::string>(), "--json", "--each", folder.path("each.csv")});
    REQUIRE(alone.status == 0);
    REQUIRE_THAT(text_of(folder.path("each.csv")), Contains(",own," + row["predicted_period"].get<std::string>() + "," +
                                                            row["period"].get<std::string>() + ","));
  }
  REQUIRE(compared == 8);
  // The same bytes with one process; and reports know it by its name.
  REQUIRE(run(folder, description, "again").status == 0);
  for (const auto& file : std::filesystem::directory_iterator(folder.path("run") + "/chunks")) {
    REQUIRE(text_of(file.path().string()) == text_of(folder.path("again/chunks/" + file.path().filename().string())));
  }
  REQUIRE(std::filesystem::is_empty(folder.path("run/attempts")));
}

TEST_CASE("an own heuristic is told the seed of the draw and the model of its series") {
  const TemporaryFolder folder;
  const support::StoppedClock clock;
  // Its prediction is made of what it is told.
  constexpr const char* kTelling = R"(python3 -c '
import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    assert asked["time_limit"] == 600
    stages = [stage["name"] for stage in asked["problem"]["application"]["stages"]]
    told = asked["seed"] * 2 + (asked["model"] == "strict")
    print(json.dumps({"mapping": [{"stages": stages, "processors": ["P0"]}], "predicted_period": str(told)}), flush=True)
')";
  constexpr const char* kTellingOnce = R"(python3 -c '
import json, os, sys
stages = [stage["name"] for stage in json.load(open(sys.argv[1]))["application"]["stages"]]
told = int(os.environ["TAKT_SEED"]) * 2 + (os.environ["TAKT_MODEL"] == "strict")
assert float(os.environ["TAKT_TIME_LIMIT"]) == 600
print(json.dumps({"mapping": [{"stages": stages, "processors": ["P0"]}], "predicted_period": str(told)}))
' {})";
  const Outcome outcome =
      run(folder, description_of({own("line", "server", kTelling), own("file", "command", kTellingOnce)}), "run");
  INFO(outcome.err << takt({"experiment", "status", folder.path("run")}).out);
  REQUIRE(outcome.status == 0);
  std::map<std::string, std::vector<std::string>> told;  // by cell, draw and heuristic: overlap, strict
  for (const Json& row : rows_of(folder, "run")) {
    told[row["cell"].get<std::string>() + row["draw"].dump() + row["heuristic"].get<std::string>()].push_back(
        row["predicted_period"].get<std::string>());
  }
  REQUIRE(told.size() == 8);
  std::set<std::string> seeds;
  for (const auto& [key, values] : told) {
    REQUIRE(values.size() == 2);
    REQUIRE(Rational(maxplus::Integer(values[1])) == Rational(maxplus::Integer(values[0])) + Rational(1));
    seeds.insert(values[0]);
  }
  REQUIRE(seeds.size() == 4);  // the same for both heuristics, another for each draw
}

TEST_CASE("where an own heuristic has no mapping, the row says why, without what differs from run to run") {
  const TemporaryFolder folder;
  const Json description = description_of(
      {own("alone", "server", kAlone),
       own("refuses", "server", R"(while read l; do echo '{"failed": "too wide"}'; done)"),
       own("crashes", "command", "echo no {} >&2; exit 3"), own("rubbish", "command", R"(echo '{"mapping": []}')")});
  for (const std::string name : {"a", "b"}) {
    const Outcome outcome = run(folder, description, name);
    REQUIRE(outcome.status == 4);
    REQUIRE_THAT(outcome.out, Contains("24 results are missing"));
  }
  for (const Json& row : rows_of(folder, "a")) {
    const std::string heuristic = row["heuristic"];
    INFO(row.dump());
    if (heuristic == "alone") REQUIRE(row["failed"].is_null());
    if (heuristic == "refuses") REQUIRE(row["failed"] == "too wide");
    if (heuristic == "crashes") REQUIRE(row["failed"] == "exit status 3: no {}");
    if (heuristic == "rubbish")
      REQUIRE(row["failed"] == "its output:1:13: /mapping: found an empty array, expected parts, at least one");
  }
  for (const auto& file : std::filesystem::directory_iterator(folder.path("a") + "/chunks")) {
    REQUIRE(text_of(file.path().string()) == text_of(folder.path("b/chunks/" + file.path().filename().string())));
  }
}

TEST_CASE("an own heuristic may be what others are compared with") {
  const TemporaryFolder folder;
  Json description = description_of({"bsc"});
  description["references"] = {own("alone", "server", kAlone)};
  REQUIRE(run(folder, description, "run").status == 0);
  for (const Json& row : rows_of(folder, "run")) REQUIRE(row["to alone"].is_string());
}

TEST_CASE("run times are kept where a description names them, and nowhere else") {
  const TemporaryFolder folder;
  Json description = description_of({own("slow", "command", "exit 1"), own("alone", "server", kAlone), "bsc"});
  REQUIRE(run(folder, description, "without").status == 4);
  REQUIRE_FALSE(rows_of(folder, "without")[0].contains("run_time"));
  description["measures"] = {"period", "run_time"};
  const support::CountedClock clock(std::chrono::milliseconds(1));
  REQUIRE(run(folder, description, "with").status == 4);
  for (const Json& row : rows_of(folder, "with")) {
    if (row["heuristic"] == "slow") continue;
    const auto seconds = std::get<Rational>(maxplus::parse_fraction(row["run_time"].get<std::string>()));
    REQUIRE(seconds >= Rational::fraction(1, 1000));
  }
}

TEST_CASE("what an own heuristic cannot be is refused with its place") {
  const TemporaryFolder folder;
  const auto message_of = [&](const Json& heuristic, const std::string& study = "heuristics") {
    Json description = description_of({heuristic});
    description["study"] = study;
    if (study == "searches") description["checkpoints"] = {1};
    const Outcome outcome = run(folder, description, "bad");
    REQUIRE(outcome.status == (outcome.err.find("is the function") == std::string::npos ? 3 : 2));
    return outcome.err;
  };
  CHECK_THAT(message_of(own("bsc", "command", "x")),
             Contains("/heuristics/0/name: found \"bsc\", the name of a heuristic "
                      "of takt's, expected another name"));
  CHECK_THAT(message_of({{"name", "own"}, {"command", "x"}, {"server", "y"}}),
             Contains("found another way to run it, expected one of command, server and function"));
  CHECK_THAT(message_of(own("own", "command", "")), Contains("/heuristics/0/command: found an empty text, expected a "
                                                             "command"));
  CHECK_THAT(message_of({{"name", "own"}}), Contains("found \"own\""));
  CHECK_THAT(message_of({{"name", "own"}, {"command", "x"}, {"options", {{"depth", 3}}}}),
             Contains("found the key \"depth\", expected an option of own"));
  CHECK_THAT(message_of(own("own", "server", "x"), "searches"), Contains("its heuristics are searches"));
  CHECK_THAT(
      message_of(own("own", "function", "main.own")),
      Contains("the heuristic \"own\" is the function main.own of a Python program, expected a command or server; "
               "takt.experiment() runs it in that program"));
}

}  // namespace takt::testing
