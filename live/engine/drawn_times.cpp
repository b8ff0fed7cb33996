// A play's doubles, rounded.
#include "live/engine/drawn_times.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "vary/drawn_copy.hpp"
#include "vary/net_times.hpp"

namespace takt::live {

namespace {

Ticks rounded(double ticks) {
  return static_cast<Ticks>(std::llround(std::min(ticks, static_cast<double>(kMostTicks))));
}

}  // namespace

DurationSource drawn_durations(const tpn::Document& document, const tpn::Pipeline& pipeline, const JitterTerms& jitter,
                               const Rational& ticks_per_unit) {
  vary::NetTimes times =
      jitter.law ? vary::times_of(document, pipeline, *jitter.law) : vary::times_of(document, pipeline).value();
  const auto drawn = std::make_shared<const vary::DrawnDurations>(pipeline, std::move(times), jitter.seed);
  const double scale = ticks_per_unit.to_double().value_or(0);
  return [drawn, scale](std::size_t column, std::uint64_t data_set) {
    return rounded(drawn->of(column, data_set) * scale);
  };
}

ArrivalSource drawn_arrivals(const ArrivalTerms& arrivals, const Rational& ticks_per_unit) {
  const auto drawn =
      std::make_shared<vary::DrawnArrivals>(arrivals.kind, arrivals.gap.to_double().value_or(0), arrivals.seed);
  const double scale = ticks_per_unit.to_double().value_or(0);
  return [drawn, scale](std::uint64_t data_set) { return rounded(drawn->of(data_set) * scale); };
}

}  // namespace takt::live
