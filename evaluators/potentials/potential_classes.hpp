// Classes of data sets at a transfer: by the residues of three neighboring parts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "evaluators/potentials/strict_chain.hpp"

namespace takt::evaluators {

/// A class of transfer t is a pair of residues of parts t and t + 1, and a residue of a third part, t - 1 or t + 2:
/// that next to the busier processor of the pair, so that the line of a tight processor has its transfers in order;
/// where both have much slack, that towards the tighter parts, from where walks arrive.
class PotentialClasses {
 public:
  PotentialClasses(const StrictChain& chain, double candidate);

  /// Of pairs that no data set has: classes are then not there.
  bool meets(std::size_t transfer, std::size_t pair) const { return transfers_[transfer].meets[pair] != 0; }
  bool sees_left(std::size_t transfer, std::size_t pair) const { return transfers_[transfer].left[pair] != 0; }
  std::size_t third(std::size_t transfer, std::size_t pair) const {
    return sees_left(transfer, pair) ? transfer - 1 : transfer + 2;
  }
  /// The parts that a class knows.
  PartBits parts(std::size_t transfer, std::size_t pair) const {
    return part_bit(transfer) | part_bit(transfer + 1) | part_bit(third(transfer, pair));
  }
  /// Classes of a pair are first(..) + residue of the third part.
  std::size_t first(std::size_t transfer, std::size_t pair) const { return transfers_[transfer].first[pair]; }
  std::size_t count(std::size_t transfer) const { return transfers_[transfer].first.back(); }
  /// Whether data sets have the third residue together with the pair.
  bool is_met(std::size_t transfer, std::size_t index) const { return transfers_[transfer].is_met[index] != 0; }

 private:
  struct OfTransfer {
    std::vector<std::uint8_t> meets;   // by pair
    std::vector<std::uint8_t> left;    // by pair
    std::vector<std::size_t> first;    // by pair, and one more
    std::vector<std::uint8_t> is_met;  // by class
  };

  OfTransfer of_transfer(const StrictChain& chain, std::size_t t, double light, bool light_left) const;

  std::vector<OfTransfer> transfers_;
};

}  // namespace takt::evaluators
