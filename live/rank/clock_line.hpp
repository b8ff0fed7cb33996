// How much another machine's clock differs from this one's, by exchanges of messages while a run goes on.
//
// Problem. Clocks of machines run at rates that differ by some millionths: what was compared when a run began is off by
// a millisecond after a minute.
//
// Method. A message there and back proves bounds of the difference, whatever its way took: the other clock was read
// between the two ends here. The difference in use is a line, moved into the bounds of each exchange by no more than
// that takes; its slope likewise into what the first bounds and the last leave. So after an exchange it is off by less
// than the message took there and back, and between two by what the slope has changed.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace takt::live {

/// This machine's clock less the other's, between two numbers of nanoseconds, both included.
struct ClockBounds {
  std::int64_t least = INT64_MIN;
  std::int64_t most = INT64_MAX;

  /// The other clock showed `theirs` at a moment that was not before `sent` nor after `back` here.
  void take(std::int64_t sent, std::int64_t theirs, std::int64_t back) {
    least = std::max(least, sent - theirs);
    most = std::min(most, back - theirs);
  }
  /// False if the clocks have gone apart between exchanges.
  bool are_possible() const { return least <= most; }
};

class ClockLine {
 public:
  /// Bounds of the moment `at` of this machine's clock.
  ClockLine(const ClockBounds& bounds, std::int64_t at)
      : first_(bounds), first_at_(at), offset_(bounds.least + (bounds.most - bounds.least) / 2), at_(at) {}

  /// Bounds of a moment that is later than the last one's.
  void take(const ClockBounds& bounds, std::int64_t at) {
    const auto time = static_cast<double>(at - first_at_);
    if (time >= kShortest) {
      const double least = static_cast<double>(bounds.least - first_.most) / time;
      const double most = static_cast<double>(bounds.most - first_.least) / time;
      slope_ = std::clamp(std::clamp(slope_, least, most), -kSteepest, kSteepest);
    }
    offset_ = std::clamp(offset_at(at), bounds.least, bounds.most);
    at_ = at;
  }

  /// This machine's clock less the other's.
  std::int64_t offset_at(std::int64_t moment) const {
    return offset_ + std::llround(slope_ * static_cast<double>(moment - at_));
  }

 private:
  // Nanoseconds from which on bounds say anything about a slope, and the slope that no clock has.
  static constexpr double kShortest = 1e8;
  static constexpr double kSteepest = 1e-3;

  ClockBounds first_;
  std::int64_t first_at_;
  std::int64_t offset_;  // at that moment
  std::int64_t at_;
  double slope_ = 0;
};

}  // namespace takt::live
