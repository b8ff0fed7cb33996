// One condition variable for the worker; its owner looks, or is notified.
#include "live/process/worker.hpp"

#include <utility>

#include "maxplus/contract.hpp"

namespace takt::live {

Worker::Worker(Kernel& kernel, std::function<void()> notify, StageFlow flow)
    : kernel_(kernel), notify_(std::move(notify)), flow_(std::move(flow)), thread_([this] { serve(); }) {}

Worker::~Worker() {
  {
    const std::lock_guard lock(mutex_);
    is_ending_ = true;
  }
  wake_.notify_one();
  thread_.join();
}

void Worker::start(std::vector<StageCall> calls, Packet packet) {
  maxplus::expects(is_taken_, "a worker does one thing at a time");
  is_taken_ = false;
  calls_ = std::move(calls);
  finished_ = {std::move(packet), {}};
  {
    const std::lock_guard lock(mutex_);
    has_work_ = true;
  }
  wake_.notify_one();
}

FinishedWork Worker::take() {
  maxplus::expects(is_done(), "nothing is taken before it is done");
  is_done_.store(false, std::memory_order_relaxed);
  is_taken_ = true;
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
  return std::move(finished_);
}

void Worker::serve() {
  const ThreadCoreClock cores;
  while (true) {
    {
      std::unique_lock lock(mutex_);
      wake_.wait(lock, [this] { return has_work_ || is_ending_; });
      if (!has_work_) return;
      has_work_ = false;
    }
    work(cores);
    is_done_.store(true, std::memory_order_release);
    if (notify_) notify_();
  }
}

void Worker::work(const ThreadCoreClock& cores) {
  using Clock = std::chrono::steady_clock;
  try {
    const auto run = [&](const StageCall& call, Packet& packet) {
      // The clock last and first, so that no time on cores is outside of that on the clock.
      const auto wall = Clock::now();
      const CoreTime before = cores.now();
      kernel_.run(call, packet);
      const CoreTime core = cores.now() - before;
      finished_.times.push_back({Clock::now() - wall, core});
    };
    if (flow_.is_chain() || calls_.empty()) {
      for (const StageCall& call : calls_) run(call, finished_.packet);
      return;
    }
    const std::size_t first = calls_.front().stage;
    run_stages(flow_, first, calls_.back().stage, finished_.packet,
               [&](std::size_t stage, Packet& packet) { run(calls_[stage - first], packet); });
  } catch (...) {
    failure_ = std::current_exception();
  }
}

}  // namespace takt::live
