// Turns of a part: entries of its sequence, or batches of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tpn/document.hpp"

namespace takt::tpn {

/// The processors of a part as a document lists them, and how many data sets each takes at a time.
struct PartTurns {
  std::vector<std::size_t> processors;
  std::vector<std::uint64_t> sizes;

  /// Whether all take as many.
  bool are_even() const;
};

PartTurns turns_of(const Part& part);

/// The part with other turns: the sequence and the batches that they amount to.
void set_turns(Part& part, const PartTurns& turns);

}  // namespace takt::tpn
