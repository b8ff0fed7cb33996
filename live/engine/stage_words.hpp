// What a user should know of a stage while it runs: said on one thread, heard on another.
#pragma once

#include <atomic>
#include <cstddef>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace takt::live {

/// A sentence about a stage, an index into the application's stages.
struct StageWords {
  std::size_t stage = 0;
  std::string words;
};

/// Both calls are safe from any thread.
class StageWordQueue {
 public:
  void say(StageWords words) {
    const std::lock_guard lock(mutex_);
    words_.push_back(std::move(words));
    has_words_.store(true, std::memory_order_release);
  }

  /// All that has been said since the last call.
  std::vector<StageWords> take() {
    if (!has_words_.load(std::memory_order_acquire)) return {};
    const std::lock_guard lock(mutex_);
    has_words_.store(false, std::memory_order_relaxed);
    return std::exchange(words_, {});
  }

 private:
  std::atomic<bool> has_words_ = false;
  std::mutex mutex_;
  std::vector<StageWords> words_;  // under the mutex
};

}  // namespace takt::live
