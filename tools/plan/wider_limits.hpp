// Plans without closed forms that keep more than a period: a latency, the rate after failures.
//
// Method. First the plan for the period. Where its net does not keep the rest, plans for shorter periods, whose
// machines have time to spare when one fails, and plans without the slowest machines, on which a data set stays
// longest; of those that keep all the cheapest. A part that a failure leaves without a machine, or that must not be
// replicated, has others standing by, the cheapest that keep the period in its place.
//
// Invariant. What is found keeps all by its nets. What is proved of plans for the period alone holds for these.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "evaluators/evaluation.hpp"
#include "tools/plan/planning.hpp"
#include "tools/plan/wider_plans.hpp"
#include "tpn/document.hpp"

namespace takt::tools {

/// The cheapest plan for a period that is found until a deadline, for a problem whose stages may run on fewer machines.
using PlanOnProblem = std::function<WiderFindings(const tpn::Document& problem, const maxplus::Rational& period,
                                                  const evaluators::Deadline& deadline)>;

/// Types, or machines with names, from fast to slow: by how much longer a stage takes than on its fastest, at worst.
std::vector<std::string> from_fast_to_slow(const tpn::Document& problem);

/// The wish is of a period; its latency, and the failures where `judges_failures`, are looked at.
WiderFindings find_within_limits(const tpn::Document& problem, const PlanWish& wish, bool judges_failures,
                                 const PlanOnProblem& plan_on, const evaluators::Deadline& deadline);

}  // namespace takt::tools
