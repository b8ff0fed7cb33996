// The critical candidates of a table's mapping: the resources with the largest cycle time.
//
// Method. Two entries that meet do so once in the data sets after which both sequences repeat: the transfers of a port
// over these are a plain sum, as are the computations of a processor over its sequence. Sums of different lengths are
// compared as fractions in 128 bits.
//
// Cost. Linear in the pairs of entries that meet; no allocation once warm.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "evaluators/mappings/time_table.hpp"
#include "maxplus/rational.hpp"
#include "tpn/document.hpp"
#include "tpn/folded_net.hpp"

namespace takt::evaluators {

/// A resource of the processor of an entry.
struct TableResource {
  std::size_t place = 0;    // of TimeTable::places
  std::uint32_t entry = 0;  // the first of that processor
  tpn::ConstraintKind kind = tpn::ConstraintKind::processor;
};

class BusiestResources {
 public:
  /// No time may have more ticks, nor a sequence more entries.
  static constexpr std::int64_t kMostTicks = std::int64_t{1} << 40;
  static constexpr std::uint32_t kMostEntries = 1U << 11;

  /// Those with the largest cycle time that have their first operation in the earliest column, by kind in the order of
  /// the model, then entry. The model is OVERLAP or STRICT, no processor is in two parts, and some time is above 0.
  std::span<const TableResource> find(const TimeTable& table, tpn::Model model);

 private:
  struct EntrySums {
    std::int64_t in = 0;
    std::int64_t compute = 0;
    std::int64_t out = 0;
  };

  void add_up(const TimeTable& table);
  void join_repeated(const TimeTable& table);
  void offer(maxplus::Int128 numerator, std::uint64_t denominator, std::size_t column, const TableResource& resource);

  std::vector<EntrySums> sums_;  // by entry of all places
  std::vector<TableResource> found_;
  std::size_t column_ = 0;  // of those found
  maxplus::Int128 numerator_ = 0;
  std::uint64_t denominator_ = 1;
};

}  // namespace takt::evaluators
