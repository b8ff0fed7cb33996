// Exact periods of mappings of one problem, however they have to be found.
#pragma once

#include <string>
#include <variant>

#include "evaluators/mappings/evaluator.hpp"
#include "maxplus/deadline.hpp"
#include "tpn/problem_view.hpp"

namespace takt::experiments {

/// The period in time units per data set, or why it is not known exactly, a phrase.
using PeriodOrReason = std::variant<maxplus::Rational, std::string>;

/// By the evaluator, and where that stops by the method that `evaluators::evaluate` chooses. The mapping is one that
/// `tpn::validate` accepts.
PeriodOrReason exact_period(evaluators::MappingEvaluator& evaluator, const tpn::Document& problem,
                            const tpn::Mapping& mapping, const tpn::Model& model, const maxplus::Deadline& deadline);

}  // namespace takt::experiments
