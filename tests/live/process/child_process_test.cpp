// Commands that end when they are asked to, and commands that do not.
#include "live/process/child_process.hpp"

#include <sys/wait.h>

#include <catch2/catch.hpp>
#include <chrono>
#include <csignal>
#include <exception>
#include <filesystem>
#include <string>
#include <thread>

#include "tests/support/temporary_folder.hpp"

namespace takt::live {

namespace {

const ChildStreams kHere{0, 1, 2};

// A command that has said what SIGTERM is to do.
class Prepared {
 public:
  explicit Prepared(const std::string& answer)
      : child_("trap '" + answer + "' TERM; : > " + folder_.path("ready") + "; while :; do sleep 0.01; done", {},
               kHere) {
    while (!std::filesystem::exists(folder_.path("ready"))) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }

  ChildProcess& child() { return child_; }

 private:
  testing::TemporaryFolder folder_;
  ChildProcess child_;
};

}  // namespace

TEST_CASE("a command that minds SIGTERM ends when asked, in its own way") {
  Prepared prepared("exit 5");
  CHECK(prepared.child().ends_when_asked(std::chrono::seconds(60)));
  CHECK(failure_of_status(prepared.child().end()) == "exit status 5");
}

TEST_CASE("a command that does not mind SIGTERM has not ended after the time for it") {
  Prepared prepared("");
  CHECK_FALSE(prepared.child().ends_when_asked(std::chrono::milliseconds(50)));
  CHECK(failure_of_status(prepared.child().end()) == "ended by signal 9 (Killed)");
}

TEST_CASE("a command that has ended by itself is not asked") {
  ChildProcess child("exit 3", {}, kHere);
  while (!child.has_ended()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  CHECK(child.ends_when_asked(std::chrono::milliseconds(0)));
  CHECK(failure_of_status(child.end()) == "exit status 3");
}

// The kernel refuses to read the file of a process that has gone since it was opened.
TEST_CASE("the state of a process can be asked while it ends") {
  std::size_t failures = 0;
  for (int k = 0; k < 500; ++k) {
    const pid_t process = start_process({"/bin/true"}, {}, kHere, SIGTERM);
    std::thread parent([&] { waitpid(process, nullptr, 0); });
    try {
      while (process_state(process) != '\0') {
      }
    } catch (const std::exception&) {
      ++failures;
    }
    parent.join();
  }
  CHECK(failures == 0);
}

}  // namespace takt::live
