// Journals on disk: gone on with, torn, damaged, foreign, in others' hands, on a full disk.
#include "live/process/journal_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <csignal>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "tests/support/counted_clock.hpp"
#include "tests/support/temporary_folder.hpp"

namespace takt::live {

namespace {

using Catch::Contains;
using testing::TemporaryFolder;
using testing::text_of;

const JournalOwner kPipeline{{"pipeline of the test", "its programs"}};

std::string result_of(std::uint64_t number) { return "result " + std::to_string(number * number); }

void append_up_to(const std::string& path, std::uint64_t end, const JournalOptions& options = {}) {
  JournalFile journal(path, kPipeline, options);
  for (std::uint64_t number = journal.next(); number < end; ++number) journal.append(number, result_of(number));
}

std::vector<std::string> results_of(const std::string& path) {
  const JournalInput journal(path);
  std::vector<std::string> results;
  const JournalScan scan = journal.scan([&](const JournalRecord& record) {
    std::string bytes(record.length, '\0');
    REQUIRE(journal.read(record.offset, bytes) == bytes.size());
    results.push_back(bytes);
    return true;
  });
  REQUIRE_FALSE(scan.damage);
  return results;
}

std::vector<std::string> results_up_to(std::uint64_t end) {
  std::vector<std::string> results;
  for (std::uint64_t number = 0; number < end; ++number) results.push_back(result_of(number));
  return results;
}

}  // namespace

TEST_CASE("a journal is made, gone on with, and the same as one written at once") {
  const TemporaryFolder folder;
  const std::string path = folder.path("a.journal");
  append_up_to(path, 0);
  append_up_to(path, 3);
  append_up_to(path, 3);
  append_up_to(path, 7, {.sync_every = 2, .patience = {}});
  CHECK(results_of(path) == results_up_to(7));
  append_up_to(folder.path("b.journal"), 7, {.sync_every = 1, .patience = {}});
  CHECK(text_of(path) == text_of(folder.path("b.journal")));
}

TEST_CASE("a journal torn at any byte is cut off behind its last whole record and gone on with") {
  const TemporaryFolder folder;
  const std::string whole_path = folder.path("whole.journal");
  append_up_to(whole_path, 3);
  const std::string whole = text_of(whole_path);
  for (std::size_t size = 0; size <= whole.size(); ++size) {
    INFO(size);
    const std::string path = folder.write("torn.journal", whole.substr(0, size));
    const std::uint64_t torn = JournalInput(path).scan().torn;
    {
      const JournalFile journal(path, kPipeline);
      REQUIRE(journal.cut_off() == torn);
      REQUIRE(journal.next() <= 3);
    }
    append_up_to(path, 3);
    REQUIRE(text_of(path) == whole);
  }
}

TEST_CASE("a file that is no journal, damaged or of another pipeline is refused and left as it is") {
  const TemporaryFolder folder;
  const std::string path = folder.path("whole.journal");
  append_up_to(path, 3);
  const std::string whole = text_of(path);
  const auto refusal_of = [&](const std::string& bytes, const JournalOwner& pipeline = kPipeline) {
    const std::string other = folder.write("other.journal", bytes);
    std::string message;
    try {
      const JournalFile journal(other, pipeline);
    } catch (const JournalError& error) {
      message = error.what();
    }
    REQUIRE(text_of(other) == bytes);
    REQUIRE_THAT(message, Catch::StartsWith(other + ": "));
    return message.substr(other.size() + 2);
  };
  CHECK(refusal_of("some notes of mine") == "it is no journal of takt run");
  CHECK(refusal_of(whole, {{"another\tpipeline"}}) ==
        "a journal of another pipeline: found pipeline of the test, expected another\\u0009pipeline");
  CHECK(refusal_of(whole, {{"pipeline of the test", "others"}}) ==
        "a journal of other programs: found its programs, expected others; if you changed them on purpose, "
        "--same-journal continues it");
  const std::string header = journal_header({"something else altogether"});
  for (std::size_t size = 24; size < header.size(); ++size) {
    REQUIRE(refusal_of(header.substr(0, size)) == "an incomplete header of another journal");
  }
  const std::size_t first = journal_header(kPipeline.fingerprint).size();
  std::string damaged = whole;
  damaged[first + RecordFrame::kHead] = 'R';
  CHECK(refusal_of(damaged) == "damaged at byte " + std::to_string(first) +
                                   ", where data set 0 belongs: found a result with another checksum, expected what "
                                   "was written; everything before is right, and truncate -s " +
                                   std::to_string(first) + " keeps only that");
}

TEST_CASE("a journal belongs to the input whose results it holds, which may become longer") {
  const TemporaryFolder folder;
  const std::string path = folder.path("a.journal");
  const auto owner_of = [&](const std::string& lines) {
    JournalOwner owner = kPipeline;
    owner.chain = chain_of_lines(folder.write("input", lines));
    return owner;
  };
  const auto refusal_of = [&](const std::string& lines) {
    const std::string before = text_of(path);
    std::string message;
    try {
      const JournalFile journal(path, owner_of(lines));
    } catch (const JournalError& error) {
      message = error.what();
    }
    REQUIRE(text_of(path) == before);
    return message;
  };
  const auto append_from = [&](const std::string& lines, std::uint64_t number) {
    JournalFile journal(path, owner_of(lines));
    REQUIRE(journal.next() == number);
    journal.append(number, result_of(number));
  };
  append_from("a\nb\nc\n", 0);
  append_from("a\nb\nc\n", 1);
  append_from("a\nb\nX\nd\n", 2);  // the third had no result yet
  CHECK(refusal_of("a\nb\nX\nd\ne") == "");
  CHECK(refusal_of("a\nb\nX") == "");  // without a line feed it is a line, too
  const std::string other = path + ": a journal of another input: ";
  CHECK(refusal_of("a\nb\nc\nd\n") == other + "its result for data set 2 is not that of line 3 of the input");
  CHECK(refusal_of("b\na\nX\n") == other + "its result for data set 0 is not that of line 1 of the input");
  CHECK(refusal_of("a\nb\n") == other + "it holds the result of data set 2, and the input has 2 lines");
  JournalFile journal(path, owner_of("a\nb\nX\n"));
  CHECK_THROWS_WITH(journal.append(3, "x"), path + ": found the result of data set 3, and the input has 3 lines");
  CHECK_THROWS_WITH(chain_of_lines(folder.path("none")), folder.path("none") + ": cannot be read");
}

TEST_CASE("programs that were changed on purpose are noted once, and are those of the journal from then on") {
  const TemporaryFolder folder;
  const std::string path = folder.path("a.journal");
  append_up_to(path, 2);
  JournalOwner changed = kPipeline;
  changed.fingerprint.programs = "better ones";
  CHECK_THROWS_AS(JournalFile(path, changed), JournalError);
  changed.takes_other_programs = true;
  for (const bool is_first : {true, false}) {
    JournalFile journal(path, changed);
    CHECK(journal.has_changed_programs() == is_first);
    CHECK(journal.next() == 2);
  }
  changed.takes_other_programs = false;
  JournalFile(path, changed).append(2, result_of(2));
  CHECK_THROWS_AS(JournalFile(path, kPipeline), JournalError);
  CHECK(results_of(path) == results_up_to(3));
  const JournalScan scan = JournalInput(path).scan();
  REQUIRE(scan.changes.size() == 1);
  CHECK(scan.changes[0].data_set == 2);
  CHECK(scan.changes[0].programs == "better ones");
}

TEST_CASE("a data set that has failed is replaced, and no other is") {
  const TemporaryFolder folder;
  const std::string path = folder.path("a.journal");
  JournalOwner owner = kPipeline;
  owner.chain = chain_of_lines(folder.write("input", "a\nb\nc\nd\n"));
  const std::string failure = encode(StageFailure{"s", "it failed", "b"});
  {
    JournalFile journal(path, owner);
    journal.append(0, "A");
    journal.append_failure(1, failure);
    journal.append_failure(2, failure);
    CHECK(journal.failed() == std::set<std::uint64_t>{1, 2});
    CHECK_THROWS_WITH(journal.replace(0, "x", RecordKind::replacement),
                      path + ": data set 0 has not failed, and is not replaced");
    CHECK_THROWS_WITH(journal.append_failure(1, failure),
                      path + ": found the result of data set 1, expected data set 3");
  }
  {
    JournalFile journal(path, owner);
    CHECK(journal.next() == 3);
    CHECK(journal.failed() == std::set<std::uint64_t>{1, 2});
    journal.replace(2, failure, RecordKind::failure);
    journal.replace(1, "B", RecordKind::replacement);
    journal.append(3, "D");
    CHECK(journal.failed() == std::set<std::uint64_t>{2});
  }
  CHECK(results_of(path) == std::vector<std::string>{"A", failure, failure, failure, "B", "D"});
  owner.chain = chain_of_lines(folder.write("other", "a\nb\nX\nd\n"));
  CHECK_THROWS_WITH(JournalFile(path, owner), Contains("its result for data set 2 is not that of line 3"));
}

TEST_CASE("a journal of version 1 is read, and no run goes on with it") {
  const TemporaryFolder folder;
  const std::string bytes = text_of(TAKT_SOURCE_DIR "/tests/data/version-1.journal");
  const std::string path = folder.write("old.journal", bytes);
  CHECK(results_of(path) == std::vector<std::string>{"hello", "good morning", "bonjour"});
  JournalOwner owner{{R"({"application":"greetings","stages":["draw","greet"],"kernel":"program"})"}};
  owner.takes_other_programs = true;
  CHECK_THROWS_WITH(JournalFile(path, owner), path +
                                                  ": a journal of version 1, which does not name its programs and "
                                                  "input: takt journal reads it, but a run needs another file");
  CHECK(text_of(path) == bytes);
}

TEST_CASE("files of other bytes have other words") {
  const TemporaryFolder folder;
  CHECK(content_words(folder.write("check", "123456789")) == "9 bytes, CRC-64/XZ 995dc9bbdf1939fa");
  CHECK(content_words(folder.write("empty", "")) == "0 bytes, CRC-64/XZ 0000000000000000");
  CHECK(content_words(folder.path("none")) == std::nullopt);
  CHECK(content_words(folder.path("")) == std::nullopt);
}

TEST_CASE("only one writes a journal at a time") {
  const TemporaryFolder folder;
  const std::string path = folder.path("a.journal");
  {
    JournalFile journal(path, kPipeline);
    journal.append(0, result_of(0));
    CHECK_THROWS_WITH(JournalFile(path, kPipeline), path + ": another run writes to it");
    CHECK(results_of(path) == results_up_to(1));  // but anyone may read
    journal.append(1, result_of(1));
  }
  append_up_to(path, 3);
  CHECK(results_of(path) == results_up_to(3));
}

TEST_CASE("one run has a journal from its begin to its end, by whatever name") {
  const TemporaryFolder folder;
  const std::string path = folder.path("a.journal");
  const std::string lock = path + ".lock";
  {
    const JournalLock first(path);
    append_up_to(path, 1);
    std::filesystem::create_symlink(path, folder.path("link"));
    for (const std::string& name : {path, folder.path("link"), folder.path("./a.journal")}) {
      CHECK_THROWS_WITH(JournalLock(name), name + ": another run writes to it");
    }
    CHECK(std::filesystem::exists(lock));
    std::filesystem::copy(lock, folder.path("left"));
    const JournalLock other(folder.path("b.journal"));
  }
  CHECK_FALSE(std::filesystem::exists(lock));
  // That of a run that was killed is free.
  std::filesystem::rename(folder.path("left"), lock);
  { const JournalLock next(path); }
  CHECK_FALSE(std::filesystem::exists(lock));
  // What is somebody's stays.
  folder.write("a.journal.lock", "precious");
  CHECK_THROWS_WITH(JournalLock(path), lock + ": it is no lock of takt run, expected one or no file of this name");
  CHECK(testing::text_of(lock) == "precious");
  CHECK_THROWS_WITH(JournalLock(folder.path("none/a")), Contains("none/a.lock: cannot be written: No such file"));
  CHECK_THROWS_WITH(JournalLock(folder.path("")), Contains("a journal is a regular file"));
}

TEST_CASE("whoever waits for a journal has it when the other is done") {
  const TemporaryFolder folder;
  const std::string path = folder.path("a.journal");
  const JournalOptions patient{.sync_every = 0, .patience = std::chrono::hours(1)};
  std::optional<JournalFile> journal(std::in_place, path, kPipeline);
  {
    const support::CountedClock clock(std::chrono::minutes(10));
    CHECK_THROWS_WITH(JournalFile(path, kPipeline, patient), path + ": another run writes to it");
    CHECK(clock.questions() > 6);
  }
  for (std::uint64_t number = 0; number < 3; ++number) journal->append(number, result_of(number));
  // The fourth question is one of whoever has found it taken.
  const support::PlayedClock clock([&](std::uint64_t question) {
    if (question == 4) journal.reset();
    return std::chrono::nanoseconds(0);
  });
  append_up_to(path, 4, patient);
  CHECK_FALSE(journal);
  CHECK(results_of(path) == results_up_to(4));
}

TEST_CASE("a journal whose writer is killed behind any record holds all up to it, and is free") {
  const TemporaryFolder folder;
  const std::string path = folder.path("a.journal");
  for (std::uint64_t end = 0; end <= 20; ++end) {
    const pid_t writer = fork();
    REQUIRE(writer >= 0);
    if (writer == 0) {
      JournalFile journal(path, kPipeline);
      if (end > 0) journal.append(journal.next(), result_of(journal.next()));
      raise(SIGKILL);
    }
    REQUIRE(waitpid(writer, nullptr, 0) == writer);
    REQUIRE(results_of(path) == results_up_to(end));
    REQUIRE(JournalInput(path).scan().torn == 0);
  }
}

TEST_CASE("results are appended in order alone") {
  const TemporaryFolder folder;
  const std::string path = folder.path("a.journal");
  JournalFile journal(path, kPipeline);
  journal.append(0, result_of(0));
  CHECK_THROWS_WITH(journal.append(2, "x"), path + ": found the result of data set 2, expected data set 1");
  CHECK_THROWS_WITH(journal.append(0, "x"), path + ": found the result of data set 0, expected data set 1");
  journal.append(1, result_of(1));
  CHECK(results_of(path) == results_up_to(2));
}

TEST_CASE("what cannot be a journal's file is told with its path") {
  const TemporaryFolder folder;
  CHECK_THROWS_WITH(JournalFile(folder.path("none/a"), kPipeline), Contains("none/a: cannot be written: No such file"));
  CHECK_THROWS_WITH(JournalFile(folder.path(""), kPipeline), Contains("cannot be written: Is a directory"));
  CHECK_THROWS_WITH(JournalFile("/dev/null", kPipeline), "/dev/null: a journal is a regular file, which this is not");
  CHECK_THROWS_WITH(JournalInput(folder.path("a")), Contains("a: cannot be read: No such file"));
  CHECK_THROWS_WITH(JournalInput("/dev/zero"), "/dev/zero: a journal is a regular file, which this is not");
  REQUIRE(mkfifo(folder.path("fifo").c_str(), 0600) == 0);
  CHECK_THROWS_WITH(JournalInput(folder.path("fifo")), Contains("a journal is a regular file"));
}

TEST_CASE("a result that the disk does not take leaves a torn record, which the next run cuts off") {
  const TemporaryFolder folder;
  const std::string path = folder.path("a.journal");
  append_up_to(path, 2);
  rlimit before{};
  REQUIRE(getrlimit(RLIMIT_FSIZE, &before) == 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  {
    JournalFile journal(path, kPipeline);
    rlimit full = before;
    full.rlim_cur = std::filesystem::file_size(path) + 100;
    REQUIRE(setrlimit(RLIMIT_FSIZE, &full) == 0);
    std::string message;
    try {
      journal.append(2, std::string(1000, 'x'));
    } catch (const JournalError& error) {
      message = error.what();
    }
    REQUIRE(setrlimit(RLIMIT_FSIZE, &before) == 0);
    std::signal(SIGXFSZ, handler);
    CHECK_THAT(message, Contains(path + ": the result of data set 2 cannot be written: File too large"));
    CHECK_THROWS_WITH(journal.append(2, "x"), Contains("torn"));
  }
  CHECK(JournalInput(path).scan().torn == 100);
  CHECK(JournalFile(path, kPipeline).cut_off() == 100);
  append_up_to(path, 4);
  CHECK(results_of(path) == results_up_to(4));
}

}  // namespace takt::live
