// A spinning stage computes for its nominal time, and does what others do.
#include "live/process/spin_kernel.hpp"

#include <catch2/catch.hpp>

#include "live/process/thread_time.hpp"

namespace takt::live {

TEST_CASE("a spinning stage takes its nominal processor time at least") {
  SpinKernel kernel(64);
  Packet packet{3, {}};
  for (std::size_t stage = 0; stage < 3; ++stage) {
    const auto start = thread_time();
    const std::chrono::milliseconds nominal(static_cast<int>(stage));
    kernel.run({stage, nominal}, packet);
    CHECK(thread_time() - start >= nominal);
  }
  CHECK(packet.bytes == expected_result(3, 3, 64));
}

}  // namespace takt::live
