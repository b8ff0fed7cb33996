// Servers that answer, stay, crash, hang, flood and are out of step.
#include <signal.h>

#include <catch2/catch.hpp>
#include <chrono>
#include <string>

#include "tests/tools/process.hpp"
#include "tests/tools/program.hpp"
#include "tools/own/shell_command.hpp"

namespace takt::testing {
namespace {

using tools::CommandOutcome;
using tools::ShellServer;

constexpr int kPatient = 60'000;

CommandOutcome ask(ShellServer& server, const std::string& line, int milliseconds = kPatient) {
  return server.ask(line, std::chrono::steady_clock::now() + std::chrono::milliseconds(milliseconds));
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
  const std::string large(3'000'000, 'x');
  ShellServer after("while read line; do echo $line$line; done");
  REQUIRE(ask(after, large).output == large + large);
  // It answers before it reads the rest.
  ShellServer before("head -c 1000000 /dev/zero | tr '\\0' y; read line; echo; cat > /dev/null");
  REQUIRE(ask(before, large).output == std::string(1'000'000, 'y'));
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
  const auto failure_of = [](const std::string& command, int milliseconds = kPatient) {
    ShellServer server(command);
    return ask(server, "a", milliseconds).failure.value_or("none");
  };
  REQUIRE(failure_of("exit 0") == "it ended without an answer");
  REQUIRE(failure_of("read line; printf half") == "it ended without an answer");
  REQUIRE(failure_of("exec >&-; sleep 1000") == "it ended without an answer");
  REQUIRE(failure_of("kill -SEGV $$") == "ended by signal 11 (Segmentation fault)");
  REQUIRE_THAT(failure_of("/no/such/program"), Catch::StartsWith("exit status 127: "));
  REQUIRE(failure_of("cat /dev/zero") == "more than 67108864 bytes of output");
  REQUIRE(failure_of("sleep 1000", 200) == "the time limit was reached");
  ShellServer twice("while read line; do echo 1; echo 2; done");
  REQUIRE_FALSE(ask(twice, "a").failure);
  REQUIRE(eventually([&] { return ask(twice, "b").failure == "it printed more than one line for a problem"; }));
}

TEST_CASE("a server is killed with all that it has started, at the deadline and in the end") {
  const TemporaryFolder folder;
  const auto is_alive = [](const std::string& id) { return kill(static_cast<pid_t>(std::stol(id)), 0) == 0; };
  const std::string late = folder.write("late", "");
  ShellServer server("sleep 1000 & echo $! > " + late + "; trap '' TERM; read line; wait");
  REQUIRE(ask(server, "a", 400).failure == "the time limit was reached");
  REQUIRE(eventually([&] { return !is_alive(text_of(late)); }));
  const std::string last = folder.write("last", "");
  {
    ShellServer other("sleep 1000 & echo $! > " + last + "; while read line; do echo $line; done");
    REQUIRE(ask(other, "a").output == "a");
    REQUIRE(is_alive(text_of(last)));
  }
  REQUIRE(eventually([&] { return !is_alive(text_of(last)); }));
}

}  // namespace
}  // namespace takt::testing
