// Launchers that do not end although the processes of their job have.
#include "tools/live/launcher.hpp"

#include <catch2/catch.hpp>
#include <chrono>
#include <cstdint>
#include <string>

#include "tests/support/counted_clock.hpp"
#include "tests/support/process_events.hpp"
#include "tests/support/temporary_folder.hpp"

namespace takt::testing {
namespace {

using namespace std::chrono_literals;

// The job of a launcher that says which process is the coordinator, which is waited for; some looks later whoever
// stands at the gate may go on. A look is about three questions to the clock.
class LingeringJob {
 public:
  // What programs of the shell are: `coordinator`, and the launcher behind starting it. The clock goes on by `step`
  // with each question. `known` is the coordinator's process as the launcher has it.
  tools::JobEnd run(const std::string& coordinator, const std::string& then, std::chrono::milliseconds step = 2ms,
                    const std::string& known = "$!") {
    folder_.write("launcher", "sh -c '" + coordinator + "' & echo " + known + " > " + path("coordinator") + "\n: > " +
                                  ready_.path() + "\n" + then + "\n");
    const support::PlayedClock clock([&](std::uint64_t question) {
      if (question == 6) ready_.heard();
      if (question == 24) gate_.open();
      return step * static_cast<int>(question);
    });
    tools::Launch launch;
    launch.launcher = "sh " + folder_.path("launcher");
    launch.executable = "none";
    launch.plan = "none";
    launch.messages = path("messages");
    launch.result = path("result");
    launch.failure = path("failure");
    launch.begun = path("begun");
    launch.words = path("words");
    launch.stall = path("stall");
    launch.coordinator = path("coordinator");
    launch.lingering_allowed = 20ms;
    return tools::run_job(launch);
  }
  std::string path(const std::string& name) const { return folder_.path(name); }
  std::string at_gate() const { return "read -r x < " + gate_.path(); }

 private:
  TemporaryFolder folder_;
  support::Fifo ready_{folder_.path("ready")};
  support::Fifo gate_{folder_.path("gate")};
};

}  // namespace

TEST_CASE("a launcher that stays behind its coordinator is ended, and the job is what the processes made of it") {
  LingeringJob job;
  const std::string stays = "exec sleep 1000";  // does not wait for its child, which stays a zombie
  const tools::JobEnd failed = job.run(job.at_gate(), stays);
  CHECK(failed.failure == "the launcher had not ended 0.02 s after the coordinator");
  CHECK_FALSE(failed.has_stalled);
  CHECK_FALSE(failed.is_given);

  const tools::JobEnd told =
      job.run(job.at_gate(),
              "echo mpirun noticed that process rank 3 with PID 7 on node here exited on signal 9.; wait; " + stays);
  CHECK(told.rank == 3);

  CHECK_FALSE(job.run(job.at_gate() + "; echo > " + job.path("result"), stays).failure);
}

TEST_CASE("a launcher is left alone while its coordinator runs, or cannot be seen, and for a while behind it") {
  LingeringJob job;
  const std::string ends = job.at_gate() + "; exit 3";
  CHECK(job.run("exec sleep 1000", ends).failure == "exit status 3");
  CHECK(job.run(job.at_gate(), "wait; exit 3", 0ms).failure == "exit status 3");
  // No process has a number beyond 2^22.
  CHECK(job.run(":", ends, 2ms, "4194305").failure == "exit status 3");
}

}  // namespace takt::testing
