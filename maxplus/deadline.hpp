// When a search must end: at a point in time, as soon as someone asks for it, or never.
#pragma once

#include <atomic>
#include <chrono>
#include <optional>

namespace takt::maxplus {

/// A time, a request, both or neither. Whoever searches asks has_passed() every few milliseconds, and ends with what
/// is proved by then.
class Deadline {
 public:
  using Clock = std::chrono::steady_clock;

  /// Never.
  Deadline() = default;
  Deadline(Clock::time_point time) : time_(time) {}                 // NOLINT(google-explicit-constructor)
  Deadline(std::nullopt_t) {}                                       // NOLINT(google-explicit-constructor)
  Deadline(std::optional<Clock::time_point> time) : time_(time) {}  // NOLINT(google-explicit-constructor)

  /// The same time, or as soon as the request is true, whichever comes first; the request must outlive the deadline.
  Deadline or_on(const std::atomic<bool>& request) const {
    Deadline result = *this;
    result.request_ = &request;
    return result;
  }

  /// The time, where there is one.
  const std::optional<Clock::time_point>& time() const { return time_; }

  /// The earlier of its time and another.
  Deadline no_later_than(Clock::time_point time) const {
    Deadline result = *this;
    if (!time_ || time < *time_) result.time_ = time;
    return result;
  }

  /// Half of what is left, where there is a time and it has not come.
  Deadline half_way() const {
    Deadline result = *this;
    const auto now = Clock::now();
    if (time_ && *time_ > now) result.time_ = now + (*time_ - now) / 2;
    return result;
  }

  bool has_passed() const {
    if (request_ != nullptr && request_->load(std::memory_order_relaxed)) return true;
    return time_ && Clock::now() >= *time_;
  }

 private:
  std::optional<Clock::time_point> time_;
  const std::atomic<bool>* request_ = nullptr;
};

inline bool has_passed(const Deadline& deadline) { return deadline.has_passed(); }

/// Reads a deadline once per so many steps, and remembers that it has passed.
class DeadlineWatch {
 public:
  explicit DeadlineWatch(const Deadline& deadline, double steps_between_readings = 1 << 16)
      : deadline_(deadline), steps_between_readings_(steps_between_readings) {}

  /// Whether the deadline has passed, after `steps` steps more.
  bool has_passed(double steps = 1) {
    steps_ += steps;
    if (steps_ < steps_between_readings_) return has_passed_;
    steps_ = 0;
    return has_passed_ = has_passed_ || deadline_.has_passed();
  }

 private:
  Deadline deadline_;
  double steps_between_readings_;
  double steps_ = 0;
  bool has_passed_ = false;
};

}  // namespace takt::maxplus
