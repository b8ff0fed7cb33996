// A solver's source of times: a table of one mapping's.
#pragma once

#include <cstdint>

#include "evaluators/mappings/tick_lists.hpp"
#include "evaluators/mappings/time_table.hpp"

namespace takt::evaluators {

class TableTimes {
 public:
  using Mapping = TimeTable;

  /// Keeps a reference to the table, the last one listed being the one that times are asked for.
  void list_parts(const TimeTable& table, TickLists& lists);
  void list_computations(TickLists& lists) const;
  /// The transfer behind a part from an entry of its sequence to one of the next part's.
  std::int64_t transfer(std::size_t part, std::uint32_t sender, std::uint32_t receiver) const {
    return table_->transfer(part, sender, receiver);
  }

 private:
  const TimeTable* table_ = nullptr;
  NodeNumbers nodes_;
};

}  // namespace takt::evaluators
