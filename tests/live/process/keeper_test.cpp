// Programs that go with their keeper, whatever they do, and whatever becomes of who started them.
#include "live/process/keeper.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "tests/support/process_events.hpp"
#include "tests/support/temporary_folder.hpp"

namespace takt::live {

namespace {

using support::Fifo;
using support::is_running;
using support::wait_for_end;
using testing::TemporaryFolder;

const ChildStreams kOwnStreams{STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO};

// A program with a child, a child in a session of its own, and one that has left its parent.
struct Family {
  explicit Family(const TemporaryFolder& folder)
      : child(folder.path("child")), session(folder.path("session")), orphan(folder.path("orphan")) {}

  std::string command() const {
    return "sleep 1000 & echo $! > " + child.path() + "; setsid sh -c 'echo $$ > " + session.path() +
           "; exec sleep 1000' & (setsid sh -c 'echo $$ > " + orphan.path() +
           "; exec sleep 1000' &) ; sleep 1000 | cat";
  }

  Fifo child;
  Fifo session;
  Fifo orphan;
};

}  // namespace

TEST_CASE("a keeper tells how programs end, each with its status and time") {
  Keeper keeper;
  const std::uint64_t three = keeper.start("exit 3", {}, kOwnStreams);
  const std::uint64_t killed = keeper.start("kill -9 $$", {}, kOwnStreams);
  const std::uint64_t busy = keeper.start("i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done", {}, kOwnStreams);
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
  const Family family(folder);
  pid_t orphan = 0;
  {
    Keeper keeper;
    const std::uint64_t number = keeper.start(family.command(), {}, kOwnStreams);
    const pid_t child = family.child.process();
    const pid_t session = family.session.process();
    orphan = family.orphan.process();
    keeper.end(number);
    wait_for_end(child);
    wait_for_end(session);
    CHECK(is_running(orphan));
  }
  CHECK(!is_running(orphan));
}

TEST_CASE("nothing outlives a process that is killed, stopped programs included") {
  const TemporaryFolder folder;
  const std::string files = folder.path("files");
  std::filesystem::create_directory(files);
  const Family family(folder);
  const Fifo own(folder.path("own"));
  const Fifo stopped(folder.path("stopped"));
  const Fifo kept(folder.path("keeper"));
  const pid_t process = fork();
  REQUIRE(process >= 0);
  if (process == 0) {
    setpgid(0, 0);
    Keeper keeper;
    const std::string command = "sleep 1000 & echo $! > " + own.path();  // as a function may start it
    if (std::system(command.c_str()) != 0) _exit(1);
    keeper.remove_at_end(files);
    keeper.start(family.command(), {}, kOwnStreams);
    keeper.start("echo $$ > " + stopped.path() + "; kill -STOP $$", {}, kOwnStreams);
    keeper.start("echo $PPID > " + kept.path(), {}, kOwnStreams);
    pause();
  }
  std::vector<pid_t> all;
  for (const Fifo* each : {&own, &family.child, &family.session, &family.orphan, &stopped, &kept}) {
    all.push_back(each->process());
  }
  REQUIRE(kill(process, SIGKILL) == 0);
  REQUIRE(waitpid(process, nullptr, 0) == process);
  for (const pid_t each : all) wait_for_end(each);
  CHECK(!std::filesystem::exists(files));
}

}  // namespace takt::live
