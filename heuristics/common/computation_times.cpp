// Sums of works and of what stages' own times change.
#include "heuristics/common/computation_times.hpp"

#include <algorithm>
#include <numeric>

namespace takt::heuristics {

using tpn::Rational;

ComputationTimes::ComputationTimes(const tpn::ProblemView& problem) {
  const auto& stages = problem.document().application.stages;
  const auto& processors = problem.document().platform.processors;
  const tpn::Timing& timing = problem.timing();
  works_.assign(1, 0);
  for (std::size_t k = 0; k < stages.size(); ++k)
    works_.push_back(works_.back() + stages[k].work.value_or(0) * timing.gain(k));
  for (const tpn::Processor& processor : processors) {
    tpn::LinearTime& linear = linear_.emplace_back();
    if (processor.time) linear.fixed = *processor.time;
    if (processor.speed) linear.per_unit = Rational(1) / *processor.speed;
  }
  if (!timing.has_own_times()) return;
  own_.resize(processors.size());
  for (std::size_t k = 0; k < stages.size(); ++k) {
    for (const tpn::StageTime* time : timing.own_times(k)) {
      std::vector<OwnSum>& own = own_[time->processor];
      const auto& rate = linear_[time->processor].per_unit;
      Rational change = time->time * timing.gain(k);
      if (rate) change -= (works_[k + 1] - works_[k]) * *rate;
      if (change.sign() == 0) continue;
      if (!own.empty()) change += own.back().sum;
      own.push_back({k, std::move(change)});
    }
  }
}

Rational ComputationTimes::of(std::size_t first, std::size_t last, std::size_t processor) const {
  const tpn::LinearTime& linear = linear_[processor];
  if (own_.empty() || own_[processor].empty()) return linear.of(works_[last + 1] - works_[first]);
  return before(last + 1, processor) - before(first, processor);
}

Rational ComputationTimes::before(std::size_t stage, std::size_t processor) const {
  const tpn::LinearTime& linear = linear_[processor];
  Rational time = linear.per_unit ? *linear.per_unit * works_[stage] : Rational();
  const auto& sums = own(processor);
  const auto behind = std::ranges::lower_bound(sums, stage, {}, &OwnSum::stage);
  if (behind != sums.begin()) time += std::prev(behind)->sum;
  return time;
}

Rational ComputationTimes::share_of_chain(const Rational& share, std::size_t processor) const {
  return fixed(processor) + before(stages(), processor) * share;
}

const std::vector<ComputationTimes::OwnSum>& ComputationTimes::own(std::size_t processor) const {
  static const std::vector<OwnSum> kNone;
  return own_.empty() ? kNone : own_[processor];
}

bool ComputationTimes::are_alike(std::size_t processor, std::size_t other) const {
  if (linear_[processor] == linear_[other] && own(processor) == own(other)) return true;
  if (are_by_work() || fixed(processor) != fixed(other)) return false;
  for (std::size_t k = 1; k <= stages(); ++k)
    if (before(k, processor) != before(k, other)) return false;
  return true;
}

std::vector<std::size_t> fastest_first(const ComputationTimes& times, const Rational& share) {
  std::vector<Rational> durations;
  for (std::size_t p = 0; p < times.processors(); ++p) durations.push_back(times.share_of_chain(share, p));
  std::vector<std::size_t> order(durations.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t p) -> const Rational& { return durations[p]; });
  return order;
}

}  // namespace takt::heuristics
