// Fisher's exact test: whether two samples may come from draws that have a property equally often.
//
// Problem. A paper says that 14 of its 220 draws had a property; of ours, 12,345 of 200,000 have it. Our share is an
// estimate as well, so the paper's count is not to be held to an interval around it.
//
// Method. If a draw of theirs has the property as often as one of ours, then among all draws that have it, each is as
// likely theirs as any other draw: the number of theirs is hypergeometric, whatever the share is. Its two tails are
// sums of binomial coefficients over one, all whole numbers.
//
// Cost. As many terms as there are draws with the property, or in their sample, whichever are fewer; each of about
// 64 bits per draw.
#pragma once

#include <cstdint>

#include "maxplus/rational.hpp"

namespace takt::experiments {

/// A sample: the number of draws, and of those that have a property.
struct CountedSample {
  std::uint64_t count = 0;  // <= draws
  std::uint64_t draws = 0;  // > 0
};

/// How likely it is, of two samples that have a property equally often and of what both have together, that the first
/// has at most, or at least, as many as it has. Both tails hold that very count: their sum is more than 1.
struct SampleTails {
  maxplus::Rational at_most;
  maxplus::Rational at_least;
};

/// Draws of both together below 2^62; the first should have no more than a hundred thousand.
SampleTails sample_tails(const CountedSample& sample, const CountedSample& other);

}  // namespace takt::experiments
