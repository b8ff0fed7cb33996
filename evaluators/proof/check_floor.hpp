// The checker's look at floors: upper bounds proved by lowest start times and the exceptions that follow from them.
#pragma once

#include "evaluators/floor_schedule.hpp"
#include "evaluators/proof/certificate.hpp"
#include "evaluators/proof/check.hpp"
#include "evaluators/proof/check_budget.hpp"

namespace takt::evaluators {

/// What one operation of the budget pays for here: so many steps on numbers of one word.
inline constexpr std::uint64_t kFloorSteps = 20;

/// Do the exceptions that follow from this floor come to an end, none more than `highest` above it? Then the period is
/// at most `upper`. Only for nets whose dependences are those of a plain STRICT pipeline, which is verified.
/// Cost: a step for each class of the floor and each exception, and for each class that they lead to; 12 to 32 bytes
/// for each exception. `limits` counts kFloorSteps steps once.
Verdict check_floor(const tpn::FoldedNet& net, const FloorSchedule& floor, const Rational& upper,
                    const CheckLimits& limits);

}  // namespace takt::evaluators
