// Largest ratios of mappings whose times are ticks: columns in reused memory, cheapest bounds first.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "evaluators/kernel/period.hpp"
#include "evaluators/kernel/ratio_search.hpp"
#include "tpn/document.hpp"
#include "tpn/problem_view.hpp"

namespace takt::evaluators {

/// Products of two 64-bit integers fit 127 bits and a sign.
inline bool less(const NarrowFraction& a, const NarrowFraction& b) {
  return static_cast<Int128>(a.numerator) * b.denominator < static_cast<Int128>(b.numerator) * a.denominator;
}

/// Ticks per data set that an answer need not be finished beyond: above, or also where reached.
struct TickCutoff {
  NarrowFraction ticks{1, 0};  // denominator 0: none
  bool when_reached = false;

  bool is_passed_by(const NarrowFraction& lower) const {
    return ticks.denominator != 0 && (when_reached ? !less(lower, ticks) : less(ticks, lower));
  }
};

/// How far an answer goes: what evaluate() asks for, or the largest cycle time only.
enum class SolveFor { period, cycle_time };

/// `exact`, `cut_off` and `interval` as MappingAnswer, in ticks per data set; `too_large`: beyond the limit and no
/// bound known; `unfit`: 64 bits don't do.
enum class TickAnswerKind { exact, cut_off, interval, too_large, unfit };
struct TickAnswer {
  TickAnswerKind kind = TickAnswerKind::unfit;
  NarrowFraction lower;
  NarrowFraction upper;  // of `exact` and `interval`
};

/// Solves mappings of one problem, one after the other, in memory that grows to the largest so far.
class MappingSolver {
 public:
  /// Keeps references into the problem, whose timing throws for times that are absent, and to the times.
  MappingSolver(const tpn::ProblemView& problem, const tpn::TickTimes& times, std::uint64_t max_operations);

  const tpn::TickTimes& times() const { return times_; }

  /// The mapping as MappingEvaluator takes it. Where the times are rounded down, so is the answer.
  TickAnswer solve(std::span<const tpn::Part> mapping, tpn::Model model, const TickCutoff& cutoff, SolveFor aim);

 private:
  // A part of the net, the outside world's ends included, as an interval of entries_.
  struct ListedPart {
    const std::size_t* processors = nullptr;
    std::size_t first_stage = 0;  // of a mapped part
    std::size_t last_stage = 0;
    std::uint32_t length = 0;  // entries of the sequence
    std::uint32_t first_entry = 0;
    std::uint32_t first_node = 0;  // its processors' numbers, where no processor serves two parts
    std::uint32_t nodes = 0;
    std::uint32_t at = 0;      // the current entry, during a pass
    std::int64_t longest = 0;  // computation

    bool is_distinct() const { return nodes == length; }
  };
  // What a processor does for one entry.
  struct EntryWork {
    std::uint32_t node = 0;
    std::int64_t computation = 0;
  };
  // A transfer and the computation that follows it. In OVERLAP the nodes are ports' clocks.
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

  void list_parts(std::span<const tpn::Part> mapping);
  /// Its processors' numbers are below `limit`.
  void add_part(std::span<const std::size_t> processors, std::size_t limit, std::size_t first_stage,
                std::size_t last_stage);
  void list_computations();
  /// The transfers of `part` to the next one; false where there are too many operations. Clocks are the
  /// nodes' numbers plus what is given, modulo 2^32.
  bool list_steps(std::size_t part, std::uint32_t sender_clocks, std::uint32_t receiver_clocks);
  std::span<const TransferStep> steps_of(const TransferColumn& column) const {
    return std::span(steps_).subspan(column.first_step, column.length);
  }
  bool is_source(std::size_t part) const { return has_source_ && part == 0; }
  bool is_sink(std::size_t part) const { return has_sink_ && part + 1 == parts_.size(); }
  std::int64_t transfer(std::size_t part, std::size_t from, std::size_t to) const;
  void throw_for_computation(const ListedPart& part, std::size_t processor) const;
  void throw_for_transfer(std::size_t part, std::size_t from, std::size_t to) const;

  std::optional<std::uint64_t> count_rows() const;
  // Ticks of all columns, each with its longest operation.
  std::int64_t sequential_ticks() const;
  // To the sums of cycles over so many data sets; false where a sum may leave 64 bits.
  bool add_computations(std::uint64_t data_sets);
  bool add_transfers(const TransferColumn& column, std::uint64_t data_sets);
  bool raise_by_computations(NarrowFraction& best);
  static bool is_settled(const ListedPart& senders, const ListedPart& receivers);

  TickAnswer solve_columns(const TickCutoff& cutoff, SolveFor aim);
  TickAnswer solve_strict(const TickCutoff& cutoff, SolveFor aim);
  TickAnswer solve_shared_ports(const TickCutoff& cutoff, SolveFor aim);
  void play_shared_ports(std::uint64_t rows, std::int64_t* keys, std::int64_t unit);
  TickAnswer bound_strict(const TickCutoff& cutoff, SolveFor aim);
  void add_strict_operations(std::size_t i, std::uint64_t data_sets);
  SearchEnd search_column(std::size_t part, const TickCutoff& cutoff, NarrowFraction& best);
  /// Raises lambda to the largest ratio of the map of clocks that `play` plays once, or until stop(lambda), and says
  /// how it ended. play(keys, unit) starts from the clocks' keys; each operation adds its ticks times `unit`, and no
  /// path of a pass has more than `longest_path` ticks.
  template <typename Play, typename Stop>
  SearchEnd search(std::size_t clocks, std::int64_t longest_path, NarrowFraction& lambda, Play play, Stop stop);
  template <typename Pass>
  TickAnswer search_rows(std::uint64_t rows, std::size_t clocks, const TickCutoff& cutoff, SolveFor aim, Pass pass);

  const tpn::Document& problem_;
  const tpn::Timing& timing_;
  const tpn::TickTimes& times_;
  std::uint64_t max_operations_;
  bool has_source_;
  bool has_sink_;
  std::array<std::size_t, 2> ends_;  // the processors "source" and "sink"

  std::vector<ListedPart> parts_;
  std::vector<EntryWork> entries_;
  std::vector<TransferColumn> columns_;
  std::vector<TransferStep> steps_;
  std::vector<std::uint64_t> sums_;  // by clock
  bool shared_ = false;              // a processor serves two parts
  std::uint32_t nodes_ = 0;
  // By processor: its node and part in the evaluation of that number.
  struct SeenProcessor {
    std::uint64_t evaluation = 0;
    std::uint32_t node = 0;
    std::uint32_t part = 0;
  };
  std::vector<SeenProcessor> seen_;
  std::uint64_t evaluation_ = 0;
  std::vector<std::int64_t> keys_;  // of a pass, by clock: value * 2^bits + the clock it came from
  RatioSearch<std::int64_t, Evidence::dropped> search_;
};

}  // namespace takt::evaluators
