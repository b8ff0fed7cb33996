// Segments and batches in what commands print.
#include <algorithm>
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
using nlohmann::ordered_json;

TEST_CASE("a segment that is busy all the time is named, with what to write if it carries more") {
  const std::string file = source("examples/racks.json");
  const std::string sentence =
      "The segment uplink forward is busy all the time: it carries one file at a time. If it carries more, write "
      "\"ports\": 2 in its entry of \"segments\".";
  const std::string text = takt({"evaluate", file, "--model", "overlap"}).out;
  CHECK_THAT(text, Contains("The bottleneck is the segment uplink forward, busy all the time.\n" + sentence + "\n"));
  CHECK_THAT(text, Contains("largest cycle time  40 ms per frame, of the segment uplink forward\n"));
  const auto json = ordered_json::parse(takt({"evaluate", file, "--model", "overlap", "--json"}).out);
  CHECK(json.at("period") == "1/25");
  const auto& resources = json.at("resources");
  CHECK(std::ranges::count_if(resources, [](const ordered_json& resource) {
          return resource.at("processor") == "uplink forward" && resource.at("kind") == "segment" &&
                 resource.at("cycle_time") == "1/25";
        }) == 1);
  // It is as the sentence says: with two files at a time the uplink is no bottleneck.
  ordered_json document = ordered_json::parse(text_of(file));
  document.at("platform").at("segments").at(0)["ports"] = 2;
  CHECK_THAT(takt({"evaluate", "-", "--model", "overlap"}, document.dump()).out,
             Contains("period              30 ms per frame\n"));
  const TemporaryFolder folder;
  REQUIRE(takt({"report", file, "--model", "overlap", "-o", folder.path("r.html")}).status == tools::kAnswered);
  const std::string page = text_of(folder.path("r.html"));
  CHECK_THAT(page, Contains("The segment uplink forward is busy all the time: it carries one file at a time. If"));
  CHECK_THAT(page, Contains("uplink forward carries files 100.0 %"));
  CHECK_THAT(takt({"dot", file, "--model", "overlap"}).out, Contains("dashed, in a color of its own: segment"));
  CHECK_THAT(takt({"gantt", file, "--model", "overlap"}).out, Contains(">uplink reverse transfer</text>"));
  CHECK_THAT(takt({"sensitivity", file, "--model", "overlap"}).out, Contains("  uplink bandwidth  "));
}

TEST_CASE("sources that take turns, all of them busy, are one sentence, and plans of types take them as one") {
  const std::string types = R"({
    "application": {"item": "frame", "input": "200 kB", "stages": [{"name": "a", "work": 4, "output": "50 kB"},
      {"name": "b", "work": 12, "output": "10 kB"}]},
    "platform": {"types": [{"name": "small", "speed": "1/ms", "cores": 4}], "bandwidth": "125 MB/s",
      "sources": [{"name": "cam1", "bandwidth": "12.5 MB/s"}, {"name": "cam2", "bandwidth": "12.5 MB/s"},
        {"name": "cam3", "bandwidth": "12.5 MB/s"}, {"name": "cam4", "bandwidth": "12.5 MB/s"}]}
  })";
  const TemporaryFolder folder;
  const auto planned = takt({"plan", "-", "--rate", "200/s", "-o", folder.path("plan.json"), "--certificate",
                             folder.path("plan.certificate")},
                            types);
  CHECK_THAT(planned.out, Contains("250 frames/s for 4, with 4 machines (16 cores). 200 frames/s was asked for.\n"
                                   "No mapping of any kind is cheaper: proved.\n"));
  CHECK(takt({"check", folder.path("plan.json"), folder.path("plan.certificate")}).status == tools::kAnswered);
  CHECK_THAT(
      takt({"evaluate", folder.path("plan.json")}).out,
      Contains("cam1, cam2, cam3 and cam4 are busy all the time: each sends one file at a time. If they send more, "
               "write \"ports\": 2 or \"ports\": \"unlimited\" in their entries of \"sources\".\n"));
  CHECK_THAT(
      takt({"plan", "-", "--rate", "500/s"}, types).out,
      Contains("no mapping reaches 500 frames/s. Each of the 4 sources, which take turns, sends 200 kB in 16 ms, at "
               "best (to small); at most 250 frames/s."));
  // The proof is of sources that are alike, and of no segment.
  ordered_json document = ordered_json::parse(text_of(folder.path("plan.json")));
  ordered_json unlike = document;
  unlike.at("platform").at("sources").at(3)["bandwidth"] = "1.25 MB/s";
  ordered_json wired = document;
  wired.at("platform")["segments"] = ordered_json::parse(R"([{"name": "wire", "between": [["cam1"], ["small-1"]]}])");
  for (const auto& [changed, reason] : {std::pair(unlike, "\"cam4\", whose links or ports are not those of \"cam1\""),
                                        std::pair(wired, "the segment \"wire\"")}) {
    const auto checked = takt({"check", "-", folder.path("plan.certificate")}, changed.dump());
    CHECK(checked.status == tools::kNo);
    CHECK_THAT(checked.out + checked.err, Contains(reason));
  }
}

TEST_CASE("who does not take segments or batches says so, and names one") {
  const std::string racks = source("examples/racks.json");
  const std::string batches = source("examples/batches.json");
  const std::vector<std::pair<std::vector<std::string>, int>> commands = {
      {{"map", "--heuristic", "greedy"}, tools::kNo},
      {{"map", "--heuristic", "all"}, tools::kNo},
      {{"plan", "--period", "50 ms"}, tools::kBadInput},
      {{"run", "--rehearse"}, tools::kBadInput}};
  for (const auto& [command, status] : commands) {
    for (const auto& [file, reason] :
         {std::pair(racks, "the segment \"uplink\""), std::pair(batches, "a batch of 8 on \"gpu-1\"")}) {
      if (command.front() == "plan" && file == batches) continue;  // its source's ports are refused before
      std::vector<std::string> words = command;
      words.insert(words.begin() + 1, file);
      const Outcome outcome = takt(words);
      CAPTURE(words, outcome.status, outcome.out, outcome.err);
      CHECK(outcome.status == status);
      CHECK((outcome.err + outcome.out).find(reason) != std::string::npos);
    }
  }
  for (const std::string method : {"pattern", "potentials"}) {
    const Outcome outcome = takt({"evaluate", racks, "--model", "overlap", "--method", method});
    CHECK(outcome.status == tools::kUsage);
    CHECK_THAT(outcome.err, Contains("platforms without \"segments\""));
  }
}

TEST_CASE("a batch is one computation of several data sets, named from the first to the last") {
  const std::string file = source("examples/batches.json");
  // One GPU alone: 28 ms for each eight frames.
  const std::string text = text_of(file);
  ordered_json document = ordered_json::parse(text);
  document.at("mapping").at(1).at("processors").erase(1);
  const std::string one = document.dump();
  const std::string answer = takt({"evaluate", "-", "--model", "overlap"}, one).out;
  CHECK_THAT(answer, Contains("period              3.5 ms per frame\n"));
  CHECK_THAT(answer, Contains("The bottleneck is the computation of gpu-1, busy all the time."));
  CHECK_THAT(answer, Contains("    0-7  compute detect"));
  CHECK_THAT(answer, Contains("without waiting for full batches"));
  const auto json = ordered_json::parse(takt({"evaluate", "-", "--model", "overlap", "--json"}, one).out);
  const auto& steps = json.at("critical_circuit").at("steps");
  bool is_batch = false;
  for (const auto& step : steps) is_batch = is_batch || step.value("batch", 0) == 8;
  CHECK(is_batch);
  CHECK_THAT(takt({"gantt", "-", "--model", "overlap"}, one).out, Contains("detect on gpu-1, frames 0 to 7: "));
  const Outcome curve = takt({"evaluate", file, "--latency-curve"});
  CHECK(curve.status == tools::kBadInput);
  CHECK_THAT(curve.err, Contains("--latency in place of --latency-curve"));
}

TEST_CASE("numbers of data sets that cut a batch are done between those that do not") {
  const std::string file = source("examples/batches.json");
  const auto done = [&](const std::string& count) {
    const auto json = ordered_json::parse(
        takt({"simulate", file, "--model", "overlap", "--completion", count, "--format", "json"}).out);
    return json.at("completion").at(0);
  };
  const auto eight = done("8");
  const auto twelve = done("12");
  const auto sixteen = done("16");
  CHECK(eight.at("time_lower_bound") == eight.at("time_upper_bound"));
  CHECK(twelve.at("time_lower_bound") == eight.at("time_upper_bound"));
  CHECK(twelve.at("time_upper_bound") == sixteen.at("time_lower_bound"));
}

}  // namespace
}  // namespace takt::testing
