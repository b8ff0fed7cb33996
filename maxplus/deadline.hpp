// When a search must end: at a point in time, on request, or never; and the listener to its progress.
#pragma once

#include <atomic>
#include <chrono>
#include <optional>
#include <string_view>

#include "maxplus/rational.hpp"

namespace takt::maxplus {

/// Hears how far a search is, at times that it can be asked to end; from one thread at a time.
class SearchListener {
 public:
  SearchListener() = default;
  SearchListener(const SearchListener&) = delete;
  SearchListener& operator=(const SearchListener&) = delete;
  virtual ~SearchListener() = default;

  /// A method begins.
  virtual void on_method(std::string_view name) = 0;
  /// This share of what it is at, from 0 to 1, is done; called often.
  virtual void on_share(double share) = 0;
  /// These bounds are proved, in time units per data set.
  virtual void on_bounds(const Rational& lower, const Rational& upper) = 0;
};

/// The clock that deadlines read: std::chrono::steady_clock, or what a test has put in its place.
class SearchClock {
 public:
  using duration = std::chrono::steady_clock::duration;
  using time_point = std::chrono::steady_clock::time_point;

  /// The time of somebody else; asked by any thread.
  class Source {
   public:
    Source() = default;
    Source(const Source&) = delete;
    Source& operator=(const Source&) = delete;
    virtual ~Source() = default;
    virtual time_point now() = 0;
  };

  static time_point now() {
    Source* const source = source_.load(std::memory_order_acquire);
    return source == nullptr ? std::chrono::steady_clock::now() : source->now();
  }
  /// For all of the process, while no search is under way; the source must live until null, or another, replaces it.
  static void read(Source* source) { source_.store(source, std::memory_order_release); }

 private:
  static inline std::atomic<Source*> source_ = nullptr;
};

/// A time, a request, both or neither. A search calls has_passed() every few milliseconds, and ends with what is proved
/// by then.
class Deadline {
 public:
  using Clock = SearchClock;

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

  /// The same, and the listener hears of the search; it must outlive the deadline.
  Deadline heard_by(SearchListener& listener) const {
    Deadline result = *this;
    result.listener_ = &listener;
    return result;
  }
  /// Null if nobody listens.
  SearchListener* listener() const { return listener_; }

  /// The time, if there is one.
  const std::optional<Clock::time_point>& time() const { return time_; }

  /// After this part of what is left, if there is a time and it has not come.
  Deadline after_part(int numerator, int denominator) const {
    Deadline result = *this;
    const auto now = Clock::now();
    if (time_ && *time_ > now) result.time_ = now + (*time_ - now) / denominator * numerator;
    return result;
  }
  Deadline half_way() const { return after_part(1, 2); }

  bool has_passed() const {
    if (request_ != nullptr && request_->load(std::memory_order_relaxed)) return true;
    return time_ && Clock::now() >= *time_;
  }

 private:
  std::optional<Clock::time_point> time_;
  const std::atomic<bool>* request_ = nullptr;
  SearchListener* listener_ = nullptr;
};

inline bool has_passed(const Deadline& deadline) { return deadline.has_passed(); }

/// Reads a deadline every `steps` steps, and remembers that it has passed.
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
