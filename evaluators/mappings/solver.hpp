// Largest ratios of mappings whose times are ticks: columns in reused memory, cheapest bounds first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "evaluators/kernel/period.hpp"
#include "evaluators/mappings/key_search.hpp"
#include "evaluators/mappings/tick_answer.hpp"
#include "evaluators/mappings/tick_lists.hpp"
#include "tpn/document.hpp"

namespace takt::evaluators {

/// Solves mappings, one after the other, in memory that grows to the largest so far. `Times` says what a mapping is,
/// lists its parts and computations, and looks transfers up: ProblemTimes or TableTimes.
template <typename Times>
class MappingSolver {
 public:
  MappingSolver(Times times, std::uint64_t max_operations);

  const Times& times() const { return times_; }

  /// Lists the mapping that `solve` answers for, under whatever models.
  void begin(const typename Times::Mapping& mapping);
  /// Where the times are rounded down, so is the answer.
  TickAnswer solve(tpn::Model model, const TickCutoff& cutoff, SolveFor aim);

 private:
  // A transfer and the computation that follows it.
  struct TransferStep {
    std::int64_t transfer = 0;
    std::int64_t both = 0;
    std::uint32_t sender = 0;
    std::uint32_t receiver = 0;
  };
  // The steps of one transfer column, one for each data set until it repeats.
  struct TransferColumn {
    std::size_t first_step = 0;
    std::uint32_t length = 0;
    std::uint32_t at = 0;      // the current step, during a pass
    std::int64_t longest = 0;  // transfer
  };
  // Where a pass is in a column.
  struct StepCursor {
    const TransferStep* at = nullptr;
    const TransferStep* first = nullptr;
    const TransferStep* end = nullptr;
  };

  /// The transfers of `part` to the next one, unless they are listed: nothing, or why they are not.
  std::optional<TickAnswerKind> list_steps(std::size_t part);
  std::optional<TickAnswerKind> list_all_steps();
  std::span<const TransferStep> steps_of(const TransferColumn& column) const {
    return std::span(steps_).subspan(column.first_step, column.length);
  }

  std::optional<std::uint64_t> count_rows() const;
  // Ticks of all columns, each with its longest operation.
  std::int64_t sequential_ticks() const;
  // What an entry of a part does, over a number of data sets that its lengths divide: each way, or all together.
  struct Repeats {
    std::uint64_t computations = 0;
    std::uint64_t receptions = 0;
    std::uint64_t sendings = 0;
  };
  Repeats repeats_of(std::size_t part, std::uint64_t data_sets) const;
  void add_all_operations(std::size_t part, std::uint64_t data_sets, std::uint64_t* sums) const;
  std::int64_t busiest(const ListedPart& part, std::uint64_t EntryWork::*ticks);
  static bool is_settled(const ListedPart& senders, const ListedPart& receivers);

  TickAnswer solve_columns(const TickCutoff& cutoff, SolveFor aim);
  TickAnswer solve_strict(const TickCutoff& cutoff, SolveFor aim);
  TickAnswer solve_shared_ports(const TickCutoff& cutoff, SolveFor aim);
  void play_strict(std::uint64_t rows, std::int64_t* keys, std::int64_t unit);
  void play_shared_ports(std::uint64_t rows, std::int64_t* keys, std::int64_t unit);
  TickAnswer bound_strict(const TickCutoff& cutoff, SolveFor aim);
  SearchEnd search_column(std::size_t part, const TickCutoff& cutoff, NarrowFraction& best);
  template <typename Pass>
  TickAnswer search_rows(std::uint64_t rows, std::size_t clocks, const TickCutoff& cutoff, SolveFor aim, Pass pass);

  Times times_;
  std::uint64_t max_operations_;

  TickLists lists_;
  bool is_listed_ = false;  // and within limits, with computations
  std::vector<TransferColumn> columns_;
  std::vector<TransferStep> steps_;
  std::vector<StepCursor> cursors_;
  std::vector<std::uint64_t> sums_;  // by clock
  KeySearch search_;
};

}  // namespace takt::evaluators
