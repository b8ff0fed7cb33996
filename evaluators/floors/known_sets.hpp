// Exceptions by what is known of their data sets: one table for each transfer and set of parts.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "evaluators/floors/strict_chain.hpp"

namespace takt::evaluators {

/// Open addressing, 12 bytes an entry: a key of 64 bits and a height of at least 1.
class HeightTable {
 public:
  HeightTable();

  std::size_t size() const { return size_; }
  std::size_t bytes() const { return entries_.size() * sizeof(Entry); }
  void prefetch(std::uint64_t key) const { __builtin_prefetch(&entries_[home(key)]); }
  /// 0 where the key is new.
  std::int32_t height(std::uint64_t key) const { return static_cast<std::int32_t>(entries_[find(key)][2]); }
  /// False where it was so high already.
  bool raise(std::uint64_t key, std::int32_t height);

 private:
  // Low and high half of the key, height; a height of 0 is no entry.
  using Entry = std::array<std::uint32_t, 3>;

  std::size_t home(std::uint64_t key) const {
    return static_cast<std::size_t>(((key ^ (key >> 32)) * 0x9E3779B97F4A7C15U) >> shift_);
  }
  std::size_t find(std::uint64_t key) const {
    const auto low = static_cast<std::uint32_t>(key);
    const auto high = static_cast<std::uint32_t>(key >> 32);
    std::size_t at = home(key);
    while (entries_[at][2] != 0 && (entries_[at][0] != low || entries_[at][1] != high)) {
      at = (at + 1) & (entries_.size() - 1);
    }
    return at;
  }
  void grow();

  std::vector<Entry> entries_;
  int shift_;
  std::size_t size_ = 0;
};

/// Transfer t and the parts whose residues are known.
struct KnownSet {
  std::size_t transfer = 0;
  PartBits parts = 0;
  std::vector<std::uint8_t> order;     // the parts, ascending
  std::vector<std::uint32_t> coarser;  // sets of the same transfer within these parts that have exceptions
  bool is_used = false;                // has exceptions
  HeightTable heights;                 // by the residues, in bits, the last part lowest
};

/// The sets that occur, by number.
class KnownSets {
 public:
  explicit KnownSets(const StrictChain& chain)
      : chain_(chain), by_parts_(chain.transfers()), used_(chain.transfers()) {}

  std::uint32_t number_of(std::size_t transfer, PartBits parts);
  KnownSet& operator[](std::uint32_t number) { return sets_[number]; }
  const KnownSet& operator[](std::uint32_t number) const { return sets_[number]; }

  /// The first exception of a set is about to come.
  void use(std::uint32_t number);

  std::uint64_t key(const KnownSet& set, std::span<const std::uint32_t> residues) const {
    std::uint64_t key = 0;
    for (const std::uint8_t part : set.order) key = (key << chain_.bits(part)) | residues[part];
    return key;
  }
  void residues(const KnownSet& set, std::uint64_t key, std::span<std::uint32_t> residues) const {
    for (std::size_t k = set.order.size(); k-- > 0;) {
      const unsigned bits = chain_.bits(set.order[k]);
      residues[set.order[k]] = static_cast<std::uint32_t>(key & ((std::uint64_t{1} << bits) - 1));
      key >>= bits;
    }
  }

 private:
  const StrictChain& chain_;
  std::vector<KnownSet> sets_;
  std::vector<std::unordered_map<PartBits, std::uint32_t>> by_parts_;  // by transfer
  std::vector<std::vector<std::uint32_t>> used_;                       // by transfer
};

}  // namespace takt::evaluators
