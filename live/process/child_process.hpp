// A command run by the shell as a process group of its own, of which nothing is left behind.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <csignal>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

namespace takt::live {

/// What becomes standard input, output and error of a command.
struct ChildStreams {
  int in = -1;
  int out = -1;
  int err = -1;
};

/// Starts a program as a process group of its own: the first word is its path. `variables` are NAME=VALUE, put into the
/// environment beside what is there; `last_signal` is what it gets where the thread that calls this ends. Throws
/// std::system_error where there can be no process; a program that cannot be run ends with status 127.
pid_t start_process(std::vector<std::string> words, const std::vector<std::string>& variables,
                    const ChildStreams& streams, int last_signal);

/// A running `/bin/sh -c COMMAND`. Where the thread that made this ends, which should live as long, it gets a signal.
class ChildProcess {
 public:
  /// `variables` are NAME=VALUE, put into the environment beside what is there. Throws std::system_error if there
  /// can be no process; a command that the shell cannot run ends with status 127. `last_signal` is what it gets where
  /// nobody is left to end it: one that it cannot miss, or one that lets it clean up.
  ChildProcess(std::string command, const std::vector<std::string>& variables, const ChildStreams& streams,
               int last_signal = SIGKILL);
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;
  ~ChildProcess() { end(); }

  /// The number of its process, and of its group.
  pid_t id() const { return id_; }
  bool has_ended() const;
  /// Returns when it has ended, a signal has come or the time is over.
  void wait(std::chrono::milliseconds time) const;
  /// Whether it has ended, by itself or by SIGTERM, within this time.
  bool ends_when_asked(std::chrono::milliseconds patience) const;
  /// Kills whatever is left of its group; the status that it ended with, as of waitpid.
  int end();

 private:
  pid_t id_ = -1;
  bool is_gone_ = false;
  int status_ = 0;
};

/// The state of a process, a letter as in ps(1): 'T' is stopped, 'Z' has ended and its parent has yet to wait for it. 0
/// if there is none of this number.
char process_state(pid_t process);
/// Likewise, of its file /proc/N/stat, also where it has gone since that was opened.
char process_state(std::istream& stat);

/// "exit status 3", "ended by signal 11 (Segmentation fault)"; nothing for status 0.
std::optional<std::string> failure_of_status(int status);

}  // namespace takt::live
