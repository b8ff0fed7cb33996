// Programs that go with their keeper, whatever they do, and whatever becomes of who started them.
#include "live/process/keeper.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>

#include "tests/support/temporary_folder.hpp"

namespace takt::live {

namespace {

using testing::TemporaryFolder;
using testing::text_of;

const ChildStreams kOwnStreams{STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO};

bool is_alive(pid_t id) {
  std::ifstream file("/proc/" + std::to_string(id) + "/stat");
  const std::string status{std::istreambuf_iterator<char>(file), {}};
  return !status.empty() && status.find(") Z ") == std::string::npos;
}

void wait_until_gone(pid_t id) {
  while (is_alive(id)) std::this_thread::sleep_for(std::chrono::milliseconds(2));
}

pid_t id_in(const std::string& file) {
  std::string text;
  while ((text = text_of(file)).find('\n') == std::string::npos) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return static_cast<pid_t>(std::stol(text));
}

// A program with a child, a child in a session of its own, and one that has left its parent.
std::string family(const TemporaryFolder& folder) {
  for (const char* const name : {"child", "session", "orphan"}) std::ofstream(folder.path(name));
  return "sleep 1000 & echo $! > " + folder.path("child") + "; setsid sh -c 'echo $$ > " + folder.path("session") +
         "; exec sleep 1000' & (setsid sh -c 'echo $$ > " + folder.path("orphan") +
         "; exec sleep 1000' &) ; sleep 1000 | cat";
}

}  // namespace

TEST_CASE("a keeper tells how programs end, each with its status and time") {
  Keeper keeper;
  const std::uint64_t three = keeper.start("exit 3", {}, kOwnStreams);
  const std::uint64_t killed = keeper.start("kill -9 $$", {}, kOwnStreams);
  const std::uint64_t busy = keeper.start("i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done", {}, kOwnStreams);
  const std::uint64_t named = keeper.start("[ \"$TAKT_WORD\" = 'two words' ]", {"TAKT_WORD=two words"}, kOwnStreams);
  const std::uint64_t absent = keeper.start("/no/such/program 2> /dev/null", {}, kOwnStreams);
  const std::uint64_t endless = keeper.start("sleep 1000", {}, kOwnStreams);
  const auto end = [&](std::uint64_t number) {
    const auto found = keeper.end_of(number, std::chrono::minutes(1));
    REQUIRE(found);
    return *found;
  };
  CHECK(WEXITSTATUS(end(three).status) == 3);
  CHECK(WTERMSIG(end(killed).status) == SIGKILL);
  CHECK(end(busy).core.running > std::chrono::milliseconds(1));
  CHECK(end(named).status == 0);
  CHECK(WEXITSTATUS(end(absent).status) == 127);
  CHECK(!keeper.end_of(endless));
  CHECK(WTERMSIG(keeper.end(endless).status) == SIGKILL);
}

TEST_CASE("a command of plain words needs no shell") {
  CHECK(plain_words("sort -n -u") == std::vector<std::string>{plain_words("sort").front(), "-n", "-u"});
  CHECK(plain_words("sort").front().front() == '/');
  for (const char* const command :
       {"", "echo a", "cat | cat", "a=1 cat", "cat 'x'", "read -r line", "cd /", "no-such-program", "cat $x", "cat ~",
        "cat *", "cat; cat", "cat\ncat", "cat #", "/tmp"}) {
    CHECK(plain_words(command).empty());
  }
}

TEST_CASE("a script that names no interpreter runs as a shell would run it") {
  const TemporaryFolder folder;
  const std::string script = folder.path("script");
  std::ofstream(script) << "exit 5\n";
  std::filesystem::permissions(script, std::filesystem::perms::owner_all);
  REQUIRE(!plain_words(script).empty());
  Keeper keeper;
  const auto end = keeper.end_of(keeper.start(script, {}, kOwnStreams), std::chrono::minutes(1));
  REQUIRE(end);
  CHECK(WEXITSTATUS(end->status) == 5);
}

TEST_CASE("what a program has started is killed with it, and what has left it with the keeper") {
  const TemporaryFolder folder;
  {
    Keeper keeper;
    const std::uint64_t number = keeper.start(family(folder), {}, kOwnStreams);
    const pid_t child = id_in(folder.path("child"));
    const pid_t session = id_in(folder.path("session"));
    const pid_t orphan = id_in(folder.path("orphan"));
    keeper.end(number);
    wait_until_gone(child);
    wait_until_gone(session);
    CHECK(is_alive(orphan));
  }
  CHECK(!is_alive(id_in(folder.path("orphan"))));
}

TEST_CASE("nothing outlives a process that is killed, stopped programs included") {
  const TemporaryFolder folder;
  const std::string files = folder.path("files");
  std::filesystem::create_directory(files);
  const pid_t process = fork();
  REQUIRE(process >= 0);
  if (process == 0) {
    setpgid(0, 0);
    Keeper keeper;
    const std::string own = "sleep 1000 & echo $! > " + folder.path("own");  // as a function may start it
    if (std::system(own.c_str()) != 0) _exit(1);
    keeper.remove_at_end(files);
    keeper.start(family(folder), {}, kOwnStreams);
    const std::uint64_t stopped = keeper.start("kill -STOP $$", {}, kOwnStreams);
    std::ofstream(folder.path("stopped")) << keeper.id_of(stopped) << std::endl;
    pause();
  }
  for (const char* const name : {"child", "session", "orphan", "stopped", "own"}) {
    while (!std::filesystem::exists(folder.path(name))) std::this_thread::sleep_for(std::chrono::milliseconds(2));
    id_in(folder.path(name));
  }
  REQUIRE(kill(process, SIGKILL) == 0);
  REQUIRE(waitpid(process, nullptr, 0) == process);
  for (const char* const name : {"child", "session", "orphan", "stopped", "own"})
    wait_until_gone(id_in(folder.path(name)));
  while (std::filesystem::exists(files)) std::this_thread::sleep_for(std::chrono::milliseconds(2));
}

}  // namespace takt::live
