// What every data set takes, whatever the mapping; runs of stages that are not replicable; prices.
#include "heuristics/search/period_lower_bound.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <optional>
#include <vector>

#include "heuristics/common/capacities.hpp"
#include "heuristics/common/mapping_words.hpp"
#include "heuristics/common/placement.hpp"
#include "heuristics/everywhere.hpp"
#include "heuristics/search/priced_paths.hpp"
#include "heuristics/search/segment_loads.hpp"
#include "maxplus/decimal.hpp"
#include "plan/claims.hpp"
#include "tpn/ends.hpp"
#include "tpn/hosts.hpp"
#include "tpn/models.hpp"
#include "tpn/workflow.hpp"

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

// What a stage takes on all that run it, and whose memory holds it, together.
Rational together(const tpn::ProblemView& problem, const PlacementRules& placement, std::size_t stage) {
  Rational speeds;
  for (std::size_t p = 0; p < problem.document().platform.processors.size(); ++p) {
    if (!placement.fits(stage, stage, p)) continue;
    const Rational time = problem.timing().computation(stage, stage, p);
    if (time.sign() == 0) return {};
    speeds += Rational(1) / time;
  }
  return speeds.sign() == 0 ? Rational() : Rational(1) / speeds;
}

// What the ports of sources, or sinks, take: each of those in turn has its share of the data sets.
template <typename TimeOf>
Rational least_at_ends(const std::optional<tpn::Endpoint>& end, std::size_t processors, const TimeOf& time_of) {
  Rational least;
  const std::size_t ends = tpn::count_of(end);
  for (std::size_t which = 0; which < ends; ++which) {
    const tpn::PortCount ports = end->in_turn()[which].ports;
    if (ports == tpn::kUnlimitedPorts) continue;
    const Rational each = least_over(processors, [&](std::size_t p) { return time_of(p, which); });
    least = std::max(least, each / (Rational(ports) * Rational(ends)));
  }
  return least;
}

// What each data set takes anyway.
Rational least_anyway(const tpn::ProblemView& problem, const maxplus::Deadline& deadline) {
  const tpn::Timing& timing = problem.timing();
  const tpn::Platform& platform = problem.document().platform;
  const auto& stages = problem.document().application.stages;
  const std::size_t processors = platform.processors.size();
  const Rational from_source = least_at_ends(platform.source, processors, [&](std::size_t p, std::size_t which) {
    return timing.source_link(p, which) ? std::optional(timing.from_source(p, which)) : std::nullopt;
  });
  Rational least = least_at_ends(platform.sink, processors, [&](std::size_t p, std::size_t which) {
    return timing.sink_link(p, which) ? std::optional(timing.to_sink(p, which)) : std::nullopt;
  });
  least = std::max(least, from_source);
  maxplus::DeadlineWatch watch(deadline);
  const PlacementRules placement(problem);
  for (std::size_t k = 0; k < stages.size(); ++k) {
    if (watch.has_passed(static_cast<double>(processors))) return least;
    if (stages[k].replicable) {
      least = std::max(least, together(problem, placement, k));
      continue;
    }
    least = std::max(least, least_over(processors, [&](std::size_t p) {
                       return placement.fits(k, k, p) ? std::optional(timing.computation(k, k, p)) : std::nullopt;
                     }));
  }
  const Capacities capacities(problem);
  if (capacities.speeds.empty()) return least;
  const Rational all = std::accumulate(capacities.speeds.begin(), capacities.speeds.end(), Rational());
  return std::max(least, capacities.works_from.front() / all);
}

// What runs of stages that are not replicable take. Whatever the mapping, two of them in a row are on one processor or
// there is a transfer between them: the run falls into intervals, each on one processor, with transfers between all.
// Each interval takes at least its computations on some processor and the quickest transfers before and behind. At the
// ends of the run the processor may compute neighboring stages of some data sets as well: per data set it takes at
// least the cheapest such way to come by its file, or to be rid of it, counted where one resource handles it all.
class FixedRuns {
 public:
  FixedRuns(const tpn::ProblemView& problem, const tpn::TickTimes& times, const tpn::Model& model,
            const maxplus::Deadline& deadline)
      : problem_(problem.document()),
        links_(problem.links()),
        times_(times),
        model_(tpn::bounding_model(model, tpn::do_ports_bound(problem_.platform))),
        processors_(problem_.platform.processors.size()),
        stages_(problem_.application.stages.size()),
        watch_(deadline),
        sees_ends_(tpn::shares_processors(model) && &times == problem.exact_ticks() &&
                   std::ranges::none_of(problem_.platform.processors,
                                        [](const tpn::Processor& processor) { return processor.time.has_value(); })) {
    if (std::ranges::all_of(problem_.application.stages, &tpn::Stage::replicable)) return;
    for (std::size_t k = 0; k + 1 < stages_; ++k) add_transfers(k);
    if (sees_ends_) add_ends();
  }

  // In ticks, the longest of the runs until the deadline.
  std::int64_t bound() {
    std::int64_t bound = 0;
    const auto& stages = problem_.application.stages;
    for (std::size_t first = 0; first < stages_;) {
      std::size_t end = first;
      while (end < stages_ && !stages[end].replicable) ++end;
      const std::int64_t run = end > first ? of_run(first, end) : 0;
      if (watch_.has_passed()) break;
      bound = std::max(bound, run);
      first = end + 1;
    }
    return bound;
  }

 private:
  // No way: beyond all sums of times.
  static constexpr std::int64_t kNever = std::int64_t{1} << 60;

  // The quickest links for the file behind a stage.
  void add_transfers(std::size_t stage) {
    auto& received = received_.emplace_back(processors_, kNever);
    auto& sent = sent_.emplace_back(processors_, kNever);
    for (std::size_t p = 0; p < processors_ && !watch_.has_passed(static_cast<double>(processors_)); ++p) {
      for (std::size_t q = 0; q < processors_; ++q) {
        if (p == q || !links_.between(p, q)) continue;
        const std::int64_t ticks = times_.transfer(stage, p, q);
        sent[p] = std::min(sent[p], ticks);
        received[q] = std::min(received[q], ticks);
      }
    }
  }

  // By stage and processor, the least that it takes to come by the stage's input, and to be rid of its output.
  void add_ends() {
    entering_.assign(stages_, std::vector<std::int64_t>(processors_, kNever));
    leaving_ = entering_;
    for (std::size_t p = 0; p < processors_; ++p) {
      entering_[0][p] = from_source(p);
      leaving_[stages_ - 1][p] = to_sink(p);
      for (std::size_t k = 1; k < stages_; ++k) {
        const std::int64_t computed = times_.computation(k - 1, k - 1, p) + entering_[k - 1][p];
        entering_[k][p] = std::min({received_[k - 1][p], computed, kNever});
      }
      for (std::size_t k = stages_ - 1; k-- > 0;) {
        const std::int64_t computed = times_.computation(k + 1, k + 1, p) + leaving_[k + 1][p];
        leaving_[k][p] = std::min({sent_[k][p], computed, kNever});
      }
    }
  }

  std::int64_t from_source(std::size_t p) const {
    if (!links_.from_source(p)) return kNever;
    return problem_.platform.source ? times_.least_from_source(p) : 0;
  }
  std::int64_t to_sink(std::size_t p) const {
    if (!links_.to_sink(p)) return kNever;
    return problem_.platform.sink ? times_.least_to_sink(p) : 0;
  }

  std::int64_t of_run(std::size_t first, std::size_t end) {
    std::vector<std::int64_t> least(end - first + 1, kNever);
    least[0] = 0;
    for (std::size_t b = first; b < end; ++b) {
      for (std::size_t a = first; a <= b && !watch_.has_passed(static_cast<double>(processors_)); ++a) {
        const std::int64_t here = std::max(least[a - first], of_interval(first, a, b, end));
        least[b + 1 - first] = std::min(least[b + 1 - first], here);
      }
    }
    return least.back() >= kNever ? 0 : least.back();
  }

  // Stages a to b of the run on one processor.
  std::int64_t of_interval(std::size_t first, std::size_t a, std::size_t b, std::size_t end) const {
    std::int64_t least = kNever;
    for (std::size_t p = 0; p < processors_; ++p) {
      const std::int64_t receive = a > first ? received_[a - 1][p] : at_start(a, p);
      const std::int64_t send = b + 1 < end ? sent_[b][p] : at_end(b, p);
      if (receive >= kNever || send >= kNever) continue;
      least = std::min(least, tpn::cycle_time(model_, receive, times_.computation(a, b, p), send));
    }
    return least;
  }

  std::int64_t at_start(std::size_t stage, std::size_t p) const {
    if (sees_ends_) return entering_[stage][p];
    return stage == 0 ? from_source(p) : 0;
  }
  std::int64_t at_end(std::size_t stage, std::size_t p) const {
    if (sees_ends_) return leaving_[stage][p];
    return stage + 1 == stages_ ? to_sink(p) : 0;
  }

  const tpn::Document& problem_;
  const tpn::LinkTable& links_;
  const tpn::TickTimes& times_;
  tpn::Model model_;
  std::size_t processors_;
  std::size_t stages_;
  maxplus::DeadlineWatch watch_;
  bool sees_ends_;
  // By stage and processor.
  std::vector<std::vector<std::int64_t>> received_;  // the file behind the stage
  std::vector<std::vector<std::int64_t>> sent_;
  std::vector<std::vector<std::int64_t>> entering_;
  std::vector<std::vector<std::int64_t>> leaving_;
};

}  // namespace

Rational period_lower_bound(const tpn::ProblemView& problem, const tpn::Model& model,
                            const maxplus::Deadline& deadline) {
  const EverywhereView everywhere(problem);
  if (everywhere.is_completed()) return period_lower_bound(everywhere.view(), model, deadline);
  Rational anyway =
      std::max(least_anyway(problem, deadline.half_way()), least_on_segments(problem, deadline.half_way()));
  const tpn::TickTimes* times = problem.short_ticks();
  if (times == nullptr) return anyway;
  if (!tpn::is_chain(problem.document().application))
    return std::max(anyway, PricedPaths(problem, *times, model, deadline).bound());
  const Rational runs = Rational(FixedRuns(problem, *times, model, deadline.half_way()).bound()) / times->scale();
  return std::max({anyway, runs, PricedPaths(problem, *times, model, deadline).bound()});
}

namespace {

// To six digits, as it is printed: a bound that is rounded up would claim too much.
Rational rounded_down(const Rational& bound) {
  constexpr int kLeast = 100'000;
  Rational unit(1);
  while (bound / unit >= Rational(10 * kLeast)) unit *= Rational(10);
  while (bound / unit < Rational(kLeast)) unit /= Rational(10);
  return Rational((bound / unit).floor()) * unit;
}

}  // namespace

std::string bound_note(const tpn::Document& problem, const tpn::Model& model, const Rational& period,
                       const Rational& lower_bound) {
  const std::string under = tpn::title_of(model);
  const plan::MappingClaim claim(plan::Prover::loads, plan::freedoms_of(problem));
  const std::string none = "no mapping" + claim.without();
  if (period <= lower_bound)
    return fmt::format("Proved: {} has a shorter period under {}.{}", none, under, claim.beyond());
  if (lower_bound.sign() <= 0) return fmt::format("No lower bound on periods under {} is known.", under);
  return fmt::format("Proved: {} has a period below {} under {}; this one is {} % above that.{}", none,
                     time_in_words(problem, rounded_down(lower_bound)), under,
                     decimal((period / lower_bound - 1) * 100), claim.beyond());
}

}  // namespace takt::heuristics
