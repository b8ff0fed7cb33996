// Plans of workflows that fork and join: the cheapest machines by cycle times, then what a net says of their order.
#pragma once

#include "evaluators/evaluation.hpp"
#include "plan/workflow/workflow_times.hpp"
#include "tools/plan/planning.hpp"
#include "tools/plan/wider_plans.hpp"
#include "tpn/document.hpp"

namespace takt::tools {

/// Why there are no plans of workflows under the wish's model, or with what else it asks for; nothing if there are.
std::optional<std::string> why_no_workflow_plan(const PlanWish& wish);

/// The cheapest plan found of one type per part. The plan's document holds the transfers that are ahead, where these
/// keep the period; if they do not, there are more machines in the parts that the critical circuit passes. The wish
/// is one that workflows have plans for.
WiderFindings find_workflow_plan(const tpn::Document& problem, const plan::WorkflowTimes& times, const PlanWish& wish,
                                 const evaluators::Deadline& deadline);

}  // namespace takt::tools
