// The critical circuit in full, from the choices of a recorded pass.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "evaluators/evaluation.hpp"
#include "evaluators/sweep_plan.hpp"

namespace takt::evaluators {

/// The circuit that choices lead to from the operation that leaves the clock `start`, going back. The recorded pass
/// led every marked clock to a marked one of the segment before on a path that is tight, so the circuit is as well.
template <typename Passes>
CriticalCircuit trace_circuit(const Plan& plan, const Passes& passes, std::uint32_t start) {
  const std::size_t tokens = plan.tokens.size();
  const std::size_t segments = passes.segments();
  std::vector<std::size_t> seen(tokens * segments, 0);  // one more than the steps before
  CriticalCircuit circuit;

  // The operation before the last step taken, and its segment.
  std::size_t column = plan.tokens[start % tokens].column;
  std::size_t segment = (start / tokens + segments - 1) % segments;
  const auto into_rows = [&](std::int64_t row) {
    while (row < 0) row += static_cast<std::int64_t>(plan.rows);
    return static_cast<std::uint64_t>(row);
  };
  std::uint64_t row = into_rows(static_cast<std::int64_t>(passes.first_row(segment + 1)) -
                                static_cast<std::int64_t>(plan.tokens[start % tokens].back));
  const auto canonical_clock = [&]() -> std::size_t& {
    const std::size_t token = plan.token_at(column, passes.first_row(segment + 1) - row);
    return seen[(segment + 1) % segments * tokens + token];
  };
  canonical_clock() = 1;
  for (;;) {
    const Incoming in = incoming_at(plan.columns[column], row, passes.choice(segment, row, column));
    circuit.steps.push_back({in.column, in.height});
    column = in.column;
    if (in.height <= row && row - in.height >= passes.first_row(segment)) {
      row -= in.height;
      continue;
    }
    row = into_rows(static_cast<std::int64_t>(row) - static_cast<std::int64_t>(in.height));
    segment = segment == 0 ? segments - 1 : segment - 1;
    std::size_t& steps = canonical_clock();
    if (steps != 0) {
      circuit.steps.erase(circuit.steps.begin(), circuit.steps.begin() + static_cast<std::ptrdiff_t>(steps - 1));
      break;
    }
    steps = circuit.steps.size() + 1;
  }
  std::reverse(circuit.steps.begin(), circuit.steps.end());
  circuit.data_set = row;
  return circuit;
}

}  // namespace takt::evaluators
