// What a link is, of the times that messages took on it: a latency and a bandwidth.
//
// Problem. Of sizes s and times t, the latency l >= 0 and the bandwidth b > 0 for which l + s / b is near t, in
// proportion to t: a microsecond is much for an empty message and nothing for a long one.
//
// Method. The least sum of squares of (l + s / b) / t - 1 is that of a line weighted by 1 / t^2: two linear equations,
// solved exactly. Where their latency is below 0, or times do not grow with size, the best lies on that border.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "live/probing/significant.hpp"

namespace takt::live {

struct LinkSample {
  Rational size;  // at least 0
  Rational time;  // above 0
};

struct LinkFit {
  Rational latency;                   // to kSignificantDigits, as is the bandwidth
  std::optional<Rational> bandwidth;  // size per time; nothing if times do not grow with size
  /// The largest |(latency + size / bandwidth) / time - 1|, and of which sample, the first of equals.
  Rational worst_misfit;
  std::size_t worst_sample = 0;

  Rational time_of(const Rational& size) const { return bandwidth ? latency + size / *bandwidth : latency; }
};

/// The samples have at least two different sizes. Numbers are exact until the answer is rounded, and grow with the
/// number of samples: it is meant for the medians of a few sizes.
LinkFit fit_link(std::span<const LinkSample> samples);

/// The same latency and bandwidth, held against these samples.
LinkFit with_misfit(LinkFit fit, std::span<const LinkSample> samples);

}  // namespace takt::live
