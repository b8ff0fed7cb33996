// Potentials as a schedule: lowest start times of transfers by classes of a few residues, and the residue-specific
// bounds above them that follow.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "maxplus/rational.hpp"

namespace takt::evaluators {

/// The potential of one transfer t, which joins parts t and t + 1. Pairs are those of a residue modulo the length of
/// the sender's sequence and one modulo the receiver's, by sender * receivers + receiver.
struct TransferPotentials {
  std::vector<std::vector<std::size_t>> sees;   // sets of parts, ascending, with t and t + 1 in each
  std::vector<std::vector<std::size_t>> keeps;  // sets of parts, ascending: what bounds remember besides
  std::vector<std::uint32_t> sees_of;           // by pair: index into sees
  std::vector<std::uint32_t> keeps_of;          // by pair: index into keeps
  std::vector<std::size_t> offset;              // by pair: of its first number in potential
  /// In 1 / unit time units. By pair, then by the residues of the parts seen besides t and t + 1: mixed radix, the last
  /// part fastest. Numbers of residues that no data set has together mean nothing.
  std::vector<std::int32_t> potentials;

  friend bool operator==(const TransferPotentials&, const TransferPotentials&) = default;
};

/// Transfer t starts on data set j at upper * j plus the potential of j's class, or later by the largest of the bounds
/// whose residues j has. Residue-specific bounds are what follows from the potential: docs/certificates.md has the
/// rule.
struct PotentialSchedule {
  maxplus::Rational unit = 1;
  std::int64_t highest = 0;                   // no bound rises by more above the potential, in 1 / unit time units
  std::vector<TransferPotentials> transfers;  // one for every part but the last

  friend bool operator==(const PotentialSchedule&, const PotentialSchedule&) = default;
};

}  // namespace takt::evaluators
