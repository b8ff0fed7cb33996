// How long a thread has been on a processor.
#pragma once

#include <chrono>

namespace takt::live {

/// The processor time of the calling thread so far.
std::chrono::nanoseconds thread_time();

}  // namespace takt::live
