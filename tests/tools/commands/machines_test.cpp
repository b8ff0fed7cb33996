// Segments and batches in what commands print.
#include <algorithm>
#include <catch2/catch.hpp>
#include <chrono>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/counted_clock.hpp"
#include "tests/tools/program.hpp"
#include "tools/command.hpp"

namespace takt::testing {
namespace {

using Catch::Contains;
using Catch::StartsWith;
using nlohmann::ordered_json;

TEST_CASE("a segment that is busy all the time is named, with what to write if it carries more") {
  const std::string file = source("examples/racks.json");
  const std::string sentence =
      "The segment uplink forward is busy all the time: it carries one file at a time. If it carries more, write "
      "\"ports\": 2 in its entry of \"segments\": the period is then 30 ms per frame, as with \"unlimited\".";
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
  CHECK_THAT(planned.out, Contains("250 frames/s with 4 machines (16 cores). 200 frames/s was asked for.\n"
                                   "No mapping of any kind needs fewer machines: proved.\n"));
  CHECK(takt({"check", folder.path("plan.json"), folder.path("plan.certificate")}).status == tools::kAnswered);
  CHECK_THAT(
      takt({"evaluate", folder.path("plan.json")}).out,
      Contains("cam1, cam2, cam3 and cam4 are busy all the time: each sends one file at a time. If they send more, "
               "write \"ports\": 2 in their entries of \"sources\": the period is then "));
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
  const auto refused = [](const std::string& file, std::vector<std::string> words, int status,
                          const std::string& reason) {
    words.insert(words.begin() + 1, file);
    const Outcome outcome = takt(words);
    CAPTURE(words, outcome.status, outcome.out, outcome.err);
    CHECK(outcome.status == status);
    CHECK((outcome.err + outcome.out).find(reason) != std::string::npos);
    // Heuristics are not the file's fault.
    if (status == tools::kBadInput) CHECK_THAT(outcome.err, StartsWith("takt: " + file + ": /"));
  };
  const std::string segment = "the segment \"uplink\"";
  refused(racks, {"map", "--heuristic", "bsc"}, tools::kNo, segment);
  refused(racks, {"run", "--rehearse", "--adapt", "polish", "--window", "20"}, tools::kUsage, segment);
  refused(racks, {"run", "--rehearse", "--order", "first-free"}, tools::kUsage, segment);
  refused(batches, {"plan", "--period", "50 ms"}, tools::kBadInput, "a batch of 8 on \"gpu-1\"");
  const TemporaryFolder folder;
  ordered_json types = ordered_json::parse(text_of(racks));
  types.erase("mapping");
  types["platform"]["processors"].clear();
  types["platform"].erase("processors");
  types["platform"]["types"] = {{{"name", "t"}, {"speed", "1/s"}}, {{"name", "u"}, {"speed", "1/s"}}};
  types["platform"]["segments"][0]["between"] = {{"t"}, {"u"}};
  for (auto& stage : types["application"]["stages"]) stage["time"] = {{"t", "1 ms"}};
  refused(folder.write("types.json", types.dump()), {"plan", "--period", "50 ms"}, tools::kBadInput, segment);
  for (const std::string method : {"pattern", "potentials"}) {
    const Outcome outcome = takt({"evaluate", racks, "--model", "overlap", "--method", method});
    CHECK(outcome.status == tools::kUsage);
    CHECK_THAT(outcome.err, Contains("platforms without \"segments\""));
  }
}

TEST_CASE("runs hold segments and compute batches, in the periods of their nets") {
  for (const std::string name : {"racks.json", "batches.json"}) {
    for (const std::string model : {"overlap", "strict"}) {
      const std::string file = source("examples/" + name);
      CAPTURE(name, model);
      const Outcome run = takt({"run", file, "--rehearse", "--model", model, "--json"});
      REQUIRE(run.status == tools::kAnswered);
      const ordered_json json = ordered_json::parse(run.out);
      const ordered_json exact = ordered_json::parse(takt({"evaluate", file, "--model", model, "--json"}).out);
      CHECK(json["measured_period"] == exact["period"]);
      CHECK(json["stalls"] == 0);
      REQUIRE_FALSE(json["resources"].empty());
      for (const auto& resource : json["resources"]) {
        CAPTURE(resource.dump());
        const double predicted = resource["predicted_utilization_decimal"];
        CHECK(resource["measured_utilization_decimal"].get<double>() == Approx(predicted).margin(0.02));
      }
    }
  }
  // Three frames are no whole batch, and are computed.
  const Outcome few =
      takt({"run", source("examples/batches.json"), "--rehearse", "--model", "overlap", "--data-sets", "3"});
  CHECK(few.status == tools::kAnswered);
  CHECK_THAT(few.out, Contains("3 data sets delivered in order"));
}

TEST_CASE("plans on racks are evaluated with the wire between them, which makes none faster") {
  const std::string racks = source("examples/racks.json");
  const Outcome found = takt({"plan", racks, "--period", "50 ms"});
  CHECK(found.status == tools::kAnswered);
  CHECK_THAT(found.out, Contains("22.22 frames/s with 5 machines") && Contains("No mapping of any kind "));
  // The wire alone takes 40 ms for each frame.
  const Outcome none = takt({"plan", racks, "--period", "39 ms"});
  CHECK(none.status == tools::kNo);
  CHECK_THAT(none.out, Contains("no mapping of any kind reaches 25.64 frames/s, whatever it costs: proved."));
}

TEST_CASE("where no heuristic takes a problem, one sentence says so in place of a table") {
  const std::string batches = source("examples/batches.json");
  const Outcome outcome = takt({"map", batches, "--heuristic", "all"});
  CHECK(outcome.status == tools::kNo);
  CHECK_THAT(outcome.out, StartsWith("Skipped\n  bs121 ") &&
                              Contains("it takes only mappings without \"batch\": found a batch of 8 on \"gpu-1\""));
  CHECK(outcome.err == "takt: no heuristic takes this problem\n");
  const Outcome best = takt({"map", batches});
  CHECK(best.status == tools::kNo);
  CHECK(best.out.empty());
  CHECK(best.err == "takt: no heuristic takes this problem\n");
}

TEST_CASE("mappings to racks count the wire between them, and those who do not know it are skipped") {
  const std::string racks = source("examples/racks.json");
  const support::CountedClock clock(std::chrono::milliseconds(1));
  const Outcome all = takt({"map", racks, "--heuristic", "all", "--model", "overlap", "--time-limit", "20"});
  CAPTURE(all.out, all.err);
  CHECK(all.status == tools::kAnswered);
  CHECK_THAT(all.out, Contains("\n\nSkipped\n  bs121 ") &&
                          Contains("it takes only platforms without \"segments\": found the segment \"uplink\""));
  for (const std::string name : {"random", "greedy", "exhaustive", "polish", "typed-dp"}) {
    CAPTURE(name);
    const Outcome one = takt({"map", racks, "--heuristic", name, "--model", "overlap"});
    REQUIRE(one.status == tools::kAnswered);
    CHECK_THAT(takt({"verify", "-", "--model", "overlap"}, one.out).out, Contains("equal"));
    // Every frame passes the wire, whoever decodes and detects it.
    if (name == "polish") CHECK_THAT(one.err, Contains("Proved: no mapping has a shorter period"));
  }
}

TEST_CASE("what folding finds wrong with a document is said with its file") {
  const TemporaryFolder folder;
  const std::string good = source("examples/racks.json");
  ordered_json document = ordered_json::parse(text_of(source("examples/batches.json")));
  const std::string bad = folder.write("batches.json", document.dump());
  const std::string start = "takt: " + bad + ": /mapping/";
  const std::vector<std::vector<std::string>> commands = {
      {"evaluate", bad, "--model", "bounded", "--rooms", "1"},
      {"evaluate", good, bad, good, "--model", "bounded", "--rooms", "1"},
      {"evaluate", good, bad, good, "--model", "bounded", "--rooms", "1", "--keep-going"},
      {"simulate", bad, "--data-sets", "9", "--model", "bounded", "--rooms", "1"},
      {"gantt", bad, "--model", "bounded", "--rooms", "1"},
      {"dot", bad, "--model", "bounded", "--rooms", "1"},
      {"report", bad, "--model", "bounded", "--rooms", "1", "-o", folder.path("r.html")},
      {"sensitivity", bad, "--model", "bounded", "--rooms", "1"}};
  for (const auto& command : commands) {
    const Outcome outcome = takt(command);
    CAPTURE(command, outcome.out, outcome.err);
    CHECK(outcome.status == tools::kBadInput);
    CHECK_THAT(outcome.err, StartsWith(start) && Contains("found "));
  }
  // Read first, judged later.
  ordered_json predicted = document;
  predicted["predicted_period"] = "5 ms";
  ordered_json fine = ordered_json::parse(text_of(good));
  fine["predicted_period"] = "40 ms";
  folder.write("batches.json", predicted.dump());
  folder.write("good.json", fine.dump());
  const Outcome verified =
      takt({"verify", folder.path("good.json"), bad, folder.path("good.json"), "--model", "bounded", "--rooms", "1"});
  CAPTURE(verified.out, verified.err);
  CHECK_THAT(verified.err, StartsWith(start));
  // By its line where it has one.
  folder.write("batches.json", fine.dump() + '\n' + document.dump() + '\n');
  const Outcome lines = takt({"evaluate", bad, "--lines", "--model", "bounded", "--rooms", "1"});
  CAPTURE(lines.out, lines.err);
  CHECK_THAT(lines.out + lines.err, Contains(bad + ":2: /mapping/"));
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
