// What a document calls a data set, people read everywhere.
#include <catch2/catch.hpp>
#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <regex>
#include <string>
#include <vector>

#include "tests/support/counted_clock.hpp"
#include "tests/tools/program.hpp"

namespace takt::testing {
namespace {

using nlohmann::ordered_json;

std::string with_frames(const TemporaryFolder& folder, const std::string& example) {
  auto document = ordered_json::parse(text_of(source(example)));
  document["application"]["item"] = "frame";
  return folder.write(std::filesystem::path(example).filename().string(), document.dump());
}

TEST_CASE("a document's word for data sets stands in every answer that people read") {
  const TemporaryFolder folder;
  const std::string mapped = with_frames(folder, "examples/server-in-two-parts.json");
  const std::string catalogue = with_frames(folder, "examples/catalogue.json");
  const std::string platform = with_frames(folder, "examples/video.json");
  const std::vector<std::vector<std::string>> commands = {
      {"evaluate", mapped, "--latency", "--latency-curve", "--model", "overlap"},
      {"evaluate", mapped, "--method", "simulate", "--model", "strict"},
      {"evaluate", mapped, "--set", "decode on server=9 ms"},
      {"sensitivity", mapped, "--model", "strict", "--floats", "--target", "30/s"},
      {"rooms", mapped},
      {"simulate", mapped, "--model", "strict", "--data-sets", "10", "-o", folder.path("a.csv")},
      {"simulate", mapped, "--model", "strict", "--completion", "100"},
      {"gantt", mapped, "--model", "strict", "-o", folder.path("a.svg")},
      {"gantt", mapped, "--model", "strict", "--schedule", "start-up", "-o", folder.path("b.svg")},
      {"dot", mapped, "--model", "strict", "-o", folder.path("a.dot")},
      {"report", mapped, "--model", "strict", "-o", folder.path("a.html")},
      {"plan", catalogue, "--rate", "200/s", "--losses", "--upgrade", "--frontier"},
      {"plan", catalogue, "--rate", "200/s", "--machines", "gpu=2"},
      {"plan", catalogue, "--rate", "200/s", "--latency", "1ms"},
      {"plan", platform, "--rate", "300/s"},
      {"map", platform, "--heuristic", "all", "--time-limit", "5"},
      {"compare", platform, "--heuristics", "bsc,greedy"},
  };
  int frames = 0;
  for (const auto& command : commands) {
    CAPTURE(command);
    const support::CountedClock clock(std::chrono::milliseconds(1));
    const Outcome outcome = takt(command);
    CHECK((outcome.status <= 1 || outcome.status == 4));
    CHECK((outcome.out + outcome.err).find("data set") == std::string::npos);
    if (outcome.out.find("frame") != std::string::npos) ++frames;
  }
  CHECK(frames >= 12);
  for (const std::string name : {"a.svg", "b.svg", "a.dot", "a.html"}) {
    CAPTURE(name);
    const std::string text = text_of(folder.path(name));
    CHECK(text.find("frame") != std::string::npos);
    CHECK_FALSE(std::regex_search(text, std::regex("[ >]data sets?[ <.,:]")));
  }
}

}  // namespace
}  // namespace takt::testing
