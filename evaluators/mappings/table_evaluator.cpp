// From a table's ticks to time units, and the general way where 64 bits do not do.
#include "evaluators/mappings/table_evaluator.hpp"

#include <utility>

#include "evaluators/mappings/general.hpp"
#include "evaluators/mappings/solver.hpp"
#include "evaluators/mappings/table_times.hpp"
#include "maxplus/contract.hpp"

namespace takt::evaluators {

class TableEvaluator::Solver {
 public:
  explicit Solver(const MappingLimits& limits) : limits_(limits), solver_(TableTimes(), limits.operations) {
    maxplus::expects(limits.operations > 0, "an evaluation may visit some operations");
  }

  void begin(const TimeTable& table) {
    maxplus::expects(!table.places().empty(), "a table that is evaluated has a mapping");
    solver_.begin(table);
  }

  // Of the table that was begun.
  TableEvaluation evaluate(const TimeTable& table, tpn::Model model) {
    const TickAnswer answer = solver_.solve(model, {}, SolveFor::period);
    const TickScale& scale = table.scale();
    if (answer.kind == TickAnswerKind::exact) {
      const Period period = scale.time_units(answer.lower);
      return {{MappingAnswer::exact, period, period}, scale.time_units(answer.cycle_time)};
    }
    if (answer.kind == TickAnswerKind::interval) {
      return {{MappingAnswer::interval, scale.time_units(answer.lower), scale.time_units(answer.upper)},
              scale.time_units(answer.cycle_time)};
    }
    const tpn::Pipeline pipeline = pipeline_of(table);
    return {evaluate_in_general(pipeline, model, limits_), evaluators::largest_cycle_time(pipeline, model)};
  }

  Period largest_cycle_time(const TimeTable& table, tpn::Model model) {
    const TickAnswer answer = solver_.solve(model, {}, SolveFor::cycle_time);
    if (answer.kind == TickAnswerKind::exact) return table.scale().time_units(answer.lower);
    return evaluators::largest_cycle_time(pipeline_of(table), model);
  }

 private:
  MappingLimits limits_;
  MappingSolver<TableTimes> solver_;
};

TableEvaluator::TableEvaluator(const MappingLimits& limits) : solver_(std::make_unique<Solver>(limits)) {}
TableEvaluator::TableEvaluator(TableEvaluator&&) noexcept = default;
TableEvaluator& TableEvaluator::operator=(TableEvaluator&&) noexcept = default;
TableEvaluator::~TableEvaluator() = default;

TableEvaluation TableEvaluator::evaluate(const TimeTable& table, tpn::Model model) {
  solver_->begin(table);
  return solver_->evaluate(table, model);
}

OnePortEvaluations TableEvaluator::evaluate(const TimeTable& table) {
  solver_->begin(table);
  TableEvaluation overlap = solver_->evaluate(table, tpn::Model::kOverlap);
  return {std::move(overlap), solver_->evaluate(table, tpn::Model::kStrict)};
}

Period TableEvaluator::largest_cycle_time(const TimeTable& table, tpn::Model model) {
  solver_->begin(table);
  return solver_->largest_cycle_time(table, model);
}

}  // namespace takt::evaluators
