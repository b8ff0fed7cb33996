// Lists the parts and computations of a table.
#include "evaluators/mappings/table_times.hpp"

#include <algorithm>

namespace takt::evaluators {

void TableTimes::list_parts(const TimeTable& table, TickLists& lists) {
  table_ = &table;
  lists.clear();
  nodes_.begin();
  const std::span<const std::uint32_t> processors = table.processors();
  if (!processors.empty()) nodes_.reserve(table.processors_end());
  const TimeTable::Place& last = table.places().back();
  lists.entries.resize(std::size_t{last.first_entry} + last.length);
  for (const TimeTable::Place& place : table.places()) {
    ListedPart part;
    part.length = place.length;
    part.first_entry = place.first_entry;
    part.first_node = lists.nodes;
    for (std::uint32_t entry = place.first_entry; entry < place.first_entry + place.length; ++entry) {
      lists.entries[entry].node = processors.empty() ? lists.nodes++ : nodes_.node_of(processors[entry], lists);
    }
    part.nodes = lists.nodes - part.first_node;
    lists.parts.push_back(part);
  }
}

void TableTimes::list_computations(TickLists& lists) const {
  for (std::size_t i = 0; i < lists.parts.size(); ++i) {
    ListedPart& part = lists.parts[i];
    const std::span<const std::int64_t> ticks = table_->computations_of(table_->places()[i]);
    EntryWork* const entries = lists.entries_of(part).data();
    std::uint64_t longest = 0;  // beyond 2^63 where one is below 0
    for (std::size_t entry = 0; entry < ticks.size(); ++entry) {
      entries[entry].computation = ticks[entry];
      longest = std::max(longest, static_cast<std::uint64_t>(ticks[entry]));
    }
    part.longest = static_cast<std::int64_t>(longest);
  }
}

}  // namespace takt::evaluators
