// The checker's look at potentials: upper bounds proved by lowest start times and the bounds that follow from them.
#pragma once

#include "evaluators/potential_schedule.hpp"
#include "evaluators/proof/certificate.hpp"
#include "evaluators/proof/check.hpp"
#include "evaluators/proof/check_budget.hpp"

namespace takt::evaluators {

/// Steps on one-word numbers that count as one operation of the budget.
inline constexpr std::uint64_t kPotentialSteps = 20;

/// Do the bounds that follow from this potential come to an end, none more than `highest` above it? Then the period is
/// at most `upper`. Only for nets whose dependences are those of a plain STRICT pipeline, which is verified.
/// Cost: a step for each class of the potential and each bound, and for each class that they lead to; 12 to 32 bytes
/// for each bound. `limits` counts kPotentialSteps steps once.
Verdict check_potentials(const tpn::FoldedNet& net, const PotentialSchedule& potentials, const Rational& upper,
                         const CheckLimits& limits);

}  // namespace takt::evaluators
