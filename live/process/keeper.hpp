// A small process beside a rank that starts the programs of its stages, and of which none outlives the rank.
//
// Problem. A rank that is killed cannot end its programs, and what those have started has other parents by then. And a
// fork of a process that has joined an MPI job is undefined with some transports, slow with much memory.
//
// Method. The keeper is forked before the job is joined, a session of its own that signals to the job do not reach. It
// starts programs as the rank asks over a socket, tells how they end, and adopts what their children leave behind
// (PR_SET_CHILD_SUBREAPER). When the socket closes, for whatever reason, it kills all that it has started and what has
// come of that, and ends. Where the keeper itself is killed the rank adopts what is left, kills it, and fails.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "live/engine/kernel.hpp"
#include "live/process/child_process.hpp"
#include "live/process/descriptor.hpp"

namespace takt::live {

struct KeeperRequest;

/// How a program has ended.
struct KeptEnd {
  int status = 0;  // as of waitpid
  /// Of it and of those of its children that it has waited for; waiting is its own, of its first thread.
  CoreTime core{};
};

class Keeper {
 public:
  /// Forks; to be called while this process has one thread and has joined no job. Throws std::system_error.
  Keeper();
  Keeper(const Keeper&) = delete;
  Keeper& operator=(const Keeper&) = delete;
  /// Kills all programs that are left, and waits for that.
  ~Keeper();

  /// Starts a command for the shell as a process group of its own; its number. One that is a program of PATH with plain
  /// words behind it is run without a shell. `variables` are NAME=VALUE. Throws std::system_error if there can be no
  /// process; a command that the shell cannot run ends with status 127. Called by one thread at a time, as is all that
  /// follows.
  std::uint64_t start(const std::string& command, const std::vector<std::string>& variables,
                      const ChildStreams& streams);
  /// The process of a number.
  pid_t id_of(std::uint64_t number) const { return processes_.at(number).id; }
  /// Nothing if it still runs after this time.
  std::optional<KeptEnd> end_of(std::uint64_t number, std::chrono::milliseconds patience = {});
  /// Kills it, its group and its descendants, and forgets the number; how it ended.
  KeptEnd end(std::uint64_t number);

  /// Readable, or at its end, where `look` has something to do.
  int socket() const { return socket_.number(); }
  /// Throws std::system_error if the keeper has ended.
  void look() { hear_all(); }

  /// Whether the keeper was killed, and its programs may be left. Any thread may ask, at any time.
  bool has_ended() const;
  /// Kills what an ended keeper has left. Throws std::system_error, which says that it has ended.
  [[noreturn]] void fail_without_keeper();

  /// A folder that is removed, with what stands in it, when all has ended.
  void remove_at_end(const std::string& folder);

 private:
  struct Process {
    pid_t id = -1;
    std::optional<KeptEnd> end;
  };

  void send(const KeeperRequest& request, const ChildStreams* streams = nullptr);
  void hear_all();
  bool hear(bool waits);

  OwnedDescriptor socket_;
  pid_t keeper_ = -1;
  std::uint64_t next_ = 0;
  std::map<std::uint64_t, Process> processes_;
};

/// Kills all descendants of a process, as /proc shows them now.
void kill_descendants(pid_t root);
/// Stops a process and all its descendants, or has them go on. Keepers are not stopped: they end what is left where
/// the others are killed meanwhile.
void stop_all(pid_t root);
void continue_all(pid_t root);

/// Kills all descendants of this process, and waits until they are gone, 10 s at most: what cannot be killed by then
/// waits for a device. This process must adopt what leaves its parent (PR_SET_CHILD_SUBREAPER).
void end_descendants();

/// The words of a command that needs no shell: a program of PATH, and words that no shell would change. Empty for
/// others.
std::vector<std::string> plain_words(const std::string& command);

}  // namespace takt::live
