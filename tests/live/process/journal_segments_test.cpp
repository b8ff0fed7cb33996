// Journals in segments: the same bytes however often they are gone on with, read and dropped while they grow.
#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include "live/process/journal_file.hpp"
#include "tests/support/temporary_folder.hpp"

namespace takt::live {

namespace {

using Catch::Contains;
using testing::TemporaryFolder;
using testing::text_of;

constexpr JournalOptions kSegments{0, std::chrono::milliseconds(0), 4};

JournalOwner owner(std::uint64_t lines) {
  JournalOwner made{{"pipeline of the test", "its programs"}};
  InputChain chain;
  for (std::uint64_t k = 0; k < lines; ++k) made.chain.push_back(chain.add("line " + std::to_string(k)));
  return made;
}

const JournalOwner kOwner = owner(40);

std::string segment_result(std::uint64_t number) { return "result " + std::to_string(number * number); }

void append_segments(const std::string& path, std::uint64_t end, const JournalOptions& options = kSegments) {
  JournalFile journal(path, kOwner, options);
  for (std::uint64_t number = journal.next(); number < end; ++number) journal.append(number, segment_result(number));
}

void rewrite(const std::string& path, const std::string& bytes) { std::ofstream(path, std::ios::binary) << bytes; }

struct FoundSegments {
  JournalScan scan;
  std::vector<std::uint64_t> numbers;
};

FoundSegments found_in_segments(const std::string& path) {
  FoundSegments found;
  const JournalInput journal(path);
  found.scan = journal.scan([&](const JournalRecord& record) {
    std::string bytes(record.length, '\0');
    REQUIRE(journal.read(record.offset, bytes) == bytes.size());
    if (record.kind == RecordKind::result) CHECK(bytes == segment_result(record.number));
    found.numbers.push_back(record.number);
    return true;
  });
  return found;
}

std::vector<std::string> segment_bytes(const std::string& path, std::uint64_t segments) {
  std::vector<std::string> all = {text_of(path)};
  for (std::uint64_t k = 1; k <= segments; ++k) all.push_back(text_of(segment_path(path, k)));
  return all;
}

}  // namespace

TEST_CASE("segments are complete with their last data set, and have the same bytes however often a journal is opened") {
  const TemporaryFolder folder;
  append_segments(folder.path("once"), 14);
  for (std::uint64_t end = 1; end <= 14; ++end)
    append_segments(folder.path("often"), end, end == 1 ? kSegments : JournalOptions{});
  CHECK(segment_bytes(folder.path("once"), 3) == segment_bytes(folder.path("often"), 3));
  CHECK(segment_path("a", 12) == "a.000012");
  CHECK_FALSE(std::filesystem::exists(segment_path(folder.path("once"), 4)));
  const FoundSegments found = found_in_segments(folder.path("once"));
  CHECK(found.scan.records == 14);
  CHECK(found.scan.dropped.empty());
  CHECK(found.numbers.size() == 14);
  append_segments(folder.path("once"), 16);
  CHECK(std::filesystem::exists(segment_path(folder.path("once"), 4)));
  CHECK(found_in_segments(folder.path("once")).scan.records == 16);
}

TEST_CASE("dropped segments are told, and a journal goes on without them") {
  const TemporaryFolder folder;
  const std::string path = folder.path("journal");
  append_segments(path, 14);
  std::filesystem::remove(segment_path(path, 1));
  std::filesystem::remove(segment_path(path, 3));
  FoundSegments found = found_in_segments(path);
  CHECK(found.scan.dropped == std::vector<DroppedSegments>{{0, 4}, {8, 4}});
  CHECK(found.numbers == std::vector<std::uint64_t>{4, 5, 6, 7, 12, 13});
  CHECK(found.scan.present() == 6);
  append_segments(path, 18, {});
  found = found_in_segments(path);
  CHECK(found.scan.records == 18);
  CHECK(found.numbers.back() == 17);
  CHECK(found_in_segments(segment_path(path, 2)).numbers == std::vector<std::uint64_t>{4, 5, 6, 7});
}

TEST_CASE("a run that was killed between the last record of a segment and its end has the next one end it") {
  const TemporaryFolder folder;
  const std::string undisturbed = folder.path("undisturbed");
  append_segments(undisturbed, 9);
  const std::string full = text_of(segment_path(undisturbed, 2));
  for (const bool has_name : {false, true}) {
    const std::string path = folder.path(has_name ? "linked" : "full");
    append_segments(path, 4);
    rewrite(path, full);
    rewrite(path + ".new", journal_header(kOwner.fingerprint, JournalSegment{4, 8, kOwner.chain[7]}));
    if (has_name) REQUIRE(link(path.c_str(), segment_path(path, 2).c_str()) == 0);
    CHECK(found_in_segments(path).numbers.size() == 8);
    append_segments(path, 9);
    CHECK(segment_bytes(path, 2) == segment_bytes(undisturbed, 2));
    CHECK_FALSE(std::filesystem::exists(path + ".new"));
  }
}

TEST_CASE("what stands beside a journal and is not of it stays as it is") {
  const TemporaryFolder folder;
  const std::string path = folder.path("journal");
  const std::string next = path + ".new";
  append_segments(path, 6);
  const std::string header = journal_header(kOwner.fingerprint, JournalSegment{4, 8, kOwner.chain[7]});
  std::string other = header;
  other[other.size() / 2] ^= 1;
  for (const std::string& bytes :
       {std::string(), std::string("precious"), header.substr(0, 30), header + "x", other,
        journal_header(kOwner.fingerprint, JournalSegment{4, 12, 0}), text_of(segment_path(path, 1))}) {
    rewrite(next, bytes);
    CHECK_THROWS_WITH(JournalFile(path, kOwner), Contains("found " + next + ", which is not of this journal"));
    CHECK(text_of(next) == bytes);
  }
  std::filesystem::remove(next);
  std::filesystem::create_symlink(folder.write("elsewhere", header), next);
  CHECK_THROWS_WITH(JournalFile(path, kOwner), Contains("which is not of this journal"));
  CHECK_THROWS_WITH(JournalFile(folder.path("fresh"), kOwner, kSegments).append(1, ""),
                    Contains("expected data set 0"));
  std::filesystem::remove(next);
  rewrite(next, header);
  append_segments(path, 9);
  CHECK(text_of(folder.path("elsewhere")) == header);
  // No segment has the number 0, nor one so high.
  rewrite(path + ".000000", "");
  rewrite(path + ".999999999999999999", "");
  CHECK(found_in_segments(path).numbers.size() == 9);
  append_segments(path, 11);
  rewrite(segment_path(path, 1), "");
  CHECK_THAT(damage_words(*found_in_segments(path).scan.damage), Contains(segment_path(path, 1)));
}

TEST_CASE("failures are replaced in a later segment, also where the one that has them is gone") {
  const TemporaryFolder folder;
  const std::string path = folder.path("journal");
  {
    JournalFile journal(path, kOwner, kSegments);
    for (std::uint64_t number = 0; number < 9; ++number) {
      number == 1 || number == 6 ? journal.append_failure(number, encode(StageFailure{"s", "why", "in"}))
                                 : journal.append(number, segment_result(number));
    }
  }
  {
    JournalFile journal(path, kOwner);
    CHECK(journal.failed() == std::set<std::uint64_t>{1, 6});
    journal.replace(1, segment_result(1), RecordKind::replacement);
  }
  CHECK(found_in_segments(path).scan.failed.size() == 1);
  std::filesystem::remove(segment_path(path, 1));
  const FoundSegments found = found_in_segments(path);
  CHECK(found.scan.failed.size() == 1);
  CHECK(found.scan.failed.contains(6));
  CHECK(found.numbers.back() == 1);
  CHECK(JournalFile(path, kOwner).next() == 9);
}

TEST_CASE("segments of other journals, other inputs and other lengths are refused") {
  const TemporaryFolder folder;
  const std::string path = folder.path("journal");
  append_segments(path, 9);
  CHECK_THROWS_WITH(JournalFile(path, kOwner, {0, {}, 5}), Contains("segments of 4 data sets: found --segment 5"));
  JournalOwner other = kOwner;
  other.chain[7] += 1;
  std::filesystem::remove(segment_path(path, 2));
  CHECK_THROWS_WITH(JournalFile(path, other),
                    Contains("a journal of another input: its segments held results of other lines than lines 1 to 8"));
  const std::string plain = folder.path("plain");
  append_segments(plain, 2, {});
  CHECK_THROWS_WITH(JournalFile(plain, kOwner, kSegments), Contains("--segment needs another file"));
  const std::string fresh = folder.path("fresh");
  std::filesystem::copy(segment_path(path, 1), segment_path(fresh, 1));
  CHECK_THROWS_WITH(JournalFile(fresh, kOwner, kSegments), Contains("a segment of another one exists"));
}

TEST_CASE("a damaged segment is told by its name, and one that is cut short is damaged") {
  const TemporaryFolder folder;
  const std::string path = folder.path("journal");
  append_segments(path, 9);
  const std::string segment = segment_path(path, 1);
  const std::string bytes = text_of(segment);
  rewrite(segment, bytes.substr(0, bytes.size() - 3));
  const FoundSegments found = found_in_segments(path);
  REQUIRE(found.scan.damage);
  CHECK_THAT(damage_words(*found.scan.damage), Contains(segment) && Contains("data set 3"));
  CHECK_THROWS_WITH(JournalFile(path, kOwner), Contains(segment));
  std::filesystem::remove(segment);
  CHECK(JournalFile(path, kOwner).next() == 9);
}

TEST_CASE("who waits for the lock of a journal writes its present segment") {
  const TemporaryFolder folder;
  const std::string path = folder.path("journal");
  {
    JournalFile journal(path, kOwner, kSegments);
    for (std::uint64_t number = 0; number < 5; ++number) journal.append(number, segment_result(number));
    CHECK_THROWS_WITH(JournalFile(path, kOwner), path + ": another run writes to it");
  }
  JournalFile journal(path, kOwner);
  CHECK(journal.next() == 5);
}

}  // namespace takt::live
