// Commands that answer, crash, hang, flood and leave others behind.
#include "tools/own/shell_command.hpp"

#include <catch2/catch.hpp>
#include <chrono>
#include <string>

#include "tests/support/counted_clock.hpp"
#include "tests/support/process_events.hpp"
#include "tests/tools/program.hpp"
#include "tools/command.hpp"

namespace takt::testing {
namespace {

using tools::CommandOutcome;
using tools::run_command;
using tools::with_path;

constexpr auto kNever = maxplus::SearchClock::time_point::max();

CommandOutcome run(const std::string& command, const std::string& path = "/dev/null") {
  return run_command(command, {path, {"TAKT_SEED=7"}, kNever});
}

TEST_CASE("the path takes the place of each {}, as a word of the shell") {
  REQUIRE(with_path("x {} y {}", "a.json") == std::pair<std::string, bool>("x a.json y a.json", true));
  REQUIRE(with_path("x {}", "it's a b.json") == std::pair<std::string, bool>("x 'it'\\''s a b.json'", true));
  REQUIRE(with_path("x", "a.json") == std::pair<std::string, bool>("x", false));
}

TEST_CASE("a command reads a file by its path, or as standard input, and its output is taken") {
  const TemporaryFolder folder;
  const std::string file = folder.write("it's $(a) file.json", "hello\n");
  REQUIRE(run("cat {} {} | tr h H", file).output == "Hello\nHello\n");
  REQUIRE(run("cat", file).output == "hello\n");
  REQUIRE(run("cat {}; cat", file).output == "hello\n");  // with {}, standard input is empty
  REQUIRE(run("echo $TAKT_SEED; echo said >&2").output == "7\n");
  const CommandOutcome large = run("head -c 3000000 /dev/zero; echo end");
  REQUIRE(large.output.size() == 3'000'004);
  REQUIRE_FALSE(large.failure);
}

TEST_CASE("what goes wrong is said in a phrase") {
  REQUIRE(run("exit 3").failure == "exit status 3");
  REQUIRE(run("echo one >&2; echo ' the reason ' >&2; exit 3").failure == "exit status 3:  the reason");
  REQUIRE(run("kill -SEGV $$").failure == "ended by signal 11 (Segmentation fault)");
  REQUIRE_THAT(*run("/no/such/program {}").failure, Catch::StartsWith("exit status 127: "));
  REQUIRE(run_command("cat /dev/zero", {"/dev/null", {}, kNever, 100'000}).failure ==
          "more than 100000 bytes of output");
  REQUIRE_THROWS_AS(run("cat", "/no/such/file"), tools::FileError);
}

TEST_CASE("at the deadline a command is killed with all that it has started") {
  const TemporaryFolder folder;
  const support::Fifo ids(folder.path("ids"));
  for (const std::string command :
       {"sleep 1000 & echo $! > {}; wait", "trap '' TERM INT; sleep 1000 & echo $! > {}; while :; do wait; done",
        "exec >&- 2>&-; sleep 1000 & echo $! > {}; wait"}) {
    pid_t started = 0;
    // An hour passes while it starts another.
    const support::PlayedClock clock([&](std::uint64_t question) {
      if (question == 1) started = ids.process();
      return std::chrono::hours(1);
    });
    const auto now = maxplus::SearchClock::time_point(std::chrono::hours(1));
    const CommandOutcome outcome = run_command(command, {ids.path(), {}, now + std::chrono::minutes(1)});
    REQUIRE(outcome.failure == "the time limit was reached");
    support::wait_for_end(started);
  }
}

TEST_CASE(
    "what a command prints at its end is read, also where nothing came before and it has ended by the next look") {
  const TemporaryFolder folder;
  const support::Fifo gate(folder.path("gate"));
  const support::Fifo id(folder.path("id"));
  // Its output is waited for between the first two questions, for a millisecond; it prints and ends at the second.
  const support::PlayedClock clock([&](std::uint64_t question) {
    if (question == 2) {
      const pid_t process = id.process();
      gate.open();
      support::wait_for_end(process);
    }
    return std::chrono::nanoseconds(0);
  });
  const CommandOutcome outcome = run_command(
      "echo $$ > " + id.path() + "; read -r x < " + gate.path() + "; echo late",
      {"/dev/null", {}, maxplus::SearchClock::time_point(std::chrono::hours(1)) + std::chrono::milliseconds(1)});
  CHECK(outcome.failure == std::nullopt);
  CHECK(outcome.output == "late\n");
}

TEST_CASE("what a command leaves behind does not hold up its answer, and is killed") {
  const TemporaryFolder folder;
  const std::string ids = folder.write("ids", "");
  const CommandOutcome outcome = run("sleep 1000 & echo $! > {}; echo done", ids);
  REQUIRE_FALSE(outcome.failure);
  REQUIRE(outcome.output == "done\n");
  support::wait_for_end(static_cast<pid_t>(std::stol(text_of(ids))));
}

}  // namespace
}  // namespace takt::testing
