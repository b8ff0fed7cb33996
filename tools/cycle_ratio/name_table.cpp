// Open addressing for names, an array for numerals.
#include "tools/cycle_ratio/name_table.hpp"

#include <algorithm>
#include <charconv>
#include <limits>

#include "maxplus/contract.hpp"

namespace takt::tools {

namespace {

// The number whose shortest numeral this is, below the limit.
std::optional<std::size_t> numeral(std::string_view name, std::size_t limit) {
  constexpr std::size_t kMostDigits = 18;
  if (name.empty() || name.size() > kMostDigits || (name.front() == '0' && name.size() > 1)) return std::nullopt;
  std::size_t number = 0;
  for (const char c : name) {
    if (c < '0' || c > '9') return std::nullopt;
    number = 10 * number + static_cast<std::size_t>(c - '0');
  }
  return number < limit ? std::optional(number) : std::nullopt;
}

}  // namespace

std::uint32_t NameTable::add(std::string_view name) {
  if (const auto number = numeral(name, numerals_)) {
    if (*number >= by_numeral_.size()) {
      by_numeral_.resize(std::min(numerals_, std::max<std::size_t>(*number + 1, 2 * by_numeral_.size())));
    }
    std::uint32_t& entry = by_numeral_[*number];
    if (entry == 0) entry = append(name) + 1;
    return entry - 1;
  }
  if (2 * (taken_ + 1) > slots_.size()) grow();
  const std::size_t hash = std::hash<std::string_view>()(name);
  Slot& slot = slots_[slot_of(name, hash)];
  if (slot.index == 0) {
    slot = {append(name) + 1, static_cast<std::uint32_t>(hash)};
    ++taken_;
  }
  return slot.index - 1;
}

std::optional<std::uint32_t> NameTable::find(std::string_view name) const {
  std::uint32_t found = 0;
  if (const auto number = numeral(name, numerals_)) {
    if (*number < by_numeral_.size()) found = by_numeral_[*number];
  } else if (!slots_.empty()) {
    found = slots_[slot_of(name, std::hash<std::string_view>()(name))].index;
  }
  return found == 0 ? std::nullopt : std::optional(found - 1);
}

std::uint32_t NameTable::append(std::string_view name) {
  maxplus::expects(size() + 2 < std::numeric_limits<std::uint32_t>::max(), "names are fewer than 2^32 - 1");
  text_ += name;
  ends_.push_back(text_.size());
  return static_cast<std::uint32_t>(size() - 1);
}

// Where the name stands, or would.
std::size_t NameTable::slot_of(std::string_view name, std::size_t hash) const {
  const std::size_t mask = slots_.size() - 1;
  const auto tag = static_cast<std::uint32_t>(hash);
  for (std::size_t at = hash & mask;; at = (at + 1) & mask) {
    const Slot& slot = slots_[at];
    if (slot.index == 0 || (slot.hash == tag && (*this)[slot.index - 1] == name)) return at;
  }
}

void NameTable::grow() {
  constexpr std::size_t kFirst = 64;
  const std::vector<Slot> old = std::move(slots_);
  slots_.assign(std::max(kFirst, 2 * old.size()), {});
  const std::size_t mask = slots_.size() - 1;
  for (const Slot& slot : old) {
    if (slot.index == 0) continue;
    std::size_t at = std::hash<std::string_view>()((*this)[slot.index - 1]) & mask;
    while (slots_[at].index != 0) at = (at + 1) & mask;
    slots_[at] = slot;
  }
}

}  // namespace takt::tools
