// A curve with its vertices, what limits each piece, and the point where the instance is.
#include "tools/plot/sensitivity_plot.hpp"

#include <fmt/format.h>

#include "maxplus/contract.hpp"
#include "tools/files/files.hpp"
#include "tools/words/number_words.hpp"
#include "tools/words/parameter_words.hpp"
#include "tpn/models.hpp"

namespace takt::tools {

using evaluators::ParameterInsight;
using maxplus::Rational;

namespace {

// Weights in the words of the horizontal axis.
struct ValueAxis {
  std::string title;
  Rational unit;  // the weight that stands at 1
};

ValueAxis axis_of(const ParameterInsight& insight, const EvaluatedInstance& result) {
  const tpn::Parameter& parameter = insight.parameter;
  const Rational now = parameter.weight_of(parameter.value);
  const std::string name = printable(parameter.name);
  if (parameter.is_inverse()) return {fmt::format("time by {}, in parts of what it is now", name), now};
  if (!is_time(parameter)) return {name, 1};
  const TimeScale scale = result.times.scale_for(now);
  return {fmt::format("{}, {}", name, scale.name.empty() ? "time units" : scale.name), scale.length};
}

}  // namespace

Plot sensitivity_plot(const EvaluatedInstance& result, const ParameterInsight& insight) {
  maxplus::expects(insight.curve.has_value(), "there is a curve to be drawn");
  const tpn::Parameter& parameter = insight.parameter;
  const ValueAxis axis = axis_of(insight, result);
  const Rational& period = result.evaluation.lower;
  const TimeScale scale = result.times.scale_for(period);
  Plot plot;
  plot.title = fmt::format("The period by {}, {}", printable(parameter.name), tpn::title_of(result.net.model));
  plot.description = fmt::format("The period of {} for all values of {}, from free to twice the time. Now it is {}.",
                                 display_name(result.file), printable(parameter.name), result.times.said(period));
  plot.x_title = axis.title;
  plot.y_title = fmt::format("period, {}", scale.name.empty() ? "time units" : scale.name);
  for (const auto& [weight, value] : *insight.curve) {
    plot.line.emplace_back(weight / axis.unit, value / scale.length);
    plot.points.push_back({weight / axis.unit, value / scale.length, "", result.times.said(value), false});
  }
  for (std::size_t k = 0; k < insight.curve_limits.size(); ++k) {
    plot.notes.push_back(
        {plot.line[k].first, plot.line[k + 1].first, limiting_text(result.net, insight.curve_limits[k])});
  }
  const Rational& largest = result.net.resources[result.evaluation.busiest].cycle_time;
  plot.levels.emplace_back(largest / scale.length,
                           fmt::format("largest cycle time now, {}", result.times.said(largest)));
  plot.points.push_back({parameter.weight_of(parameter.value) / axis.unit, period / scale.length, "now",
                         result.times.said(period), true});
  return plot;
}

}  // namespace takt::tools
