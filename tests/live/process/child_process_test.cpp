// Commands that end when they are asked to, and commands that do not.
#include "live/process/child_process.hpp"

#include <catch2/catch.hpp>
#include <chrono>
#include <csignal>
#include <fstream>
#include <string>

#include "tests/support/process_events.hpp"
#include "tests/support/temporary_folder.hpp"

namespace takt::live {

namespace {

using namespace std::chrono_literals;

const ChildStreams kHere{0, 1, 2};

// A command that has said what SIGTERM is to do.
class Prepared {
 public:
  explicit Prepared(const std::string& answer)
      : child_("trap '" + answer + "' TERM; sleep 1000 & : > " + ready_.path() + "; wait", {}, kHere) {
    ready_.heard();
  }

  ChildProcess& child() { return child_; }

 private:
  testing::TemporaryFolder folder_;
  support::Fifo ready_{folder_.path("ready")};
  ChildProcess child_;
};

}  // namespace

TEST_CASE("a command that minds SIGTERM ends when asked, in its own way") {
  Prepared prepared("exit 5");
  CHECK(prepared.child().ends_when_asked(1h));
  CHECK(failure_of_status(prepared.child().end()) == "exit status 5");
}

TEST_CASE("a command that does not mind SIGTERM has not ended after the time for it") {
  Prepared prepared("");
  CHECK_FALSE(prepared.child().ends_when_asked(1ms));
  CHECK(failure_of_status(prepared.child().end()) == "ended by signal 9 (Killed)");
}

TEST_CASE("a command that has ended by itself is not asked") {
  ChildProcess child("exit 3", {}, kHere);
  child.wait(1h);
  CHECK(child.ends_when_asked(0ms));
  CHECK(failure_of_status(child.end()) == "exit status 3");
}

// The kernel refuses to read the file of a process that has gone since it was opened.
TEST_CASE("the state of a process can be asked while it ends") {
  ChildProcess child("exec sleep 1000", {}, kHere);
  const std::string stat = "/proc/" + std::to_string(child.id()) + "/stat";
  std::ifstream before(stat);
  std::ifstream behind(stat);
  CHECK(process_state(before) != '\0');
  child.end();
  CHECK(process_state(behind) == '\0');
  CHECK(process_state(child.id()) == '\0');
}

}  // namespace takt::live
