// The period for all values of a parameter, as a plot.
#pragma once

#include <string>

#include "evaluators/insight/sensitivity.hpp"
#include "tools/answers/result.hpp"
#include "tools/plot/plot.hpp"

namespace takt::tools {

/// The insight must have a curve. Speeds and bandwidths stand as the time that they make, relative to the one now.
Plot sensitivity_plot(const EvaluatedInstance& result, const evaluators::ParameterInsight& insight);

}  // namespace takt::tools
