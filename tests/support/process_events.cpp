// pidfd, FIFOs and inotify.
#include "tests/support/process_events.hpp"

#include <poll.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <fstream>
#include <iterator>
#include <system_error>
#include <utility>

namespace takt::support {

namespace {

// Whether the process has ended within this time; -1 is for ever.
bool has_ended(pid_t process, int milliseconds) {
  const int number = static_cast<int>(syscall(SYS_pidfd_open, process, 0));
  if (number < 0 && errno == ESRCH) return true;
  if (number < 0) throw std::system_error(errno, std::generic_category(), "pidfd_open");
  pollfd end{number, POLLIN, 0};
  int count = 0;
  while ((count = poll(&end, 1, milliseconds)) < 0 && errno == EINTR) {
  }
  close(number);
  return count > 0;
}

}  // namespace

bool is_running(pid_t process) { return !has_ended(process, 0); }

void wait_for_end(pid_t process) { has_ended(process, -1); }

Fifo::Fifo(std::string path) : path_(std::move(path)) {
  if (mkfifo(path_.c_str(), 0600) != 0) throw std::system_error(errno, std::generic_category(), path_);
}

std::string Fifo::heard() const {
  std::ifstream file(path_, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void Fifo::open() const { std::ofstream(path_) << '\n'; }

void wait_in(const std::string& folder, const std::function<bool()>& holds) {
  const int changes = inotify_init1(IN_CLOEXEC);
  if (changes < 0 || inotify_add_watch(changes, folder.c_str(), IN_ALL_EVENTS & ~(IN_ACCESS | IN_OPEN)) < 0) {
    throw std::system_error(errno, std::generic_category(), folder);
  }
  std::array<char, 4096> events{};
  while (!holds()) {
    if (read(changes, events.data(), events.size()) < 0 && errno != EINTR) break;
  }
  close(changes);
}

}  // namespace takt::support
