// The curve of latencies over rates.
#pragma once

#include "tools/plot/plot.hpp"
#include "tools/vary/vary_answer.hpp"

namespace takt::tools {

/// Shares of the estimated rate at which the curve is drawn.
std::vector<double> curve_loads();

/// Percentiles over rates; the estimated and the exact limit as upright lines. The rates are those of the answer.
Plot vary_plot(const VariedInstance& result);

}  // namespace takt::tools
