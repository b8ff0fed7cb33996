// Asks for a duration of each kind that needs an amount: what is absent is the durations' to say.
#include "heuristics/common/amounts.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "tpn/ends.hpp"
#include "tpn/workflow.hpp"

namespace takt::heuristics {

namespace {

using ProcessorPair = std::pair<std::size_t, std::size_t>;

bool needs_size(const std::optional<tpn::LinearTime>& link) { return link && link->per_unit; }

// A pair of processors whose link needs to know how much it transfers.
std::optional<ProcessorPair> pair_with_bandwidth(const tpn::ProblemView& problem) {
  const tpn::Timing& timing = problem.timing();
  std::optional<ProcessorPair> pair;
  for_each_alike_link(timing, [&](const tpn::NamedLink& named, std::size_t) {
    if (!pair && needs_size(timing.link(named))) pair.emplace(named.from, named.to);
  });
  if (pair) return pair;
  for (const tpn::OtherLinks::Kind& kind : timing.other_links().kinds)
    if (kind.pairs > 0 && needs_size(kind.link)) return ProcessorPair(kind.from, kind.to);
  return std::nullopt;
}

// Where stages have times of their own: every stage has a time on every processor.
void require_stage_times(const tpn::ProblemView& problem) {
  const auto& processors = problem.document().platform.processors;
  const auto& stages = problem.document().application.stages;
  const tpn::Timing& timing = problem.timing();
  const auto with_speed =
      static_cast<std::size_t>(std::ranges::count_if(processors, [](const auto& p) { return p.speed.has_value(); }));
  const auto without =
      static_cast<std::size_t>(std::ranges::count_if(processors, [](const auto& p) { return !p.speed && !p.time; }));
  for (std::size_t k = 0; k < stages.size(); ++k) {
    std::size_t speeds_needed = with_speed;
    std::size_t times_needed = without;
    for (const tpn::StageTime* own : timing.own_times(k))
      --(processors[own->processor].speed ? speeds_needed : times_needed);
    if (times_needed == 0 && (speeds_needed == 0 || stages[k].work)) continue;
    for (std::size_t p = 0; p < processors.size(); ++p) timing.computation(k, k, p);  // throws for one of them
  }
}

}  // namespace

void require_works(const tpn::ProblemView& problem) {
  const auto& processors = problem.document().platform.processors;
  const auto with_speed = std::ranges::find_if(processors, [](const auto& p) { return p.speed.has_value(); });
  if (problem.timing().has_own_times()) return require_stage_times(problem);
  if (with_speed == processors.end()) return;
  problem.timing().computation(0, problem.document().application.stages.size() - 1,
                               static_cast<std::size_t>(with_speed - processors.begin()));
}

void require_amounts(const tpn::ProblemView& problem) {
  require_works(problem);
  const tpn::Platform& platform = problem.document().platform;
  const tpn::Timing& timing = problem.timing();
  const std::vector<bool> is_exit = tpn::exit_stages(problem.document().application);
  for (std::size_t p = 0; p < platform.processors.size(); ++p) {
    for (std::size_t k = 0; k < tpn::count_of(platform.source); ++k)
      if (needs_size(timing.source_link(p, k))) timing.from_source(p, k);
    for (std::size_t which = 0; which < tpn::count_of(platform.sink); ++which) {
      if (!needs_size(timing.sink_link(p, which))) continue;
      for (std::size_t k = 0; k < is_exit.size(); ++k)
        if (is_exit[k]) timing.to_sink(std::span(&k, 1), p, which);
    }
  }
  if (std::ranges::all_of(is_exit, std::identity())) return;
  if (const auto pair = pair_with_bandwidth(problem)) {
    for (std::size_t k = 0; k < is_exit.size(); ++k)
      if (!is_exit[k]) timing.transfer(k, pair->first, pair->second);
  }
}

}  // namespace takt::heuristics
