// The program as a process of its own: for signals, and for files as standard streams.
#pragma once

#include <sys/types.h>

#include <functional>
#include <string>
#include <vector>

namespace takt::testing {

/// How a process ended.
struct Ending {
  int status = -1;  // of exit, unless a signal ended it
  int signal = 0;
  long peak = 0;  // of its memory, in KiB
};

/// Whether memory is that of the program, without what a sanitizer adds.
#ifdef __SANITIZE_ADDRESS__
inline constexpr bool kPeakCounts = false;
#else
inline constexpr bool kPeakCounts = true;
#endif

/// A running `takt`; killed with this, if it has not ended by then. Its output goes nowhere.
class RunningProgram {
 public:
  /// `prepare` runs in the new process before the program does.
  explicit RunningProgram(const std::vector<std::string>& arguments, const std::function<void()>& prepare = nullptr);
  ~RunningProgram();
  RunningProgram(const RunningProgram&) = delete;
  RunningProgram& operator=(const RunningProgram&) = delete;

  void send(int signal) const;
  Ending wait();

 private:
  pid_t id_;
  bool has_ended_ = false;
};

/// How a process ends that does this and then exits with status 0.
Ending ending_of(const std::function<void()>& deed);

}  // namespace takt::testing
