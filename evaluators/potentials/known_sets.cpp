// Each table grows by itself: a full one does not double the others.
#include "evaluators/potentials/known_sets.hpp"

#include <utility>

namespace takt::evaluators {

namespace {

constexpr int kFirstBits = 6;

}  // namespace

StartTable::StartTable() : entries_(std::size_t{1} << kFirstBits, kEmpty), shift_(64 - kFirstBits) {}

bool StartTable::raise(std::uint64_t key, std::int32_t start) {
  std::size_t at = find(key);
  const auto known = static_cast<std::int32_t>(entries_[at][2]);
  if (known >= start) return false;
  if (known == kNone) {
    // Full at three quarters.
    if ((size_ + 1) * 4 > entries_.size() * 3) {
      grow();
      at = find(key);
    }
    ++size_;
  }
  entries_[at] = {static_cast<std::uint32_t>(key), static_cast<std::uint32_t>(key >> 32),
                  static_cast<std::uint32_t>(start)};
  return true;
}

void StartTable::grow() {
  std::vector<Entry> old = std::exchange(entries_, std::vector<Entry>(entries_.size() * 2, kEmpty));
  --shift_;
  for (const Entry& entry : old) {
    if (entry[2] != kEmpty[2]) entries_[find((static_cast<std::uint64_t>(entry[1]) << 32) | entry[0])] = entry;
  }
}

std::uint32_t KnownSets::number_of(std::size_t transfer, PartBits parts) {
  const auto [entry, is_new] = by_parts_[transfer].try_emplace(parts, static_cast<std::uint32_t>(sets_.size()));
  if (!is_new) return entry->second;
  KnownSet& set = sets_.emplace_back();
  set.transfer = transfer;
  set.parts = parts;
  unsigned shift = 0;
  for (std::size_t part = 0; part < chain_.parts(); ++part) {
    if ((parts & part_bit(part)) == 0) continue;
    const unsigned bits = chain_.bits(part);
    set.fields.push_back({static_cast<std::uint8_t>(part), static_cast<std::uint8_t>(shift),
                          static_cast<std::uint16_t>((1U << bits) - 1)});
    shift += bits;
  }
  return entry->second;
}

}  // namespace takt::evaluators
