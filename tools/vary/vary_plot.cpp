// Rates and times in the units that suit them.
#include "tools/vary/vary_plot.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tools/files/files.hpp"
#include "tools/vary/estimate_words.hpp"
#include "tools/vary/vary_words.hpp"
#include "tpn/models.hpp"

namespace takt::tools {

std::vector<double> curve_loads() {
  std::vector<double> loads;
  // Closer together where the curve rises.
  for (const double load : {0.05, 0.2, 0.35, 0.5, 0.6, 0.7, 0.75, 0.8, 0.84, 0.87, 0.9, 0.92, 0.94, 0.95, 0.96}) {
    loads.push_back(load);
  }
  return loads;
}

Plot vary_plot(const VariedInstance& result) {
  const EstimateWords words(result.times);
  Plot plot;
  plot.title =
      fmt::format("Latency by rate, {}, times vary{}", tpn::title_of(result.model), law_words(result.question.law));
  plot.description = fmt::format("How long data sets of {} take from arrival to delivery, at rates up to {}.",
                                 display_name(result.file), words.rate_of(result.period));
  double longest = 0;
  for (const VariedRate& rate : result.rates) {
    if (rate.figures && !rate.figures->within.empty()) longest = std::max(longest, rate.figures->within.back().value);
  }
  const TimeScale scale = result.times.scale_for(rational_of(longest));
  const double length = double_of(scale.length);
  const RateScale pace = words.rate_scale(result.period.value);
  plot.x_title = "rate, " + pace.name;
  plot.y_title = fmt::format("latency, {}", scale.name.empty() ? "time units" : scale.name);
  for (std::size_t i = result.question.shares.size(); i-- > 0;) {
    PlotCurve curve;
    curve.words = fmt::format("{:.4g} % within", 100 * result.question.shares[i]);
    for (const VariedRate& rate : result.rates) {
      if (!rate.figures) continue;
      curve.line.emplace_back(rational_of(pace.factor / rate.gap), rational_of(rate.figures->within[i].value / length));
    }
    std::ranges::sort(curve.line);
    plot.curves.push_back(std::move(curve));
  }
  if (result.exact_period && result.exact_period->sign() > 0) {
    plot.uprights.emplace_back(rational_of(pace.factor) / *result.exact_period,
                               fmt::format("at most {}, exact", words.rate_of({*result.exact_period->to_double(), 0})));
  }
  plot.uprights.emplace_back(rational_of(pace.factor / result.period.value),
                             fmt::format("with these times {}", words.rate_of(result.period)));
  return plot;
}

}  // namespace takt::tools
