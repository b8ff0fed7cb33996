// What studies share: exact periods of mappings, however they have to be found; how heuristics are run for a draw.
#pragma once

#include <optional>
#include <string>
#include <variant>

#include "evaluators/mappings/evaluator.hpp"
#include "experiments/descriptions/description.hpp"
#include "maxplus/deadline.hpp"

namespace takt::experiments {

/// The period in time units per data set, or why it is not known exactly, a phrase.
using PeriodOrReason = std::variant<maxplus::Rational, std::string>;

/// The draw of that key. Throws tpn::InvalidInstance for what the study does not take.
tpn::Document draw_taken(const Description& description, const ExperimentCell& cell, const DrawKey& key);

/// By the evaluator, and where that stops by the method that `evaluators::evaluate` chooses. The mapping is one that
/// `tpn::validate` accepts.
PeriodOrReason exact_period(evaluators::MappingEvaluator& evaluator, const tpn::Document& problem,
                            const tpn::Mapping& mapping, const tpn::Model& model, const maxplus::Deadline& deadline);

/// Of a mapped document, by the method that `evaluators::evaluate` chooses.
PeriodOrReason exact_period(const tpn::Document& mapped, const tpn::Model& model, const maxplus::Deadline& deadline);

/// Why a study that runs the heuristics and references of a description takes no workflows: the first of them that
/// is for chains, where a cell draws others. A whole sentence without a full stop; nothing if all is well.
std::optional<std::string> objection_to_workflows(const Description& description);

/// Those of a heuristic for a draw, its seed a function of the draw's key.
heuristics::Settings settings_of(const ChosenHeuristic& chosen, const DrawKey& key, const maxplus::Deadline& deadline);

/// The key of the problem that a draw is of: that of draw 0 if all have the same.
DrawKey problem_key_of(const Description& description, const DrawKey& key);

/// "to bsc": the measure of a period over that of a reference.
std::string ratio_measure(const ChosenHeuristic& reference);
/// Those of all references, called "period / bsc", "period / lower bound".
std::vector<FurtherMeasure> ratio_measures(const Description& description);

/// What is wrong with a period below a reference that none can undercut (Special::lower_bound, Special::model_optimum),
/// a phrase; nothing if the reference is another, or kept.
std::optional<std::string> broken_bound(const ChosenHeuristic& reference, const maxplus::Rational& period,
                                        const maxplus::Rational& bound);

/// Why a result is no proposal that counts, a phrase.
std::string reason_of(const heuristics::Result& result);

}  // namespace takt::experiments
