// The general passes of a sweep: row by row, with guards, in numbers of 64 or 128 bits or of any size.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

#include "evaluators/evaluation.hpp"
#include "evaluators/kernel/numbers.hpp"
#include "evaluators/kernel/ratio_search.hpp"
#include "evaluators/sweep/layout.hpp"

namespace takt::evaluators {

inline Integer shifted(const Integer& value, int bits) { return value << static_cast<mp_bitcnt_t>(bits); }

/// Passes over any net, all rows in one segment. Clocks are `Number`s, the keys of a pass `Key`s.
template <typename NumberType, typename Key>
class RowPasses {
 public:
  using Number = NumberType;

  RowPasses(const tpn::FoldedNet& net, const SweepLayout& layout)
      : net_(net), layout_(layout), rings_(layout.columns.size()) {
    for (std::size_t c = 0; c < layout.columns.size(); ++c) {
      rings_[c].first = slots_;
      while (rings_[c].mask < layout.columns[c].longest) rings_[c].mask = 2 * rings_[c].mask + 1;
      slots_ += rings_[c].mask + 1;
    }
  }

  std::size_t segments() const { return 1; }
  std::uint64_t first_row(std::size_t segment) const { return segment == 0 ? 0 : layout_.rows; }

  /// Clocks 0.
  PassOutcome guess(const Deadline& /*deadline*/, std::vector<Number>& clocks) {
    clocks.assign(layout_.tokens.size(), Number(0));
    return PassOutcome::done;
  }

  /// One pass from clocks in units of 1 / factor.
  PassOutcome run(const std::vector<Number>& clocks, const Number& factor, const Deadline& deadline,
                  ClockArcs<Number>& arcs) {
    std::vector<std::uint32_t> low(clocks.size());
    for (std::size_t t = 0; t < low.size(); ++t) low[t] = static_cast<std::uint32_t>(t);
    std::vector<Key> ends;
    const PassOutcome outcome = play<false>(clocks, low, widen(factor), deadline, ends);
    if (outcome != PassOutcome::done) return outcome;
    arcs.values.resize(clocks.size());
    arcs.origins.resize(clocks.size());
    for (std::size_t t = 0; t < clocks.size(); ++t) {
      const Integer key = widen<Key>(ends[slot(layout_.tokens[t].column, layout_.rows - layout_.tokens[t].back)]);
      const Integer value = key >> static_cast<mp_bitcnt_t>(layout_.origin_bits);
      arcs.origins[t] = static_cast<std::uint32_t>(Integer(key - shifted(value, layout_.origin_bits)).get_ui());
      arcs.values[t] = narrow<Number>(value);
    }
    return outcome;
  }

  /// The same without a deadline, recording the arcs chosen; among the longest paths those that start at a marked clock
  /// win.
  PassOutcome record(const std::vector<Number>& clocks, const Number& factor, const std::vector<bool>& marked,
                     const Deadline& deadline) {
    choices_.resize(layout_.rows * layout_.columns.size());
    far_choices_.clear();
    std::vector<std::uint32_t> low(clocks.size());
    for (std::size_t t = 0; t < low.size(); ++t) low[t] = marked[t] ? 1 : 0;
    std::vector<Key> ends;
    return play<true>(clocks, low, widen(factor), deadline, ends);
  }

  /// The arc from the predecessor that an operation of the recorded pass waited for.
  std::size_t chosen_arc(std::size_t /*segment*/, std::uint64_t row, std::size_t column) const {
    std::size_t chosen = 0;
    const std::size_t operation = row * layout_.columns.size() + column;
    std::size_t position = choices_[operation];
    if (position == kFar) position = far_choices_.at(operation);
    for_each_arc(layout_.columns[column], row, [&](std::size_t arc) {
      if (position-- == 0) chosen = arc;
    });
    return chosen;
  }

 private:
  struct Durations {
    std::vector<std::size_t> sender_offset;
    std::vector<std::size_t> receiver_offset;
    std::vector<Key> table;
  };
  // A column's recent ends: a power of two of slots.
  struct RecentEnds {
    std::size_t first = 0;
    std::uint64_t mask = 0;
  };

  // |key| <= (max |clock| + total duration of all operations) * 2^bits + origin, and one bit for the sign.
  bool fits(const std::vector<Number>& clocks, const Integer& factor) const {
    if constexpr (std::is_same_v<Key, Integer>) {
      return true;
    } else {
      Integer largest = 0;
      for (const Number& value : clocks) largest = std::max(largest, Integer(abs(widen(value))));
      const Integer total = layout_.row_total * Integer(static_cast<unsigned long>(layout_.rows)) * factor;
      const Integer bound = shifted(largest + total + 1, layout_.origin_bits);
      return mpz_sizeinbase(bound.get_mpz_t(), 2) + 1 < 8 * sizeof(Key);
    }
  }

  void fill_durations(const Integer& factor) {
    if (factor == factor_) return;
    factor_ = factor;
    durations_.clear();
    for (const tpn::Column& column : net_.pipeline.columns) {
      Durations durations{column.sender_offset, column.receiver_offset, {}};
      durations.table.reserve(column.table.size());
      for (std::size_t k = 0; k < column.table.size(); ++k) {
        durations.table.push_back(narrow<Key>(shifted(column.table[k] * factor, layout_.origin_bits)));
      }
      durations_.push_back(std::move(durations));
    }
  }

  std::size_t slot(std::size_t column, std::uint64_t data_set) const {
    return rings_[column].first + (data_set & rings_[column].mask);
  }

  template <bool kRecord>
  PassOutcome play(const std::vector<Number>& clocks, const std::vector<std::uint32_t>& low, const Integer& factor,
                   const Deadline& deadline, std::vector<Key>& ends) {
    if (!fits(clocks, factor)) return PassOutcome::too_wide;
    fill_durations(factor);
    ends.assign(slots_, Key(0));
    for (std::size_t t = 0; t < clocks.size(); ++t) {
      const TokenHolder& token = layout_.tokens[t];
      const Integer key = shifted(widen(clocks[t]), layout_.origin_bits) + static_cast<unsigned long>(low[t]);
      ends[slot(token.column, -token.back)] = narrow<Key>(key);
    }
    const std::size_t columns = durations_.size();
    const std::uint64_t rows_between_readings = kOperationsBetweenClockReadings / columns + 1;
    std::vector<std::uint64_t> sender_entry(columns, 0);
    std::vector<std::uint64_t> receiver_entry(columns, 0);
    for (std::uint64_t row = 0; row < layout_.rows; ++row) {
      if (row % rows_between_readings == 0) {
        if (has_passed(deadline)) return PassOutcome::out_of_time;
        if (auto* listener = deadline.listener()) listener->on_share(share_of(row, layout_.rows));
      }
      for (std::size_t c = 0; c < columns; ++c) {
        const Durations& d = durations_[c];
        const Key& duration = d.table[d.sender_offset[sender_entry[c]] + d.receiver_offset[receiver_entry[c]]];
        if (++sender_entry[c] == d.sender_offset.size()) sender_entry[c] = 0;
        if (++receiver_entry[c] == d.receiver_offset.size()) receiver_entry[c] = 0;
        ends[slot(c, row)] = *latest_end<kRecord>(ends, c, row) + duration;
      }
    }
    return PassOutcome::done;
  }

  template <bool kRecord>
  const Key* latest_end(const std::vector<Key>& ends, std::size_t c, std::uint64_t row) {
    const Key* latest = nullptr;
    std::size_t position = 0;
    std::size_t chosen = 0;
    for_each_arc(layout_.columns[c], row, [&](std::size_t arc) {
      const Incoming& in = layout_.arcs[arc];
      const Key& end = ends[slot(in.column, row - in.height)];
      if (latest == nullptr || end > *latest) {
        latest = &end;
        if constexpr (kRecord) chosen = position;
      }
      if constexpr (kRecord) ++position;
    });
    maxplus::expects(latest != nullptr, "every operation waits for another");
    if constexpr (kRecord) {
      const std::size_t operation = row * layout_.columns.size() + c;
      choices_[operation] = static_cast<std::uint8_t>(std::min<std::size_t>(chosen, kFar));
      if (chosen >= kFar) far_choices_[operation] = chosen;
    }
    return latest;
  }

  const tpn::FoldedNet& net_;
  const SweepLayout& layout_;
  std::vector<RecentEnds> rings_;
  std::size_t slots_ = 0;
  Integer factor_ = 0;  // that durations_ are scaled by
  std::vector<Durations> durations_;
  // Of its predecessors, which one each operation waited for: few have more than a byte counts, but a window over a
  // last part of many replicas makes an operation wait for as many.
  static constexpr std::size_t kFar = 255;
  std::vector<std::uint8_t> choices_;  // kFar: see below
  std::unordered_map<std::size_t, std::size_t> far_choices_;
};

}  // namespace takt::evaluators
