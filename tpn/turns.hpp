// Turns of a part: entries of its sequence, or batches of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "tpn/document.hpp"
#include "tpn/hosts.hpp"

namespace takt::tpn {

/// The processors of a part as a document lists them, and how many data sets each takes at a time.
struct PartTurns {
  std::vector<std::size_t> processors;
  std::vector<std::uint64_t> sizes;

  /// Whether all take as many.
  bool are_even() const;
};

PartTurns turns_of(const Part& part);

/// By the names that a document has for them, each that of the turn in its place; several cores have one name where all
/// of them take as many data sets. They refer to the platform.
std::vector<std::string_view> names_of_turns(const Platform& platform, std::span<const ProcessorGroup> groups,
                                             const PartTurns& turns);

/// The part with other turns: the sequence and the batches that they amount to.
void set_turns(Part& part, const PartTurns& turns);

}  // namespace takt::tpn
