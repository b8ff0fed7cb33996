// The critical circuit in full, from the choices of a recorded pass.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "evaluators/evaluation.hpp"
#include "evaluators/sweep/layout.hpp"

namespace takt::evaluators {

/// The circuit that choices lead to from the operation that leaves the clock `start`, going back. The recorded pass
/// led every marked clock to a marked one of the segment before on a path that is tight, so the circuit is as well.
template <typename Passes>
CriticalCircuit trace_circuit(const SweepLayout& layout, const Passes& passes, std::uint32_t start) {
  const std::size_t tokens = layout.tokens.size();
  const std::size_t segments = passes.segments();
  std::vector<std::size_t> seen(tokens * segments, 0);  // one more than the arcs before
  std::vector<std::uint32_t> arcs;                      // going back; half as long as steps, of which there may be 10^5

  // The operation that the last arc came from, and its segment.
  std::size_t column = layout.tokens[start % tokens].column;
  std::size_t segment = (start / tokens + segments - 1) % segments;
  std::uint64_t first_row = passes.first_row(segment);
  // Of an operation that is so many data sets before a row, in whichever hyper-period that is.
  const auto row_before = [&](std::uint64_t row, std::uint64_t height) {
    return row >= height ? row - height : layout.rows - 1 - (height - row - 1) % layout.rows;
  };
  std::uint64_t row = row_before(passes.first_row(segment + 1), layout.tokens[start % tokens].back);
  // The clock that the operation leaves to the next segment.
  const auto arcs_before = [&]() -> std::size_t& {
    const std::size_t token = layout.token_at(column, passes.first_row(segment + 1) - row);
    return seen[(segment + 1) % segments * tokens + token];
  };
  arcs_before() = 1;
  for (;;) {
    const std::size_t arc = passes.chosen_arc(segment, row, column);
    arcs.push_back(static_cast<std::uint32_t>(arc));
    const Incoming in = layout.arcs[arc];
    column = in.column;
    if (row >= first_row + in.height) {
      row -= in.height;
      continue;
    }
    row = row_before(row, in.height);
    segment = segment == 0 ? segments - 1 : segment - 1;
    first_row = passes.first_row(segment);
    std::size_t& before = arcs_before();
    if (before != 0) {
      arcs.erase(arcs.begin(), arcs.begin() + static_cast<std::ptrdiff_t>(before - 1));
      break;
    }
    before = arcs.size() + 1;
  }
  CriticalCircuit circuit;
  circuit.data_set = row;
  circuit.steps.reserve(arcs.size());
  for (std::size_t k = arcs.size(); k > 0; --k) {
    circuit.steps.push_back({layout.arcs[arcs[k - 1]].column, layout.arcs[arcs[k - 1]].height});
  }
  return circuit;
}

}  // namespace takt::evaluators
