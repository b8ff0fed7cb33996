// What every data set takes, whatever the mapping; runs of stages that are not replicable; prices.
#include "heuristics/search/period_lower_bound.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>
#include <vector>

#include "heuristics/common/capacities.hpp"
#include "heuristics/search/priced_paths.hpp"
#include "maxplus/decimal.hpp"
#include "tpn/models.hpp"

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

// What each data set takes anyway.
Rational least_anyway(const tpn::ProblemView& problem) {
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

// By prefixes of a run of stages that are not replicable. Whatever the mapping, two of them in a row are on one processor
// or there is a transfer between them: the run falls into intervals, each on one processor, with transfers between all.
// Each interval takes at least its computations on some processor and the quickest transfers before and behind.
class FixedRuns {
 public:
  FixedRuns(const tpn::ProblemView& problem, const tpn::TickTimes& times, const tpn::Model& model)
      : problem_(problem.document()), links_(problem.links()), times_(times), model_(model) {
    for (std::size_t k = 0; k + 1 < problem_.application.stages.size(); ++k) transfers_.push_back(quickest(k));
  }

  // In ticks.
  std::int64_t bound() const {
    std::int64_t bound = 0;
    const auto& stages = problem_.application.stages;
    for (std::size_t first = 0; first < stages.size();) {
      std::size_t end = first;
      while (end < stages.size() && !stages[end].replicable) ++end;
      if (end > first) bound = std::max(bound, of_run(first, end));
      first = end + 1;
    }
    return bound;
  }

 private:
  static constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();

  // The quickest link for the file behind a stage.
  std::int64_t quickest(std::size_t stage) const {
    std::int64_t least = kNever;
    const std::size_t count = problem_.platform.processors.size();
    for (std::size_t p = 0; p < count; ++p) {
      for (std::size_t q = 0; q < count; ++q)
        if (p != q && links_.between(p, q)) least = std::min(least, times_.transfer(stage, p, q));
    }
    return least;
  }

  std::int64_t of_run(std::size_t first, std::size_t end) const {
    std::vector<std::int64_t> least(end - first + 1, kNever);
    least[0] = 0;
    for (std::size_t b = first; b < end; ++b) {
      for (std::size_t a = first; a <= b; ++a) {
        if (least[a - first] == kNever) continue;
        const std::int64_t here = std::max(least[a - first], of_interval(first, a, b, end));
        least[b + 1 - first] = std::min(least[b + 1 - first], here);
      }
    }
    return least.back() == kNever ? 0 : least.back();
  }

  // Stages a to b of the run on one processor.
  std::int64_t of_interval(std::size_t first, std::size_t a, std::size_t b, std::size_t end) const {
    const bool receives = a > first;
    const bool sends = b + 1 < end;
    if ((receives && transfers_[a - 1] == kNever) || (sends && transfers_[b] == kNever)) return kNever;
    std::int64_t least = kNever;
    for (std::size_t p = 0; p < problem_.platform.processors.size(); ++p) {
      if ((a == 0 && !links_.from_source(p)) || (b + 1 == problem_.application.stages.size() && !links_.to_sink(p)))
        continue;
      std::int64_t receive = receives ? transfers_[a - 1] : 0;
      std::int64_t send = sends ? transfers_[b] : 0;
      if (a == 0 && problem_.platform.source) receive = times_.from_source(p);
      if (b + 1 == problem_.application.stages.size() && problem_.platform.sink) send = times_.to_sink(p);
      least = std::min(least, tpn::cycle_time(model_, receive, times_.computation(a, b, p), send));
    }
    return least;
  }

  const tpn::Document& problem_;
  const tpn::LinkTable& links_;
  const tpn::TickTimes& times_;
  tpn::Model model_;
  std::vector<std::int64_t> transfers_;  // by the stage before
};

}  // namespace

Rational period_lower_bound(const tpn::ProblemView& problem, const tpn::Model& model) {
  const Rational anyway = least_anyway(problem);
  const tpn::TickTimes* times = problem.short_ticks();
  if (times == nullptr) return anyway;
  const Rational runs = Rational(FixedRuns(problem, *times, model).bound()) / times->scale();
  return std::max({anyway, runs, PricedPaths(problem, *times, model).bound()});
}

std::string bound_note(const Rational& period, const Rational& lower_bound) {
  if (period <= lower_bound) return "No mapping at all has a shorter period: it is a lower bound of all.";
  if (lower_bound.sign() <= 0) return "No lower bound of all periods is known.";
  return fmt::format("Proved: no mapping has a period below {}; this one is {} percent above that.",
                     decimal(lower_bound), decimal((period / lower_bound - 1) * 100));
}

}  // namespace takt::heuristics
