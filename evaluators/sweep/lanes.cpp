// Windows of rows, tables of durations in the order of the rows, and keys of clocks and origins.
#include "evaluators/sweep/lanes.hpp"

#include <algorithm>
#include <cstring>
#include <span>

namespace takt::evaluators {

namespace {

using Number = LanePasses::Number;

constexpr std::size_t kAlignment = kLanesAtOnce * sizeof(Number);

// Ends of a column that are held at once, beside those that are still waited for: the windows of a chain of some ten
// columns fit the first cache.
constexpr std::size_t kWindowNumbers = 384;

// Rows of a segment at least, in greatest heights.
constexpr std::uint64_t kSegmentHeights = 24;

// The same for more segments than hide the latency of a vector: where they are this long, a start costs little.
constexpr std::uint64_t kLongSegmentHeights = 256;

// The same where columns do not wait for later ones: they may run apart for ever, and clocks of such nets travel from
// segment to segment, one per pass.
constexpr std::uint64_t kLooseSegmentHeights = 96;

// Rows of a warm start, in greatest heights.
constexpr std::uint64_t kWarmHeights = 16;

// Keys stay below this, so that the sum of two does not wrap.
constexpr Int128 kLargestKey = static_cast<Int128>(1) << 62;

Number* aligned(std::vector<Number>& buffer, std::size_t size) {
  buffer.resize(size + kLanesAtOnce);
  const auto address = reinterpret_cast<std::uintptr_t>(buffer.data());
  return buffer.data() + (kAlignment - address % kAlignment) % kAlignment / sizeof(Number);
}

// Cuts the columns wherever no dependence leads back; blocks of at most `window` rows.
std::vector<LaneGroup> groups_of(const SweepLayout& layout, std::size_t window) {
  std::vector<LaneGroup> groups;
  std::size_t reach = 0;  // the last column that those so far wait for
  for (std::size_t c = 0; c < layout.columns.size(); ++c) {
    if (groups.empty() || c > reach) groups.push_back({0, window});
    LaneGroup& group = groups.back();
    ++group.columns;
    for_each_arc(layout.columns[c], 0, [&](std::size_t arc) {
      if (layout.arcs[arc].column < c) return;
      reach = std::max(reach, layout.arcs[arc].column);
      group.block = std::min<std::size_t>(group.block, layout.arcs[arc].height);
    });
    reach = std::max(reach, c);
  }
  return groups;
}

}  // namespace

LaneShape shape_of(const SweepLayout& layout) {
  LaneShape shape;
  shape.instructions = best_instructions();
  const bool coupled = groups_of(layout, 1).size() == 1;
  if (coupled && layout.rows / 32 >= kLongSegmentHeights * layout.longest) {
    shape.lanes = 32;
  } else if (coupled && layout.rows / 16 >= kSegmentHeights * layout.longest) {
    shape.lanes = 16;
  } else if (layout.rows / 8 >= (coupled ? kSegmentHeights : kLooseSegmentHeights) * layout.longest) {
    shape.lanes = 8;
  }
  shape.warm_rows = std::min(layout.rows / shape.lanes, kWarmHeights * layout.longest);
  return shape;
}

LanePasses::LanePasses(const tpn::FoldedNet& net, const SweepLayout& layout, const LaneShape& shape)
    : net_(net), layout_(layout), shape_(shape), kernels_(lane_kernels(shape.instructions)) {
  maxplus::expects(layout.plain, "a net without guards");
  maxplus::expects(shape.lanes == 1 || layout.rows / shape.lanes >= std::max(layout.longest, shape.warm_rows),
                   "segments are as long as the greatest height");
  maxplus::expects(shape.warm_rows <= layout.rows, "a warm start of at most all rows");
  first_rows_.reserve(shape.lanes + 1);
  for (std::size_t s = 0; s <= shape.lanes; ++s) {
    first_rows_.push_back(layout.rows / shape.lanes * s + std::min<std::uint64_t>(s, layout.rows % shape.lanes));
  }
  steps_ = first_rows_[1];  // the first segments take what the division leaves
  window_ = std::min(std::max<std::uint64_t>(kWindowNumbers / shape.lanes, layout.longest), steps_);
  groups_ = groups_of(layout, window_);
  place_columns();
  link_columns();
}

// Where each column's numbers go.
void LanePasses::place_columns() {
  const std::size_t count = layout_.columns.size();
  const std::size_t lanes = shape_.lanes;
  const std::size_t ragged = layout_.rows % lanes == 0 ? 0 : 1;  // shorter segments end a row before the last
  columns_.resize(count);
  places_.resize(count);
  std::size_t ends = 0;
  std::size_t durations = 0;
  std::size_t c = 0;
  for (const LaneGroup& group : groups_) {
    for (const std::size_t last = c + group.columns; c < last; ++c) {
      ColumnMemory& place = places_[c];
      place.history = layout_.columns[c].longest + ragged;
      place.ends = ends;
      ends += (place.history + window_) * lanes;
      columns_[c].period = std::min(net_.pipeline.columns[c].period, steps_ + shape_.warm_rows);
      place.durations = durations;
      place.duration_rows = columns_[c].period + group.block;
      durations += place.duration_rows * lanes;
      columns_[c].inputs = layout_.columns[c].always;
      maxplus::expects(columns_[c].inputs > 0, "every operation waits for another");
    }
  }
  ends_ = aligned(ends_buffer_, ends);
  durations_ = aligned(durations_buffer_, durations);
}

// What each column reads and writes.
void LanePasses::link_columns() {
  const std::size_t lanes = shape_.lanes;
  std::size_t many = 0;
  for (const LaneColumn& column : columns_) {
    if (column.inputs > 2) many += column.inputs - 2;
  }
  more_inputs_.reserve(many);
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    LaneColumn& column = columns_[c];
    column.out = ends_ + window_at(c);
    column.durations = durations_ + places_[c].durations;
    const auto input = [&](std::size_t k) {
      const Incoming& in = layout_.arcs[layout_.columns[c].first_arc + k];
      return ends_ + window_at(in.column) - in.height * lanes;
    };
    column.first = input(0);
    if (column.inputs > 1) column.second = input(1);
    if (column.inputs > 2) column.more = more_inputs_.data() + more_inputs_.size();
    for (std::size_t k = 2; k < column.inputs; ++k) more_inputs_.push_back(input(k));
  }
  token_at_.reserve(layout_.tokens.size());
  for (const TokenHolder& token : layout_.tokens) token_at_.push_back(window_at(token.column) - token.back * lanes);
}

// A path within a segment visits an operation once: it is no longer than the rows' totals together.
bool LanePasses::fits(Number spread, Number factor) const {
  if (!layout_.row_total.fits_slong_p()) return false;
  const Int128 rows_total = static_cast<Int128>(layout_.row_total.get_si()) * static_cast<Int128>(steps_);
  const Int128 limit = kLargestKey >> layout_.origin_bits;
  return rows_total < limit / factor && static_cast<Int128>(spread) + rows_total * factor + 1 < limit;
}

// The table of a column: what lane s needs on its rows from -warm_rows on, until that repeats.
void LanePasses::fill_durations(Number multiple) {
  if (multiple == multiple_) return;
  multiple_ = multiple;
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    const tpn::Column& column = net_.pipeline.columns[c];
    const std::span<const std::int64_t> table = *column.table.narrow();  // all fit, as row_total does
    Number* const out = durations_ + places_[c].durations;
    const std::size_t rows = places_[c].duration_rows;
    for (std::size_t s = 0; s < shape_.lanes; ++s) {
      const std::uint64_t first = layout_.rows + first_rows_[s] - shape_.warm_rows;
      std::size_t sender = first % column.sender_offset.size();
      std::size_t receiver = first % column.receiver_offset.size();
      for (std::size_t r = 0; r < rows; ++r) {
        out[r * shape_.lanes + s] = table[column.sender_offset[sender] + column.receiver_offset[receiver]] * multiple;
        if (++sender == column.sender_offset.size()) sender = 0;
        if (++receiver == column.receiver_offset.size()) receiver = 0;
      }
    }
  }
}

bool LanePasses::play(std::uint64_t rows, LaneKernel kernel, const Deadline& deadline) {
  const std::uint64_t rows_between_readings =
      kOperationsBetweenClockReadings / (shape_.lanes * columns_.size()) + window_;
  std::uint64_t next_reading = 0;
  for (std::uint64_t row = 0; row < rows; row += window_) {
    if (row >= next_reading) {
      if (has_passed(deadline)) return false;
      next_reading += rows_between_readings;
    }
    const std::size_t here = std::min<std::uint64_t>(window_, rows - row);
    kernel({columns_, groups_, here, shape_.lanes, flags_a_row_});
    for (LaneColumn& column : columns_) {
      if (column.flags != nullptr) column.flags += here * flags_a_row_;
    }
    for (const ColumnMemory& place : places_) {
      if (place.history == 0) continue;
      Number* const history = ends_ + place.ends;
      std::memmove(history, history + here * shape_.lanes, place.history * shape_.lanes * sizeof(Number));
    }
  }
  return true;
}

PassOutcome LanePasses::guess(const Deadline& deadline, std::vector<Number>& clocks) {
  const std::size_t tokens = layout_.tokens.size();
  clocks.assign(shape_.lanes * tokens, 0);
  if (!fits(0, 1)) return PassOutcome::too_wide;
  fill_durations(static_cast<Number>(1) << layout_.origin_bits);
  std::fill_n(ends_, ends_buffer_.size() - kLanesAtOnce, 0);
  for (LaneColumn& column : columns_) column.position = 0;
  if (!play(shape_.warm_rows, kernels_.play, deadline)) return PassOutcome::out_of_time;
  for (std::size_t s = 0; s < shape_.lanes; ++s) {
    for (std::size_t t = 0; t < tokens; ++t) clocks[s * tokens + t] = key(t, s) >> layout_.origin_bits;
  }
  return PassOutcome::done;
}

Number LanePasses::spread_of(const std::vector<Number>& clocks) const {
  const std::size_t tokens = layout_.tokens.size();
  Number spread = 0;
  for (std::size_t s = 0; s < shape_.lanes; ++s) {
    const auto [low, high] = std::minmax_element(clocks.begin() + static_cast<std::ptrdiff_t>(s * tokens),
                                                 clocks.begin() + static_cast<std::ptrdiff_t>((s + 1) * tokens));
    spread = std::max(spread, *high - *low);
  }
  return spread;
}

bool LanePasses::start(const std::vector<Number>& clocks, Number factor, const std::vector<bool>* marked) {
  if (!fits(spread_of(clocks), factor)) return false;
  fill_durations(factor << layout_.origin_bits);
  const std::size_t tokens = layout_.tokens.size();
  base_.resize(shape_.lanes);
  for (std::size_t s = 0; s < shape_.lanes; ++s) {
    const Number* const own = clocks.data() + s * tokens;
    base_[s] = *std::min_element(own, own + tokens);
    for (std::size_t t = 0; t < tokens; ++t) {
      const Number low = marked == nullptr ? static_cast<Number>(t) : Number{(*marked)[s * tokens + t]};
      key(t, s) = ((own[t] - base_[s]) << layout_.origin_bits) + low;
    }
  }
  for (LaneColumn& column : columns_) column.position = shape_.warm_rows % column.period;
  return true;
}

PassOutcome LanePasses::run(const std::vector<Number>& clocks, Number factor, const Deadline& deadline,
                            ClockArcs<Number>& arcs) {
  if (!start(clocks, factor, nullptr)) return PassOutcome::too_wide;
  if (!play(steps_, kernels_.play, deadline)) return PassOutcome::out_of_time;
  const std::size_t tokens = layout_.tokens.size();
  arcs.values.resize(clocks.size());
  arcs.origins.resize(clocks.size());
  const Number low_bits = (static_cast<Number>(1) << layout_.origin_bits) - 1;
  for (std::size_t s = 0; s < shape_.lanes; ++s) {
    const std::uint64_t ended = steps_ - (first_rows_[s + 1] - first_rows_[s]);
    const std::size_t next = (s + 1 == shape_.lanes ? 0 : s + 1) * tokens;
    for (std::size_t t = 0; t < tokens; ++t) {
      const Number end = key(t, s, ended);
      arcs.values[next + t] = (end >> layout_.origin_bits) + base_[s];
      arcs.origins[next + t] = static_cast<std::uint32_t>(s * tokens + static_cast<std::size_t>(end & low_bits));
    }
  }
  return PassOutcome::done;
}

PassOutcome LanePasses::record(const std::vector<Number>& clocks, Number factor, const std::vector<bool>& marked,
                               const Deadline& deadline) {
  if (!start(clocks, factor, &marked)) return PassOutcome::too_wide;
  flags_at_.resize(columns_.size());
  flags_a_row_ = 0;
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    flags_at_[c] = flags_a_row_;
    flags_a_row_ += (columns_[c].inputs - 1) * flag_bytes(shape_.lanes);
  }
  flags_.resize(steps_ * flags_a_row_);
  for (std::size_t c = 0; c < columns_.size(); ++c) columns_[c].flags = flags_.data() + flags_at_[c];
  return play(steps_, kernels_.record, deadline) ? PassOutcome::done : PassOutcome::out_of_time;
}

std::size_t LanePasses::chosen_arc(std::size_t segment, std::uint64_t row, std::size_t column) const {
  const std::size_t bytes = flag_bytes(shape_.lanes);
  const std::uint8_t* const flags =
      flags_.data() + (row - first_rows_[segment]) * flags_a_row_ + flags_at_[column] + segment / 8;
  std::size_t input = columns_[column].inputs - 1;
  while (input > 0 && (flags[(input - 1) * bytes] >> (segment % 8) & 1) == 0) --input;
  return layout_.columns[column].first_arc + input;
}

}  // namespace takt::evaluators
