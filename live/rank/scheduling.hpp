// How promptly the system wakes a rank; its clocks.
#pragma once

#include <cstdint>

#include "live/files/run_plan.hpp"

namespace takt::live {

/// Real-time priority for the calling thread while this lives, where it is wanted and permitted. To be made once the
/// job has been joined, and to go before it is left: both may spin. A thread that does not sleep for 2 s loses the
/// priority for good, for it would stop the machine; large files can take so long.
class RealTimePriority {
 public:
  /// Throws std::system_error if it is `on` and not permitted.
  explicit RealTimePriority(RealTime wish);
  RealTimePriority(const RealTimePriority&) = delete;
  RealTimePriority& operator=(const RealTimePriority&) = delete;
  ~RealTimePriority();

  /// Whether the thread has had it since.
  bool is_on() const;

 private:
  bool is_on_ = false;
};

/// Sleeps of the calling thread end as promptly as they can.
void want_prompt_timers();

/// The process ends when its parent does: nobody else would end it.
void end_with_parent();

/// The process leads a process group of its own, which what its functions start belongs to.
void lead_own_group();

/// Nanoseconds of CLOCK_MONOTONIC.
std::int64_t monotonic_now();

/// Processor time of the process so far, in nanoseconds.
std::uint64_t process_time();

}  // namespace takt::live
