// The fast passes of a sweep: segments of the rows side by side in vectors of 64 bit keys.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "evaluators/evaluation.hpp"
#include "evaluators/kernel/ratio_search.hpp"
#include "evaluators/sweep/kernels.hpp"
#include "evaluators/sweep/layout.hpp"

namespace takt::evaluators {

/// How a net's rows are played.
struct LaneShape {
  std::size_t lanes = 1;        // segments of the rows: 1, or a multiple of kLanesAtOnce
  std::uint64_t warm_rows = 0;  // rows before each segment that are played from clocks 0 to guess its clocks
  Instructions instructions = Instructions::portable;
};

/// The shape that suits a plain net.
LaneShape shape_of(const SweepLayout& layout);

/// Passes over a plain net. Lane s plays rows first_row(s) to first_row(s + 1) - 1 of the net.
class LanePasses {
 public:
  using Number = std::int64_t;

  /// Every segment must have at least as many rows as the greatest height and the warm start, or be the only one.
  LanePasses(const tpn::FoldedNet& net, const SweepLayout& layout, const LaneShape& shape);
  LanePasses(const LanePasses&) = delete;  // columns_ points into the other members
  LanePasses& operator=(const LanePasses&) = delete;

  std::size_t segments() const { return shape_.lanes; }
  std::uint64_t first_row(std::size_t segment) const { return first_rows_[segment]; }  // of segments() too: all rows

  /// Guesses the clocks: the last rows before each segment, played from clocks 0.
  PassOutcome guess(const Deadline& deadline, std::vector<Number>& clocks);
  /// One pass from clocks in units of 1 / factor.
  PassOutcome run(const std::vector<Number>& clocks, Number factor, const Deadline& deadline, ClockArcs<Number>& arcs);
  /// The same, recording the arcs chosen; among the longest paths those that start at a marked clock win.
  PassOutcome record(const std::vector<Number>& clocks, Number factor, const std::vector<bool>& marked,
                     const Deadline& deadline);
  /// The arc from the predecessor that an operation of the recorded pass waited for.
  std::size_t chosen_arc(std::size_t segment, std::uint64_t row, std::size_t column) const;

 private:
  // Where a column's numbers are.
  struct ColumnMemory {
    std::size_t history = 0;        // rows before the window that are kept
    std::size_t ends = 0;           // the first of them in ends_
    std::size_t durations = 0;      // in durations_
    std::size_t duration_rows = 0;  // one period, and as many more as a block may need
  };

  bool fits(Number spread, Number factor) const;
  Number spread_of(const std::vector<Number>& clocks) const;
  void place_columns();
  void link_columns();
  void fill_durations(Number multiple);
  // Sets the keys and the rows to begin with. The low bits number the tokens, or say which are marked.
  bool start(const std::vector<Number>& clocks, Number factor, const std::vector<bool>* marked);
  bool play(std::uint64_t rows, LaneKernel kernel, const Deadline& deadline);
  // The key of a token when the last `ended` of the played rows count no more.
  const Number& key(std::size_t token, std::size_t lane, std::uint64_t ended) const {
    return ends_[token_at_[token] + lane - ended * shape_.lanes];
  }
  Number& key(std::size_t token, std::size_t lane) { return ends_[token_at_[token] + lane]; }
  // Row 0 of a column's window.
  std::size_t window_at(std::size_t column) const {
    return places_[column].ends + places_[column].history * shape_.lanes;
  }

  const tpn::FoldedNet& net_;
  const SweepLayout& layout_;
  LaneShape shape_;
  LaneKernels kernels_;
  std::uint64_t steps_ = 0;  // rows of the longest segment
  std::vector<LaneGroup> groups_;
  std::size_t window_ = 1;  // rows
  std::vector<std::uint64_t> first_rows_;
  std::vector<LaneColumn> columns_;
  std::vector<const Number*> more_inputs_;
  std::vector<ColumnMemory> places_;
  std::vector<std::size_t> token_at_;  // lane 0's number in ends_
  std::vector<Number> ends_buffer_;
  std::vector<Number> durations_buffer_;
  Number* ends_ = nullptr;       // aligned
  Number* durations_ = nullptr;  // aligned
  Number multiple_ = 0;          // that durations_ are scaled by
  std::vector<Number> base_;     // by lane: what keys count from
  std::size_t flags_a_row_ = 0;
  std::vector<std::uint8_t> flags_;
  std::vector<std::size_t> flags_at_;  // by column, within a row
};

}  // namespace takt::evaluators
