// Launchers that do not end although the processes of their job have.
#include "tools/live/launcher.hpp"

#include <catch2/catch.hpp>
#include <chrono>
#include <string>

#include "tests/support/temporary_folder.hpp"

namespace takt::testing {
namespace {

using namespace std::chrono_literals;

// The job of a launcher that says which process is the coordinator, and how that goes on.
class LingeringJob {
 public:
  tools::JobEnd run(const std::string& coordinator, const std::string& then, std::chrono::milliseconds allowed) {
    return run("sh -c '" + coordinator + "' & echo $! > " + path("coordinator") + "\n" + then, allowed);
  }
  tools::JobEnd run(const std::string& launcher, std::chrono::milliseconds allowed) {
    folder_.write("launcher", launcher + "\n");
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
    launch.lingering_allowed = allowed;
    return tools::run_job(launch);
  }
  std::string path(const std::string& name) const { return folder_.path(name); }

 private:
  TemporaryFolder folder_;
};

}  // namespace

TEST_CASE("a launcher that stays behind its coordinator is ended, and the job is what the processes made of it") {
  LingeringJob job;
  const std::string stays = "exec sleep 100";  // does not wait for its child, which stays a zombie
  const tools::JobEnd failed = job.run("sleep 0.3", stays, 200ms);
  CHECK(failed.failure == "the launcher had not ended 0.2 s after the coordinator");
  CHECK_FALSE(failed.has_stalled);
  CHECK_FALSE(failed.is_given);

  const tools::JobEnd told = job.run(
      "sleep 0.3",
      "echo mpirun noticed that process rank 3 with PID 7 on node here exited on signal 9.; wait; " + stays, 200ms);
  CHECK(told.rank == 3);

  const tools::JobEnd done = job.run("sleep 0.3; echo > " + job.path("result"), stays, 200ms);
  CHECK_FALSE(done.failure);
}

TEST_CASE("a launcher is left alone while its coordinator runs, or cannot be seen") {
  LingeringJob job;
  CHECK(job.run("sleep 0.6", "sleep 0.8; exit 3", 1h).failure == "exit status 3");
  CHECK(job.run("sleep 0.6", "wait; exit 3", 2s).failure == "exit status 3");
  // No process has a number beyond 2^22.
  CHECK(job.run("echo 4194305 > " + job.path("coordinator") + "; sleep 0.5; exit 3", 1ms).failure == "exit status 3");
}

}  // namespace takt::testing
