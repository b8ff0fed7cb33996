// Journals read back, torn at every byte, with every bit flipped, and what is none.
#include "live/files/journal.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

namespace takt::live {

namespace {

const Fingerprint kPipeline{"{\"application\":\"a\"}", "{\"programs\":{}}"};
const std::vector<std::string> kResults = {"first", "", std::string("\0\n\xff", 3), "the fourth"};

std::string record_of(std::uint64_t number, const std::string& result, std::uint64_t chain = 0,
                      RecordKind kind = RecordKind::result) {
  const RecordFrame frame = frame_of(number, result, chain, kind);
  return std::string(frame.head.begin(), frame.head.end()) + result +
         std::string(frame.check.begin(), frame.check.end());
}

std::string journal_of(const std::vector<std::string>& results) {
  std::string bytes = journal_header(kPipeline);
  for (std::size_t k = 0; k < results.size(); ++k) bytes += record_of(k, results[k]);
  return bytes;
}

// The ends of the header and of each record.
std::vector<std::uint64_t> ends_of(const std::vector<std::string>& results) {
  std::vector<std::uint64_t> ends = {journal_header(kPipeline).size()};
  for (const std::string& result : results) {
    ends.push_back(ends.back() + RecordFrame::kHead + result.size() + RecordFrame::kCheck);
  }
  return ends;
}

struct Scanned {
  JournalScan scan;
  std::vector<std::string> results;
};

Scanned scan(const std::string& bytes) {
  Scanned found;
  const ReadAt read = [&](std::uint64_t offset, std::span<char> to) {
    return bytes.copy(to.data(), to.size(), offset);
  };
  found.scan = scan_journal(bytes.size(), read, [&](const JournalRecord& record) {
    CHECK(record.number == found.results.size());
    found.results.push_back(bytes.substr(record.offset, record.length));
    return true;
  });
  CHECK(found.scan.records == found.results.size());
  return found;
}

bool begins(const std::vector<std::string>& results, const std::vector<std::string>& all) {
  return results.size() <= all.size() && std::equal(results.begin(), results.end(), all.begin());
}

}  // namespace

TEST_CASE("a journal holds its results in order") {
  const std::string bytes = journal_of(kResults);
  const Scanned found = scan(bytes);
  CHECK(found.scan.fingerprint == kPipeline);
  CHECK(found.results == kResults);
  CHECK(found.scan.result_bytes == 18);
  CHECK(found.scan.end == bytes.size());
  CHECK(found.scan.torn == 0);
  CHECK_FALSE(found.scan.damage);
  CHECK(scan(journal_header({""})).scan.fingerprint == Fingerprint{""});
  CHECK(found.scan.version == 2);
  CHECK(found.scan.programs() == kPipeline.programs);
}

TEST_CASE("the form of a journal is what the formats say") {
  CHECK(journal_of({"hi"}).substr(0, 32) == std::string("TAKTJRNL\2\0\0\0\0\0\0\0\x23\0\0\0\0\0\0\0{\"applic", 32));
  const std::string record = record_of(258, "hi", 0x1234);
  CHECK(record.size() == 50);
  CHECK(record.substr(0, 16) == std::string("\2\1\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 16));
  CHECK(record.substr(16, 16) == std::string("\2\0\0\0\0\0\0\0\x34\x12\0\0\0\0\0\0", 16));
  CHECK(record.substr(40, 2) == "hi");
}

TEST_CASE("a result longer than any piece that is read is whole all the same") {
  std::string large(3'000'001, 'a');
  for (std::size_t k = 0; k < large.size(); ++k) large[k] = static_cast<char>(k * k / 7);
  const Scanned found = scan(journal_of({"x", large, "y"}));
  CHECK(found.results == std::vector<std::string>{"x", large, "y"});
}

TEST_CASE("a journal torn at any byte holds the records before, and says how much is torn") {
  const std::string bytes = journal_of(kResults);
  const std::vector<std::uint64_t> ends = ends_of(kResults);
  for (std::size_t size = 0; size <= bytes.size(); ++size) {
    INFO(size);
    const Scanned found = scan(bytes.substr(0, size));
    REQUIRE_FALSE(found.scan.damage);
    const auto whole = std::upper_bound(ends.begin(), ends.end(), size) - ends.begin();
    const std::uint64_t end = whole == 0 ? 0 : ends[static_cast<std::size_t>(whole) - 1];
    REQUIRE(found.scan.end == end);
    REQUIRE(found.scan.torn == size - end);
    REQUIRE(found.scan.fingerprint.has_value() == (whole > 0));
    REQUIRE(found.results.size() == static_cast<std::size_t>(std::max<std::ptrdiff_t>(whole - 1, 0)));
    REQUIRE(begins(found.results, kResults));
  }
}

TEST_CASE("no flipped bit goes unseen, and none before the last record looks like a torn end") {
  const std::string bytes = journal_of(kResults);
  const std::vector<std::uint64_t> ends = ends_of(kResults);
  const std::uint64_t last_result = ends[ends.size() - 2] + RecordFrame::kHead;
  for (std::size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
    INFO("bit " << bit);
    const std::size_t at = bit / 8;
    std::string flipped = bytes;
    flipped[at] = static_cast<char>(flipped[at] ^ (1 << bit % 8));
    if (at < ends[0]) {
      // Of a length that is more than there is left, nothing can be said but that the header is torn.
      try {
        const Scanned found = scan(flipped);
        REQUIRE((found.scan.end == 0 && found.scan.torn == bytes.size() && !found.scan.fingerprint));
        REQUIRE((at >= 16 && at < 24));
      } catch (const JournalError&) {
      }
      continue;
    }
    const Scanned found = scan(flipped);
    const auto record = static_cast<std::size_t>(std::upper_bound(ends.begin(), ends.end(), at) - ends.begin()) - 1;
    REQUIRE(found.results.size() == record);
    REQUIRE(begins(found.results, kResults));
    if (at >= last_result) {
      REQUIRE(found.scan.torn == bytes.size() - ends[record]);
    } else {
      REQUIRE(found.scan.damage.has_value());
      REQUIRE(found.scan.damage->record == record);
      REQUIRE(found.scan.damage->offset == ends[record]);
      REQUIRE(found.scan.torn == 0);
    }
  }
}

TEST_CASE("records left out, doubled or swapped are damage") {
  const std::string header = journal_header(kPipeline);
  const auto damage_of = [&](const std::string& records) {
    const Scanned found = scan(header + records);
    REQUIRE(found.scan.damage.has_value());
    return std::to_string(found.scan.damage->record) + ": " + found.scan.damage->what;
  };
  CHECK(damage_of(record_of(0, "a") + record_of(2, "c")) == "1: found data set 2, expected data set 1");
  CHECK(damage_of(record_of(0, "a") + record_of(0, "a")) == "1: found data set 0, expected data set 1");
  CHECK(damage_of(record_of(1, "b") + record_of(0, "a")) == "0: found data set 1, expected data set 0");
  CHECK(damage_of(record_of(0, "a") + std::string(40, 'z')) ==
        "1: found a head with another checksum, expected a record");
}

TEST_CASE("zeros behind the last record are what a machine's end leaves, unless something follows") {
  const std::string bytes = journal_of(kResults);
  for (const std::size_t zeros : {1U, 39U, 40U, 4096U, 1'000'000U}) {
    const Scanned found = scan(bytes + std::string(zeros, '\0'));
    CHECK(found.results == kResults);
    CHECK(found.scan.torn == zeros);
  }
  CHECK(scan(bytes + std::string(4096, '\0') + "x").scan.damage);
}

TEST_CASE("what is no journal is refused, and so is one of a version to come") {
  for (const char* text : {"x", "TAKTJRNX", "{\"application\": {}}", "a text that is longer than any header's head"}) {
    CHECK_THROWS_WITH(scan(text), "it is no journal of takt run");
  }
  std::string bytes = journal_of(kResults);
  bytes[8] = 4;
  CHECK_THROWS_WITH(scan(bytes), "found a journal of version 4, expected version 1 to 3");
  bytes[8] = 0;
  CHECK_THROWS_WITH(scan(bytes), "found a journal of version 0, expected version 1 to 3");
  bytes = journal_of(kResults);
  bytes[30] = 'X';
  CHECK_THROWS_WITH(scan(bytes), "the header is damaged");
}

TEST_CASE("programs that changed stand between results, and are no results") {
  const auto change = [](std::uint64_t number, const std::string& programs) {
    return record_of(number, programs, 0, RecordKind::programs);
  };
  const std::string bytes = journal_header(kPipeline) + record_of(0, "a") + change(1, "B") + change(1, "C") +
                            record_of(1, "b") + change(2, "D");
  const Scanned found = scan(bytes);
  CHECK(found.results == std::vector<std::string>{"a", "b"});
  CHECK(found.scan.result_bytes == 2);
  CHECK(found.scan.end == bytes.size());
  CHECK(found.scan.fingerprint == kPipeline);
  REQUIRE(found.scan.changes.size() == 3);
  CHECK(found.scan.changes[0].data_set == 1);
  CHECK(found.scan.changes[1].programs == "C");
  CHECK(found.scan.changes[2].data_set == 2);
  CHECK(found.scan.programs() == "D");
  CHECK(scan(bytes.substr(0, bytes.size() - 1)).scan.programs() == "C");
  const Scanned unknown = scan(journal_header(kPipeline) + record_of(0, "a", 0, static_cast<RecordKind>(4)));
  REQUIRE(unknown.scan.damage);
  CHECK(unknown.scan.damage->what == "found a record of kind 4, expected kind 0 to 3");
}

TEST_CASE("a failure stands in place of a result, until a replacement further behind") {
  const auto failure = [](std::uint64_t number, const std::string& words) {
    return record_of(number, encode(StageFailure{"s", words, "in"}), 0, RecordKind::failure);
  };
  const auto replacement = [](std::uint64_t number, const std::string& result) {
    return record_of(number, result, 0, RecordKind::replacement);
  };
  const std::string header = journal_header(kPipeline);
  const std::string bytes = header + record_of(0, "a") + failure(1, "x") + failure(2, "y") + record_of(3, "dd") +
                            failure(1, "x again") + replacement(2, "ccc") + record_of(4, "e");
  const auto scan_of = [](const std::string& journal) {
    return scan_journal(journal.size(), [&](std::uint64_t offset, std::span<char> to) {
      return journal.copy(to.data(), to.size(), offset);
    });
  };
  const JournalScan found = scan_of(bytes);
  CHECK_FALSE(found.damage);
  CHECK(found.end == bytes.size());
  CHECK(found.records == 5);
  CHECK(found.repeated == 2);
  CHECK(found.result_bytes == 7);
  REQUIRE(found.failed.size() == 1);
  const JournalRecord& last = found.failed.at(1);
  CHECK(decode_failure(bytes.substr(last.offset, last.length)) == StageFailure{"s", "x again", "in"});

  const auto damage_of = [&](const std::string& records) {
    const JournalScan damaged = scan_of(header + records);
    REQUIRE(damaged.damage);
    return damaged.damage->what;
  };
  CHECK(damage_of(record_of(0, "a") + replacement(0, "b")) ==
        "found a replacement of data set 0, which has not failed");
  CHECK(damage_of(replacement(0, "b")) == "found a replacement of data set 0, which has not failed");
  CHECK(damage_of(failure(0, "x") + replacement(0, "b") + replacement(0, "c")) ==
        "found a replacement of data set 0, which has not failed");
  CHECK(damage_of(failure(0, "x") + record_of(0, "b")) == "found data set 0, expected data set 1");
  CHECK(damage_of(record_of(0, "a") + failure(0, "x")) == "found data set 0, expected data set 1");
  CHECK(damage_of(failure(0, "x") + failure(2, "x")) == "found data set 2, expected data set 1");
}

TEST_CASE("a failure is read back as it was written, and what is none is not") {
  const StageFailure failure{"stage\xff", "words\n", std::string("\0input", 6)};
  const std::string content = encode(failure);
  CHECK(decode_failure(content) == failure);
  CHECK(decode_failure(encode(StageFailure{})) == StageFailure{});
  const std::size_t head = content.size() - failure.input.size();
  for (std::size_t size = 0; size < head; ++size) CHECK_FALSE(decode_failure(content.substr(0, size)));
  CHECK_FALSE(decode_failure(std::string(16, '\xff')));
}

TEST_CASE("a chain tells inputs that are changed, moved or cut otherwise, from that data set on") {
  const auto chain_of = [](const std::vector<std::string>& inputs) {
    std::vector<std::uint64_t> chain;
    InputChain sum;
    for (const std::string& input : inputs) chain.push_back(sum.add(input));
    return chain;
  };
  const std::vector<std::uint64_t> chain = chain_of({"a", "b", "c", "d"});
  const auto first_difference = [&](const std::vector<std::string>& inputs) {
    const std::vector<std::uint64_t> other = chain_of(inputs);
    const auto [mine, theirs] = std::mismatch(chain.begin(), chain.end(), other.begin(), other.end());
    const bool differs_from_there_on =
        std::mismatch(mine, chain.end(), theirs, [](auto a, auto b) { return a != b; }).first == chain.end();
    CHECK((differs_from_there_on || theirs == other.end()));
    return mine - chain.begin();
  };
  CHECK(first_difference({"a", "b", "c", "d", "e"}) == 4);
  CHECK(first_difference({"a", "B", "c", "d"}) == 1);
  CHECK(first_difference({"a", "c", "b", "d"}) == 1);
  CHECK(first_difference({"", "b", "c", "d"}) == 0);
  CHECK(first_difference({"ab", "", "c", "d"}) == 0);
  CHECK(first_difference({"a", "b", "c", std::string("d\0", 2)}) == 3);
}

TEST_CASE("a visitor ends a scan") {
  const std::string bytes = journal_of(kResults);
  const ReadAt read = [&](std::uint64_t offset, std::span<char> to) {
    return bytes.copy(to.data(), to.size(), offset);
  };
  const JournalScan found =
      scan_journal(bytes.size(), read, [](const JournalRecord& record) { return record.number < 1; });
  CHECK(found.records == 2);
  CHECK(found.end == ends_of(kResults)[2]);
}

TEST_CASE("a journal that becomes shorter while it is read is told") {
  const std::string bytes = journal_of(kResults);
  const ReadAt read = [&](std::uint64_t offset, std::span<char> to) {
    return offset < 80 ? bytes.copy(to.data(), std::min<std::size_t>(to.size(), 80 - offset), offset) : 0;
  };
  CHECK_THROWS_WITH(scan_journal(bytes.size(), read), "it became shorter while it was read");
}

}  // namespace takt::live
