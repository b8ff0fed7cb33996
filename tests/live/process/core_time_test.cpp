// Time on cores: of a thread, of a group of processes with what it has waited for, of a program behind a stage.
#include "live/process/core_time.hpp"

#include <unistd.h>

#include <catch2/catch.hpp>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "live/process/filter_kernel.hpp"
#include "live/process/thread_time.hpp"
#include "tests/support/temporary_folder.hpp"

namespace takt::live {
namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;

void spin(nanoseconds time) {
  const auto end = thread_time() + time;
  while (thread_time() < end) {
  }
}

TEST_CASE("a thread's clock counts its time on cores, not that of others nor its waiting for them") {
  const ThreadCoreClock clock;
  const CoreTime before = clock.now();
  spin(milliseconds(20));
  const CoreTime busy = clock.now() - before;
  CHECK(busy.running >= milliseconds(20));
  CHECK((!busy.waiting || busy.waiting->count() >= 0));
  const CoreTime again = clock.now();
  std::thread([] { spin(milliseconds(20)); }).join();
  CHECK((clock.now() - again).running < milliseconds(20));
}

// A folder like /proc, as it was at one time.
class Recorded {
 public:
  // Times in ticks: own in user and system mode, then of children that it has waited for. The numbers of
  // schedstat, by thread: on cores, waiting, times.
  void add(pid_t id, pid_t group, const std::string& name, const std::string& ticks,
           const std::vector<std::string>& schedstats) const {
    const std::string number = std::to_string(id);
    std::filesystem::create_directory(folder_.path(number));
    folder_.write(number + "/stat", number + " (" + name + ") S 1 " + std::to_string(group) +
                                        " 7 0 -1 4194560 99 0 0 0 " + ticks + " 20 0 2 0 5108 2600960 224\n");
    for (std::size_t k = 0; k < schedstats.size(); ++k) {
      const std::string task = number + "/task/" + std::to_string(id + static_cast<pid_t>(k));
      std::filesystem::create_directories(folder_.path(task));
      folder_.write(task + "/schedstat", schedstats[k]);
    }
  }
  CoreTime of(pid_t group) const { return group_core_time(group, folder_.path("")); }

 private:
  testing::TemporaryFolder folder_;
};

TEST_CASE("a group's time is that of all its processes, and of those that are gone") {
  const Recorded recorded;
  recorded.add(70, 70, "sh", "1 2 30 40", {"1000 500 3\n"});
  recorded.add(71, 70, "of (any) S 1 9 name", "100 200 0 0", {"1000 7 3\n", "1000 20 3\n"});
  recorded.add(72, 70, "untold", "1000 0 0 0", {});
  recorded.add(73, 73, "another's", "5 5 5 5", {"1 1 1\n"});
  recorded.add(74, 74, "none tell", "1 1 0 0", {""});
  const nanoseconds tick(1'000'000'000 / sysconf(_SC_CLK_TCK));
  CHECK(recorded.of(70).running == 1373 * tick);
  CHECK(recorded.of(70).waiting == nanoseconds(527));
  CHECK(recorded.of(73).running == 20 * tick);
  CHECK(recorded.of(74).running == 2 * tick);
  CHECK(recorded.of(74).waiting == std::nullopt);
  for (const CoreTime& none : {recorded.of(75), group_core_time(0x7fffffff)}) {
    CHECK(none.running.count() == 0);
    CHECK(none.waiting == nanoseconds());
  }
  // In finer steps than ticks here.
  const nanoseconds before = thread_time();
  const CoreTime own = group_core_time(getpgrp());
  CHECK(own.running >= before);
  CHECK(own.waiting.has_value() == ThreadCoreClock().now().waiting.has_value());
}

TEST_CASE("the time of a stage's program counts from its first data set on") {
  const std::string work = "i=0; while [ $i -lt 2000 ]; do i=$((i+1)); done; ";
  Keeper keeper;
  FilterKernel kernel(keeper,
                      {{0, "busy", "while read -r line; do " + work + "echo $line; done", false},
                       {2, "unused", "cat", false},
                       {3, "each", work + "cat", true}},
                      {.format = RecordFormat::lines});
  for (const std::size_t stage : {0U, 2U, 3U}) CHECK(kernel.time_outside(stage).running.count() == 0);
  std::vector<CoreTime> last(4);
  for (std::uint64_t j = 0; j < 3; ++j) {
    Packet packet{j, "x"};
    for (const std::size_t stage : {0U, 3U}) {
      kernel.run({stage, {}}, packet);
      const CoreTime time = kernel.time_outside(stage);
      CHECK(time.running > last[stage].running);
      last[stage] = time;
    }
  }
  CHECK(kernel.time_outside(2).running.count() == 0);
  CHECK(last[3].waiting.has_value() == ThreadCoreClock().now().waiting.has_value());
  CHECK(kernel.time_outside(7).running.count() == 0);
}

}  // namespace
}  // namespace takt::live
