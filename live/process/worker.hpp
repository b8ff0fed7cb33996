// A thread that computes, so that its owner can go on with messages meanwhile.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "live/engine/kernel.hpp"
#include "live/engine/stage_files.hpp"
#include "live/process/core_time.hpp"

namespace takt::live {

/// How long a call took, on the clock and on cores: of this thread alone.
struct WorkTime {
  std::chrono::nanoseconds wall{};
  CoreTime core;
};

/// A packet behind all stages of a part.
struct FinishedWork {
  Packet packet;
  std::vector<WorkTime> times;  // by call
};

/// Runs one kernel on one thread, for one owner.
class Worker {
 public:
  /// The kernel must outlive it. `notify` is called on the worker's thread whenever it is done, with nothing locked.
  /// The flow is that of the application whose stages they are.
  Worker(Kernel& kernel, std::function<void()> notify, StageFlow flow = {});
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;
  /// Waits for what is in hand.
  ~Worker();

  /// Begins the calls, one after the other, on the packet: of a workflow those of a part, its stages in their order.
  /// Whatever was begun before must have been taken.
  void start(std::vector<StageCall> calls, Packet packet);
  /// Whether there is something to take; lock-free.
  bool is_done() const { return is_done_.load(std::memory_order_acquire); }
  /// What is_done() tells of. Throws what the kernel threw, StageFailed as a rule; then the worker is free again.
  FinishedWork take();

 private:
  void serve();
  void work(const ThreadCoreClock& cores);

  Kernel& kernel_;
  std::function<void()> notify_;
  StageFlow flow_;
  std::mutex mutex_;
  std::condition_variable wake_;
  bool has_work_ = false;   // under the mutex
  bool is_ending_ = false;  // under the mutex
  bool is_taken_ = true;    // the owner's
  std::atomic<bool> is_done_ = false;
  // The worker's while it works, the owner's else.
  std::vector<StageCall> calls_;
  FinishedWork finished_;
  std::exception_ptr failure_;
  std::thread thread_;
};

}  // namespace takt::live
