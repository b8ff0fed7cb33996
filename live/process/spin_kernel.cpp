// A loop of arithmetic between looks at the thread's clock.
#include "live/process/spin_kernel.hpp"

#include <atomic>

#include "live/process/thread_time.hpp"

namespace takt::live {

void SpinKernel::run(const StageCall& call, Packet& packet) {
  const auto end = thread_time() + call.nominal;
  MixKernel::run(call, packet);
  // About a microsecond: the look itself is a call into the kernel.
  constexpr int kSteps = 500;
  while (thread_time() < end) {
    for (int step = 0; step < kSteps; ++step) std::atomic_signal_fence(std::memory_order_seq_cst);
  }
}

}  // namespace takt::live
