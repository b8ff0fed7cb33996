// Chunks by time: chosen once for each directory, the same rows as any others.
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/support/counted_clock.hpp"
#include "tests/tools/program.hpp"
#include "tools/experiment/chunk_times.hpp"
#include "tools/experiment/run_directory.hpp"

namespace takt::tools {

namespace {

using Catch::Contains;
using testing::takt;
namespace fs = std::filesystem;

// The draws of the second cell take some fifty times as long as those of the first.
constexpr const char* kUnequalText = R"({
  "name": "unequal", "seed": 5, "study": "evaluate", "chunk": "CHUNK", "models": ["strict"],
  "generator": "replicated-mapping",
  "cells": [{"name": "small", "draws": 3000, "stages": 2, "processors": 3},
            {"name": "large", "draws": 150, "stages": 10, "processors": 20}],
  "report": [{"kind": "table", "columns": [{"mean": "period"}]}]
})";

std::string unequal(const std::string& chunk) {
  std::string text = kUnequalText;
  if (chunk.empty()) return text.replace(text.find("\"chunk\": \"CHUNK\", "), 18, "");
  return text.replace(text.find("\"CHUNK\""), 7, chunk);
}

std::string written(const testing::TemporaryFolder& folder, const std::string& chunk) {
  std::ofstream(folder.path("unequal.json")) << unequal(chunk);
  return folder.path("unequal.json");
}

std::string text_at(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// A number for each cell, or one for all.
nlohmann::json sizes_in(const std::string& run) {
  return nlohmann::json::parse(text_at(run + "/manifest.json"))["draws_per_chunk"];
}

bool is_round(std::uint64_t number) {
  while (number % 10 == 0) number /= 10;
  return number == 1 || number == 2 || number == 5;
}

}  // namespace

TEST_CASE("draws of a chunk are 1, 2 or 5 times a power of ten, as many as fit the time") {
  const auto all = experiments::read_description(unequal("7"), "unequal.json");
  const auto sizes = [](const experiments::Description& description, double first, double second, double seconds) {
    return draws_per_chunk(description, {{.draws = 10, .seconds = 10 * first}, {.draws = 3, .seconds = 3 * second}},
                           seconds);
  };
  CHECK(sizes(all, 0.1, 3, 10) == std::vector<std::uint64_t>{100, 2});
  CHECK(sizes(all, 0.101, 2, 10) == std::vector<std::uint64_t>{50, 5});
  CHECK(sizes(all, 11, 1000, 10) == std::vector<std::uint64_t>{1, 1});
  // Rows are held in memory until a chunk is done; tallies alone are not.
  CHECK(sizes(all, 1e-6, 0, 10) == std::vector<std::uint64_t>{100'000, 100'000});
  const auto none = experiments::read_description(unequal("7, \"keep\": \"none\""), "unequal.json");
  CHECK(sizes(none, 1e-6, 0, 10) == std::vector<std::uint64_t>{10'000'000, 1'000'000'000});
  // Of a cell whose draws could not be timed nothing is known.
  CHECK(draws_per_chunk(all, {{}, {.draws = 1, .seconds = 1}}, 20) == std::vector<std::uint64_t>{20, 20});
  CHECK(draws_per_chunk(all, {{}, {}}, 20) == std::vector<std::uint64_t>{1, 1});
}

TEST_CASE("draws are timed in a process of their own, and a cell that ends it is passed over") {
  const auto description = experiments::read_description(unequal("7"), "unequal.json");
  const auto samples = [&] {
    const support::StoppedClock clock;
    return sample_draws(description, {.seconds = 0.1, .one_in = 10});
  }();
  REQUIRE(samples.size() == 2);
  CHECK(samples[0].draws <= 300);
  CHECK(samples[1].draws <= 15);
  for (const DrawSample& sample : samples) {
    CHECK(sample.draws >= 1);
    CHECK(sample.rows == sample.draws);
    CHECK(sample.seconds > 0);
  }
  // What takes longer than it is watched is known to, and its chunks have one draw.
  const auto cut = sample_draws(description, {.seconds = 0.001, .seconds_per_draw = 1e-9});
  CHECK(cut[0].is_cut);
  CHECK(forecast(description, cut).is_cut);
  CHECK_FALSE(forecast(description, samples).is_cut);
  const auto endless = experiments::read_description(unequal("7"), "unequal.json", {.seed = {}, .draws = 1 << 30});
  std::size_t killed = 0;
  SampleLimits limits{.seconds = 1000};
  limits.on_cell = [&](std::size_t cell) {
    if (cell != killed) return;
    std::ifstream children("/proc/self/task/" + std::to_string(::getpid()) + "/children");
    pid_t child = 0;
    REQUIRE(children >> child);
    ++killed;
    ::kill(child, SIGKILL);
  };
  const auto nothing = sample_draws(endless, limits);
  CHECK(killed == 2);
  CHECK(nothing[0].draws == 0);
  CHECK(nothing[1].draws == 0);
  CHECK(forecast(endless, nothing).unknown_cells == 2);
}

TEST_CASE("a run in chunks by time has the rows of any other, and its chunks stay") {
  const testing::TemporaryFolder folder;
  const std::string timed = folder.path("timed");
  REQUIRE(takt({"experiment", "run", written(folder, "\"20 ms\""), "-o", timed, "--jobs", "2"}).status == 0);
  const nlohmann::json sizes = sizes_in(timed);
  for (const auto& size : sizes) CHECK(is_round(size));  // also of one for all
  const std::string manifest = text_at(timed + "/manifest.json");
  CHECK(takt({"experiment", "run", folder.path("unequal.json"), "-o", timed}).status == 0);
  CHECK(text_at(timed + "/manifest.json") == manifest);
  const auto rows = takt({"experiment", "rows", timed, "--format", "jsonl", "--exact"});
  CHECK(rows.status == 0);

  const std::string counted = folder.path("counted");
  REQUIRE(takt({"experiment", "run", written(folder, "7"), "-o", counted}).status == 0);
  CHECK(sizes_in(counted) == 7);
  CHECK(takt({"experiment", "rows", counted, "--format", "jsonl", "--exact"}).out == rows.out);
  CHECK(takt({"experiment", "report", counted, "--format", "csv"}).out ==
        takt({"experiment", "report", timed, "--format", "csv"}).out);

  // Tallies add up to the same, too.
  std::string reports[2];
  for (const std::string& size : {std::string("7"), std::string("\"20 ms\"")}) {
    const std::string run = folder.path("tallied " + std::to_string(size.size()));
    const std::string tallied = written(folder, size + R"(, "keep": "none", "bins": {"period": "1/2"})");
    REQUIRE(takt({"experiment", "run", tallied, "-o", run}).status == 0);
    reports[size == "7" ? 0 : 1] = takt({"experiment", "report", run, "--format", "csv"}).out;
  }
  CHECK(reports[0].find("table,") != std::string::npos);
  CHECK(reports[0] == reports[1]);

  // More draws, by the same chunks.
  {
    const support::CountedClock clock(std::chrono::milliseconds(1));
    CHECK(
        takt({"experiment", "run", written(folder, "\"20 ms\""), "-o", timed, "--draws", "4000", "--time-limit", "1ms"})
            .status == 4);
  }
  CHECK(sizes_in(timed) == sizes);
  const auto refused = takt({"experiment", "run", folder.path("unequal.json"), "-o", timed, "--chunk", "7"});
  CHECK(refused.status == 2);
  CHECK_THAT(refused.err, Contains("found --chunk 7: they stay as they are"));
  const auto merged = takt({"experiment", "merge", counted, timed});
  CHECK(merged.status == 2);
}

TEST_CASE("parts of a run have the same chunks, or are refused") {
  const testing::TemporaryFolder folder;
  const std::string description = written(folder, "\"20 ms\"");
  const auto refused = takt({"experiment", "run", description, "-o", folder.path("a"), "--shard", "1/2"});
  CHECK(refused.status == 2);
  CHECK_THAT(refused.err, Contains("--shard: found chunks by time, which each part would choose differently; expected "
                                   "--chunk N, or a directory that --prepare made"));
  CHECK_FALSE(fs::exists(folder.path("a")));

  const auto prepared = takt({"experiment", "run", description, "-o", folder.path("a"), "--prepare"});
  CHECK(prepared.status == 0);
  CHECK_THAT(prepared.out, Contains(" draws or fewer, 0 of them done\n"));
  CHECK(takt({"experiment", "run", description, "-o", folder.path("a"), "--prepare", "--shard", "1/2"}).status == 2);
  fs::create_directory(folder.path("b"));
  fs::copy(folder.path("a/manifest.json"), folder.path("b"));
  CHECK(takt({"experiment", "run", description, "-o", folder.path("a"), "--shard", "1/2"}).status == 0);
  CHECK(takt({"experiment", "run", description, "-o", folder.path("b"), "--shard", "2/2"}).status == 0);
  CHECK(takt({"experiment", "status", folder.path("a")}).status == 4);
  CHECK(takt({"experiment", "merge", folder.path("a"), folder.path("b")}).status == 0);
  CHECK(takt({"experiment", "status", folder.path("a")}).status == 0);
  CHECK(fs::is_empty(folder.path("a/fresh")));

  // A number in place of the time is the same everywhere.
  CHECK(takt({"experiment", "run", description, "-o", folder.path("c"), "--chunk", "50", "--shard", "1/2"}).status ==
        0);
  CHECK(takt({"experiment", "run", description, "-o", folder.path("d"), "--chunk", "20", "--shard", "2/2"}).status ==
        0);
  const auto other = takt({"experiment", "merge", folder.path("c"), folder.path("d")});
  CHECK(other.status == 2);
  CHECK_THAT(other.err, Contains("d: holds a run in other chunks than " + folder.path("c") +
                                 ": of 20 draws of \"small\", that one of 50"));
}

TEST_CASE("where nothing is said, a run chooses by time and parts take the study's number") {
  const testing::TemporaryFolder folder;
  std::string text = unequal("");
  text.insert(text.find("\"models\""), "\"keep\": \"none\", ");
  const std::string description = folder.path("unequal.json");
  std::ofstream(description) << text;
  CHECK(takt({"experiment", "run", description, "-o", folder.path("part"), "--shard", "1/2"}).status == 0);
  CHECK(sizes_in(folder.path("part")) == 50'000);
  CHECK(takt({"experiment", "run", description, "-o", folder.path("whole"), "--prepare"}).status == 0);
  const auto sizes = sizes_in(folder.path("whole"));
  CHECK(sizes != 50'000);
  for (const auto& size : sizes) CHECK(is_round(size));
  for (const auto& [seconds, expected] : {std::pair(1.0, 0.1), {100.0, 0.5}, {1800.0, 9.0}, {1e6, 10.0}}) {
    CHECK(usual_seconds({.seconds = seconds}) == Approx(expected));
  }
}

TEST_CASE("a wrong size of chunks is refused where it stands") {
  const testing::TemporaryFolder folder;
  for (const char* wrong : {"0", "\"0 s\"", "1.5", "-3", "\"10 MB\"", "\"ten\"", "true", "2e12"}) {
    const auto outcome = takt({"experiment", "run", written(folder, wrong), "-o", folder.path("a")});
    CAPTURE(wrong);
    CHECK(outcome.status == 3);
    CHECK_THAT(outcome.err,
               Contains("unequal.json:2:") &&
                   Contains("expected a number of draws from 1 to 2^40, or a time above 0 such as \"10 s\""));
  }
  const auto outcome = takt({"experiment", "run", written(folder, ""), "-o", folder.path("a"), "--chunk", "10 MB"});
  CHECK(outcome.status == 2);
  CHECK_THAT(outcome.err, Contains("--chunk: found \"10 MB\", expected a number of draws from 1 to 2^40, or a time"));
  const auto many = takt({"experiment", "run", folder.path("unequal.json"), "-o", folder.path("a"), "--chunk", "1",
                          "--draws", "1000000000"});
  CHECK(many.status == 2);
  CHECK_THAT(many.err, Contains("found 2000000000 chunks, expected at most 16777216"));
  CHECK_FALSE(fs::exists(folder.path("a")));
}

TEST_CASE("a dry run tells the chunks, the files and the time of runs of any size") {
  const testing::TemporaryFolder folder;
  const std::string description = written(folder, "\"10 s\"");
  const auto outcome = takt({"experiment", "run", description, "--dry-run", "--draws", "1000000000"});
  CHECK(outcome.status == 0);
  CHECK_THAT(outcome.out, Contains("unequal: 2000000000 draws of 2 cells, in ") &&
                              Contains("2000000000 rows, about ") && Contains(" GB in ") && Contains(" files\n") &&
                              Contains(" h in all with 1 process, as "));
}

}  // namespace takt::tools
