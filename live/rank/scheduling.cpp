// Calls of Linux.
#include "live/rank/scheduling.hpp"

#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <ctime>
#include <system_error>

namespace takt::live {

namespace {

constexpr int kPriority = 10;
constexpr rlim_t kMicrosecondsAwake = 2'000'000;
// An unprivileged process cannot take the flag back, and would keep the priority.
constexpr int kUsual = SCHED_OTHER | SCHED_RESET_ON_FORK;

// The thread with priority, 0 if none is left with it.
std::atomic<pid_t> prior_thread = 0;

// Whatever thread the signal comes to.
void end_priority(int) {
  const int error = errno;
  const sched_param parameters{};
  sched_setscheduler(prior_thread.exchange(0), kUsual, &parameters);
  errno = error;
}

}  // namespace

RealTimePriority::RealTimePriority(RealTime wish) {
  if (wish == RealTime::off) return;
  prior_thread = gettid();
  struct sigaction action {};
  action.sa_handler = end_priority;
  action.sa_flags = SA_RESTART;
  sigaction(SIGXCPU, &action, nullptr);
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

bool RealTimePriority::is_on() const { return is_on_ && prior_thread != 0; }

RealTimePriority::~RealTimePriority() {
  const sched_param parameters{};
  if (is_on_) sched_setscheduler(0, kUsual, &parameters);
}

void want_prompt_timers() { prctl(PR_SET_TIMERSLACK, 1); }

void end_with_parent() {
  const pid_t parent = getppid();
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) raise(SIGKILL);
}

void lead_own_group() { setpgid(0, 0); }

std::int64_t monotonic_now() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1'000'000'000 + time.tv_nsec;
}

std::uint64_t process_time() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(time.tv_nsec);
}

}  // namespace takt::live
