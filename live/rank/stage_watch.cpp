// What a handler of signals may touch: memory that is there beforehand, and system calls.
#include "live/rank/stage_watch.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <string_view>

#include "live/rank/rank.hpp"

namespace takt::live {

namespace {

constexpr std::size_t kMostText = 512;

struct Watched {
  std::size_t size = 0;  // of the text; 0 while no stage runs
  std::array<char, kMostText> text{};
  std::array<char, kMostText> file{};
};

// A stage and what ends it are of one thread.
thread_local Watched watched;

constexpr std::array<int, 5> kSignals = {SIGSEGV, SIGABRT, SIGFPE, SIGILL, SIGBUS};
std::array<struct sigaction, kSignals.size()> before;

void note(const char* what, const char* more) {
  const int opened = open(watched.file.data(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
  if (opened < 0 && errno == EEXIST) return;
  // Another machine than takt's has no such folder: takt looks for a line that begins so.
  const int file = opened < 0 ? STDERR_FILENO : opened;
  constexpr std::string_view kWho = "takt-live: ";
  if (opened < 0) [[maybe_unused]]
    const auto begun = write(file, kWho.data(), kWho.size());
  [[maybe_unused]] auto written = write(file, watched.text.data(), watched.size);
  written = write(file, what, std::strlen(what));
  written = write(file, more, std::strlen(more));
  if (opened < 0) written = write(file, "\n", 1);
  if (opened >= 0) close(opened);
}

void at_exit() {
  if (watched.size == 0) return;
  note("it called exit, which ends its process", ", and did not throw");
  _exit(kRunFailed);
}

// Leaves the rest to whoever was there to handle it before.
void at_signal(int signal) {
  if (watched.size > 0) note("its process died of: ", sigdescr_np(signal));
  for (std::size_t k = 0; k < kSignals.size(); ++k) {
    if (kSignals[k] == signal) sigaction(signal, &before[k], nullptr);
  }
  raise(signal);
}

void set_handlers() {
  // Behind those of MPI: what is registered last comes first.
  static_cast<void>(std::atexit(at_exit));
  struct sigaction action {};
  action.sa_handler = at_signal;
  for (std::size_t k = 0; k < kSignals.size(); ++k) sigaction(kSignals[k], &action, &before[k]);
}

}  // namespace

StageWatch::StageWatch(const std::string& file, const std::string& stage, std::uint64_t data_set) {
  static std::once_flag once;
  std::call_once(once, set_handlers);
  const auto path = fmt::format_to_n(watched.file.data(), kMostText - 1, "{}", file);
  *path.out = '\0';
  const auto text = fmt::format_to_n(watched.text.data(), kMostText, "stage {}, data set {}: ", stage, data_set);
  watched.size = std::min<std::size_t>(text.size, kMostText);
}

StageWatch::~StageWatch() { watched.size = 0; }

}  // namespace takt::live
