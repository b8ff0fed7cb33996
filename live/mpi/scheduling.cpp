// Calls of Linux.
#include "live/mpi/scheduling.hpp"

#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <ctime>
#include <system_error>

namespace takt::live {

namespace {

constexpr int kPriority = 10;
constexpr rlim_t kMicrosecondsAwake = 2'000'000;

}  // namespace

RealTimePriority::RealTimePriority(RealTime wish) {
  if (wish == RealTime::off) return;
  rlimit limit{};
  getrlimit(RLIMIT_RTTIME, &limit);
  limit.rlim_cur = kMicrosecondsAwake;
  setrlimit(RLIMIT_RTTIME, &limit);
  sched_param parameters{};
  parameters.sched_priority = kPriority;
  // Programs that the process starts, and threads, do not inherit it.
  is_on_ = sched_setscheduler(0, SCHED_RR | SCHED_RESET_ON_FORK, &parameters) == 0;
  if (!is_on_ && wish == RealTime::on) throw std::system_error(errno, std::generic_category(), "real-time priority");
}

RealTimePriority::~RealTimePriority() {
  const sched_param parameters{};
  if (is_on_) sched_setscheduler(0, SCHED_OTHER, &parameters);
}

void want_prompt_timers() { prctl(PR_SET_TIMERSLACK, 1); }

void end_with_parent() {
  const pid_t parent = getppid();
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) raise(SIGKILL);
}

std::uint64_t process_time() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(time.tv_nsec);
}

}  // namespace takt::live
