// CLOCK_THREAD_CPUTIME_ID.
#include "live/process/thread_time.hpp"

#include <ctime>

namespace takt::live {

std::chrono::nanoseconds thread_time() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

}  // namespace takt::live
