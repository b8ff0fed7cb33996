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
#include <optional>
#include <string>
#include <vector>

#include "evaluators/evaluation.hpp"
#include "tools/plan/planning.hpp"
#include "tools/plan/wider_plans.hpp"
#include "tpn/document.hpp"

namespace takt::tools {

/// The cheapest plan for a period that is found until a deadline, on those types, or machines, alone; all where empty.
using PlanOnPlaces = std::function<WiderFindings(
    const std::vector<std::string>& places, const maxplus::Rational& period, const evaluators::Deadline& deadline)>;

/// The problem with its stages on those machines alone; nothing if that is no problem.
std::optional<tpn::Document> restricted(const tpn::Document& problem, const std::vector<std::string>& places);

/// The wish is of a period; its latency, and the failures where `judges_failures`, are looked at.
WiderFindings find_within_limits(const tpn::Document& problem, const PlanWish& wish, bool judges_failures,
                                 const PlanOnPlaces& plan_on, const evaluators::Deadline& deadline);

}  // namespace takt::tools
