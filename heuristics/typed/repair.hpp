// Machines added where the critical circuit passes.
#pragma once

#include <optional>

#include "evaluators/evaluation.hpp"
#include "heuristics/search/start.hpp"
#include "heuristics/typed/machine_classes.hpp"
#include "tpn/problem_view.hpp"

namespace takt::heuristics {

/// The mapping after as many additions as it takes to keep the period, or as shorten its period: each adds a free
/// processor, one of each class being tried, at the end of a part that the critical circuit passes, where the period
/// falls most. Nothing if the mapping's period cannot be evaluated.
std::optional<SearchStart> repaired(const tpn::ProblemView& problem, const tpn::Model& model,
                                    const MachineClasses& classes, const Rational& period, tpn::Mapping mapping,
                                    const evaluators::Deadline& deadline);

}  // namespace takt::heuristics
