// Numbers of documents changed: own ones and those of types, alike ones together, what-if in one command.
#include <catch2/catch.hpp>
#include <chrono>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/support/counted_clock.hpp"
#include "tests/tools/program.hpp"
#include "tools/command.hpp"

namespace takt::testing {
namespace {

using Catch::Contains;
using nlohmann::ordered_json;

const std::string kOwnTime = "tests/data/changes/own-time.json";
const std::string kOwnSpeed = "tests/data/changes/own-speed.json";
const std::string kTypesAndTies = "tests/data/changes/types-and-ties.json";
const std::string kTwoGpus = "tests/data/changes/two-gpus.json";

std::vector<std::string> names_in(const ordered_json& json) {
  std::vector<std::string> names;
  for (const auto& parameter : json["parameters"]) names.push_back(parameter["name"]);
  return names;
}

TEST_CASE("a processor's own time that is equal to its type's stays its own") {
  const TemporaryFolder folder;
  const std::string changed = folder.path("changed.json");
  const auto json = ordered_json::parse(takt({"sensitivity", source(kOwnTime), "--model", "strict", "--json"}).out);
  CHECK(names_in(json) == std::vector<std::string>{"B on P2", "other links time", "A on P1"});
  CHECK(json["parameters"][0]["pointer"] == "/application/stages/1/time/P2");
  const Outcome written =
      takt({"sensitivity", source(kOwnTime), "--apply", "/application/stages/1/time/t=8", "-o", changed});
  REQUIRE(written.status == tools::kAnswered);
  CHECK_THAT(written.out, Contains("B on t at 8 in place of 4"));
  CHECK_THAT(text_of(changed), Contains(R"("time": {"t": 8, "P2": 4})"));
  CHECK(ordered_json::parse(takt({"evaluate", changed, "--model", "strict", "--json"}).out)["period"] == "5");
  CHECK_THAT(takt({"evaluate", source(kOwnTime), "--model", "strict", "--set", "B on t=8"}).out,
             Contains("With B on t at 8 in place of 4, the period stays 5."));
  CHECK_THAT(takt({"evaluate", source(kOwnTime), "--model", "strict", "--set", "B on P2=8"}).out,
             Contains("With B on P2 at 8 in place of 4, the period is 9 in place of 5: 44.4 % less throughput."));
}

TEST_CASE("a processor's own speed that is equal to its type's stays its own") {
  const TemporaryFolder folder;
  const std::string changed = folder.path("changed.json");
  const auto json = ordered_json::parse(takt({"sensitivity", source(kOwnSpeed), "--model", "strict", "--json"}).out);
  CHECK(names_in(json) == std::vector<std::string>{"B work", "t speed", "other links time", "A work", "P1 speed"});
  REQUIRE(takt({"sensitivity", source(kOwnSpeed), "--apply", "t speed=2", "-o", changed}).status == tools::kAnswered);
  CHECK_THAT(text_of(changed),
             Contains(R"({"name": "P1", "type": "t", "speed": 1})") && Contains(R"({"name": "P2", "type": "t"})"));
  CHECK(ordered_json::parse(takt({"evaluate", changed, "--model", "strict", "--json"}).out)["period"] == "4");
}

TEST_CASE("a type's slack is that of the processors that have it from there") {
  const auto json = ordered_json::parse(
      takt({"sensitivity", source(kTypesAndTies), "--model", "strict", "--parameter", "S5 on t0", "--json"}).out);
  REQUIRE(json["parameters"].size() == 1);
  CHECK(json["parameters"][0]["slack"] == "8291/90");
}

TEST_CASE("alike machines are one row, and single ones on request say what helps together") {
  const Outcome groups = takt({"sensitivity", source(kTwoGpus), "--model", "overlap"});
  CHECK(groups.status == tools::kAnswered);
  CHECK_THAT(groups.out, Contains("2 of 10 operations are critical, on 2 circuits.\n") &&
                             Contains("  detect on gpu1, gpu2    30 ms          100.0 %      +10.0 %  +150.0 %") &&
                             !Contains("No parameter helps alone"));
  const Outcome each = takt({"sensitivity", source(kTwoGpus), "--model", "overlap", "--each"});
  CHECK_THAT(each.out,
             Contains("  detect on gpu1          30 ms          100.0 %      nothing  nothing  0\n") &&
                 Contains("\nNo parameter helps alone. Together: detect on gpu1 and detect on gpu2, 10 % faster each, "
                          "give 13.6364 ms (exactly 150/11), +10.0 %. Fewer do not help.\n"));
  const auto json =
      ordered_json::parse(takt({"sensitivity", source(kTwoGpus), "--model", "overlap", "--each", "--json"}).out);
  CHECK(json["critical_operations"].dump() ==
        R"({"critical_operation_count":2,"operation_count":10,"single_circuit":false,"circuit_count":2})");
  CHECK(json["together"]["names"].dump() == R"(["detect on gpu1","detect on gpu2"])");
  CHECK(json["together"]["period"] == "3/220");
  CHECK(json["together"]["is_smallest"] == true);
  const auto grouped = ordered_json::parse(takt({"sensitivity", source(kTwoGpus), "--model", "overlap", "--json"}).out);
  CHECK(grouped["parameters"][0]["pointers"].dump() ==
        R"(["/application/stages/1/time/gpu1","/application/stages/1/time/gpu2"])");
  CHECK_FALSE(grouped.contains("together"));
}

TEST_CASE("ports are parameters, with the units of bandwidths, and a tie asks for both ends") {
  const std::string text = R"({"application": {"stages": [{"name": "a", "time": {"P": "1 ms"}, "output": "8 MB"},
      {"name": "b", "time": {"Q": "1 ms"}}]},
      "platform": {"processors": [{"name": "P", "bandwidth": "1 GB/s"}, {"name": "Q", "bandwidth": "1 GB/s"}]},
      "mapping": [{"stages": ["a"], "processors": ["P"]}, {"stages": ["b"], "processors": ["Q"]}]})";
  const std::string table = takt({"sensitivity", "-", "--model", "overlap"}, text).out;
  CHECK_THAT(table, Contains("P port") && Contains("1 GB/s") && !Contains("No parameter helps alone"));
  const auto period = [&](const std::vector<std::string>& changes) {
    std::vector<std::string> arguments{"evaluate", "-", "--model", "overlap", "--json"};
    for (const std::string& change : changes) arguments.insert(arguments.end(), {"--set", change});
    return ordered_json::parse(takt(arguments, text).out)["period"];
  };
  CHECK(period({"P port=2 GB/s"}) == "1/125");
  CHECK(period({"P port=2 GB/s", "Q port=2 GB/s"}) == "1/250");
  CHECK(period({"P port=500 MB/s"}) == "2/125");
}

TEST_CASE("a target may be a rate") {
  const Outcome outcome = takt({"sensitivity", source(kTwoGpus), "--model", "overlap", "--target", "80/s"});
  CHECK(outcome.status == tools::kAnswered);
  CHECK_THAT(outcome.out, Contains("value for 80/s") && Contains("25 ms\n") && Contains("not by this alone"));
  CHECK(takt({"sensitivity", source(kTwoGpus), "--target", "80/furlong"}).status == tools::kUsage);
  CHECK(takt({"sensitivity", source(kExampleA), "--target", "80/s"}).status == tools::kUsage);
}

TEST_CASE("what if: the period with other values beside the one before") {
  const auto said = [](const std::vector<std::string>& changes) {
    std::vector<std::string> arguments{"evaluate", source(kTwoGpus), "--model", "overlap"};
    for (const std::string& change : changes) arguments.insert(arguments.end(), {"--set", change});
    const Outcome outcome = takt(arguments);
    CHECK(outcome.status == tools::kAnswered);
    for (const std::string& line : lines_of(outcome.out))
      if (line.starts_with("With ")) return line;
    return outcome.out;
  };
  CHECK(said({"detect on gpu1, gpu2=27 ms"}) ==
        "With detect on gpu1, gpu2 at 27 ms in place of 30 ms, the period is 13.5 ms in place of 15 ms: +11.1 % "
        "throughput.");
  CHECK(said({"detect on gpu2=20 ms"}) == "With detect on gpu2 at 20 ms in place of 30 ms, the period stays 15 ms.");
  CHECK(
      said({"/application/stages/1/time/gpu1=20 ms", "detect on gpu2=0.02 s"}) ==
      "With detect on gpu1 at 20 ms in place of 30 ms; detect on gpu2 at 20 ms in place of 30 ms, the period is 10 ms "
      "in place of 15 ms: +50.0 % throughput.");
  CHECK(said({"other links bandwidth=100 MB/s"}) ==
        "With other links bandwidth at 100 MB/s in place of 1 GB/s, the period is 60 ms in place of 15 ms: 75.0 % less "
        "throughput.");
  const auto json = ordered_json::parse(
      takt({"evaluate", source(kTwoGpus), "--model", "overlap", "--set", "detect on gpu1, gpu2=27 ms", "--json"}).out);
  CHECK(json["period"] == "27/2000");
  CHECK(json["period_before"] == "3/200");
  CHECK(json["changed"][0]["value_before"] == "3/100");
}

TEST_CASE("blanks around the equals sign of --set mean nothing") {
  const auto asked = [](const std::string& change) {
    return takt({"evaluate", source(kTwoGpus), "--set", change}).out;
  };
  REQUIRE_FALSE(asked("detect on gpu2=20 ms").empty());
  CHECK(asked("detect on gpu2 = 20 ms") == asked("detect on gpu2=20 ms"));
}

TEST_CASE("what if refuses what it cannot set, with what may be meant") {
  const auto refused = [](const std::vector<std::string>& more) {
    const Outcome outcome = takt(appended({"evaluate", source(kTwoGpus)}, more));
    CHECK(outcome.status == tools::kUsage);
    CHECK(outcome.out.empty());
    return outcome.err;
  };
  CHECK_THAT(refused({"--set", "detect on gpu=20 ms"}), Contains(R"(did you mean "detect on gpu1")"));
  CHECK_THAT(refused({"--set", "detect on gpu2"}), Contains("--set takes NAME=VALUE"));
  CHECK_THAT(refused({"--set", "detect on gpu2=fast"}),
             Contains(R"(--set: detect on gpu2: found "fast", expected a time, as in "10 ms")"));
  CHECK_THAT(refused({"--set", "detect on gpu2=20"}),
             Contains(R"(--set: detect on gpu2: found "20", expected a unit, as in "20 ms": the file has units)"));
  CHECK_THAT(refused({"--set", "detect on gpu2=20 MB"}),
             Contains(R"(--set: detect on gpu2: found "20 MB", expected a time, as in "10 ms")"));
  CHECK_THAT(refused({"--set", "detect on gpu2=-1 ms"}),
             Contains(R"(--set: detect on gpu2: found "-1 ms", expected a time of at least 0)"));
  CHECK_THAT(refused({"--set", "other links bandwidth=0"}),
             Contains(R"(--set: other links bandwidth: found "0", expected a bandwidth above 0)"));
  CHECK_THAT(refused({"--set", "detect on gpu2=1 ms", "--set", "/application/stages/1/time/gpu2=2 ms"}),
             Contains("--set changes detect on gpu2 twice"));
  CHECK_THAT(refused({"--set", "detect on gpu2=9312500"}), Contains(R"(as in "10 ms")"));
  CHECK_THAT(refused({"--set", "detect on gpu2=1 ms", "--certificate", "c.json"}), Contains("--apply NAME=VALUE"));
}

TEST_CASE("sensitivity ends with its time limit, and says how much it did not look at") {
  const std::string instance =
      takt({"generate", "replicated-mapping", "--stages", "6", "--processors", "60", "--seed", "3"}).out;
  const support::CountedClock clock(std::chrono::milliseconds(1));
  const Outcome outcome =
      takt({"sensitivity", "-", "--model", "overlap", "--time-limit", "150ms", "--top", "1"}, instance);
  CHECK(outcome.status == tools::kLimit);
  CHECK_THAT(outcome.err, Contains("rows were not looked at: the time was up"));
}

}  // namespace
}  // namespace takt::testing
