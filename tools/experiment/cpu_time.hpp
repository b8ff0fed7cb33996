// What this process has computed so far.
#pragma once

#include <ctime>

namespace takt::tools {

/// Seconds of CPU.
inline double cpu_seconds() {
  timespec time{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

}  // namespace takt::tools
