// What the evaluators of many mappings ask where ticks of 64 bits do not do: the general evaluators, at their cost.
#pragma once

#include "evaluators/mappings/evaluator.hpp"
#include "maxplus/rational.hpp"
#include "tpn/folded_net.hpp"

namespace takt::evaluators {

/// The period within the limits, or the interval from the largest cycle time to the sequential period.
MappingEvaluation evaluate_in_general(const tpn::Pipeline& pipeline, tpn::Model model, const MappingLimits& limits);

maxplus::Rational largest_cycle_time(const tpn::Pipeline& pipeline, tpn::Model model);

}  // namespace takt::evaluators
