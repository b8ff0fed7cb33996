// Residue-specific bounds of a potential: which there are, and which are still to be followed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "evaluators/potential_limits.hpp"
#include "evaluators/proof/check_potential_system.hpp"

namespace takt::evaluators {

/// Sets of parts that the bounds of a transfer may know.
inline constexpr std::size_t kPotentialPartSets = 4096;

/// A residue-specific bound to be followed: on data sets with these residues, transfer `transfer` starts at least
/// `rise` above its potential.
struct Exception {
  std::size_t transfer = 0;
  KnownResidues known;
  std::int64_t rise = 0;
};

/// Residues of one set of parts as numbers of 64 bits, and how much the bounds with these rise.
class BoundTable {
 public:
  /// Nothing if there are 2^63 combinations of residues or more.
  static std::optional<BoundTable> of(std::size_t transfer, PartSet parts, std::span<const std::uint32_t> lengths);

  std::size_t transfer() const { return transfer_; }
  PartSet parts() const { return parts_; }
  std::size_t size() const { return size_; }

  std::uint64_t key_of(const KnownResidues& known) const {
    std::uint64_t key = 0;
    for (const Digit& digit : digits_) key = key * digit.length + known.of[digit.part];
    return key;
  }
  KnownResidues residues_of(std::uint64_t key) const;

  static constexpr std::uint32_t kRiseBits = kMostRise;

  /// Of a bound: its rise, > 0, and whether it was followed. `rise` is 0 if there is none.
  struct Entry {
    std::uint32_t low = 0;  // of the key
    std::uint32_t high = 0;
    std::uint32_t rise : 31 = 0;
    std::uint32_t was_followed : 1 = 0;
  };

  /// The entry of a key, or where it would stand. Valid until one is added.
  Entry& at(std::uint64_t key) {
    const auto low = static_cast<std::uint32_t>(key);
    const auto high = static_cast<std::uint32_t>(key >> 32);
    std::size_t slot = slot_of(key);
    while (entries_[slot].rise != 0 && (entries_[slot].low != low || entries_[slot].high != high)) {
      slot = (slot + 1) & (entries_.size() - 1);
    }
    return entries_[slot];
  }
  std::uint32_t rise_of(std::uint64_t key) { return at(key).rise; }
  /// `at` is about to be called.
  void prefetch(std::uint64_t key) const { __builtin_prefetch(&entries_[slot_of(key)], 1); }
  /// Makes an entry that `at` found empty that of a key.
  void add(Entry& empty, std::uint64_t key, std::uint32_t rise);

 private:
  struct Digit {
    std::uint32_t part = 0;
    std::uint32_t length = 1;
  };
  static constexpr std::size_t kLeastSlots = 16;

  std::size_t slot_of(std::uint64_t key) const {
    const std::uint64_t mixed = key * 0x9E3779B97F4A7C15U;
    return ((mixed ^ (mixed >> 32)) * 0xD6E8FEB86659FD93U) >> shift_;
  }
  void grow();

  std::size_t transfer_ = 0;
  PartSet parts_ = 0;
  std::vector<Digit> digits_;
  std::vector<Entry> entries_ = std::vector<Entry>(kLeastSlots);
  std::size_t size_ = 0;
  int shift_ = 60;  // 64 less the binary digits of slots
};

/// A residue-specific bound that is still to be followed: its table and key.
struct WaitingBound {
  std::uint32_t low = 0;
  std::uint32_t high = 0;
  std::uint32_t table = 0;

  std::uint64_t key() const { return (std::uint64_t{high} << 32) | low; }
};

/// Residue-specific bounds that wait, by how much they rise: those of one bucket are as good as equal, the last one
/// first.
class WaitingBounds {
 public:
  explicit WaitingBounds(std::int64_t highest);

  std::size_t bucket_of(std::uint32_t rise) const { return rise / width_; }
  std::uint64_t size() const { return size_; }
  void push(std::size_t bucket, const WaitingBound& waiting);
  /// The highest bucket that holds any.
  std::optional<std::size_t> highest_bucket() const;
  WaitingBound pop(std::size_t bucket);
  /// The one that would be popped next; null if the bucket is empty.
  const WaitingBound* peek(std::size_t bucket) const {
    return buckets_[bucket].empty() ? nullptr : &buckets_[bucket].back();
  }

 private:
  static constexpr std::size_t kMostBuckets = std::size_t{1} << 16;

  std::uint32_t width_ = 1;
  std::vector<std::vector<WaitingBound>> buckets_;
  std::vector<std::uint64_t> filled_;  // a bit for each bucket that is not empty
  std::vector<std::uint64_t> words_;   // a bit for each word of them that is not 0
  std::uint64_t size_ = 0;
};

/// All of a potential's bounds. One that a coarser one covers, of fewer residues and at least its rise, is dropped.
class ResidueBounds {
 public:
  /// Rises are at most `highest`.
  ResidueBounds(const PotentialSystem& system, std::int64_t highest);

  /// A residue-specific bound with the residues of `parts`, which has `needed`; false if `failure` says why there
  /// can be no more.
  bool add(std::size_t transfer, const KnownResidues& known, PartSet parts, PartSet needed, std::uint32_t rise);

  /// One that rises about as much as any that was not followed; nothing if all were, or `failure` says why.
  std::optional<Exception> next();

  const std::optional<Verdict>& failure() const { return failure_; }
  std::uint64_t size() const { return size_; }

 private:
  // The coarser tables of the same transfer, by number.
  struct Family {
    BoundTable table;
    std::vector<std::uint32_t> coarser;
  };
  // A residue-specific bound that is to be added: by and by, for its place in memory is asked for first.
  struct Offer {
    std::uint64_t key = 0;
    PartSet needed = 0;
    std::uint32_t table = 0;
    std::uint32_t rise = 0;
  };
  struct Recent {
    PartSet parts = 0;
    std::uint32_t table = 0;
  };
  static constexpr std::size_t kOffers = 32;
  static constexpr std::size_t kRecent = 64;

  std::optional<std::uint32_t> table_of(std::size_t transfer, PartSet parts);
  std::optional<std::uint32_t> make_table(std::size_t transfer, PartSet parts);
  bool is_covered(const Family& family, const Offer& offer);
  bool take(const Offer& offer);
  bool take_offers();
  bool fail_at(std::uint64_t count);

  const PotentialSystem& system_;
  std::vector<Family> families_;
  std::vector<std::vector<std::uint32_t>> tables_of_;  // by transfer
  std::vector<Recent> recent_;                         // by transfer and hash
  std::vector<Offer> offers_;
  WaitingBounds waiting_;
  std::uint64_t size_ = 0;
  std::optional<Verdict> failure_;
};

}  // namespace takt::evaluators
