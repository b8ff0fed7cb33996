// Runs of experiments: the same bytes however they are run, ended, gone on with and merged.
#include <sys/resource.h>

#include <catch2/catch.hpp>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "experiments/reports/chunk.hpp"
#include "tests/tools/program.hpp"
#include "tools/experiment/jobs.hpp"
#include "tools/experiment/run_command.hpp"
#include "tools/experiment/run_directory.hpp"

namespace takt::tools {

using experiments::Chunk;
using experiments::ChunkWatch;

namespace {

namespace fs = std::filesystem;

constexpr const char* kRunText = R"({
  "name": "small", "seed": 5, "study": "evaluate", "chunk": 3,
  "generator": {"name": "replicated-mapping", "stages": 2},
  "grid": {"draws": 10, "processors": [3, 4]},
  "report": [{"kind": "table", "columns": [{"count": "gap > 0"}]}]
})";

RunDirectory opened(const std::string& path, const experiments::Overrides& overrides = {}) {
  return RunDirectory::open_for(path, kRunText, "small.json", overrides);
}

JobsEnd run(const RunDirectory& directory, std::uint64_t jobs, const ComputeChunk& compute) {
  JobOptions options;
  options.jobs = jobs;
  const JobsEnd end = run_jobs(directory, chunks_left(directory, directory.index(), {}), options, compute);
  directory.tidied();
  return end;
}

// What the files hold, by name.
std::map<std::string, std::string> bytes_of(const std::string& path) {
  std::map<std::string, std::string> bytes;
  for (const auto& entry : fs::directory_iterator(fs::path(path) / "chunks")) {
    std::ifstream file(entry.path(), std::ios::binary);
    bytes[entry.path().filename().string()] = std::string(std::istreambuf_iterator<char>(file), {});
  }
  return bytes;
}

// The chunks that are done, by name, in whatever file.
std::map<std::string, std::string> texts_of(const RunDirectory& directory) {
  std::map<std::string, std::string> texts;
  ChunkIndex done = directory.index();
  for (std::size_t i = 0; i < directory.chunks().size(); ++i) {
    if (const auto text = done.text(i)) texts[name_of_chunk(directory.chunks()[i])] = *text;
  }
  CHECK(texts.size() == done.count());
  return texts;
}

std::size_t left_in(const RunDirectory& directory) { return chunks_left(directory, directory.index(), {}).size(); }

std::map<std::string, std::string> undisturbed(const testing::TemporaryFolder& folder) {
  const RunDirectory directory = opened(folder.path("undisturbed"));
  CHECK(run(directory, 1, computing(directory)).error.empty());
  CHECK(texts_of(directory).size() == 8);
  auto bytes = bytes_of(folder.path("undisturbed"));
  CHECK(bytes.size() == 2);
  CHECK(fs::is_empty(folder.path("undisturbed/fresh")));
  return bytes;
}

}  // namespace

TEST_CASE("a run has the same bytes for any number of processes") {
  const testing::TemporaryFolder folder;
  const auto bytes = undisturbed(folder);
  const RunDirectory directory = opened(folder.path("three"));
  run(directory, 3, computing(directory));
  CHECK(bytes_of(folder.path("three")) == bytes);
  CHECK(fs::is_empty(folder.path("three/attempts")));
  CHECK(fs::is_empty(folder.path("three/fresh")));
}

TEST_CASE("searches end at the optimum where epsilon does not decide, and never below it") {
  const testing::TemporaryFolder folder;
  const std::string directory = folder.path("run");
  REQUIRE(testing::takt({"experiment", "run", testing::source("tests/data/searches-to-the-end.json"), "-o", directory,
                         "--draws", "5"})
              .status == 0);
  const testing::Outcome report = testing::takt({"experiment", "report", directory, "--format", "json"});
  const auto rows = nlohmann::json::parse(report.out)["items"][0]["rows"];
  REQUIRE(rows.size() == 6);
  for (const auto& row : rows) {
    INFO(row.dump());
    const auto number = [&](std::size_t column) { return row["numbers"][column]["value_decimal"].get<double>(); };
    const bool is_fine = row["labels"][1].get<std::string>().ends_with("1/10000");
    CHECK(number(1) >= 1);
    CHECK(number(2) <= (is_fine ? 1 : 1.01));
    if (is_fine) CHECK(number(3) == 5);
  }
}

TEST_CASE("rows do not depend on the size of chunks or on the other cells") {
  const testing::TemporaryFolder folder;
  std::string all;
  for (const auto& [name, text] : undisturbed(folder)) all += text;
  const experiments::Description one = experiments::read_description(R"({
    "name": "other", "seed": 5, "study": "evaluate", "chunk": 100,
    "generator": {"name": "replicated-mapping", "stages": 2},
    "cells": [{"name": "a", "draws": 10, "processors": 4}]
  })",
                                                                     "other.json");
  const auto text = experiments::compute_chunk(one, experiments::chunks_of(one)[0], {});
  REQUIRE(text);
  std::size_t rows = 0;
  for (std::size_t at = 0; at < text->size(); at = text->find('\n', at) + 1) {
    const std::string line = text->substr(at, text->find('\n', at) - at);
    if (line.find("crc32") != std::string::npos) continue;
    CHECK(all.find(line + "\n") != std::string::npos);
    ++rows;
  }
  CHECK(rows == 20);
}

TEST_CASE("a draw that ends its process is passed over after three starts, and all others stay as they are") {
  const testing::TemporaryFolder folder;
  const auto bytes = undisturbed(folder);
  const RunDirectory directory = opened(folder.path("crashing"));
  const auto crashing = [&](const Chunk& chunk, const ChunkWatch& watch) {
    ChunkWatch mine = watch;
    mine.on_draw = [&](std::uint64_t draw) {
      const bool is_passed_over = watch.on_draw(draw);
      if (chunk.cell == 1 && draw == 4 && !is_passed_over) std::abort();
      return is_passed_over;
    };
    return experiments::compute_chunk(directory.description(), chunk, mine);
  };
  const JobsEnd end = run(directory, 2, crashing);
  CHECK(end.given_up.empty());
  auto found = texts_of(directory);
  const auto whole = texts_of(opened(folder.path("undisturbed")));
  REQUIRE(found.size() == whole.size());
  const std::string name = "000001-00000001";
  CHECK(found[name].find(R"({"draw": 4, "model": "overlap", "failed": "it ended the process, three times"})") !=
        std::string::npos);
  found[name] = whole.at(name);
  CHECK(found == whole);
  const auto failures = directory.summary().failures();
  REQUIRE(failures.size() == 2);
  CHECK(failures[0].draw == 4);
  CHECK(failures[0].cell == 1);
}

TEST_CASE("a chunk whose process is killed from outside is given up after three times, and no row says failed") {
  const testing::TemporaryFolder folder;
  auto bytes = undisturbed(folder);
  const RunDirectory directory = opened(folder.path("killed"));
  const auto killed = [&](const Chunk& chunk, const ChunkWatch& watch) {
    if (chunk.cell == 0 && chunk.number == 2) std::raise(SIGKILL);
    return experiments::compute_chunk(directory.description(), chunk, watch);
  };
  const JobsEnd end = run(directory, 2, killed);
  REQUIRE(end.given_up.size() == 1);
  CHECK(directory.attempts(directory.chunks()[2])->starts == 3);
  CHECK(texts_of(directory).size() == 7);
  run(directory, 1, computing(directory));
  CHECK(bytes_of(folder.path("killed")) == bytes);
}

TEST_CASE("a full disk ends a run with one message, and what is done stays") {
  const testing::TemporaryFolder folder;
  const auto bytes = undisturbed(folder);
  const RunDirectory directory = opened(folder.path("full"));
  // No file of this process or its children may grow beyond what attempts need.
  struct rlimit before {};
  REQUIRE(getrlimit(RLIMIT_FSIZE, &before) == 0);
  const auto full = [&](const Chunk& chunk, const ChunkWatch& watch) {
    auto text = experiments::compute_chunk(directory.description(), chunk, watch);
    if (chunk.cell == 1) {
      const struct rlimit tight = {100, before.rlim_max};
      setrlimit(RLIMIT_FSIZE, &tight);
    }
    return text;
  };
  const JobsEnd end = run(directory, 1, full);
  CHECK_THAT(end.error, Catch::Contains(".jsonl: cannot be written: File too large"));
  CHECK(end.given_up.empty());
  CHECK(texts_of(directory).size() == 4);
  run(directory, 1, computing(directory));
  CHECK(bytes_of(folder.path("full")) == bytes);
}

TEST_CASE("a damaged chunk is done again") {
  const testing::TemporaryFolder folder;
  const auto bytes = undisturbed(folder);
  const RunDirectory directory = opened(folder.path("undisturbed"));
  const std::string name = "000001-00000000.jsonl";
  const std::string& whole = bytes.at(name);
  const std::string second = texts_of(directory).at("000001-00000001");
  std::string flipped = whole;
  flipped[whole.find(second) + 20] ^= 1;
  std::string without_end = whole;  // of the second chunk, so that the third one's end is that of both
  without_end.erase(whole.find(second) + second.size() - 30, 5);
  const std::vector<std::pair<std::string, std::size_t>> damages = {{flipped, 1},
                                                                    {without_end, 1},
                                                                    {"", 4},
                                                                    {"{}\n", 4},
                                                                    {whole.substr(1), 1},
                                                                    {whole.substr(0, whole.size() - 1), 1},
                                                                    {whole.substr(0, whole.find(second) + 40), 3},
                                                                    {bytes.at("000000-00000000.jsonl"), 4}};
  for (const auto& [damaged, left] : damages) {
    std::ofstream(folder.path("undisturbed/chunks/" + name), std::ios::binary) << damaged;
    CHECK(left_in(directory) == left);
    run(directory, 1, computing(directory));
    CHECK(bytes_of(folder.path("undisturbed")) == bytes);
  }
}

TEST_CASE("more draws go on with those that are there; fewer, another seed or description are refused") {
  const testing::TemporaryFolder folder;
  const auto bytes = undisturbed(folder);
  const RunDirectory more = opened(folder.path("undisturbed"), {.seed = {}, .draws = 12});
  CHECK(left_in(more) == 2);
  run(more, 1, computing(more));
  auto found = bytes_of(folder.path("undisturbed"));
  CHECK(found.size() == 2);
  CHECK(texts_of(more).size() == 8);
  for (const auto& [name, text] : bytes) CHECK(found.at(name).starts_with(text.substr(0, text.rfind("{\"cell\""))));
  // Without a number of draws, what the run has.
  CHECK(opened(folder.path("undisturbed")).description().cells[0].draws == 12);
  CHECK_THROWS_WITH(opened(folder.path("undisturbed"), {.seed = {}, .draws = 11}),
                    Catch::Contains("holds a run of 12 draws in \"processors 3\", found 11"));
  CHECK_THROWS_WITH(opened(folder.path("undisturbed"), {.seed = 6, .draws = {}}),
                    Catch::Contains("holds a run of seed 5, found seed 6"));
  std::string other = kRunText;
  other.replace(other.find("[3, 4]"), 6, "[3, 5]");
  CHECK_THROWS_WITH(RunDirectory::open_for(folder.path("undisturbed"), other, "other.json", {}),
                    Catch::Contains("at /grid/processors/1 it has the number 4, this one the number 5"));
}

TEST_CASE("what is reported may change, unless tallies would have to know it") {
  const testing::TemporaryFolder folder;
  const auto bytes = undisturbed(folder);
  std::string text = kRunText;
  text.replace(text.find("gap > 0"), 7, "gap > 1");
  const auto renewed = RunDirectory::open_for(folder.path("undisturbed"), text, "small.json", {});
  CHECK(left_in(renewed) == 0);
  CHECK(RunDirectory::open(folder.path("undisturbed")).description().predicates[0].text == "gap > 1");
  const auto tallied = [](std::string of) {
    of.replace(of.find("\"chunk\": 3"), 10, R"("chunk": 3, "keep": "none")");
    return of;
  };
  RunDirectory::open_for(folder.path("tallied"), tallied(kRunText), "small.json", {});
  CHECK_THROWS_WITH(RunDirectory::open_for(folder.path("tallied"), tallied(text), "small.json", {}),
                    Catch::Contains("at /report/0/columns/0/count it has the text \"gap > 0\""));
  CHECK_NOTHROW(RunDirectory::open_for(folder.path("tallied"), tallied(kRunText), "small.json", {}));
}

TEST_CASE("shards hold all chunks once") {
  const testing::TemporaryFolder folder;
  const RunDirectory directory = opened(folder.path("shards"));
  std::set<std::string> names;
  std::size_t count = 0;
  for (std::uint64_t k = 1; k <= 3; ++k) {
    for (const Chunk& chunk : chunks_left(directory, directory.index(), {k, 3})) {
      names.insert(name_of_chunk(chunk));
      ++count;
    }
  }
  CHECK(count == 8);
  CHECK(names.size() == 8);
  CHECK(read_shard("2/8")->of == 8);
  for (const char* text : {"", "1", "0/3", "4/3", "1/3x", "/3", "1/", "-1/3"}) CHECK_FALSE(read_shard(text));
}

TEST_CASE("a tally of parts is the tally of the whole, and what it says of all rows is what the rows say") {
  std::string text = kRunText;
  const auto all = experiments::read_description(text, "all.json");
  text.replace(text.find("\"chunk\": 3"), 10, R"("chunk": 3, "keep": "none", "bins": {"period": "1/2"})");
  const auto none = experiments::read_description(text, "none.json");
  experiments::Summary kept(all);
  experiments::Summary tallied(none);
  auto chunks = experiments::chunks_of(all);
  for (const Chunk& chunk : chunks) kept.add(chunk, *experiments::compute_chunk(all, chunk, {}), "all");
  std::reverse(chunks.begin(), chunks.end());
  for (const Chunk& chunk : chunks) tallied.add(chunk, *experiments::compute_chunk(none, chunk, {}), "none");
  using experiments::StatisticKind;
  for (std::size_t c = 0; c < 2; ++c) {
    for (std::size_t s = 0; s < 2; ++s) {
      const auto& exact = kept.cell(c).tallies[s];
      const auto& bounds = tallied.cell(c).tallies[s];
      for (const auto kind : {StatisticKind::draws, StatisticKind::failed, StatisticKind::smallest,
                              StatisticKind::largest, StatisticKind::mean, StatisticKind::deviation}) {
        const auto first = exact.answer({.kind = kind, .measure = 0, .predicate = {}, .at = {}});
        const auto second = bounds.answer({.kind = kind, .measure = 0, .predicate = {}, .at = {}});
        REQUIRE(first);
        REQUIRE(second);
        CHECK(second->lower <= first->lower);
        CHECK(first->upper <= second->upper);
        CHECK(second->upper - second->lower < experiments::Rational::fraction(1, 1'000'000));
        CHECK(first->draw == second->draw);
      }
      CHECK(exact.counts() == bounds.counts());
      for (const char* at : {"0", "1/2", "9/10", "1"}) {
        const auto q = std::get<experiments::Rational>(maxplus::parse_number(at));
        const auto value = exact.answer({.kind = StatisticKind::quantile, .measure = 0, .predicate = {}, .at = q});
        const auto bin = bounds.answer({.kind = StatisticKind::quantile, .measure = 0, .predicate = {}, .at = q});
        REQUIRE(value);
        REQUIRE(bin);
        CHECK(value->exact());
        CHECK(bin->lower <= value->lower);
        CHECK(value->upper <= bin->upper);
      }
    }
  }
}

}  // namespace takt::tools
