// Servers that answer, stay, crash, hang, flood and are out of step.
#include <catch2/catch.hpp>
#include <chrono>
#include <string>

#include "tests/support/counted_clock.hpp"
#include "tests/support/process_events.hpp"
#include "tests/tools/program.hpp"
#include "tools/own/shell_command.hpp"

namespace takt::testing {
namespace {

using tools::CommandOutcome;
using tools::ShellServer;

CommandOutcome ask(ShellServer& server, const std::string& line) {
  return server.ask(line, maxplus::SearchClock::time_point::max());
}

// Of a question to a clock on which an hour passes with its first reading, when the server has said its process.
CommandOutcome late(ShellServer& server, const support::Fifo& ids, pid_t& process) {
  const support::PlayedClock clock([&](std::uint64_t question) {
    if (question == 1) process = ids.process();
    return std::chrono::hours(1);
  });
  return server.ask("a", maxplus::SearchClock::time_point(std::chrono::hours(1)) + std::chrono::minutes(1));
}

// The process answers its number and how many lines it has read.
const std::string kCounting = "n=0; while read line; do n=$((n+1)); echo $$ $n $line; done";

TEST_CASE("a server stays from question to question, and answers each line by a line") {
  ShellServer server(kCounting);
  const CommandOutcome first = ask(server, "a");
  REQUIRE_FALSE(first.failure);
  const std::string process = first.output.substr(0, first.output.find(' '));
  REQUIRE(first.output == process + " 1 a");
  REQUIRE(ask(server, "b c").output == process + " 2 b c");
  REQUIRE(ask(server, "").output == process + " 3");
}

TEST_CASE("questions and answers may be larger than a pipe, whoever writes first") {
  const std::string large(200'000, 'x');
  ShellServer after("while read line; do echo $line$line; done");
  REQUIRE(ask(after, large).output == large + large);
  // It answers before it reads the rest.
  ShellServer before("head -c 100000 /dev/zero | tr '\\0' y; read line; echo; cat > /dev/null");
  REQUIRE(ask(before, large).output == std::string(100'000, 'y'));
}

TEST_CASE("a server that fails is started anew for the next question") {
  ShellServer once("read line; echo $$; read line; echo why >&2; exit 3");
  const std::string process = ask(once, "a").output;
  REQUIRE(ask(once, "b").failure == "exit status 3: why");
  const CommandOutcome again = ask(once, "c");
  REQUIRE_FALSE(again.failure);
  REQUIRE(again.output != process);
}

TEST_CASE("what goes wrong with a server is said in a phrase") {
  const auto failure_of = [](const std::string& command, std::chrono::milliseconds farewell = std::chrono::hours(1)) {
    ShellServer server(command, {.most_output = 100'000, .farewell = farewell});
    return ask(server, "a").failure.value_or("none");
  };
  REQUIRE(failure_of("exit 0") == "it ended without an answer");
  REQUIRE(failure_of("read line; printf half") == "it ended without an answer");
  REQUIRE(failure_of("exec >&-; sleep 1000", {}) == "it ended without an answer");
  REQUIRE(failure_of("kill -SEGV $$") == "ended by signal 11 (Segmentation fault)");
  REQUIRE_THAT(failure_of("/no/such/program"), Catch::StartsWith("exit status 127: "));
  REQUIRE(failure_of("cat /dev/zero") == "more than 100000 bytes of output");
  ShellServer twice("while read line; do printf '1\\n2\\n'; done");
  REQUIRE_FALSE(ask(twice, "a").failure);
  REQUIRE(ask(twice, "b").failure == "it printed more than one line for a problem");
}

TEST_CASE("a server is killed with all that it has started, at the deadline and in the end") {
  const TemporaryFolder folder;
  const support::Fifo ids(folder.path("ids"));
  pid_t started = 0;
  ShellServer server("sleep 1000 & echo $! > " + ids.path() + "; trap '' TERM; read line; wait");
  REQUIRE(late(server, ids, started).failure == "the time limit was reached");
  support::wait_for_end(started);
  {
    ShellServer other("sleep 1000 & echo $! > " + folder.path("last") + "; while read line; do echo $line; done");
    REQUIRE(ask(other, "a").output == "a");
    started = static_cast<pid_t>(std::stol(text_of(folder.path("last"))));
    REQUIRE(support::is_running(started));
  }
  support::wait_for_end(started);
}

}  // namespace
}  // namespace takt::testing
