// Time on cores: of a thread, of a group of processes with what it has waited for, of a program behind a stage.
#include "live/process/core_time.hpp"

#include <catch2/catch.hpp>
#include <chrono>
#include <string>
#include <thread>

#include "live/process/child_process.hpp"
#include "live/process/filter_kernel.hpp"
#include "live/process/thread_time.hpp"

namespace takt::live {
namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;

// Of the shell: some milliseconds of a core, at the least.
constexpr const char* kWork = "i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done; ";

void spin(nanoseconds time) {
  const auto end = thread_time() + time;
  while (thread_time() < end) {
  }
}

// Until what the group has had no longer grows: it waits for its input.
CoreTime settled(pid_t group) {
  CoreTime last;
  for (int alike = 0; alike < 10;) {
    std::this_thread::sleep_for(milliseconds(5));
    const CoreTime now = group_core_time(group);
    alike = now.running.count() > 0 && now.running == last.running ? alike + 1 : 0;
    last = now;
  }
  return last;
}

TEST_CASE("a thread's clock counts its time on cores, and no sleep") {
  const ThreadCoreClock clock;
  const CoreTime before = clock.now();
  spin(milliseconds(20));
  const CoreTime busy = clock.now() - before;
  CHECK(busy.running >= milliseconds(20));
  CHECK((!busy.waiting || busy.waiting->count() >= 0));
  const CoreTime again = clock.now();
  std::this_thread::sleep_for(milliseconds(200));
  CHECK((clock.now() - again).running < milliseconds(100));
  std::thread([] { spin(milliseconds(200)); }).join();
  CHECK((clock.now() - again).running < milliseconds(150));
}

TEST_CASE("a group's time is that of all its processes, and of those that are gone") {
  Pipe input;
  Pipe output;
  const auto started = [&](const std::string& command) {
    return ChildProcess(command, {}, ChildStreams{input.out.number(), output.in.number(), output.in.number()});
  };
  const ChildProcess idle = started("cat");
  const ChildProcess one = started(std::string(kWork) + "cat");
  // Several times as much, for on cores that others use equal work may take twice as long.
  const std::string more = std::string(kWork) + kWork;
  const ChildProcess piped = started("{ " + more + "cat; } | { " + more + "cat; }");
  const ChildProcess gone = started("sh -c '" + more + more + "'; cat");
  const nanoseconds least = settled(idle.id()).running;
  CHECK(settled(one.id()).running > 2 * least);
  CHECK(settled(piped.id()).running > settled(one.id()).running);
  // Children that are gone count in hundredths of a second.
  CHECK(settled(gone.id()).running + milliseconds(20) > settled(one.id()).running);
  CHECK(group_core_time(idle.id()).waiting.has_value() == ThreadCoreClock().now().waiting.has_value());
}

TEST_CASE("a group that nobody is in has no time") {
  const CoreTime none = group_core_time(0x7fffffff);
  CHECK(none.running.count() == 0);
  CHECK(none.waiting == nanoseconds());
}

TEST_CASE("the time of a stage's program counts from its first data set on") {
  const std::string loop = std::string("while read -r line; do ") + kWork + "echo $line; done";
  Keeper keeper;
  ProgramOptions options;
  options.format = RecordFormat::lines;
  FilterKernel kernel(keeper,
                      {{0, "busy", loop, false},
                       {1, "idle", "while read -r line; do echo $line; done", false},
                       {2, "unused", "cat", false},
                       {3, "each", std::string(kWork) + "cat", true}},
                      options);
  CHECK(kernel.time_outside(0).running.count() == 0);
  nanoseconds last{};
  for (std::uint64_t j = 0; j < 3; ++j) {
    Packet packet{j, "x"};
    kernel.run({0, {}}, packet);
    kernel.run({1, {}}, packet);
    kernel.run({3, {}}, packet);
    const nanoseconds now = kernel.time_outside(0).running;
    CHECK(now > last);
    last = now;
  }
  CHECK(kernel.time_outside(1).running < kernel.time_outside(0).running);
  CHECK(kernel.time_outside(2).running.count() == 0);
  CHECK(kernel.time_outside(3).running > kernel.time_outside(1).running);
  CHECK(kernel.time_outside(3).waiting.has_value() == ThreadCoreClock().now().waiting.has_value());
  CHECK(kernel.time_outside(7).running.count() == 0);
}

}  // namespace
}  // namespace takt::live
