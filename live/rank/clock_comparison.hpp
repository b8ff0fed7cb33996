// The clocks of a run's machines: compared when it begins, and again while it goes on.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "live/engine/transport.hpp"
#include "live/rank/clock_line.hpp"
#include "live/rank/job.hpp"
#include "live/rank/scheduling.hpp"

namespace takt::live {

/// What the clock of rank 0's machine says, by that of this one: by many exchanges of a rank of each machine, which
/// tells the others there. `machines` is that of the job. Collective; bounds of 0 on rank 0's own machine.
ClockBounds compare_clocks(Job& job, const std::vector<int>& machines);

/// The comparisons of one rank while the run goes on. Rank 0 answers, others ask: several exchanges in a row, after a
/// second, two, four, up to 16.
class ClockComparison {
 public:
  /// Keeps a reference. `coordinator` is its address; `asks` is false for ranks that have its clock. Made at the
  /// moment `now` of this machine's clock, which is `clock`, in nanoseconds.
  ClockComparison(Transport& transport, std::size_t coordinator, bool asks, const ClockBounds& bounds, std::int64_t now,
                  std::function<std::int64_t()> clock = monotonic_now);

  /// Rank 0: answers all ranks that have asked.
  void answer();
  /// Others: asks where it is time to, and hears answers. True if the line has changed.
  bool ask();

  std::int64_t offset_at(std::int64_t moment) const { return line_.offset_at(moment); }
  /// How far off the line can be that the last comparison has left, in nanoseconds.
  std::int64_t error() const { return error_; }
  /// Number of comparisons since the run began.
  std::int64_t count() const { return count_; }

 private:
  void send();

  Transport& transport_;
  std::function<std::int64_t()> clock_;
  std::size_t coordinator_;
  bool asks_;
  ClockLine line_;
  std::int64_t error_;
  std::int64_t count_ = 0;
  std::int64_t next_;  // when to ask
  std::int64_t gap_;   // until the time after that
  std::int64_t sent_ = 0;
  int left_ = 0;  // exchanges of those in a row; 0: none is under way
  ClockBounds bounds_;
};

}  // namespace takt::live
