// sampled: an estimate of a STRICT period from plays of random data sets, with a confidence interval. Nothing is
// proved.
//
// Problem. Where a certified interval stays wide, say within seconds where in it the period is likely to be.
//
// Method. Let G(j, T) be the time at which data sets j to j + T - 1 are through an empty net, and E(T) its mean over
// all first data sets j modulo m. Theorem 3 of docs/complexity.md: period <= E(T) / T <= period (1 + H / T), H a gap.
// First data sets are drawn at random, independently and uniformly, and T data sets played from each. Two means are
// taken: that of G(j, T) / T, and that of the growth (G(j, T) - G(j, T / 2)) / (T / 2) over the second half.
//
// Bias. The first is too large by H / T at most. The second is off by no more than that of half the data sets: with h =
// T / 2, E(2 h) >= 2 h period and E(h) <= (h + H) period give a growth of at least period (1 - H / h); and a block of
// 2 h is no longer than its two halves, so E(2 h) - E(h) <= E(h), at most period (1 + H / h). In practice it has far
// less than the first mean, for what the start from an empty net costs is in both terms; but that is no theorem. So the
// growth is the estimate, and what theorem 3 says follows from the first mean.
//
// Confidence. Student's t over the draws, which are independent: for the expectations of the two means, asymptotically
// right as draws grow. Hoeffding's inequality would hold for any number, but needs millions of draws.
//
// Cost. One comparison and two additions per operation; memory for one clock per processor and the durations.
//
// References. [hoeffding1963probability] in docs/complexity.md; [student1908probable].
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "evaluators/evaluation.hpp"

namespace takt::evaluators {

/// The most data sets of a play.
inline constexpr std::uint64_t kSampledDataSets = std::uint64_t{1} << 24;

/// How much is played.
struct SampleSettings {
  std::uint64_t data_sets = 0;  // even, from 2 to kSampledDataSets
  std::uint64_t draws = 0;      // at least 2
  std::uint64_t seed = 1;
  double confidence = 0.95;  // above 0 and below 1
};

/// The mean of independent draws, and the interval that holds their expectation with about that confidence; in time
/// units per data set.
struct SampledMean {
  Rational mean;
  double low = 0;
  double high = 0;
};

/// What the plays have shown.
struct SampledPeriod {
  SampleSettings settings;
  Integer gap;             // H
  SampledMean growth;      // over the second half: the estimate
  SampledMean from_empty;  // G(j, T) / T
  // By theorem 3 the period is between these wherever the expectation of `from_empty` is within its interval.
  double low = 0;
  double high = 0;
};

/// Why the theorem does not hold for a net, or 64 bits not its times: a processor must do one thing at a time, as under
/// STRICT, without a capacity; each stands in the mapping once, and the numbers of the parts' processors have no common
/// divisor.
std::optional<std::string> unfit_for_sample(const tpn::FoldedNet& net);

/// Data sets and draws that take a second or two, by the size of the net alone: plays of a hundred gaps, where that is
/// not too long.
SampleSettings usual_sample(const tpn::FoldedNet& net, std::uint64_t seed);

/// The net must not be unfit. Nothing if the deadline passes before all is played. The same for the same settings,
/// on every machine, but perhaps for the last digits of the intervals.
std::optional<SampledPeriod> sample_period(const tpn::FoldedNet& net, const SampleSettings& settings,
                                           const Deadline& deadline = {});

}  // namespace takt::evaluators
