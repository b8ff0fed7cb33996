// Stages on the clock and on cores: which are shown, and what is said of them.
#include "tools/live/core_time_output.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <string>

#include "tests/support/evaluations.hpp"

namespace takt::testing {
namespace {

using Catch::Contains;
using live::RunResult;

constexpr std::int64_t kMs = 1'000'000;

std::string words(const RunResult& result) {
  std::ostringstream out;
  tools::write_core_times(out, support::document_of("examples/video.json"), result);
  return out.str();
}

// Of the first stage on one processor, and of the second on two.
RunResult of_stages(const live::StageWork& first, const live::StageWork& second, std::uint64_t cores) {
  RunResult result;
  result.end = 1000 * kMs;
  result.cores = cores;
  result.work = {{0, {first}}, {1, {second}}, {2, {second}}};
  return result;
}

TEST_CASE("stages that wait for cores are told with those that they share") {
  const RunResult result =
      of_stages({0, 10, 1000 * kMs, 950 * kMs, 50 * kMs}, {1, 5, 1070 * kMs, 155 * kMs, 850 * kMs}, 2);
  const std::string name = support::document_of("examples/video.json").application.stages[1].name;
  const std::string text = words(result);
  CHECK_THAT(text, Contains("on the clock  on a core  waiting for one"));
  CHECK_THAT(text, Contains("2        214 ms      31 ms           170 ms   13 ms\n"));
  CHECK_THAT(text,
             Contains("\n" + name + " waits for cores: 3 processors share 2 cores, and had 1.26 on the average\n"));
  // The first is on a core for all but 5 %.
  CHECK(std::ranges::count(text, '\n') == 5);
  RunResult many = result;
  many.cores = 8;
  CHECK_THAT(words(many), Contains(" waits for cores, though there are 8 for 3 processors: other programs, "));
  // Where processes are not on one machine, nobody knows why.
  many.cores = 0;
  CHECK_THAT(words(many), Contains(" waits for cores\n"));
}

TEST_CASE("stages that sleep, and those of several threads, are told apart") {
  const std::string text =
      words(of_stages({0, 10, 1000 * kMs, 100 * kMs, 20 * kMs}, {1, 10, 100 * kMs, 180 * kMs, 0}, 2));
  const auto& stages = support::document_of("examples/video.json").application.stages;
  CHECK_THAT(text, Contains("\n" + stages[0].name + " is asleep part of the time, or at input and output\n"));
  CHECK_THAT(text, Contains("\n" + stages[1].name + " uses several cores at once, or works on after its result\n"));
  CHECK_THAT(text, !Contains("for cores"));
}

TEST_CASE("stages on cores all the time, and very short ones, are not told of") {
  CHECK(words(of_stages({0, 10, 1000 * kMs, 950 * kMs, 50 * kMs}, {1, 10, 100 * kMs, 109 * kMs, 0}, 2)).empty());
  CHECK(words(of_stages({0, 100, kMs, 0, 0}, {1, 100, kMs, 0, 0}, 2)).empty());
  CHECK(words(RunResult()).empty());
}

TEST_CASE("where the system does not say who waits, nobody is said to") {
  const std::string text =
      words(of_stages({0, 10, 1000 * kMs, 100 * kMs, std::nullopt}, {1, 10, 100 * kMs, 100 * kMs, std::nullopt}, 2));
  CHECK_THAT(text, Contains("100 ms      10 ms                -       -\n"));
  CHECK_THAT(text, !Contains("asleep part") && !Contains("for cores"));
}

TEST_CASE("the JSON of stages on cores") {
  std::string text;
  tpn::JsonWriter json(text, tpn::IllFormed::replaced);
  json.begin_object();
  tools::write_core_times_json(
      json, support::document_of("examples/video.json"),
      of_stages({0, 10, 1000 * kMs, 100 * kMs, std::nullopt}, {1, 10, 500 * kMs, 0, 250 * kMs}, 0));
  json.end();
  const auto object = nlohmann::ordered_json::parse(text);
  CHECK(object.at("core_count").is_null());
  REQUIRE(object.at("stage_work").size() == 3);
  CHECK(object.at("stage_work")[0].at("waiting_seconds").is_null());
  CHECK(object.at("stage_work")[0].at("wall_seconds") == 1.0);
  CHECK(object.at("stage_work")[0].at("core_seconds") == 0.1);
  CHECK(object.at("stage_work")[2].at("waiting_seconds") == 0.25);
  CHECK(object.at("stage_work")[2].at("calls") == 10);
}

}  // namespace
}  // namespace takt::testing
