// Orders and rooms of transfers, and workflows with several entries and exits, from a document to what commands print.
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

const std::string kVideoAnalytics = "examples/video-analytics.json";

Outcome answer_of(const std::vector<std::string>& arguments) {
  Outcome outcome = takt(arguments);
  CAPTURE(arguments, outcome.err);
  REQUIRE(outcome.status == tools::kAnswered);
  return outcome;
}

ordered_json result_of(const std::string& path) {
  return ordered_json::parse(takt({"evaluate", path, "--model", "overlap", "--json"}).out);
}

TEST_CASE("ahead best writes the room that is enough, and says what the file then says") {
  const TemporaryFolder folder;
  const std::string written = folder.path("ahead.json");
  const Outcome best =
      answer_of({"evaluate", source(kVideoAnalytics), "--model", "overlap", "--ahead", "best", "-o", written});
  CHECK_THAT(best.out, Contains(", OVERLAP ONE-PORT, ROOM LIMITED IN 1 PLACE\n"));
  CHECK_THAT(best.out, Contains("Room for 4 of these files at each receiver is enough."));
  const auto again = result_of(written);
  CHECK(again.at("period") == "25");
  CHECK(again.at("limited_buffers") == 1);
  CHECK_FALSE(again.contains("window"));

  // The document's room is part of the claim.
  const std::string certificate = folder.path("certificate.json");
  answer_of({"evaluate", written, "--model", "overlap", "--certificate", certificate});
  CHECK_THAT(answer_of({"check", written, certificate}).out,
             Contains("Proved: the period is 25 under OVERLAP ONE-PORT, ROOM LIMITED IN 1 PLACE."));
  const Outcome without = takt({"check", source(kVideoAnalytics), certificate});
  CHECK(without.status != tools::kAnswered);
  const std::string roomless = folder.path("roomless.json");
  answer_of({"evaluate", source(kVideoAnalytics), "--model", "overlap", "--certificate", roomless});
  CHECK_THAT(takt({"check", written, roomless}).out,
             Contains("the instance has room for 4 files in the in-buffer of O in part 3"));

  CHECK_THAT(takt({"rooms", written}).err,
             EndsWith("found a transfer with room for 4 files, expected transfers without "
                      "\"room\"\n"));
  CHECK_THAT(takt({"map", written, "--heuristic", "greedy"}).err,
             Contains("it takes only transfers without \"ahead\""));
  const std::string report = folder.path("report.html");
  answer_of({"report", written, "--model", "overlap", "-o", report});
  CHECK_THAT(answer_of({"dot", written, "--model", "overlap"}).out, Contains("room"));
  answer_of({"gantt", written, "--model", "overlap", "-o", folder.path("gantt.svg")});
}

// Entries a and b, exits c and d; files take no time. a takes 4, b 1, c 2, d 5.
const char* const kSeveralPlaces = R"({
  "application": {"stages": [
    {"name": "a", "output": 1}, {"name": "b", "output": 1, "after": []},
    {"name": "c", "after": ["a", "b"]}, {"name": "d", "after": ["a"]}]},
  "platform": {"time": 0, "processors": [
    {"name": "A", "time": 4}, {"name": "B", "time": 1}, {"name": "C", "time": 2}, {"name": "D", "time": 5}]},
  "mapping": [{"stages": ["a"], "processors": ["A"]}, {"stages": ["b"], "processors": ["B"]},
    {"stages": ["c"], "processors": ["C"]}, {"stages": ["d"], "processors": ["D"]}]
})";

TEST_CASE("with several entries and exits a data set arrives once and is delivered when all are done") {
  const TemporaryFolder folder;
  const std::string file = folder.write("open.json", kSeveralPlaces);
  CHECK_THAT(answer_of({"evaluate", file, "--model", "overlap"}).out,
             Contains("latency             9 time units, alone or in an even stream"));
  CHECK_THAT(answer_of({"evaluate", file, "--model", "overlap", "--latency"}).out,
             Contains("least latency       9 time units, at this period"));
  // One data set after the other.
  const std::string certificate = folder.path("window.json");
  const Outcome window =
      answer_of({"evaluate", file, "--model", "overlap", "--window", "1", "--certificate", certificate});
  CHECK_THAT(window.out, Contains("period              9 time units per data set"));
  CHECK_THAT(answer_of({"check", file, certificate}).out, Contains("Proved: the period is 9"));
  // 4, then ten times 5.
  const Outcome done =
      answer_of({"simulate", file, "--model", "overlap", "--completion", "1", "10", "--format", "csv"});
  CHECK_THAT(done.out, Contains("overlap,1,9,9,") && Contains("overlap,10,54,54,"));
  answer_of({"gantt", file, "--model", "overlap", "-o", folder.path("gantt.svg")});
  answer_of({"report", file, "-o", folder.path("report.html")});
}

TEST_CASE("the order of transfers is the document's, to the certificate and the report") {
  const TemporaryFolder folder;
  const auto with_order = [&](const std::vector<std::pair<int, int>>& order) {
    ordered_json document = ordered_json::parse(R"({
      "application": {"stages": [
        {"name": "a", "work": 0, "output": 1}, {"name": "b", "work": 0, "output": 1}, {"name": "c", "work": 20, "after": ["a"]}]},
      "platform": {"bandwidth": 1, "processors": [
        {"name": "A", "speed": 1}, {"name": "B", "speed": 1}, {"name": "C", "speed": 1}]},
      "mapping": [{"stages": ["a"], "processors": ["A"]}, {"stages": ["b"], "processors": ["B"]},
        {"stages": ["c"], "processors": ["C"]}]})");
    for (const auto& [from, to] : order) document["order"].push_back({{"from", from}, {"to", to}});
    return folder.write("order.json", document.dump());
  };
  // a sends to b at 0, to c at 1; or the other way round.
  const std::string file = with_order({{0, 2}, {0, 1}});
  CHECK_THAT(answer_of({"evaluate", file, "--model", "overlap"}).out,
             Contains("latency             21 time units, alone or in an even stream"));
  const std::string certificate = folder.path("order.certificate.json");
  answer_of({"evaluate", file, "--model", "strict", "--certificate", certificate});
  CHECK_THAT(answer_of({"check", file, certificate}).out, Contains("Proved: the period is 21"));
  answer_of({"report", file, "--model", "overlap", "-o", folder.path("report.html")});
  CHECK_THAT(text_of(folder.path("report.html")), Contains("This is with transfers in a given order."));
  CHECK_THAT(takt({"map", file, "--heuristic", "greedy"}).err, Contains("it takes only mappings without an \"order\""));
  const std::string plain = with_order({{0, 1}, {0, 2}});
  CHECK_THAT(answer_of({"evaluate", plain, "--model", "overlap"}).out,
             Contains("latency             22 time units, alone or in an even stream"));
}

}  // namespace
}  // namespace takt::testing
