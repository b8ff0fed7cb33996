// Largest ratios of mappings of workflows whose times are ticks.
//
// Problem. As evaluators/mappings/evaluator.hpp, for parts that receive from several others and send to several.
//
// Method. Columns as tpn/folded_net.hpp lays them out: the parts in order, behind each its transfers by receiver.
// Bounds by cycle times first. Then OVERLAP by clusters (tpn/clusters.hpp) where no processor serves two parts: the
// transfers that share ports, and computations that lead from such transfers back to them; each over the data sets
// after which its own sequences repeat. STRICT, and where a processor serves several parts, over the rows of the net.
// Under STRICT flow needs no look: each operation is behind the one that it waits for on a processor that has both.
//
// Invariant. As MappingSolver's: exact answers are the net's period.
//
// Cost. Linear in the pairs of processors that meet to bound, and in the operations of the clusters, or of the rows,
// a few times over, to search. No allocation once warm.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "evaluators/mappings/key_search.hpp"
#include "evaluators/mappings/problem_times.hpp"
#include "evaluators/mappings/tick_answer.hpp"
#include "evaluators/mappings/tick_lists.hpp"
#include "tpn/document.hpp"
#include "tpn/mapping_routes.hpp"
#include "tpn/problem_view.hpp"

namespace takt::evaluators {

class WorkflowSolver {
 public:
  /// Keeps references into the problem, and to the times.
  WorkflowSolver(const tpn::ProblemView& problem, const tpn::TickTimes& times, std::uint64_t max_operations);

  /// Lists the mapping that `solve` answers for, under whatever models.
  void begin(std::span<const tpn::Part> mapping);
  /// Where the times are rounded down, so is the answer.
  TickAnswer solve(tpn::Model model, const TickCutoff& cutoff, SolveFor aim);

 private:
  // An operation: a computation has its processor's node twice.
  struct Step {
    std::int64_t ticks = 0;
    std::uint32_t sender = 0;
    std::uint32_t receiver = 0;
  };
  // The computation of a part, or a transfer; its steps, one for each data set until it repeats.
  struct Column {
    std::uint32_t from = 0;  // listed parts; equal for a computation
    std::uint32_t to = 0;
    std::int64_t amount = 0;  // of a transfer
    std::size_t first_step = 0;
    std::uint32_t length = 0;
    std::int64_t longest = 0;

    bool is_computation() const { return from == to; }
  };
  // A column during a pass: offsets lead from nodes to clocks.
  struct Turn {
    const Step* at = nullptr;
    const Step* first = nullptr;
    const Step* end = nullptr;
    std::uint32_t from = 0;
    std::uint32_t to = 0;
    std::uint32_t sender_offset = 0;
    std::uint32_t receiver_offset = 0;

    const Step& next() {
      const Step& step = *at;
      if (++at == end) at = first;
      return step;
    }
  };
  // Of a part's columns: those that its processors send, receive, or all.
  enum class Ports { sending, receiving, all };

  void list_columns(std::span<const tpn::Part> mapping);
  std::optional<TickAnswerKind> list_steps();
  std::optional<TickAnswerKind> list_transfer(Column& column);
  std::optional<std::uint64_t> rows_of(std::span<const std::uint32_t> columns) const;
  std::int64_t sequential_ticks(std::span<const std::uint32_t> columns) const;
  std::optional<TickAnswerKind> raise_by_ports(std::uint32_t part, Ports which, NarrowFraction& best);
  std::optional<TickAnswerKind> raise_by_all_ports(const TickCutoff& cutoff, NarrowFraction& best);
  void add_up(std::span<const std::uint32_t> columns, std::uint64_t data_sets, Ports which, std::uint64_t* sums) const;

  TickAnswer solve_clusters(const TickCutoff& cutoff, SolveFor aim);
  TickAnswer solve_strict(const TickCutoff& cutoff, SolveFor aim);
  TickAnswer solve_shared_ports(const TickCutoff& cutoff, SolveFor aim);
  void find_clusters();
  void visit(std::uint32_t port_class);
  std::uint32_t class_of(std::uint32_t port);
  SearchEnd search_cluster(std::span<const std::uint32_t> columns, const TickCutoff& cutoff, NarrowFraction& best);
  bool is_settled(const Column& column) const;
  void set_turns(std::span<const std::uint32_t> columns);
  TickAnswer search_rows(std::uint64_t rows, std::size_t clocks, const TickCutoff& cutoff, SolveFor aim,
                         bool is_strict);
  void play_ports(std::uint64_t rows, std::int64_t* keys, std::int64_t unit);
  void play_processors(std::uint64_t rows, std::int64_t* keys, std::int64_t unit);

  ProblemTimes times_;
  const tpn::TickTimes& ticks_;
  tpn::MappingRoutes routes_;
  std::uint32_t sources_ = 0;  // 1 if the first listed part is the source
  std::uint64_t max_operations_;

  TickLists lists_;
  bool is_listed_ = false;
  bool has_steps_ = false;
  std::vector<Column> columns_;
  std::vector<std::uint32_t> all_columns_;  // 0, 1, ...
  // By listed part, the numbers of its columns: all of part p, then of the next.
  std::vector<std::uint32_t> part_columns_;
  std::vector<std::size_t> first_of_part_;
  std::vector<Step> steps_;
  std::vector<std::uint64_t> sums_;  // by node, or clock

  // Ports of parts, by number: transfers join them into classes, of which each has a port that stands for all.
  std::vector<std::uint32_t> joined_;
  // Computations lead from class to class: by class the first one, by part the next one from the same class.
  std::vector<std::uint32_t> first_way_;
  std::vector<std::uint32_t> next_way_;
  struct Visit {
    std::uint32_t order = 0;  // 0: not yet
    std::uint32_t lowest = 0;
    std::uint32_t cluster = 0;
    bool is_open = false;
  };
  std::vector<Visit> visits_;  // by class
  std::vector<std::uint32_t> open_;
  std::uint32_t visited_ = 0;
  std::vector<std::vector<std::uint32_t>> clusters_;  // the columns of each, in order; more may be kept than there are
  std::uint32_t cluster_count_ = 0;

  std::vector<Turn> turns_;
  std::vector<std::uint32_t> bases_;    // by port and then by part's computation, the first clock
  std::vector<std::int64_t> computed_;  // by part, the key of its computation in this row
  std::vector<std::int64_t> arrived_;   // by part, the latest of its files in this row
  KeySearch search_;
};

}  // namespace takt::evaluators
