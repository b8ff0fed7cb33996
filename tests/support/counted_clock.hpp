// Time limits that no load moves: searches read a clock that goes on with each question to it.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <utility>

#include "maxplus/deadline.hpp"

namespace takt::support {

/// While it lives, the clock of all deadlines goes on by `step` with each reading: a limit of 10 ms and a step of 1 ms
/// are ten questions. One at a time.
class CountedClock : public maxplus::SearchClock::Source {
 public:
  explicit CountedClock(std::chrono::nanoseconds step) : step_(step) { maxplus::SearchClock::read(this); }
  ~CountedClock() override { maxplus::SearchClock::read(nullptr); }

  maxplus::SearchClock::time_point now() override {
    return begin_ + step_ * static_cast<std::int64_t>(questions_.fetch_add(1) + 1);
  }

  std::uint64_t questions() const { return questions_.load(); }

  /// The deadline that passes at the n-th question from now on, n >= 1.
  maxplus::Deadline at_question(std::uint64_t n) const {
    return maxplus::Deadline(begin_ + step_ * static_cast<std::int64_t>(questions_.load() + n));
  }

 private:
  // Late enough for whatever subtracts from it.
  maxplus::SearchClock::time_point begin_{std::chrono::hours(1)};
  std::chrono::nanoseconds step_;
  std::atomic<std::uint64_t> questions_ = 0;
};

/// While it lives, no time passes: no limit is met.
class StoppedClock : public CountedClock {
 public:
  StoppedClock() : CountedClock(std::chrono::nanoseconds(0)) {}
};

/// While it lives, the clock of all deadlines shows what `shown` says to its first, second, ... question, from 1 on;
/// which may wait for an event, or cause one. Asked by one thread at a time.
class PlayedClock : public maxplus::SearchClock::Source {
 public:
  explicit PlayedClock(std::function<std::chrono::nanoseconds(std::uint64_t question)> shown)
      : shown_(std::move(shown)) {
    maxplus::SearchClock::read(this);
  }
  ~PlayedClock() override { maxplus::SearchClock::read(nullptr); }

  maxplus::SearchClock::time_point now() override {
    return maxplus::SearchClock::time_point(std::chrono::hours(1)) + shown_(++question_);
  }

 private:
  std::function<std::chrono::nanoseconds(std::uint64_t)> shown_;
  std::uint64_t question_ = 0;
};

}  // namespace takt::support
