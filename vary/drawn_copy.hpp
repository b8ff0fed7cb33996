// A copy of a play as functions: the duration of an operation, and the arrival of a data set.
//
// Processes that carry a net out together, as in a run, draw the same numbers without messages: those of `play_copies`
// in that copy, but before the first data set of a column that is ahead.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tpn/folded_net.hpp"
#include "vary/law.hpp"
#include "vary/net_times.hpp"
#include "vary/play.hpp"

namespace takt::vary {

/// Durations in time units. Keeps nothing of the pipeline, which has no batches.
class DrawnDurations {
 public:
  DrawnDurations(const tpn::Pipeline& pipeline, NetTimes times, std::uint64_t seed, std::uint64_t copy = 0);

  /// Of the operation of a column on a data set.
  double of(std::size_t column, std::uint64_t data_set) const;

 private:
  struct Shape {
    std::vector<std::size_t> sender_offset;  // as of tpn::Column
    std::vector<std::size_t> receiver_offset;
    std::uint64_t shift = 0;
  };

  double factor(std::size_t law, DrawStream stream, std::uint64_t data_set) const;

  NetTimes times_;
  std::vector<Shape> shapes_;  // by column
  std::vector<LawSampler> samplers_;
  std::uint64_t seed_;
  std::uint64_t copy_;
};

/// Moments of arrival at a mean gap, both in time units.
class DrawnArrivals {
 public:
  DrawnArrivals(ArrivalKind kind, double gap, std::uint64_t seed, std::uint64_t copy = 0);

  /// Of a data set. At random they are added up from the last one asked for, or from the first.
  double of(std::uint64_t data_set);

 private:
  ArrivalKind kind_;
  double gap_;
  LawSampler exponential_;
  std::uint64_t seed_;
  std::uint64_t copy_;
  std::uint64_t next_ = 0;  // data set whose gap is added next
  double last_ = 0;         // arrival of the one before, at a mean gap of 1
};

}  // namespace takt::vary
