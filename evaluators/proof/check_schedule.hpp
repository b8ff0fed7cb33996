// The checker's look at schedules: upper bounds proved by start times of residue classes.
#pragma once

#include <vector>

#include "evaluators/proof/certificate.hpp"
#include "evaluators/proof/check.hpp"
#include "evaluators/proof/check_budget.hpp"

namespace takt::evaluators {

/// Does this schedule keep every dependence for all data sets, at `upper` time units per data set?
Verdict check_schedule(const tpn::FoldedNet& net, const std::vector<ColumnSchedule>& schedules, const Rational& upper,
                       CheckBudget& budget);

}  // namespace takt::evaluators
