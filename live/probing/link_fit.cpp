// Weighted least squares with two unknowns, l and g = 1 / b: x = 1 / t and y = s / t, l x + g y near 1.
#include "live/probing/link_fit.hpp"

#include <algorithm>
#include <utility>

#include "maxplus/contract.hpp"

namespace takt::live {

namespace {

struct Line {
  Rational latency;
  Rational gap;  // time per size
};

Line least_squares(std::span<const LinkSample> samples) {
  Rational x;
  Rational y;
  Rational xx;
  Rational xy;
  Rational yy;
  for (const LinkSample& sample : samples) {
    const Rational weight = Rational(1) / sample.time;
    const Rational weighted = sample.size / sample.time;
    x += weight;
    y += weighted;
    xx += weight * weight;
    xy += weight * weighted;
    yy += weighted * weighted;
  }
  // Above 0, since two sizes differ.
  const Rational determinant = xx * yy - xy * xy;
  Line line{(x * yy - y * xy) / determinant, (y * xx - x * xy) / determinant};
  // The sum is convex: where the best is beyond a border, the best of those allowed is on it.
  if (line.latency.sign() < 0) return {0, y / yy};
  if (line.gap.sign() <= 0) return {x / xx, 0};
  return line;
}

}  // namespace

LinkFit fit_link(std::span<const LinkSample> samples) {
  for (const LinkSample& sample : samples) {
    maxplus::expects(sample.size.sign() >= 0 && sample.time.sign() > 0, "sizes are not negative, times positive");
  }
  maxplus::expects(std::ranges::any_of(samples, [&](const auto& each) { return each.size != samples[0].size; }),
                   "two sizes differ");
  const Line line = least_squares(samples);
  LinkFit fit{.latency = significant(line.latency), .bandwidth = {}, .worst_misfit = {}};
  if (line.gap.sign() > 0) fit.bandwidth = significant(Rational(1) / line.gap);
  return with_misfit(std::move(fit), samples);
}

LinkFit with_misfit(LinkFit fit, std::span<const LinkSample> samples) {
  fit.worst_misfit = 0;
  fit.worst_sample = 0;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    Rational misfit = fit.time_of(samples[i].size) / samples[i].time - 1;
    if (misfit.sign() < 0) misfit = -misfit;
    if (misfit <= fit.worst_misfit) continue;
    fit.worst_misfit = misfit;
    fit.worst_sample = i;
  }
  return fit;
}

}  // namespace takt::live
