// What is asked of plans without closed forms: the fastest for a budget, what other rates cost, what a failure leaves.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "evaluators/evaluation.hpp"
#include "tools/plan/wider_plans.hpp"
#include "tpn/document.hpp"

namespace takt::tools {

/// The cheapest plan for a period that is found until a deadline, and what is proved.
using PlanAtPeriod =
    std::function<WiderFindings(const maxplus::Rational& period, const evaluators::Deadline& deadline)>;

/// The fastest plan that costs no more than the wish's budget, its period halved towards what is not found, until
/// within 0.1 %. `start`: a period to begin with; `bound`: no mapping for the budget has a shorter one; `least`:
/// no mapping costs less, however slow.
WiderFindings fastest_for_budget(const PlanWish& wish, PlanClass among, const PlanAtPeriod& plan_at,
                                 const maxplus::Rational& start, const maxplus::Rational& bound,
                                 const maxplus::Rational& least, const evaluators::Deadline& deadline);

/// Adds the cheapest plans that are found for rates up to that of a period, evenly spaced, but for those that cost no
/// less than a faster one.
void add_rows(WiderFindings& findings, const PlanAtPeriod& plan_at, const maxplus::Rational& until,
              const evaluators::Deadline& deadline);

/// Adds what is left once a machine of the plan fails and the others go on with their turns; machines of one type that
/// do the same count once where `by_type`.
void add_losses(WiderFindings& findings, bool by_type, const evaluators::Deadline& deadline);

}  // namespace takt::tools
