// Folds a pipeline and evaluates it, or bounds it where that is too much.
#include "evaluators/mappings/general.hpp"

#include <algorithm>
#include <iterator>
#include <variant>
#include <vector>

#include "evaluators/evaluate.hpp"
#include "tpn/circuits.hpp"
#include "tpn/models.hpp"

namespace takt::evaluators {

using maxplus::Integer;
using maxplus::Rational;

namespace {

MappingEvaluation bounds(const tpn::Pipeline& pipeline, tpn::Model model) {
  Integer total = 0;
  for (const tpn::Column& column : pipeline.columns) total += column.table.longest();
  const Rational upper = Rational::fraction(total, pipeline.scale);
  const Rational lower = largest_cycle_time(pipeline, model);
  return {lower == upper ? MappingAnswer::exact : MappingAnswer::interval, lower, upper};
}

}  // namespace

Rational largest_cycle_time(const tpn::Pipeline& pipeline, tpn::Model model) {
  std::vector<tpn::ConstraintKind> kinds(model->resources.begin(), model->resources.end());
  if (!pipeline.ports.owner.empty()) std::ranges::copy(tpn::ports_beside(model), std::back_inserter(kinds));
  if (!pipeline.ports.segments.empty()) kinds.push_back(tpn::ConstraintKind::segment);
  Rational largest;
  for (const tpn::ConstraintKind kind : kinds) {
    for (const Rational& time : tpn::cycle_times_of(pipeline, kind)) largest = std::max(largest, time);
  }
  return largest;
}

MappingEvaluation evaluate_in_general(const tpn::Pipeline& pipeline, tpn::Model model, const MappingLimits& limits) {
  const std::uint64_t max_rows = std::max<std::uint64_t>(limits.operations / pipeline.columns.size(), 1);
  // Bounds need no circuits, which may be long; nor does a processor's circuit outlast the rows.
  if (pipeline.rows > max_rows) return bounds(pipeline, model);
  const auto folded = tpn::fold(pipeline, model, std::max(limits.operations, tpn::kDefaultCircuitSteps));
  if (std::holds_alternative<tpn::TooLarge>(folded)) return bounds(pipeline, model);
  Options options;
  options.max_rows = max_rows;
  const Evaluation evaluation = evaluators::evaluate(std::get<tpn::FoldedNet>(folded), options);
  return {evaluation.exact() ? MappingAnswer::exact : MappingAnswer::interval, evaluation.lower, evaluation.upper};
}

}  // namespace takt::evaluators
