// Plays by the definition of the net, for the tests of measurement, explanation and rehearsal.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <utility>
#include <variant>

#include "live/measurement/measurement.hpp"
#include "tpn/capacity.hpp"
#include "tpn/reader.hpp"

namespace takt::live {

/// B computes two data sets at once, in 3 and 1 for each; A takes 1, and transfers take no time.
inline tpn::Document document_of_pairs() {
  return tpn::read_document(R"({
    "application": {"stages": [{"name": "A", "time": {"P": 1}, "output": 0},
                               {"name": "B", "time": {"Q": {"fixed": 3, "each": 1}}}]},
    "platform": {"processors": [{"name": "P"}, {"name": "Q"}], "bandwidth": 1},
    "mapping": [{"stages": ["A"], "processors": ["P"]},
                {"stages": ["B"], "processors": [{"processor": "Q", "batch": 2}]}]})",
                            "pairs");
}

/// The net with a window; 0: as it is.
inline tpn::FoldedNet with_window(tpn::FoldedNet net, std::uint64_t window) {
  if (window == 0) return net;
  return std::get<tpn::FoldedNet>(tpn::with_capacity(std::move(net), {.buffers = {}, .window = window}));
}

/// Column, sender and receiver of operations that are measured together.
using OperationKey = std::tuple<std::size_t, std::size_t, std::size_t>;

inline OperationKey key_of(const OperationClass& seen) { return {seen.column, seen.sender, seen.receiver}; }

inline OperationKey key_of(const tpn::Pipeline& pipeline, const tpn::Operation& at) {
  const std::size_t part = pipeline.columns[at.column].part;
  const std::size_t sender = pipeline.parts[part].processor_at(at.data_set);
  const bool is_transfer = pipeline.is_transfer(at.column);
  return {at.column.value(), sender, is_transfer ? pipeline.parts[part + 1].processor_at(at.data_set) : sender};
}

inline Rational no_time(const tpn::Operation& /*at*/) { return 0; }

/// Dependence by dependence: each operation starts when all that it waits for has ended, or later, and takes as long as
/// a function says.
template <typename Duration, typename Lateness = Rational (*)(const tpn::Operation&)>
Trace run_of(const tpn::FoldedNet& net, std::uint64_t data_sets, const Duration& duration,
             const Lateness& lateness = no_time) {
  Trace trace;
  const std::size_t columns = net.pipeline.columns.size();
  for (std::uint64_t j = 0; j < data_sets; ++j) {
    for (const tpn::ColumnIndex c : net.pipeline.all_columns()) {
      Rational start;
      for (const tpn::Dependence& d : net.dependences) {
        if (d.to != c || d.height > j || (j - d.height) % d.modulus != d.residue) continue;
        start = std::max(start, trace[(j - d.height) * columns + d.from.value()].end);
      }
      start += lateness(tpn::Operation{j, c});
      trace.push_back({{j, c}, start, start + duration(tpn::Operation{j, c})});
    }
  }
  return trace;
}

}  // namespace takt::live
