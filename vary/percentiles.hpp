// Percentiles of all copies' latencies together, with their intervals.
//
// Problem. A percentile of each copy would be biased near the limit, where few copies have the long queues.
//
// Method. The percentile is that of all copies' latencies. Its interval has those x of which the share of latencies
// that are at most x, a mean over copies, may be the one asked for, as Student's interval of that mean says. The ends
// are bisected; each copy's latencies are sorted, and what is left between the ends shrinks with every step.
//
// What a copy adds to a percentile is its share at the percentile, times what a share is worth there: the half width of
// the interval over that of the share.
//
// Cost. Some dozens of steps over the copies for each end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "vary/figure.hpp"

namespace takt::vary {

/// Puts numbers in ascending order: by the bits of each into as many buckets, then within these. Where most fall into
/// few buckets it is a usual sort.
void sort_latencies(std::vector<double>& latencies);

class PooledLatencies {
 public:
  /// Of two copies at least, each with as many latencies, at least one, in ascending order; they must outlive it.
  PooledLatencies(std::vector<std::span<const double>> copies, double confidence);

  /// The latency that this share, above 0 and below 1, keeps within.
  CopiesFigure percentile(double share) const;

 private:
  // The end of the share's interval that decides, or the share itself.
  enum class Decides { value, high, low };

  double first(double share, Decides decides) const;
  // The share and half the width of its interval, of these counts of latencies by copy.
  Figure share_of(std::span<const std::size_t> counts) const;

  std::vector<std::span<const double>> copies_;
  double factor_ = 0;  // of a standard error
  double longest_ = 0;
};

}  // namespace takt::vary
