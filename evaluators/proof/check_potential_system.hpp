// A potential, held against its net: lengths of sequences, durations as the potential counts them, and what each pair
// sees.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <variant>
#include <vector>

#include "evaluators/potential_schedule.hpp"
#include "evaluators/proof/check.hpp"
#include "evaluators/proof/check_budget.hpp"

namespace takt::evaluators {

/// A set of parts, one bit for each.
using PartSet = std::uint64_t;
inline constexpr std::size_t kMostPotentialParts = 64;

inline constexpr PartSet bit_of_part(std::size_t part) { return PartSet{1} << part; }

/// Residue-specific bounds are below this, in the potential's unit.
inline constexpr std::int64_t kMostRise = (std::int64_t{1} << 31) - 1;

/// Residues of some data set, of the parts that are known.
struct KnownResidues {
  PartSet parts = 0;
  std::array<std::uint32_t, kMostPotentialParts> of{};

  bool has(std::size_t part) const { return (parts & bit_of_part(part)) != 0; }
};

/// The residues of a part that data sets can have: first, first + step, ...; what it took to find them.
struct ResidueRange {
  std::uint64_t first = 0;
  std::uint64_t step = 1;
  std::uint64_t cost = 0;
};

/// A part seen besides the two of its transfer, and what a step of its residue is in the numbers of a pair.
struct SeenPart {
  std::size_t part = 0;
  std::size_t stride = 1;
};

/// One of the two dependences between transfers that leave a transfer: s_target(j + shift) >= s(j) + gain.
struct PotentialArc {
  std::size_t target = 0;
  std::vector<std::uint32_t> shift;  // by part, modulo its length
  std::vector<std::int64_t> gain;    // by pair
};

/// A transfer t of the system: numbers by pair as in TransferFloor.
struct PotentialTransfer {
  std::size_t senders = 1;    // length of part t's sequence
  std::size_t receivers = 1;  // of part t + 1's
  const TransferPotentials* potentials = nullptr;
  std::vector<PartSet> sees;  // by index into TransferFloor::sees
  std::vector<PartSet> keeps;
  std::vector<std::vector<SeenPart>> seen;      // by index into TransferFloor::sees
  std::vector<std::int32_t> least;              // by pair: its lowest number
  std::vector<std::int32_t> least_of_sender;    // by residue of part t
  std::vector<std::int32_t> least_of_receiver;  // by residue of part t + 1
  PotentialArc forwards;
  PotentialArc backwards;
};

/// All of them. The potential must outlive it.
struct PotentialSystem {
  std::vector<std::uint32_t> lengths;  // by part: of its sequence
  std::vector<std::uint32_t> gcds;     // of two parts' lengths, by part * parts + part
  std::vector<PartSet> related;        // by part: others whose lengths share a divisor with its own
  std::vector<PotentialTransfer> transfers;

  std::size_t parts() const { return lengths.size(); }
  std::uint32_t gcd_of(std::size_t a, std::size_t b) const { return gcds[a * parts() + b]; }
  /// Do data sets have these residues of parts t and t + 1?
  bool meet(std::size_t t, std::uint64_t sender, std::uint64_t receiver) const {
    const std::uint64_t gcd = gcd_of(t, t + 1);
    return sender % gcd == receiver % gcd;
  }

  /// Those of a part that are not known. Some data set has all residues that are: then those of any other part that
  /// agree with each of them, modulo the two lengths' greatest common divisor, are the residues of such data sets.
  ResidueRange residues(const KnownResidues& known, std::size_t part) const;
};

/// Calls visit() with each residue of a part that the known ones allow, known meanwhile. False if a call was, or the
/// budget is spent.
template <typename Visit>
bool each_residue(const PotentialSystem& system, KnownResidues& known, std::size_t part, CheckBudget& budget,
                  const Visit& visit) {
  if (known.has(part)) return visit();
  const ResidueRange range = system.residues(known, part);
  const std::uint64_t length = system.lengths[part];
  if (!budget.spend(length / range.step + range.cost)) return false;
  known.parts |= bit_of_part(part);
  bool goes_on = true;
  for (std::uint64_t residue = range.first; residue < length && goes_on; residue += range.step) {
    known.of[part] = static_cast<std::uint32_t>(residue);
    goes_on = visit();
  }
  known.parts &= ~bit_of_part(part);
  return goes_on;
}

/// The same with visit(index) for every class that data sets with the known residues have, of a pair that is known: the
/// index of its number is `index`, that of the pair's first, and what the residues seen make of it.
template <typename Visit>
bool each_class(const PotentialSystem& system, KnownResidues& known, std::span<const SeenPart> seen, std::size_t index,
                CheckBudget& budget, const Visit& visit) {
  if (seen.empty()) return visit(index);
  const SeenPart& first = seen.front();
  return each_residue(system, known, first.part, budget, [&] {
    return each_class(system, known, seen.subspan(1), index + known.of[first.part] * first.stride, budget, visit);
  });
}

/// The system of a net and a potential; or why the potential says nothing of this net.
std::variant<PotentialSystem, Refused, Unchecked> potential_system(const tpn::FoldedNet& net,
                                                                   const PotentialSchedule& potentials,
                                                                   const Rational& upper, CheckBudget& budget);

}  // namespace takt::evaluators
