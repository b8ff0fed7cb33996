// Tables of residue-specific bounds, one for each transfer and set of parts whose residues are known.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "evaluators/potentials/strict_chain.hpp"

namespace takt::evaluators {

/// Open addressing, 12 bytes an entry: a key of 64 bits and a start time in ticks.
class StartTable {
 public:
  /// No start time.
  static constexpr std::int32_t kNone = INT32_MIN;

  StartTable();

  std::size_t size() const { return size_; }
  std::size_t bytes() const { return entries_.size() * sizeof(Entry); }
  void prefetch(std::uint64_t key) const { __builtin_prefetch(&entries_[home(key)]); }
  /// kNone if the key is new.
  std::int32_t start(std::uint64_t key) const { return static_cast<std::int32_t>(entries_[find(key)][2]); }
  /// False if it was so late already.
  bool raise(std::uint64_t key, std::int32_t start);

 private:
  // Low and high half of the key, start.
  using Entry = std::array<std::uint32_t, 3>;
  static constexpr Entry kEmpty = {0, 0, static_cast<std::uint32_t>(kNone)};

  std::size_t home(std::uint64_t key) const {
    return static_cast<std::size_t>(((key ^ (key >> 32)) * 0x9E3779B97F4A7C15U) >> shift_);
  }
  std::size_t find(std::uint64_t key) const {
    const auto low = static_cast<std::uint32_t>(key);
    const auto high = static_cast<std::uint32_t>(key >> 32);
    std::size_t at = home(key);
    while (entries_[at][2] != kEmpty[2] && (entries_[at][0] != low || entries_[at][1] != high)) {
      at = (at + 1) & (entries_.size() - 1);
    }
    return at;
  }
  void grow();

  std::vector<Entry> entries_;
  int shift_;
  std::size_t size_ = 0;
};

/// Transfer t and the parts whose residues are known; the residues, in bits, are the key.
struct KnownSet {
  struct Field {
    std::uint8_t part;
    std::uint8_t shift;
    std::uint16_t mask;
  };

  std::size_t transfer = 0;
  PartBits parts = 0;
  std::vector<Field> fields;
  StartTable starts;

  std::uint64_t key(std::span<const std::uint32_t> residues) const {
    std::uint64_t key = 0;
    for (const Field& field : fields) key |= std::uint64_t{residues[field.part]} << field.shift;
    return key;
  }
  void residues(std::uint64_t key, std::span<std::uint32_t> residues) const {
    for (const Field& field : fields) {
      residues[field.part] = static_cast<std::uint32_t>((key >> field.shift) & field.mask);
    }
  }
};

/// The sets that occur, by number.
class KnownSets {
 public:
  explicit KnownSets(const StrictChain& chain) : chain_(chain), by_parts_(chain.transfers()) {}

  /// Of a set whose residues take 64 bits at the most.
  std::uint32_t number_of(std::size_t transfer, PartBits parts);
  KnownSet& operator[](std::uint32_t number) { return sets_[number]; }

 private:
  const StrictChain& chain_;
  std::vector<KnownSet> sets_;
  std::vector<std::unordered_map<PartBits, std::uint32_t>> by_parts_;  // by transfer
};

}  // namespace takt::evaluators
