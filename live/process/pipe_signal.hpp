// Writing to a pipe that nobody reads any more.
#pragma once

#include <csignal>
#include <ctime>

namespace takt::live {

/// While it lives, a write of this thread to a pipe without a reader fails with EPIPE in place of ending the process.
/// A caller that sees EPIPE must call note_raised().
class WithoutPipeSignal {
 public:
  WithoutPipeSignal() {
    sigset_t signals = pipe_signal();
    sigset_t pending;
    sigpending(&pending);
    was_pending_ = sigismember(&pending, SIGPIPE) == 1;
    pthread_sigmask(SIG_BLOCK, &signals, &before_);
  }
  ~WithoutPipeSignal() {
    const sigset_t signals = pipe_signal();
    constexpr timespec kNow{};
    if (is_raised_ && !was_pending_) sigtimedwait(&signals, nullptr, &kNow);
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  WithoutPipeSignal(const WithoutPipeSignal&) = delete;
  WithoutPipeSignal& operator=(const WithoutPipeSignal&) = delete;

  void note_raised() { is_raised_ = true; }

 private:
  static sigset_t pipe_signal() {
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGPIPE);
    return signals;
  }

  sigset_t before_{};
  bool was_pending_ = false;
  bool is_raised_ = false;
};

}  // namespace takt::live
