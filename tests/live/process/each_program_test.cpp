// Ordinary programs, a process for each data set.
#include "live/process/each_program.hpp"

#include <catch2/catch.hpp>
#include <chrono>
#include <filesystem>
#include <string>

#include "live/engine/kernel.hpp"
#include "tests/support/counted_clock.hpp"
#include "tests/support/process_events.hpp"
#include "tests/support/temporary_folder.hpp"

namespace takt::live {

namespace {

using Catch::Contains;
using testing::TemporaryFolder;

struct EachOutcome {
  std::string result;
  std::string failure;
};

EachOutcome outcome_of(const std::string& command, const std::string& bytes, const ProgramOptions& options = {},
                       std::size_t stage = 3) {
  Keeper keeper;
  EachProgram program(keeper, {stage, "stage", command, true}, options);
  Packet packet{17, bytes};
  try {
    program.run(packet);
    return {packet.bytes, ""};
  } catch (const StageFailed& failure) {
    return {"", failure.what()};
  }
}

}  // namespace

TEST_CASE("a process for each data set gets it to the end of its input, and its output is the result") {
  Keeper keeper;
  const ProgramOptions options;
  EachProgram program(keeper, {3, "reverse", "tac", true}, options);
  for (std::uint64_t k = 0; k < 5; ++k) {
    Packet packet{k, std::to_string(k) + "\nlast\n"};
    program.run(packet);
    REQUIRE(packet.bytes == "last\n" + std::to_string(k) + "\n");
  }
  const std::string large(3'000'000, 'z');
  CHECK(outcome_of("cat", large).result == large);
  CHECK(outcome_of("cat; echo end", large).result == large + "end\n");
  CHECK(outcome_of("cat", "").result.empty());
}

TEST_CASE("a program need not read what it gets") {
  CHECK(outcome_of("head -c 3", std::string(1 << 20, 'x')).result == "xxx");
  CHECK(outcome_of("echo $TAKT_STAGE $TAKT_DATA_SET", "ignored").result == "stage 17\n");
}

TEST_CASE("a data set as a file, or as the line that it is") {
  CHECK(outcome_of("cat {} {}", "abc").result == "abcabc");
  CHECK(outcome_of("cat; wc -c < {}", "abc").result == "3\n");
  const ProgramOptions lines{.first_stage_has_lines = true};
  CHECK(outcome_of("echo got {}", "it's a line", lines, 0).result == "got it's a line\n");
  CHECK(outcome_of("cat {}", "it's a file", lines, 1).result == "it's a file");
}

TEST_CASE("a place between quotes of the shell is found, and no other") {
  for (const char* command :
       {"cat '{}'", "echo \"a {} b\"", "sh -c 'cat {} | wc'", "x=\"$(cat \"{}\")\"", "echo \"`a`{}\"",
        "echo \\' \"{}\"", "# it's\necho '{}'", "echo $(echo '{}')", "(a; b '{}')"}) {
    CAPTURE(command);
    CHECK(is_between_quotes(command, "{}"));
  }
  for (const char* command :
       {"cat {}", "tr 'a' \"b\" < {}", "x=\"$(cat {})\"; echo \"$x\"", "echo \"`cat {}`\"", "echo \\\"{}\\\"",
        "cat {} # it's", "tr a b <<E\nit's {}\nE", "echo 'a'{}'b'", "[ {} = 3 ] && (cat)", "awk '{print}'"}) {
    CAPTURE(command);
    CHECK_FALSE(is_between_quotes(command, "{}"));
  }
}

TEST_CASE("files of data sets go with their keeper") {
  std::string name;
  {
    Keeper keeper;
    const ProgramOptions options;
    EachProgram program(keeper, {3, "name", "echo {}", true}, options);
    Packet packet{17, "abc"};
    program.run(packet);
    name = packet.bytes.substr(0, packet.bytes.size() - 1);
    CHECK(!std::filesystem::exists(name));
    CHECK(std::filesystem::exists(std::filesystem::path(name).parent_path()));
  }
  CHECK(!std::filesystem::exists(std::filesystem::path(name).parent_path()));
}

TEST_CASE("a status, a signal, a limit: the data set failed, with the last words") {
  CHECK(outcome_of("echo no room >&2; exit 3", "x").failure ==
        "stage stage, data set 17: its program ended: exit status 3; on standard error: no room");
  CHECK_THAT(outcome_of("kill -SEGV $$", "x").failure, Contains("ended by signal 11 (Segmentation fault)"));
  CHECK_THAT(outcome_of("/no/such/program", "x").failure, Contains("exit status 127"));
  const ProgramOptions quick{.time_limit = std::chrono::milliseconds(60)};
  const std::string late = "stage stage, data set 17: its program did not end within 60 ms";
  {
    const support::CountedClock clock(std::chrono::milliseconds(100));
    CHECK(outcome_of("sleep 1000", "x", quick).failure == late);
  }
  {
    const TemporaryFolder folder;
    const support::Fifo closed(folder.path("closed"));
    // No time passes until it has closed its output.
    const support::PlayedClock clock([&](std::uint64_t question) {
      if (question == 3) closed.heard();
      return std::chrono::hours(question < 3 ? 0 : question);
    });
    CHECK(outcome_of("exec >&-; : > " + closed.path() + "; sleep 1000", "x", quick).failure == late);
  }
  const ProgramOptions small{.most_bytes = 100'000};
  CHECK_THAT(outcome_of("cat /dev/zero", "x", small).failure,
             Catch::EndsWith("its program wrote more than 100000 bytes"));
}

}  // namespace takt::live
