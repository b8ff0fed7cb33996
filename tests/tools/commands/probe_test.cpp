// takt probe without MPI: what it refuses, and what it makes of times that a launcher of the test leaves.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "tests/tools/program.hpp"
#include "tools/command.hpp"

namespace takt::testing {
namespace {

using Catch::Contains;
using Catch::EndsWith;
using nlohmann::ordered_json;
using Names = std::vector<std::string>;

const std::string kProbedProblem = R"({
  "application": {"name": "two", "stages": [{"name": "cut", "work": 1}, {"name": "sew", "work": 3}]},
  "platform": {"processors": [{"name": "P", "speed": 1}, {"name": "Q", "speed": 2}]}
})";

// 2 ms and 6 ms on P; Q takes half, or sews in a third. A round trip takes 2 us and 2 ns per byte.
const std::string kEven =
    R"({"times":[[[1900000,2000000,2500000],[1000000,1000000,1000000]],[[6000000,6000000,1],[3000000,3000000,3000001]]],)"
    R"("sizes":[0,1000,500],"round_trips":[[2000,202000]],"round_trip_spreads":[[20,2000]]})";
const std::string kUneven = R"({"times":[[[2000000],[1000000]],[[6000000],[2000000]]],"sizes":[0,1000,500],)"
                            R"("round_trips":[[2000,202000]],"round_trip_spreads":[[20,2000]]})";
const std::string kOneStage = R"({"times":[[[2000000],[]],[[6000000],[2000000]]],"sizes":[0,1000,500],)"
                              R"("round_trips":[[2000,202000]],"round_trip_spreads":[[20,2000]]})";

class ProbeBench {
 public:
  explicit ProbeBench(const std::string& result, const std::string& problem = kProbedProblem,
                      std::string sizes = "0,100kB")
      : sizes_(std::move(sizes)) {
    problem_ = folder_.write("problem.json", problem);
    folder_.write("result.json", result);
    // -n PROCESSES PROGRAM PLAN
    folder_.write("launcher",
                  "n=$2; plan=$4; out=$(sed -n 's/.*\"output\": \"\\([^\"]*\\)\".*/\\1/p' \"$plan\")\n"
                  "echo \"$n\" > \"$(dirname \"$0\")/processes\"; cp \"$plan\" \"$(dirname \"$0\")/plan\"\n"
                  "cp \"$(dirname \"$0\")/result.json\" \"$out/result.json\"\n");
  }

  Outcome probe(const Names& more) const {
    return takt(appended(
        {"probe", problem_, "--kernel", "spin", "--sizes", sizes_, "--launcher", "sh " + folder_.path("launcher")},
        more));
  }
  Outcome written(const Names& more = {}) const { return probe(appended({"-o", folder_.path("probed.json")}, more)); }
  std::string text(const std::string& name) const { return text_of(folder_.path(name)); }
  std::string path(const std::string& name) const { return folder_.path(name); }

 private:
  TemporaryFolder folder_;
  std::string sizes_;
  std::string problem_;
};

TEST_CASE("a probe tells medians, the fits and how far they are off, and writes the document") {
  const ProbeBench bench(kEven);
  const Outcome outcome = bench.written({"--repeat", "3"});
  CAPTURE(outcome.err);
  REQUIRE(outcome.status == tools::kAnswered);
  REQUIRE(outcome.out == R"(2 stages on 2 processors, 3 times each, all processors at once; medians
  stage     P     Q  file behind it
  cut    2 ms  1 ms            1 kB
  sew    6 ms  3 ms           500 B

time = work / speed is off by 0.0 % at worst: stages have works, processors speeds
processors are not alike: they differ by 48.9 %, repeats of one by 3.7 % (standard deviations); --alike makes them alike

1 link, 21 round trips of each of 2 sizes; medians, one way
  link   latency  bandwidth  off by  with a file of
  P - Q     1 us     1 GB/s   0.0 %             0 B

time = latency + size / bandwidth is off by 0.0 % at worst

)" + bench.path("probed.json") +
                             ": the document with these times, in seconds\n");
  REQUIRE(bench.text("processes") == "3\n");
  const auto document = ordered_json::parse(bench.text("probed.json"));
  REQUIRE(document == ordered_json::parse(R"({
    "application": {"name": "two", "input": "0 B", "stages": [
      {"name": "cut", "work": {"samples": [0.0019, 0.002, 0.0025, 0.002, 0.002, 0.002]}, "output": "1 kB"},
      {"name": "sew", "work": {"samples": [0.006, 0.006, 0.000000001, 0.006, 0.006, 0.006]}, "output": "500 B"}]},
    "platform": {"processors": [{"name": "P", "speed": "1/s"}, {"name": "Q", "speed": "2/s"}],
                 "links": [{"from": "P", "to": "Q", "bandwidth": "1 GB/s", "latency": "1 us"}]}})"));
  // Without a file the document is all there is.
  REQUIRE(bench.probe({"--repeat", "3"}).out == bench.text("probed.json"));
  REQUIRE(takt({"map", bench.path("probed.json"), "--heuristic", "polish"}).status == tools::kAnswered);
}

TEST_CASE("times of their own stand where the misfit is larger than allowed") {
  const ProbeBench bench(kUneven);
  const Outcome outcome = bench.written({"--repeat", "1"});
  REQUIRE(outcome.status == tools::kAnswered);
  REQUIRE_THAT(outcome.out, Contains("(sew on Q): each stage has a time of its own for each processor\n"));
  REQUIRE_THAT(bench.text("probed.json"), Contains(R"("time": {"P": "6 ms", "Q": "2 ms"})"));
  REQUIRE_THAT(bench.written({"--repeat", "1", "--alike"}).out,
               Contains(": stages have works, all processors one speed\n") && EndsWith("in seconds\n"));
  REQUIRE(ordered_json::parse(bench.text("probed.json")).at("platform") == ordered_json::parse(R"({
    "processors": [{"name": "P", "speed": "1/s"}, {"name": "Q", "speed": "1/s"}], "bandwidth": "1 GB/s",
    "latency": "1 us"})"));
  // Works and speeds are 10.7 % off.
  REQUIRE_THAT(bench.written({"--repeat", "1", "--misfit", "15%"}).out, Contains(": stages have works"));
  REQUIRE_THAT(bench.text("probed.json"), !Contains(R"("time")"));
}

TEST_CASE("of one stage on all processors, what was not measured has no time") {
  const ProbeBench bench(kOneStage);
  const Outcome outcome = bench.written({"--repeat", "1", "--one-stage", "sew", "--in-turn"});
  REQUIRE(outcome.status == tools::kAnswered);
  REQUIRE_THAT(outcome.out, Contains("1 time each, one processor after the other; medians\n"));
  REQUIRE_THAT(outcome.out, Contains("\n  cut    2 ms     -            1 kB\n"));
  REQUIRE_THAT(outcome.out, Contains("\nworks are those of P, speeds those of sew\n"));
  REQUIRE_THAT(bench.text("plan"), Contains(R"("one_stage": 1)"));
  REQUIRE_THAT(bench.text("plan"), Contains(R"("in_turn": true)"));
  REQUIRE_THAT(bench.text("probed.json"), Contains(R"({"name": "Q", "speed": "3/s"})"));
}

TEST_CASE("stages that run on some processors have times there, and say nothing of speeds") {
  const ProbeBench bench(
      R"({"times":[[[2000000],[]],[[],[3000000]]],"sizes":[0,1000,500],"round_trips":[[2000,202000]],)"
      R"("round_trip_spreads":[[20,2000]]})",
      R"({"application": {"stages": [{"name": "cut", "time": {"P": 1}}, {"name": "sew", "time": {"Q": 1}}]},
          "platform": {"processors": [{"name": "P"}, {"name": "Q"}]}})");
  REQUIRE_THAT(
      bench.written({"--repeat", "1", "--apart"}).out,
      Contains("no speed of a processor follows from the times: each stage has times of its own where it runs"));
  REQUIRE_THAT(bench.text("probed.json"), Contains(R"("time": {"P": "2 ms"})") && Contains(R"("time": {"Q": "3 ms"})"));
  bench.written({"--repeat", "1", "--alike"});
  REQUIRE_THAT(bench.text("probed.json"), Contains(R"("runs on": ["P"])") && Contains(R"("runs on": ["Q"])"));
}

TEST_CASE("of many processors and links the extremes are told") {
  // Nine processors of speeds 1 to 9, and 36 links, of which the last is furthest from a line.
  auto problem = ordered_json::parse(R"({"application": {"stages": [{"name": "a", "work": 1}]}})");
  auto result = ordered_json::parse(R"({"times": [[]], "sizes": [0, 10], "round_trips": [],
    "round_trip_spreads": []})");
  for (int p = 1; p <= 9; ++p) {
    problem["platform"]["processors"].push_back({{"name", "P" + std::to_string(p)}, {"speed", 1}});
    result["times"][0].push_back({5'040'000 / p});
  }
  for (int link = 0; link < 36; ++link) result["round_trips"].push_back({2000, 2200 + link, 202000});
  const ProbeBench bench(result.dump(), problem.dump(), "0,100,100kB");
  const Outcome outcome = bench.written({"--repeat", "1"});
  REQUIRE(outcome.status == tools::kAnswered);
  REQUIRE_THAT(outcome.out, Contains("\n  stage  fastest  on  slowest  on  file behind it\n"
                                     "  a       560 us  P9  5.04 ms  P1            10 B\n"));
  REQUIRE_THAT(outcome.out,
               Contains("\n36 links, ") && Contains("\n  and 16 more\n") && Contains("at worst (P8 - P9, "));
  REQUIRE_THAT(outcome.out, Contains("\n  P8 - P9 ") && !Contains("\n  P1 - P2 "));
}

TEST_CASE("alike processors are written as alike, unless they are to be kept apart") {
  const ProbeBench bench(
      R"({"times":[[[2000000,2400000,1800000],[2100000,1900000,2300000]],[[6000000,6600000,5400000],)"
      R"([6100000,6500000,5700000]]],"sizes":[0,1000,500],"round_trips":[[2000,202000]],"round_trip_spreads":[[20,2000]]})");
  const Outcome outcome = bench.written({"--repeat", "3"});
  REQUIRE(outcome.status == tools::kAnswered);
  REQUIRE_THAT(outcome.out,
               Contains(": stages have works, all processors one speed\nprocessors are alike: they differ by "
                        "0.0 %, repeats of one by ") &&
                   Contains(" (standard deviations); --apart keeps them apart\n"));
  REQUIRE_THAT(bench.text("probed.json"), Contains(R"({"name": "Q", "speed": "1/s"})"));
  const auto json = ordered_json::parse(bench.written({"--repeat", "3", "--json"}).out);
  REQUIRE(json.at("alike") == true);
  REQUIRE(json.at("links_alike") == false);
  REQUIRE(json.at("processor_likeness").at("difference") == 0.0);
  REQUIRE(json.at("link_likeness").is_null());
  for (const Names& apart : {Names{"--apart"}, Names{"--misfit", "50%"}}) {
    REQUIRE_THAT(bench.written(appended({"--repeat", "3"}, apart)).out, Contains("processors speeds\n\n1 link"));
    REQUIRE_THAT(bench.text("probed.json"), !Contains(R"({"name": "Q", "speed": "1/s"})"));
  }
  REQUIRE_THAT(bench.written({"--repeat", "3", "--alike"}).out, Contains("all processors one speed\n\n1 link"));
  REQUIRE_THAT(ProbeBench(kUneven).written({"--repeat", "1"}).out,
               Contains("\ntoo few repeats to tell whether processors are alike: --repeat 3 or more\n"));
}

TEST_CASE("what was measured as JSON") {
  const ProbeBench bench(kUneven);
  const Outcome outcome = bench.written({"--repeat", "1", "--json"});
  REQUIRE(outcome.status == tools::kAnswered);
  const auto json = ordered_json::parse(outcome.out);
  REQUIRE(json.at("kernel") == "spin");
  REQUIRE(json.at("ranks") == 3);
  REQUIRE(json.at("one_stage") == nullptr);
  REQUIRE(json.at("own_times") == true);
  REQUIRE(json.at("misfit").get<double>() == Approx(0.1068).margin(0.001));
  REQUIRE(json.at("stage_times").at(1) ==
          ordered_json::parse(
              R"({"name": "sew", "seconds_by_processor": {"P": 0.006, "Q": 0.002}, "output_bytes": 500.0})"));
  REQUIRE(json.at("sizes") == ordered_json::parse("[0, 100000]"));
  REQUIRE(
      json.at("links").at(0) ==
      ordered_json::parse(R"({"from": "P", "to": "Q", "latency_seconds": 1e-6, "bytes_per_second": 1e9, "misfit": 0.0,
                                  "seconds_by_size": [1e-6, 0.000101]})"));
}

TEST_CASE("what a probe cannot do is said before it begins") {
  struct Misuse {
    Names words;
    std::string message;
  };
  const ProbeBench bench(kEven);
  const std::string problem = bench.path("problem.json");
  const std::string bare = bench.path("result.json");
  const std::vector<Misuse> misuses = {
      {{problem}, "a probe times stages: give each a program by --program STAGE=COMMAND"},
      {{problem, "--kernel", "program"}, "--kernel program needs --program"},
      {{problem, "--program", "cut=cat"}, "stage sew has no program; each stage needs one"},
      {{problem, "--kernel", "spin", "--one-stage", "dye"}, "--one-stage: found \"dye\", expected the name of a stage"},
      {{problem, "--kernel", "spin", "--sizes", "1kB"}, "--sizes: found one size, expected 2 to 64"},
      {{problem, "--kernel", "spin", "--sizes", "7,7,7"}, "--sizes: found one size, expected 2 to 64"},
      {{problem, "--kernel", "spin", "--sizes", "1,-2"}, "--sizes: found \"-2\", expected whole numbers of bytes"},
      {{problem, "--kernel", "spin", "--sizes", "1,2GiB"}, "--sizes: found \"2GiB\", expected whole numbers of bytes"},
      {{problem, "--kernel", "spin", "--sizes", "1,0.5"}, "--sizes: found \"0.5\", expected whole numbers of bytes"},
      {{problem, "--kernel", "spin", "--sizes", ""}, "--sizes: found \"\", expected whole numbers of bytes"},
      {{problem, "--kernel", "spin", "--repeat", "1001"}, "--repeat: found 1001, expected at most 1000"},
      {{problem, "--kernel", "spin", "--round-trips", "1001"}, "--round-trips: found 1001, expected at most 1000"},
      {{problem, "--kernel", "spin", "--alike", "--misfit", "1"}, "--alike and --misfit exclude each other"},
      {{problem, "--kernel", "spin", "--alike", "--one-stage", "cut"}, "--alike and --one-stage exclude each other"},
      {{problem, "--kernel", "spin", "--alike", "--apart"}, "--alike and --apart exclude each other"},
      {{problem, "--kernel", "spin", "--json"}, "--json goes with -o; standard output holds the document"},
      {{problem, "--kernel", "spin", "--unit", "1e9h"}, "stage cut has no time on processor P that can be counted"},
      {{problem, "--program", "cut=cat", "--program", "sew=cat", "--input", "-"}, "--input takes a file"},
      {{problem, "--kernel", "spin", "--launcher", "/nowhere/mpirun"}, "expected an MPI launcher, such as mpirun"},
  };
  for (const Misuse& misuse : misuses) {
    const Outcome outcome = takt(appended({"probe"}, misuse.words));
    CAPTURE(misuse.message, outcome.err);
    REQUIRE(outcome.status == tools::kUsage);
    REQUIRE_THAT(outcome.err, Contains(misuse.message));
    REQUIRE(outcome.out.empty());
  }
  REQUIRE(takt({"probe", "-", "--kernel", "spin"}, R"({"application": {"stages": [{"name": "a"}]}})").status ==
          tools::kBadInput);
}

TEST_CASE("stages that are made up need times, and a probe that fails says so") {
  const TemporaryFolder folder;
  const std::string problem = folder.write("p.json", R"({"application": {"stages": [{"name": "a"}]},
                                 "platform": {"processors": [{"name": "P", "speed": 1}]}})");
  const Outcome untimed = takt({"probe", problem, "--kernel", "emulate"});
  REQUIRE(untimed.status == tools::kUsage);
  REQUIRE_THAT(untimed.err, Contains("--kernel emulate: stage a has no time on processor P that can be counted"));
  const Outcome failed = takt({"probe", problem, "--program", "a=cat", "--launcher", "sh -c 'exit 9'"});
  REQUIRE(failed.status == 70);
  REQUIRE_THAT(failed.err, EndsWith("p.json: exit status 9\n"));
  // The problem would be overwritten.
  REQUIRE(takt({"probe", problem, "--program", "a=cat", "-o", problem}).status == tools::kBadInput);
}

}  // namespace
}  // namespace takt::testing
