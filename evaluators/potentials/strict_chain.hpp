// A plain STRICT pipeline in ticks: what `potentials` needs of a net.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "maxplus/rational.hpp"
#include "tpn/folded_net.hpp"

namespace takt::evaluators {

using maxplus::Rational;

/// Parts and residues that `potentials` takes.
inline constexpr std::size_t kPotentialParts = 64;
inline constexpr std::size_t kPotentialResidues = 512;

/// A set of parts, a bit each.
using PartBits = std::uint64_t;
inline constexpr PartBits part_bit(std::size_t part) { return PartBits{1} << part; }

/// A set of residues of one part.
class ResidueSet {
 public:
  static constexpr std::size_t kWords = kPotentialResidues / 64;

  /// All residues below `count`.
  explicit ResidueSet(std::size_t count) : words_((count + 63) / 64) { bits_.fill(~std::uint64_t{0}); }

  bool has(std::size_t residue) const { return ((bits_[residue / 64] >> (residue % 64)) & 1) != 0; }
  void add(std::size_t residue) { bits_[residue / 64] |= std::uint64_t{1} << (residue % 64); }
  void clear() { bits_.fill(0); }
  void keep(const ResidueSet& other) {
    for (std::size_t w = 0; w < words_; ++w) bits_[w] &= other.bits_[w];
  }

 private:
  std::size_t words_;
  std::array<std::uint64_t, kWords> bits_{};
};

/// Parts 0 .. n - 1, n at least 3; transfer t leads from part t to part t + 1. What depends on two parts' residues is
/// indexed by the pair sender * receivers + receiver. Durations are in ticks, rounded up.
class StrictChain {
 public:
  /// Of a net that is fit for potentials (potentials.hpp).
  explicit StrictChain(const tpn::FoldedNet& net);

  std::size_t parts() const { return moduli_.size(); }
  std::size_t transfers() const { return moduli_.size() - 1; }
  /// The processors of a part.
  std::uint32_t modulus(std::size_t part) const { return moduli_[part]; }
  /// Bits that a residue of the part takes.
  unsigned bits(std::size_t part) const { return bits_[part]; }
  /// A residue of `part` after as many data sets as `height_of` has processors.
  std::uint32_t later(std::size_t part, std::uint32_t residue, std::size_t height_of) const {
    const std::uint32_t moved = residue + shifts_[height_of * parts() + part];
    return moved < moduli_[part] ? moved : moved - moduli_[part];
  }
  std::size_t pairs(std::size_t transfer) const {
    return static_cast<std::size_t>(moduli_[transfer]) * moduli_[transfer + 1];
  }
  std::size_t pair(std::size_t transfer, std::size_t sender, std::size_t receiver) const {
    return sender * moduli_[transfer + 1] + receiver;
  }

  /// Time units that a tick stands for.
  const Rational& tick() const { return tick_; }
  std::int32_t compute(std::size_t part, std::size_t residue) const { return compute_[part][residue]; }
  std::int32_t transfer(std::size_t transfer, std::size_t pair) const { return transfer_[transfer][pair]; }
  /// Of all, in ticks.
  std::int32_t longest() const { return longest_; }
  /// Ticks per data set: the mean time that a processor is busy with a data set, over all that its part takes.
  double cycle_time(std::size_t part, std::size_t residue) const { return cycle_times_[part][residue]; }

  /// The residues of `part` that data sets have together with this residue of `other`.
  const ResidueSet& meeting(std::size_t part, std::size_t other, std::size_t residue) const {
    const Meeting& m = meetings_[part * parts() + other];
    return by_remainder_[m.first + residue % m.divisor];
  }
  bool meet(std::size_t part, std::size_t residue, std::size_t other, std::size_t other_residue) const {
    return meeting(part, other, other_residue).has(residue);
  }

 private:
  // Residues modulo the greatest common divisor of two moduli, each a set of the first part's residues.
  struct Meeting {
    std::uint32_t divisor = 1;
    std::size_t first = 0;
  };

  void choose_tick(const tpn::Pipeline& pipeline);
  std::int32_t in_ticks(const tpn::Integer& duration, const tpn::Pipeline& pipeline) const;
  void set_durations(const tpn::Pipeline& pipeline);
  void set_meetings();
  void set_cycle_times();

  std::vector<std::uint32_t> moduli_;
  std::vector<unsigned> bits_;
  std::vector<std::uint32_t> shifts_;  // one part's modulus modulo another's
  Rational tick_;
  std::int32_t longest_ = 0;
  std::vector<std::vector<std::int32_t>> compute_;
  std::vector<std::vector<std::int32_t>> transfer_;
  std::vector<std::vector<double>> cycle_times_;
  std::vector<Meeting> meetings_;
  std::vector<ResidueSet> by_remainder_;
};

}  // namespace takt::evaluators
