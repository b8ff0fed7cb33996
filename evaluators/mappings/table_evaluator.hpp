// Periods of mappings that come as tables of times, one after the other: no allocation once warm.
//
// Problem. Sweeps over random mappings draw another instance each time. Nine tenths of the time then go into a
// document, its validation and what an evaluator of its mappings prepares; the period itself takes a few microseconds.
//
// Method. A generator writes 64-bit times into a table that it uses again (time_table.hpp); what mappings/evaluator.hpp
// does with the times of a problem is done with these. Under both models at once the mapping is listed once.
//
// Invariant. Exact answers equal evaluators::evaluate's of pipeline_of(table), which answers in general where a search
// leaves 64 bits, and where a model has more than circuits of resources.
//
// Cost. As that of mappings/evaluator.hpp. Beyond MappingLimits the answer is an interval; tpn::fold of
// pipeline_of(table) and evaluators::evaluate may know better, whatever the number of rows.
#pragma once

#include <memory>

#include "evaluators/kernel/period.hpp"
#include "evaluators/mappings/evaluator.hpp"
#include "evaluators/mappings/time_table.hpp"
#include "tpn/document.hpp"

namespace takt::evaluators {

/// A mapping's period under a model, and M_ct, the largest cycle time: no resource is critical where it is less.
struct TableEvaluation {
  MappingEvaluation period;
  Period largest_cycle_time;
};

/// Both one-port models' answers.
struct OnePortEvaluations {
  TableEvaluation overlap;
  TableEvaluation strict;
};

/// Holds the memory to evaluate tables, for one thread at a time.
class TableEvaluator {
 public:
  explicit TableEvaluator(const MappingLimits& limits = {});
  TableEvaluator(TableEvaluator&&) noexcept;
  TableEvaluator& operator=(TableEvaluator&&) noexcept;
  TableEvaluator(const TableEvaluator&) = delete;
  TableEvaluator& operator=(const TableEvaluator&) = delete;
  ~TableEvaluator();

  /// The table has a mapping; no time is below 0.
  TableEvaluation evaluate(const TimeTable& table, tpn::Model model);
  /// Under OVERLAP and under STRICT: the same, for less than two calls.
  OnePortEvaluations evaluate(const TimeTable& table);
  /// M_ct alone, without a search.
  Period largest_cycle_time(const TimeTable& table, tpn::Model model);

 private:
  class Solver;
  std::unique_ptr<Solver> solver_;
};

}  // namespace takt::evaluators
