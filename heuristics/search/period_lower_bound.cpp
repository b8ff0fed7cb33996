// What every data set takes, whatever the mapping.
#include "heuristics/search/period_lower_bound.hpp"

#include <algorithm>
#include <numeric>
#include <optional>

#include "heuristics/common/capacities.hpp"

namespace takt::heuristics {

namespace {

using maxplus::Rational;

// The least time over the processors for which there is one.
template <typename TimeOf>
Rational least_over(std::size_t processors, const TimeOf& time_of) {
  std::optional<Rational> least;
  for (std::size_t p = 0; p < processors; ++p) {
    const std::optional<Rational> time = time_of(p);
    if (time && (!least || *time < *least)) least = time;
  }
  return least.value_or(Rational());
}

}  // namespace

Rational period_lower_bound(const tpn::ProblemView& problem, const tpn::Model&) {
  const tpn::Timing& timing = problem.timing();
  const tpn::LinkTable& links = problem.links();
  const tpn::Platform& platform = problem.document().platform;
  const auto& stages = problem.document().application.stages;
  const std::size_t processors = platform.processors.size();
  const auto when = [](bool linked, const auto& time) { return linked ? std::optional(time()) : std::nullopt; };
  Rational least;
  if (platform.source) {
    least = least_over(
        processors, [&](std::size_t p) { return when(links.from_source(p), [&] { return timing.from_source(p); }); });
  }
  if (platform.sink) {
    least = std::max(least, least_over(processors, [&](std::size_t p) {
                       return when(links.to_sink(p), [&] { return timing.to_sink(p); });
                     }));
  }
  for (std::size_t k = 0; k < stages.size(); ++k) {
    if (stages[k].replicable) continue;
    least = std::max(least,
                     least_over(processors, [&](std::size_t p) { return std::optional(timing.computation(k, k, p)); }));
  }
  const Capacities capacities(problem);
  if (capacities.speeds.empty()) return least;
  const Rational all = std::accumulate(capacities.speeds.begin(), capacities.speeds.end(), Rational());
  return std::max(least, capacities.works_from.front() / all);
}

}  // namespace takt::heuristics
