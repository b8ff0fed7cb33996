// The handler does only what POSIX calls async-signal-safe: lock-free atomics, unlink, sigaction, raise.
#include "tools/files/signals.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdio>

namespace takt::tools {

namespace {

constexpr std::array kEndingSignals = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGXCPU, SIGXFSZ};

// A file's name where the handler finds it.
struct UnfinishedSlot {
  std::atomic<bool> is_taken = false;
  std::atomic<bool> is_set = false;
  std::array<char, PATH_MAX> path = {};
};
constexpr std::size_t kSlots = 8;
constexpr std::size_t kNoSlot = kSlots;
std::array<UnfinishedSlot, kSlots> unfinished_files;

std::atomic<int> searches = 0;
std::atomic<int> terminable_searches = 0;
std::atomic<int> orderly_searches = 0;
std::atomic<bool> is_interrupted = false;
thread_local const std::atomic<bool>* own_request = nullptr;
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<int>::is_always_lock_free);

void answer_signal(int signal) {
  const bool asks = signal == SIGINT || signal == SIGTERM || signal == SIGHUP || signal == SIGQUIT;
  if (asks && orderly_searches > 0) {
    is_interrupted = true;
    return;
  }
  const bool interrupts = (signal == SIGINT && searches > 0) || (signal == SIGTERM && terminable_searches > 0);
  if (interrupts && !is_interrupted.exchange(true)) return;
  for (const UnfinishedSlot& file : unfinished_files) {
    if (file.is_set) unlink(file.path.data());
  }
  // The default action comes once the handler has returned and the signal is no longer blocked.
  struct sigaction standard {};
  standard.sa_handler = SIG_DFL;
  sigaction(signal, &standard, nullptr);
  raise(signal);
}

sigset_t ending_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  for (const int signal : kEndingSignals) sigaddset(&signals, signal);
  return signals;
}

// No handler runs in this thread while one is alive: a file and its slot change together. In the program files are
// written by the thread that runs a command, while no other is at work.
class Undisturbed {
 public:
  Undisturbed() {
    const sigset_t signals = ending_signals();
    pthread_sigmask(SIG_BLOCK, &signals, &before_);
  }
  ~Undisturbed() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  Undisturbed(const Undisturbed&) = delete;
  Undisturbed& operator=(const Undisturbed&) = delete;

 private:
  sigset_t before_;
};

// A slot that holds the path, or kNoSlot: then a signal leaves the file behind.
std::size_t take_slot(const std::string& path) {
  if (path.size() >= PATH_MAX) return kNoSlot;
  for (std::size_t k = 0; k < kSlots; ++k) {
    UnfinishedSlot& slot = unfinished_files[k];
    if (slot.is_taken.exchange(true)) continue;
    std::ranges::copy(path, slot.path.begin());
    slot.path[path.size()] = '\0';
    slot.is_set = true;
    return k;
  }
  return kNoSlot;
}

void free_slot(std::size_t slot) {
  if (slot == kNoSlot) return;
  unfinished_files[slot].is_set = false;
  unfinished_files[slot].is_taken = false;
}

}  // namespace

void handle_ending_signals() {
  struct sigaction action {};
  action.sa_handler = answer_signal;
  action.sa_mask = ending_signals();
  action.sa_flags = SA_RESTART;
  for (const int signal : kEndingSignals) {
    struct sigaction before {};
    if (sigaction(signal, nullptr, &before) != 0 || before.sa_handler == SIG_IGN) continue;
    sigaction(signal, &action, nullptr);
  }
}

UnfinishedFile::UnfinishedFile(const std::string& path) {
  const Undisturbed here;
  const int descriptor = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (descriptor < 0) {
    error_ = errno;
    return;
  }
  close(descriptor);
  path_ = path;
  slot_ = take_slot(path);
}

UnfinishedFile::~UnfinishedFile() {
  if (path_.empty()) return;
  const Undisturbed here;
  std::remove(path_.c_str());
  free_slot(slot_);
}

int UnfinishedFile::finish_as(const std::string& target) {
  const Undisturbed here;
  if (std::rename(path_.c_str(), target.c_str()) != 0) return errno;
  free_slot(slot_);
  path_.clear();
  return 0;
}

InterruptibleSearch::InterruptibleSearch(SearchSignals signals) : signals_(signals) { count(1); }

InterruptibleSearch::~InterruptibleSearch() { count(-1); }

void InterruptibleSearch::count(int change) const {
  searches += change;
  if (signals_ == SearchSignals::interrupt_and_terminate) terminable_searches += change;
  if (signals_ == SearchSignals::all_in_order) orderly_searches += change;
}

const std::atomic<bool>& interruption() { return own_request == nullptr ? is_interrupted : *own_request; }

InterruptedBy::InterruptedBy(const std::atomic<bool>& request) { own_request = &request; }

InterruptedBy::~InterruptedBy() { own_request = nullptr; }

}  // namespace takt::tools
