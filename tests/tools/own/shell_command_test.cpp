// Commands that answer, crash, hang, flood and leave others behind.
#include "tools/own/shell_command.hpp"

#include <signal.h>

#include <catch2/catch.hpp>
#include <chrono>
#include <string>

#include "tests/tools/process.hpp"
#include "tests/tools/program.hpp"
#include "tools/command.hpp"

namespace takt::testing {
namespace {

using tools::CommandOutcome;
using tools::run_command;
using tools::with_path;

std::chrono::steady_clock::time_point in_milliseconds(int count) {
  return std::chrono::steady_clock::now() + std::chrono::milliseconds(count);
}

constexpr int kLong = 60'000;

CommandOutcome run(const std::string& command, const std::string& path = "/dev/null", int milliseconds = kLong) {
  return run_command(command, {path, {"TAKT_SEED=7"}, in_milliseconds(milliseconds)});
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
  REQUIRE(run("cat /dev/zero").failure == "more than 67108864 bytes of output");
  REQUIRE_THROWS_AS(run("cat", "/no/such/file"), tools::FileError);
}

bool is_alive(const std::string& id) { return kill(static_cast<pid_t>(std::stol(id)), 0) == 0; }

TEST_CASE("at the deadline a command is killed with all that it has started") {
  const TemporaryFolder folder;
  const std::string ids = folder.write("ids", "");
  for (const std::string command :
       {"sleep 1000 & echo $! > {}; wait", "trap '' TERM INT; sleep 1000 & echo $! > {}; while :; do sleep 1; done",
        "exec >&- 2>&-; sleep 1000 & echo $! > {}; wait"}) {
    const CommandOutcome outcome = run(command, ids, 400);
    REQUIRE(outcome.failure == "the time limit was reached");
    const std::string id = text_of(ids);
    REQUIRE_FALSE(id.empty());
    REQUIRE(eventually([&] { return !is_alive(id); }));
  }
}

TEST_CASE("what a command leaves behind does not hold up its answer, and is killed") {
  const TemporaryFolder folder;
  const std::string ids = folder.write("ids", "");
  const CommandOutcome outcome = run("sleep 1000 & echo $! > {}; echo done", ids);
  REQUIRE_FALSE(outcome.failure);
  REQUIRE(outcome.output == "done\n");
  const std::string id = text_of(ids);
  REQUIRE(eventually([&] { return !is_alive(id); }));
}

}  // namespace
}  // namespace takt::testing
