// Open addressing, one table for each transfer and set of parts, so that no growth doubles all; and buckets by rise.
#include "evaluators/proof/check_residue_bounds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>

namespace takt::evaluators {

std::optional<BoundTable> BoundTable::of(std::size_t transfer, PartSet parts, std::span<const std::uint32_t> lengths) {
  BoundTable table;
  table.transfer_ = transfer;
  table.parts_ = parts;
  std::uint64_t combinations = 1;
  for (; parts != 0; parts &= parts - 1) {
    const auto part = static_cast<std::uint32_t>(std::countr_zero(parts));
    if (combinations >= (std::uint64_t{1} << 63) / lengths[part]) return std::nullopt;
    combinations *= lengths[part];
    table.digits_.push_back({part, lengths[part]});
  }
  return table;
}

KnownResidues BoundTable::residues_of(std::uint64_t key) const {
  KnownResidues known;
  known.parts = parts_;
  for (std::size_t k = digits_.size(); k-- > 0;) {
    known.of[digits_[k].part] = static_cast<std::uint32_t>(key % digits_[k].length);
    key /= digits_[k].length;
  }
  return known;
}

void BoundTable::add(Entry& empty, std::uint64_t key, std::uint32_t rise) {
  empty.low = static_cast<std::uint32_t>(key);
  empty.high = static_cast<std::uint32_t>(key >> 32);
  empty.rise = rise & kRiseBits;
  empty.was_followed = 0;
  ++size_;
  if (size_ > entries_.size() / 4 * 3) grow();
}

void BoundTable::grow() {
  const std::vector<Entry> before = std::exchange(entries_, std::vector<Entry>(entries_.size() * 2));
  --shift_;
  for (const Entry& entry : before) {
    if (entry.rise != 0) at((std::uint64_t{entry.high} << 32) | entry.low) = entry;
  }
}

WaitingBounds::WaitingBounds(std::int64_t highest)
    : width_(static_cast<std::uint32_t>(static_cast<std::uint64_t>(highest) / kMostBuckets + 1)),
      buckets_(static_cast<std::size_t>(highest) / width_ + 1),
      filled_(buckets_.size() / 64 + 1),
      words_(filled_.size() / 64 + 1) {}

void WaitingBounds::push(std::size_t bucket, const WaitingBound& waiting) {
  buckets_[bucket].push_back(waiting);
  filled_[bucket / 64] |= std::uint64_t{1} << bucket % 64;
  words_[bucket / 4096] |= std::uint64_t{1} << bucket / 64 % 64;
  ++size_;
}

std::optional<std::size_t> WaitingBounds::highest_bucket() const {
  const auto top = [](std::uint64_t bits) { return static_cast<std::size_t>(63 - std::countl_zero(bits)); };
  for (std::size_t k = words_.size(); k-- > 0;) {
    if (words_[k] == 0) continue;
    const std::size_t word = 64 * k + top(words_[k]);
    return 64 * word + top(filled_[word]);
  }
  return std::nullopt;
}

WaitingBound WaitingBounds::pop(std::size_t bucket) {
  std::vector<WaitingBound>& from = buckets_[bucket];
  const WaitingBound waiting = from.back();
  from.pop_back();
  --size_;
  if (!from.empty()) return waiting;
  // What a long list took is for others.
  constexpr std::size_t kShort = 64;
  if (from.capacity() > kShort) from = {};
  filled_[bucket / 64] &= ~(std::uint64_t{1} << bucket % 64);
  if (filled_[bucket / 64] == 0) words_[bucket / 4096] &= ~(std::uint64_t{1} << bucket / 64 % 64);
  return waiting;
}

ResidueBounds::ResidueBounds(const PotentialSystem& system, std::int64_t highest)
    : system_(system),
      tables_of_(system.transfers.size()),
      recent_(system.transfers.size() * kRecent),
      waiting_(highest) {}

bool ResidueBounds::fail_at(std::uint64_t count) {
  failure_ = tpn::TooLarge{tpn::LimitKind::checked_bounds, maxplus::integer_of(count), kPotentialBounds};
  return false;
}

std::optional<std::uint32_t> ResidueBounds::table_of(std::size_t transfer, PartSet parts) {
  Recent& recent = recent_[transfer * kRecent + ((parts * 0x9E3779B97F4A7C15U) >> 58)];
  if (recent.parts == parts) return recent.table;
  for (const std::uint32_t table : tables_of_[transfer]) {
    if (families_[table].table.parts() != parts) continue;
    recent = {parts, table};
    return table;
  }
  return make_table(transfer, parts);
}

std::optional<std::uint32_t> ResidueBounds::make_table(std::size_t transfer, PartSet parts) {
  std::vector<std::uint32_t>& siblings = tables_of_[transfer];
  auto made = BoundTable::of(transfer, parts, system_.lengths);
  if (!made || siblings.size() == kPotentialPartSets) {
    failure_ = Refused{
        made ? fmt::format("exceptions of transfer {} know more than {} sets of parts", transfer, kPotentialPartSets)
             : fmt::format("exceptions of transfer {} know parts of 2^63 residues or more", transfer)};
    return std::nullopt;
  }
  const auto table = static_cast<std::uint32_t>(families_.size());
  families_.push_back({*std::move(made), {}});
  for (const std::uint32_t sibling : siblings) {
    const PartSet known = families_[sibling].table.parts();
    if ((known & ~parts) == 0) families_[table].coarser.push_back(sibling);
    if ((parts & ~known) == 0) families_[sibling].coarser.push_back(table);
  }
  siblings.push_back(table);
  return table;
}

bool ResidueBounds::is_covered(const Family& family, const Offer& offer) {
  if (family.coarser.empty()) return false;
  const KnownResidues known = family.table.residues_of(offer.key);
  return std::ranges::any_of(family.coarser, [&](std::uint32_t number) {
    BoundTable& coarser = families_[number].table;
    // Those that know less than the class needs are of other pairs.
    return (offer.needed & ~coarser.parts()) == 0 && coarser.rise_of(coarser.key_of(known)) >= offer.rise;
  });
}

bool ResidueBounds::add(std::size_t transfer, const KnownResidues& known, PartSet parts, PartSet needed,
                        std::uint32_t rise) {
  const auto number = table_of(transfer, parts);
  if (!number) return false;
  const BoundTable& table = families_[*number].table;
  const std::uint64_t key = table.key_of(known);
  table.prefetch(key);
  offers_.push_back({key, needed, *number, rise});
  return offers_.size() < kOffers || take_offers();
}

bool ResidueBounds::take_offers() {
  const bool goes_on = std::ranges::all_of(offers_, [&](const Offer& offer) { return take(offer); });
  offers_.clear();
  return goes_on;
}

bool ResidueBounds::take(const Offer& offer) {
  Family& family = families_[offer.table];
  BoundTable::Entry& entry = family.table.at(offer.key);
  if (entry.rise >= offer.rise || is_covered(family, offer)) return true;
  const std::size_t bucket = waiting_.bucket_of(offer.rise);
  if (entry.rise == 0) {
    if (++size_ > kPotentialBounds) return fail_at(size_);
    family.table.add(entry, offer.key, offer.rise);
  } else {
    const bool waits_there = entry.was_followed == 0 && waiting_.bucket_of(entry.rise) == bucket;
    entry.rise = offer.rise & BoundTable::kRiseBits;
    entry.was_followed = 0;
    if (waits_there) return true;
  }
  if (waiting_.size() == kPotentialBounds) return fail_at(kPotentialBounds + 1);
  waiting_.push(bucket,
                {static_cast<std::uint32_t>(offer.key), static_cast<std::uint32_t>(offer.key >> 32), offer.table});
  return true;
}

std::optional<Exception> ResidueBounds::next() {
  for (;;) {
    const auto bucket = waiting_.highest_bucket();
    if (!bucket) {
      if (offers_.empty() || !take_offers()) return std::nullopt;
      continue;
    }
    const WaitingBound waiting = waiting_.pop(*bucket);
    if (const WaitingBound* next = waiting_.peek(*bucket)) families_[next->table].table.prefetch(next->key());
    Family& family = families_[waiting.table];
    BoundTable::Entry& entry = family.table.at(waiting.key());
    // It may have risen since, and been followed from a higher bucket.
    if (entry.was_followed != 0 || waiting_.bucket_of(entry.rise) != *bucket) continue;
    entry.was_followed = 1;
    return Exception{family.table.transfer(), family.table.residues_of(waiting.key()), entry.rise};
  }
}

}  // namespace takt::evaluators
