// One pass of a sweep over all rows, in numbers of 64 or 128 bits or of any size.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "evaluators/evaluation.hpp"
#include "evaluators/numbers.hpp"
#include "evaluators/sweep_plan.hpp"

namespace takt::evaluators {

inline Integer shifted(const Integer& value, int bits) { return value << static_cast<mp_bitcnt_t>(bits); }

// One pass y = A x: for each token its value and the token its path came from.
struct Pass {
  std::vector<Integer> values;
  std::vector<std::size_t> origins;
};

inline constexpr std::uint64_t kRowsBetweenClockReadings = 1 << 14;

// The passes of one net with durations scaled by `factor`, in one kind of number.
template <typename Number>
class Sweeper {
 public:
  Sweeper(const tpn::FoldedNet& net, const Plan& plan, const Integer& factor) : plan_(plan) {
    for (const tpn::Column& column : net.pipeline.columns) {
      Durations durations{column.sender_offset, column.receiver_offset, {}};
      durations.table.reserve(column.table.size());
      for (std::size_t k = 0; k < column.table.size(); ++k)
        durations.table.push_back(narrow<Number>(shifted(column.table[k] * factor, plan.origin_bits)));
      durations_.push_back(std::move(durations));
    }
  }

  // `choices`, where not null, takes for each operation (row * columns + column) the position of the
  // predecessor it waited for longest. Nothing if the deadline passed.
  std::optional<Pass> run(const std::vector<Integer>& x, const Deadline& deadline, std::vector<std::uint8_t>* choices) {
    std::vector<Number> ends(plan_.slots);
    for (std::size_t t = 0; t < plan_.tokens.size(); ++t) {
      const Token& token = plan_.tokens[t];
      ends[slot(token.column, -token.back)] =
          narrow<Number>(shifted(x[t], plan_.origin_bits) + static_cast<unsigned long>(t));
    }
    std::vector<std::uint64_t> sender_entry(durations_.size(), 0);
    std::vector<std::uint64_t> receiver_entry(durations_.size(), 0);
    for (std::uint64_t row = 0; row < plan_.rows; ++row) {
      if (row % kRowsBetweenClockReadings == 0 && has_passed(deadline)) return std::nullopt;
      for (std::size_t c = 0; c < durations_.size(); ++c) {
        const Durations& d = durations_[c];
        const Number& duration = d.table[d.sender_offset[sender_entry[c]] + d.receiver_offset[receiver_entry[c]]];
        if (++sender_entry[c] == d.sender_offset.size()) sender_entry[c] = 0;
        if (++receiver_entry[c] == d.receiver_offset.size()) receiver_entry[c] = 0;
        const Number* latest =
            choices ? latest_end<true>(ends, c, row, choices) : latest_end<false>(ends, c, row, nullptr);
        ends[slot(c, row)] = *latest + duration;
      }
    }
    Pass pass;
    for (const Token& token : plan_.tokens) {
      const Integer key = widen<Number>(ends[slot(token.column, plan_.rows - token.back)]);
      const Integer value = key >> static_cast<mp_bitcnt_t>(plan_.origin_bits);
      pass.origins.push_back(Integer(key - shifted(value, plan_.origin_bits)).get_ui());
      pass.values.push_back(value);
    }
    return pass;
  }

 private:
  struct Durations {
    std::vector<std::size_t> sender_offset;
    std::vector<std::size_t> receiver_offset;
    std::vector<Number> table;
  };

  std::size_t slot(std::size_t column, std::uint64_t data_set) const {
    return plan_.columns[column].ring + (data_set & plan_.columns[column].mask);
  }

  template <bool kRecord>
  const Number* latest_end(const std::vector<Number>& ends, std::size_t c, std::uint64_t row,
                           std::vector<std::uint8_t>* choices) const {
    const Plan::ColumnPlan& column = plan_.columns[c];
    const Number* latest = nullptr;
    std::size_t position = 0;
    std::size_t chosen = 0;
    for_each_incoming(column, row, [&](const Incoming& in) {
      const Number& end = ends[slot(in.column, row - in.height)];
      if (latest == nullptr || end > *latest) {
        latest = &end;
        if constexpr (kRecord) chosen = position;
      }
      if constexpr (kRecord) ++position;
    });
    maxplus::expects(latest != nullptr, "every operation waits for another");
    if constexpr (kRecord) {
      maxplus::expects(position <= 256, "an operation waits for at most 256 others");
      (*choices)[row * plan_.columns.size() + c] = static_cast<std::uint8_t>(chosen);
    }
    return latest;
  }

  const Plan& plan_;
  std::vector<Durations> durations_;
};

}  // namespace takt::evaluators
