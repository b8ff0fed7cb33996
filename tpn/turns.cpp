// From entries and batches to turns, and back.
#include "tpn/turns.hpp"

#include <algorithm>
#include <functional>

namespace takt::tpn {

bool PartTurns::are_even() const {
  return std::ranges::adjacent_find(sizes, std::ranges::not_equal_to{}) == sizes.end();
}

PartTurns turns_of(const Part& part) {
  PartTurns turns;
  auto next = part.batches.begin();
  for (std::size_t entry = 0; entry < part.processors.size(); entry += turns.sizes.back()) {
    const bool begins = next != part.batches.end() && next->first == entry;
    turns.processors.push_back(part.processors[entry]);
    turns.sizes.push_back(begins ? (next++)->size : 1);
  }
  return turns;
}

std::vector<std::string_view> names_of_turns(const Platform& platform, std::span<const ProcessorGroup> groups,
                                             const PartTurns& turns) {
  std::vector<std::string_view> names = names_of_turns(platform, groups, turns.processors);
  if (names.size() == turns.processors.size() || turns.are_even()) return names;
  std::vector<std::vector<std::size_t>> sizes;
  for (std::size_t k = 0; k < names.size(); ++k)
    sizes.emplace_back(group_of(groups, turns.processors[k]).count, turns.sizes[k]);
  if (std::ranges::equal(dealt_in_turn(sizes), turns.sizes)) return names;
  names.clear();
  for (const std::size_t processor : turns.processors) names.emplace_back(platform.processors[processor].name);
  return names;
}

void set_turns(Part& part, const PartTurns& turns) {
  part.processors.clear();
  part.batches.clear();
  for (std::size_t k = 0; k < turns.processors.size(); ++k) {
    if (turns.sizes[k] > 1) part.batches.push_back({part.processors.size(), turns.sizes[k]});
    part.processors.insert(part.processors.end(), turns.sizes[k], turns.processors[k]);
  }
}

}  // namespace takt::tpn
