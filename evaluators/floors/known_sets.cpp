// Tables that grow apart, so that none has to double for all.
#include "evaluators/floors/known_sets.hpp"

#include <utility>

namespace takt::evaluators {

namespace {

constexpr int kFirstBits = 6;

}  // namespace

HeightTable::HeightTable() : entries_(std::size_t{1} << kFirstBits), shift_(64 - kFirstBits) {}

bool HeightTable::raise(std::uint64_t key, std::int32_t height) {
  std::size_t at = find(key);
  if (static_cast<std::int32_t>(entries_[at][2]) >= height) return false;
  if (entries_[at][2] == 0) {
    // Full at three quarters.
    if ((size_ + 1) * 4 > entries_.size() * 3) {
      grow();
      at = find(key);
    }
    ++size_;
  }
  entries_[at] = {static_cast<std::uint32_t>(key), static_cast<std::uint32_t>(key >> 32),
                  static_cast<std::uint32_t>(height)};
  return true;
}

void HeightTable::grow() {
  std::vector<Entry> old = std::exchange(entries_, std::vector<Entry>(entries_.size() * 2));
  --shift_;
  for (const Entry& entry : old) {
    if (entry[2] != 0) entries_[find((static_cast<std::uint64_t>(entry[1]) << 32) | entry[0])] = entry;
  }
}

std::uint32_t KnownSets::number_of(std::size_t transfer, PartBits parts) {
  const auto [entry, is_new] = by_parts_[transfer].try_emplace(parts, static_cast<std::uint32_t>(sets_.size()));
  if (!is_new) return entry->second;
  KnownSet& set = sets_.emplace_back();
  set.transfer = transfer;
  set.parts = parts;
  for (std::size_t part = 0; part < chain_.parts(); ++part) {
    if ((parts & part_bit(part)) != 0) set.order.push_back(static_cast<std::uint8_t>(part));
  }
  for (const std::uint32_t used : used_[transfer]) {
    if ((sets_[used].parts & ~parts) == 0) set.coarser.push_back(used);
  }
  return entry->second;
}

void KnownSets::use(std::uint32_t number) {
  KnownSet& set = sets_[number];
  if (set.is_used) return;
  set.is_used = true;
  used_[set.transfer].push_back(number);
  for (const auto& [parts, other] : by_parts_[set.transfer]) {
    if (other != number && (set.parts & ~parts) == 0) sets_[other].coarser.push_back(number);
  }
}

}  // namespace takt::evaluators
