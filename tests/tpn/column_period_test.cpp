// Minimal periods against the definition, data set by data set.
#include "tpn/column_period.hpp"

#include <catch2/catch.hpp>
#include <cstdint>
#include <variant>
#include <vector>

#include "tests/support/random_documents.hpp"
#include "tpn/folded_net.hpp"

namespace takt::tpn {

namespace {

std::uint64_t period_by_definition(const Column& column, std::uint64_t meetings) {
  for (std::uint64_t t = 1;; ++t) {
    if (meetings % t != 0) continue;
    bool repeats = true;
    for (std::uint64_t j = 0; repeats && j < meetings; ++j) repeats = column.duration(j) == column.duration(j + t);
    if (repeats) return t;
  }
}

}  // namespace

TEST_CASE("the period of a column is the least after which its durations repeat") {
  std::size_t shorter = 0;
  std::size_t between = 0;
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    const auto made = make_pipeline(support::alike_document(seed));
    for (const Column& column : std::get<Pipeline>(made).columns) {
      const std::uint64_t meetings = meeting_period(column);
      REQUIRE(column.period == period_by_definition(column, meetings));
      shorter += column.period < meetings ? 1 : 0;
      between += column.period > 1 && column.period < meetings ? 1 : 0;
    }
  }
  REQUIRE(shorter > 1000);
  REQUIRE(between > 500);
}

TEST_CASE("periods do not depend on the width of the durations") {
  Column column;
  column.receiver_offset = {0};
  column.sender_offset = {0, 1, 2, 3, 4, 5};
  const Integer wide = Integer(1) << 100;
  column.table = DurationTable(std::vector<Integer>{wide, wide + 1, 7, wide, wide + 1, 7});
  REQUIRE(minimal_period(column) == 3);
  column.table = DurationTable(std::vector<Integer>{wide, wide + 1, wide, wide + 1, wide, wide + 1});
  REQUIRE(minimal_period(column) == 2);
  column.table = DurationTable(std::vector<Integer>{wide, wide, wide, wide, wide, wide + 1});
  REQUIRE(minimal_period(column) == 6);
}

}  // namespace takt::tpn
