// What every rate costs, as a plot.
#pragma once

#include <string>

#include "tools/plan/plan_output.hpp"
#include "tools/plan/planning.hpp"
#include "tools/plan/wider_output.hpp"
#include "tools/plot/plot.hpp"

namespace takt::tools {

/// A staircase of the cost by the rate; the plan that was found stands out, and where the parts change, they are named.
/// There must be a frontier.
Plot frontier_plot(const PlanFindings& findings, const PlanWords& words, const std::string& file);

/// The same of plans without closed forms, of the rows that were found.
Plot rate_plot(const WiderFindings& findings, const WiderWords& words, const std::string& file);

}  // namespace takt::tools
