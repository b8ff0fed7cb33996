// Sums of works, speeds as the inverses of times, and a sort.
#include "heuristics/common/capacities.hpp"

#include <algorithm>
#include <numeric>

#include "maxplus/contract.hpp"

namespace takt::heuristics {

using tpn::LinearTime;
using tpn::Rational;

Capacities::Capacities(const tpn::ProblemView& problem) {
  const auto& stages = problem.document().application.stages;
  const tpn::Timing& timing = problem.timing();
  works_from.resize(stages.size() + 1);
  for (std::size_t k = stages.size(); k-- > 0;)
    works_from[k] = works_from[k + 1] + stages[k].work.value_or(0) * timing.gain(k);
  for (std::size_t p = 0; p < problem.document().platform.processors.size(); ++p) {
    const auto time = timing.processor(p);
    maxplus::expects(time.has_value(), "a valid processor has a speed or a time");
    times.push_back(*time);
  }
  if (!std::ranges::all_of(times, [](const LinearTime& time) { return time.per_unit.has_value(); })) return;
  for (const LinearTime& time : times) speeds.push_back(Rational(1) / *time.per_unit);
}

std::vector<std::size_t> fastest_first(std::span<const LinearTime> times, const Rational& work) {
  std::vector<Rational> durations;
  for (const LinearTime& time : times) durations.push_back(time.of(work));
  std::vector<std::size_t> order(times.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t p) -> const Rational& { return durations[p]; });
  return order;
}

}  // namespace takt::heuristics
