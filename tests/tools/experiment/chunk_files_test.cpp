// Files of chunks: packed to the same bytes in any order, and nothing lost wherever a file breaks off.
#include <sys/resource.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "experiments/reports/chunk.hpp"
#include "tests/support/draw.hpp"
#include "tests/support/seeds.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tools/experiment/chunk_files.hpp"
#include "tools/experiment/run_directory.hpp"

namespace takt::tools {

namespace {

namespace fs = std::filesystem;

constexpr const char* kManyText = R"({
  "name": "many", "seed": 5, "study": "evaluate", "chunk": 1, "models": ["overlap"],
  "generator": {"name": "replicated-mapping", "stages": 2},
  "cells": [{"name": "a", "draws": 40, "processors": 3}, {"name": "none", "draws": 0, "processors": 3},
            {"name": "b", "draws": 7, "processors": 4}]
})";

// Some seven chunks.
constexpr std::uint64_t kSmallPack = 1000;

RunDirectory many(const testing::TemporaryFolder& folder, const std::string& name) {
  return RunDirectory::open_for(folder.path(name), kManyText, "many.json", {});
}

std::vector<std::string> texts_of_chunks(const RunDirectory& directory) {
  std::vector<std::string> texts;
  for (const auto& chunk : directory.chunks()) {
    texts.push_back(*experiments::compute_chunk(directory.description(), chunk, {}));
  }
  return texts;
}

std::map<std::string, std::string> files_of(const RunDirectory& directory, const char* folder = "chunks") {
  std::map<std::string, std::string> files;
  for (const auto& entry : fs::directory_iterator(fs::path(directory.path()) / folder)) {
    std::ifstream file(entry.path(), std::ios::binary);
    files[entry.path().filename().string()] = std::string(std::istreambuf_iterator<char>(file), {});
  }
  return files;
}

void require_all(const RunDirectory& directory, const std::vector<std::string>& texts) {
  ChunkIndex done = directory.index();
  REQUIRE(done.count() == texts.size());
  for (std::size_t i = 0; i < texts.size(); ++i) REQUIRE(done.text(i) == texts[i]);
}

std::map<std::string, std::string> packed_in_order(const testing::TemporaryFolder& folder) {
  const RunDirectory directory = many(folder, "in order");
  {
    FreshFile file(directory.path());
    for (const std::string& text : texts_of_chunks(directory)) file.append(text);
  }
  directory.index().pack(kSmallPack);
  return files_of(directory);
}

}  // namespace

TEST_CASE("chunks of a cell are packed from its first on, in files named after their first chunk") {
  const testing::TemporaryFolder folder;
  const auto files = packed_in_order(folder);
  const RunDirectory directory = many(folder, "in order");
  const auto texts = texts_of_chunks(directory);
  CHECK(texts.size() == 47);
  CHECK(files.size() > 4);
  CHECK(files.size() < 10);
  std::string all;
  for (const auto& [name, text] : files) {
    CHECK(experiments::places_of(text)[0].first == std::stoul(name.substr(7, 8)));
    // Only the last file of a cell is not full.
    CHECK((text.size() >= kSmallPack || files.upper_bound(name) == files.end() ||
           files.upper_bound(name)->first.substr(0, 6) != name.substr(0, 6)));
    all += text;
  }
  CHECK(all == std::accumulate(texts.begin(), texts.end(), std::string()));
  CHECK(files_of(directory, "fresh").empty());
  require_all(directory, texts);
}

TEST_CASE("files of chunks have the same bytes in whatever order chunks were done, and packed how often") {
  const testing::TemporaryFolder folder;
  const auto files = packed_in_order(folder);
  for (std::uint64_t seed = 1; seed <= support::draws(40); ++seed) {
    CAPTURE(seed);
    support::Draw random(seed);
    const RunDirectory directory = many(folder, std::to_string(seed));
    const auto texts = texts_of_chunks(directory);
    std::vector<std::size_t> order(texts.size());
    std::iota(order.begin(), order.end(), 0);
    random.shuffle(order);
    std::vector<std::unique_ptr<FreshFile>> processes(3);
    std::size_t appended = 0;
    for (const std::size_t chunk : order) {
      auto& process = processes[random.index(processes.size())];
      if (process == nullptr) process = std::make_unique<FreshFile>(directory.path(), 700);
      process->append(texts[chunk]);
      ++appended;
      if (random.one_in(8)) process.reset();
      if (random.one_in(8)) directory.index().pack(kSmallPack);
      CHECK(directory.index().count() == appended);
    }
    processes.clear();
    directory.index().pack(kSmallPack);
    CHECK(files_of(directory) == files);
    CHECK(files_of(directory, "fresh").empty());
  }
}

TEST_CASE("what a process has in its hands stays, also once it is packed") {
  const testing::TemporaryFolder folder;
  const RunDirectory directory = many(folder, "held");
  const auto texts = texts_of_chunks(directory);
  {
    FreshFile file(directory.path());
    for (const std::string& text : texts) file.append(text);
    directory.index().pack();
    CHECK(files_of(directory).size() == 2);
    CHECK(files_of(directory, "fresh").size() == 1);
    // Somebody who sees no locks removes it: the next chunk goes to another file.
    for (const auto& entry : fs::directory_iterator(fs::path(directory.path()) / "fresh")) fs::remove(entry.path());
    file.append(texts[3]);
    CHECK(files_of(directory, "fresh").size() == 1);
    CHECK(files_of(directory, "fresh").begin()->second == texts[3]);
  }
  directory.index().pack();
  CHECK(files_of(directory, "fresh").empty());
  require_all(directory, texts);
}

TEST_CASE("a file that breaks off anywhere holds the chunks before, and nothing else") {
  const testing::TemporaryFolder folder;
  const RunDirectory directory = many(folder, "broken");
  const auto texts = texts_of_chunks(directory);
  const std::string all = texts[0] + texts[41] + texts[7];
  const std::string path = folder.path("broken/fresh/elsewhere.1.0.jsonl");
  for (std::size_t size = 0; size <= all.size(); ++size) {
    std::ofstream(path, std::ios::binary) << all.substr(0, size);
    ChunkIndex done = directory.index();
    CAPTURE(size);
    CHECK(done.has(0) == (size >= texts[0].size()));
    CHECK(done.has(41) == (size >= texts[0].size() + texts[41].size()));
    CHECK(done.has(7) == (size == all.size()));
    CHECK(done.count() == static_cast<std::size_t>(done.has(0)) + done.has(41) + done.has(7));
  }
}

TEST_CASE("a run of before, with a file for each chunk, is read and packed") {
  const testing::TemporaryFolder folder;
  const auto files = packed_in_order(folder);
  const RunDirectory directory = many(folder, "loose");
  const auto texts = texts_of_chunks(directory);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    std::ofstream(folder.path("loose/chunks/" + name_of_chunk(directory.chunks()[i]) + ".jsonl"), std::ios::binary)
        << texts[i];
  }
  fs::remove(folder.path("loose/fresh"));
  require_all(directory, texts);
  directory.index().pack(kSmallPack);
  CHECK(files_of(directory) == files);
  require_all(directory, texts);
}

TEST_CASE("files of another size are packed anew, the last first, and lose nothing") {
  const testing::TemporaryFolder folder;
  const auto files = packed_in_order(folder);
  const RunDirectory directory = many(folder, "in order");
  const auto texts = texts_of_chunks(directory);
  directory.index().pack(3 * kSmallPack);
  CHECK(files_of(directory).size() < files.size());
  require_all(directory, texts);
  directory.index().pack(kSmallPack);
  CHECK(files_of(directory) == files);
  directory.index().pack();
  CHECK(files_of(directory).size() == 2);
  // Where what would fill a smaller file is damaged, the larger one stays.
  const std::string path = folder.path("in order/chunks/000000-00000000.jsonl");
  std::string text = files_of(directory).at("000000-00000000.jsonl");
  text[texts[0].size() + 20] ^= 1;
  std::ofstream(path, std::ios::binary) << text;
  CHECK(directory.index().count() == 46);
  directory.index().pack(kSmallPack);
  CHECK(directory.index().count() == 46);
}

TEST_CASE("a disk that is full while files are packed loses nothing") {
  const testing::TemporaryFolder folder;
  const auto files = packed_in_order(folder);
  const RunDirectory directory = many(folder, "full");
  const auto texts = texts_of_chunks(directory);
  {
    FreshFile file(directory.path());
    for (const std::string& text : texts) file.append(text);
  }
  struct rlimit before {};
  REQUIRE(getrlimit(RLIMIT_FSIZE, &before) == 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const struct rlimit tight = {kSmallPack / 2, before.rlim_max};
  REQUIRE(setrlimit(RLIMIT_FSIZE, &tight) == 0);
  CHECK_THROWS_WITH(directory.index().pack(kSmallPack), Catch::Contains(".jsonl: cannot be written: File too large"));
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  require_all(directory, texts);
  directory.index().pack(kSmallPack);
  CHECK(files_of(directory) == files);
  CHECK(files_of(directory, "fresh").empty());
}

TEST_CASE("a manifest whose chunks are none is refused") {
  const testing::TemporaryFolder folder;
  const RunDirectory directory = many(folder, "wrong");
  const std::string path = folder.path("wrong/manifest.json");
  std::ifstream file(path);
  const std::string whole{std::istreambuf_iterator<char>(file), {}};
  const auto with = [&](const std::string& sizes) {
    std::string text = whole;
    const std::string had = "\"draws_per_chunk\": 1";
    std::ofstream(path) << text.replace(text.find(had), had.size(), "\"draws_per_chunk\": " + sizes);
    return [&] { RunDirectory::open(folder.path("wrong")); };
  };
  CHECK_NOTHROW(with("[2, 1, 2]")());
  CHECK_THROWS_WITH(with("[1, 2]")(), Catch::Contains("manifest.json: \"draws_per_chunk\" has 2 numbers, expected one, "
                                                      "or 3: one for each cell"));
  CHECK_THROWS_WITH(with("0")(),
                    Catch::Contains("manifest.json:5:22") && Catch::Contains("expected at least one draw"));
  CHECK_THROWS_WITH(with("[1, 0, 1]")(), Catch::Contains("expected at least one draw"));
  CHECK_THROWS_WITH(with("\"ten\"")(), Catch::Contains("manifest.json:5:22"));
}

TEST_CASE("a chunk that was moved while others read is found where it is now") {
  const testing::TemporaryFolder folder;
  packed_in_order(folder);
  const RunDirectory directory = many(folder, "in order");
  const auto texts = texts_of_chunks(directory);
  ChunkIndex before = directory.index();
  CHECK(before.text(0) == texts[0]);
  directory.index().pack();
  for (std::size_t i = 0; i < texts.size(); ++i) CHECK(before.text(i) == texts[i]);
}

}  // namespace takt::tools
