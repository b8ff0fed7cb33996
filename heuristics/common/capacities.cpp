// Sums of works, speeds as the inverses of times.
#include "heuristics/common/capacities.hpp"

#include <algorithm>

namespace takt::heuristics {

using tpn::Rational;

namespace {

// The least share of its time for the chain that a processor takes for each stage.
std::vector<Rational> least_shares(const tpn::ProblemView& problem, const ComputationTimes& times,
                                   const std::vector<Rational>& speeds) {
  std::vector<Rational> works;
  for (std::size_t k = 0; k < times.stages(); ++k) {
    Rational least = 1;
    for (std::size_t p = 0; p < times.processors(); ++p)
      least = std::min(least, *problem.timing().stage_time(k, p) * speeds[p]);
    works.push_back(std::move(least));
  }
  return works;
}

}  // namespace

Capacities::Capacities(const tpn::ProblemView& problem) : Capacities(problem, ComputationTimes(problem)) {}

Capacities::Capacities(const tpn::ProblemView& problem, const ComputationTimes& times) {
  const auto& processors = problem.document().platform.processors;
  const std::size_t stages = times.stages();
  works_from.resize(stages + 1);
  for (std::size_t k = stages; k-- > 0;) works_from[k] = times.work_before(stages) - times.work_before(k);
  if (std::ranges::any_of(processors, [](const tpn::Processor& processor) { return processor.time.has_value(); })) {
    return;
  }
  if (times.are_by_work()) {
    for (const tpn::Processor& processor : processors) speeds.push_back(*processor.speed);
    return;
  }
  for (std::size_t p = 0; p < processors.size(); ++p) {
    const Rational whole = times.before(stages, p);
    if (whole.sign() == 0) {
      speeds.clear();
      return;
    }
    speeds.push_back(Rational(1) / whole);
  }
  const std::vector<Rational> works = least_shares(problem, times, speeds);
  for (std::size_t k = stages; k-- > 0;) works_from[k] = works_from[k + 1] + works[k];
}

}  // namespace takt::heuristics
