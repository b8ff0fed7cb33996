// Whether measured processors, or links, are alike: whether they differ by no more than what is measured of one does.
//
// Problem. No two processors take the same time twice. Written as they were measured, equal ones become unequal, and
// heuristics that ask for equal ones refuse them.
//
// Method. Times are compared by their logarithms, a stage (or a size of messages) at a time. The spread s of repeats is
// 1.4826 times the median distance of a time from the median of its processor, which are 0 for one time each, left out;
// stalls hardly move it. The medians of P processors over R repeats vary by pi / 2 s^2 / R by themselves (of normal
// times); what they vary beyond that is their difference d^2. They differ where, for some stage, all of
// this holds:
// - d is more than s;
// - equal processors have such a variance of medians by chance in fewer than 1 of 100 probes (chi-squared, shared among
//   the stages);
// - they are further apart than is tolerated: the fastest repeat of the slowest over the slowest repeat of the fastest,
//   the slowest fifth of the repeats of each left out. That is for machines with other work, where half of the repeats
//   may take several times as long and s, which is about the middle, sees nothing of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace takt::live {

/// Fewer repeats do not tell how they spread.
inline constexpr std::size_t kFewestRepeats = 3;

/// As shares of a time: standard deviations.
struct Likeness {
  bool is_alike = true;
  std::size_t worst = 0;  // row in which things differ most against the spread of repeats
  double difference = 0;  // there, between things
  double spread = 0;      // there, among the repeats of one
};

/// What was measured of things that are to be compared.
struct MeasuredRow {
  std::vector<double> medians;    // of at least two things, above 0
  std::vector<double> distances;  // of repeats from the median of their thing, as shares of it, its own left out
  double apart = 0;               // by how much some are, as a share
};

/// What is `tolerated` between them is no difference, as a share.
Likeness likeness_of(const std::vector<MeasuredRow>& rows, std::size_t repeats, double tolerated);

/// Of times by stage, processor, repeat. Nothing if there are fewer than two processors, or fewer repeats than tell,
/// or not all have measured all.
std::optional<Likeness> likeness_of_times(const std::vector<std::vector<std::vector<std::int64_t>>>& times,
                                          double tolerated);

}  // namespace takt::live
