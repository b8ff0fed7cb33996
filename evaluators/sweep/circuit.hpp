// The critical circuit in full, from the choices of a recorded pass.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <utility>
#include <variant>
#include <vector>

#include "evaluators/evaluation.hpp"
#include "evaluators/sweep/layout.hpp"

namespace takt::evaluators {

/// Follows choices from operation to operation, going back, in the rows of all segments.
template <typename Passes>
class BackwardWalk {
 public:
  /// At the operation that leaves the clock `start`.
  BackwardWalk(const SweepLayout& layout, const Passes& passes, std::uint32_t start)
      : layout_(layout), passes_(passes), column_(layout.tokens[start % layout.tokens.size()].column) {
    const std::size_t tokens = layout.tokens.size();
    enter((start / tokens + passes.segments() - 1) % passes.segments());
    row_ = row_before(passes.first_row(segment_ + 1), layout.tokens[start % tokens].back);
  }

  std::uint64_t row() const { return row_; }

  /// Goes to the operation that this one waited for; the arc between them, and whether it came from another segment.
  std::pair<std::size_t, bool> step() {
    const std::size_t arc = passes_.chosen_arc(segment_, row_, column_);
    const Incoming& in = layout_.arcs[arc];
    column_ = in.column;
    if (row_ >= first_row_ + in.height) {
      row_ -= in.height;
      return {arc, false};
    }
    row_ = row_before(row_, in.height);
    enter(segment_ == 0 ? passes_.segments() - 1 : segment_ - 1);
    return {arc, true};
  }

  /// The clock that the operation leaves to the next segment.
  std::size_t clock() const {
    const std::size_t token = layout_.token_at(column_, passes_.first_row(segment_ + 1) - row_);
    return (segment_ + 1) % passes_.segments() * layout_.tokens.size() + token;
  }

 private:
  void enter(std::size_t segment) {
    segment_ = segment;
    first_row_ = passes_.first_row(segment);
  }

  // The row `height` data sets before `row`, in whichever hyper-period that is.
  std::uint64_t row_before(std::uint64_t row, std::uint64_t height) const {
    return row >= height ? row - height : layout_.rows - 1 - (height - row - 1) % layout_.rows;
  }

  const SweepLayout& layout_;
  const Passes& passes_;
  std::size_t column_;
  std::size_t segment_ = 0;
  std::uint64_t first_row_ = 0;  // of the segment
  std::uint64_t row_ = 0;
};

/// Bytes for each step of a circuit while it is traced.
inline constexpr std::uint64_t kTracedStepBytes = sizeof(CircuitStep) + sizeof(std::uint32_t);

/// The circuit that choices lead to from the operation that leaves the clock `start`, going back. The recorded pass
/// led every marked clock to a marked one of the segment before on a path that is tight, so the circuit is as well.
/// Otherwise the limit that was met: the deadline, or max_memory bytes.
template <typename Passes>
std::variant<CriticalCircuit, Limit> trace_circuit(const SweepLayout& layout, const Passes& passes, std::uint32_t start,
                                                   const Deadline& deadline, std::uint64_t max_memory) {
  constexpr std::size_t kStepsBetweenLooks = 1 << 14;
  std::vector<std::size_t> seen(layout.tokens.size() * passes.segments(), 0);  // one more than the arcs before
  std::deque<std::uint32_t> arcs;  // going back; there may be millions, so what becomes a step is dropped at once
  BackwardWalk<Passes> walk(layout, passes, start);
  seen[walk.clock()] = 1;
  for (;;) {
    const auto [arc, is_new_segment] = walk.step();
    arcs.push_back(static_cast<std::uint32_t>(arc));
    if (arcs.size() % kStepsBetweenLooks == 0) {
      if (has_passed(deadline)) return OutOfTime{};
      const std::uint64_t bytes = kTracedStepBytes * arcs.size();
      if (bytes > max_memory) return tpn::TooLarge{tpn::LimitKind::sweep_bytes, Integer(bytes), max_memory};
    }
    if (!is_new_segment) continue;
    std::size_t& before = seen[walk.clock()];
    if (before != 0) {
      arcs.erase(arcs.begin(), arcs.begin() + static_cast<std::ptrdiff_t>(before - 1));
      arcs.shrink_to_fit();
      break;
    }
    before = arcs.size() + 1;
  }
  CriticalCircuit circuit;
  circuit.data_set = walk.row();
  circuit.steps.reserve(arcs.size());
  for (; !arcs.empty(); arcs.pop_back()) {
    circuit.steps.push_back({tpn::ColumnIndex(layout.arcs[arcs.back()].column), layout.arcs[arcs.back()].height});
  }
  return circuit;
}

}  // namespace takt::evaluators
