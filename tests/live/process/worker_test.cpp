// What a worker does is what its kernel does, failures included.
#include "live/process/worker.hpp"

#include <atomic>
#include <catch2/catch.hpp>
#include <string>

#include "live/files/mix_kernel.hpp"
#include "maxplus/contract.hpp"

namespace takt::live {

namespace {

// A bell that is waited for.
class Bell {
 public:
  void ring() {
    rung_.fetch_add(1);
    rung_.notify_all();
  }
  void wait_for(int times) {
    for (int seen = rung_.load(); seen < times; seen = rung_.load()) rung_.wait(seen);
  }

 private:
  std::atomic<int> rung_ = 0;
};

class FailingKernel final : public Kernel {
 public:
  void run(const StageCall& call, Packet& packet) override {
    if (packet.data_set % 2 == 1) throw StageFailed("stage " + std::to_string(call.stage) + " does not like it");
    packet.bytes += std::to_string(call.stage);
  }
};

}  // namespace

TEST_CASE("a worker runs the stages of a part in turn, one packet after the other") {
  MixKernel kernel(32);
  Bell bell;
  Worker worker(kernel, [&] { bell.ring(); });
  CHECK_FALSE(worker.is_done());
  for (int data_set = 0; data_set < 200; ++data_set) {
    worker.start({{0, {}}, {1, {}}, {2, {}}}, Packet{static_cast<std::uint64_t>(data_set), {}});
    bell.wait_for(data_set + 1);
    REQUIRE(worker.is_done());
    const FinishedWork work = worker.take();
    REQUIRE_FALSE(worker.is_done());
    REQUIRE(work.packet.data_set == static_cast<std::uint64_t>(data_set));
    REQUIRE(work.packet.bytes == expected_result(work.packet.data_set, 3, 32));
    REQUIRE(work.times.size() == 3);
    for (const WorkTime& time : work.times) REQUIRE((time.wall.count() >= 0 && time.core.running.count() >= 0));
  }
}

TEST_CASE("a stage's failure comes out where its work is taken, and the worker goes on") {
  FailingKernel kernel;
  Bell bell;
  Worker worker(kernel, [&] { bell.ring(); });
  for (int data_set = 0; data_set < 10; ++data_set) {
    worker.start({{1, {}}, {2, {}}}, Packet{static_cast<std::uint64_t>(data_set), {}});
    bell.wait_for(data_set + 1);
    if (data_set % 2 == 1) {
      REQUIRE_THROWS_AS(worker.take(), StageFailed);
    } else {
      REQUIRE(worker.take().packet.bytes == "12");
    }
  }
}

TEST_CASE("a worker takes one thing at a time, and gives nothing before it is there") {
  FailingKernel kernel;
  Worker worker(kernel, nullptr);
  CHECK_THROWS_AS(worker.take(), maxplus::ContractViolation);
  worker.start({}, {});
  CHECK_THROWS_AS(worker.start({}, {}), maxplus::ContractViolation);
}

TEST_CASE("a worker may end with work in hand, or none") {
  MixKernel kernel(1 << 20);
  for (int k = 0; k < 20; ++k) {
    Worker worker(kernel, nullptr);
    if (k % 2 == 0) worker.start({{0, {}}, {1, {}}}, {});
  }
}

}  // namespace takt::live
