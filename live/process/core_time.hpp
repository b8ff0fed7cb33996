// How long threads and other processes were on cores, and waited for one: what the time on the clock does not tell.
//
// Processor time is the system's own count; waiting is from /proc's schedstat, where the system has it.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <optional>
#include <string>

#include "live/engine/kernel.hpp"
#include "live/process/descriptor.hpp"

namespace takt::live {

/// The clock of the thread that makes it, for this thread alone.
class ThreadCoreClock {
 public:
  ThreadCoreClock();
  /// Since the thread began.
  CoreTime now() const;

 private:
  OwnedDescriptor schedstat_;
};

/// How long the first thread of a process has waited for a core; nothing if the system does not say. Of one that has
/// ended as well, until it is waited for.
std::optional<std::chrono::nanoseconds> waiting_of(pid_t process);

/// What the processes of a group have had so far, their threads together, with children that they have waited for. Of
/// threads and children that are gone the waiting is not known, and not in it. Nothing if the group has none.
/// Cost: a look at each process of the machine. `proc` may be a folder like /proc; processor time then counts in the
/// ticks of its stat files.
CoreTime group_core_time(pid_t group, const std::string& proc = "/proc");

}  // namespace takt::live
