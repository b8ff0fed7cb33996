// The paced schedule: data sets let in evenly, everything else as early as possible.
//
// Problem. At a period P that the net attains, the least start times that keep every dependence where the first
// operation of data set j starts no sooner than j P, in whatever round it takes place. What an even stream of data
// sets sees, and what is worth drawing: unlike the play from an empty pipeline it is bounded under every model, and
// unlike a certificate's schedule it is not arbitrary off the critical circuit.
//
// Method. Times relative to j P repeat after the net's distinct rows. They are longest paths from all entries at once
// in the net whose waits weigh d - P h: passes over the rows, by data set, then column, until one raises nothing.
//
// Proof that it ends. No circuit is positive at P, so longest paths are elementary; each pass completes a path up to
// its next step to an earlier row, of which an elementary path has at most one per row. Two to four passes in practice.
// The schedule is that of a stream without beginning: each path fits into the past of every later data set, so from
// some data set on a stream that begins at data set 0 has the same.
//
// Cost. A visit to each wait per pass; 64-bit numbers where times fit, GMP's otherwise.
//
// References. [baccelli1992synchronization].
#pragma once

#include <cstddef>
#include <cstdint>
#include <variant>
#include <vector>

#include "evaluators/evaluation.hpp"

namespace takt::evaluators {

/// The operation of column c on data set j starts at
///   j * period + offsets[(j mod rows) * columns + c] / unit,
/// in time units, for every j, negative ones included.
struct PacedSchedule {
  Rational period;         // time units per data set
  std::uint64_t rows = 1;  // data sets that differ by a multiple are alike
  std::size_t columns = 0;
  std::vector<Integer> offsets;  // below 0 where a transfer that is ahead, or a batch, need not wait for its round
  Integer unit = 1;

  /// The place in `offsets` of an operation on a data set, which may be negative.
  std::size_t index(const Integer& data_set, std::size_t column) const;
  /// Of a row below `rows`, in time units.
  Rational offset(std::uint64_t row, std::size_t column) const {
    return Rational::fraction(offsets[row * columns + column], unit);
  }
  /// In time units.
  Rational start(const Integer& data_set, std::size_t column) const;
};

/// Operation classes, distinct rows times columns, that are looked at by default.
inline constexpr std::uint64_t kPacedOperations = 2'000'000;

/// The paced schedule of a period that the net attains (otherwise there is none, and the call is a contract
/// violation); or the limit that was met.
std::variant<PacedSchedule, Limit> paced_schedule(const tpn::FoldedNet& net, const Rational& period,
                                                  const Deadline& deadline = {},
                                                  std::uint64_t most_operations = kPacedOperations);

}  // namespace takt::evaluators
