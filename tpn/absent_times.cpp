// Prohibitive times: above the sequential period of every mapping that does without them.
#include "tpn/absent_times.hpp"

#include <algorithm>

namespace takt::tpn {

namespace {

// Entries of a sequence for each processor of the platform: no search repeats a processor more often on the average.
constexpr std::size_t kMostTurns = 4;

void raise(Rational& most, const std::optional<LinearTime>& link, const Rational& size) {
  if (link) most = std::max(most, link->of(size));
}

// The longest transfer of each file, together. A data set at a time is a schedule of every mapping: its operations one
// after the other bound the period.
Rational longest_transfers(const Document& problem, const Timing& timing) {
  const std::size_t processors = problem.platform.processors.size();
  const auto& stages = problem.application.stages;
  const auto size_behind = [&](std::size_t k) { return stages[k].output.value_or(0) * timing.gain(k); };
  Rational from_source;
  Rational to_sink;
  for (std::size_t p = 0; p < processors; ++p) {
    if (problem.platform.source) raise(from_source, timing.source_link(p), problem.application.input.value_or(0));
    if (problem.platform.sink) raise(to_sink, timing.sink_link(p), size_behind(stages.size() - 1));
  }
  Rational sum = from_source + to_sink;
  for (std::size_t k = 0; k + 1 < stages.size(); ++k) {
    Rational most;
    for (const NamedLink& named : timing.named_links()) raise(most, timing.link(named), size_behind(k));
    for (const OtherLinks::Kind& kind : timing.other_links().kinds) raise(most, kind.link, size_behind(k));
    sum += most;
  }
  return sum;
}

// Of a stage that the processor runs.
Rational time_on(const Document& problem, const Timing& timing, std::size_t stage, std::size_t processor) {
  const Processor& on = problem.platform.processors[processor];
  return on.time ? *on.time : *timing.stage_time(stage, processor);
}

Rational longest_computations(const Document& problem, const Timing& timing, const AbsentTimes& absent) {
  Rational sum;
  for (std::size_t k = 0; k < problem.application.stages.size(); ++k) {
    Rational most;
    for (std::size_t p = 0; p < problem.platform.processors.size(); ++p) {
      if (absent.can_run(k, k, p)) most = std::max(most, time_on(problem, timing, k, p));
    }
    sum += most;
  }
  return sum;
}

}  // namespace

std::optional<AbsentTime> first_absent_time(const Document& problem) {
  const auto& stages = problem.application.stages;
  const auto& processors = problem.platform.processors;
  if (std::ranges::all_of(stages, [](const Stage& stage) { return stage.times.empty(); })) return std::nullopt;
  const auto by_work =
      static_cast<std::size_t>(std::ranges::count_if(processors, [](const auto& p) { return p.speed.has_value(); }));
  const auto fixed =
      static_cast<std::size_t>(std::ranges::count_if(processors, [](const auto& p) { return p.time.has_value(); }));
  for (std::size_t k = 0; k < stages.size(); ++k) {
    const auto counts = [&](const StageTime& own) {
      return !processors[own.processor].time && !(stages[k].work && processors[own.processor].speed);
    };
    const auto own = static_cast<std::size_t>(std::ranges::count_if(stages[k].times, counts));
    if (own + fixed + (stages[k].work ? by_work : 0) == processors.size()) continue;
    std::vector<bool> runs(processors.size());
    for (const StageTime& time : stages[k].times) runs[time.processor] = true;
    for (std::size_t p = 0; p < processors.size(); ++p) {
      if (!runs[p] && !processors[p].time && !(stages[k].work && processors[p].speed)) return AbsentTime{k, p};
    }
  }
  return std::nullopt;
}

AbsentTimes::AbsentTimes(const Document& problem, const Timing& timing)
    : processors_(problem.platform.processors.size()),
      stages_(problem.application.stages.size()),
      missing_((stages_ + 1) * processors_) {
  for (std::size_t k = 0; k < stages_; ++k) {
    bool runs_somewhere = false;
    for (std::size_t p = 0; p < processors_; ++p) {
      const bool runs = problem.platform.processors[p].time || timing.stage_time(k, p);
      missing(k + 1, p) = missing(k, p) + (runs ? 0 : 1);
      runs_somewhere = runs_somewhere || runs;
    }
    if (!runs_somewhere) timing.computation(k, k, 0);  // throws
  }
  for (std::size_t p = 0; p < processors_; ++p) {
    if (missing(stages_, p) == stages_) timing.computation(0, 0, p);  // throws
  }
}

std::size_t AbsentTimes::end_of_run(std::size_t first_stage, std::size_t processor) const {
  std::size_t end = first_stage;
  while (end < stages_ && can_run(end, end, processor)) ++end;
  return end;
}

Document with_prohibitive_times(const Document& problem, const Timing& timing, const AbsentTimes& absent) {
  const std::size_t processors = problem.platform.processors.size();
  const Rational longest =
      longest_computations(problem, timing, absent) + longest_transfers(problem, timing) + Rational(1);
  const Rational prohibitive = longest * Rational(kMostTurns * (processors + 1));
  Document completed = problem;
  for (std::size_t k = 0; k < problem.application.stages.size(); ++k) {
    const Rational per_firing((prohibitive / timing.gain(k)).ceiling());
    for (std::size_t p = 0; p < processors; ++p) {
      if (!absent.can_run(k, k, p)) completed.application.stages[k].times.push_back({p, per_firing});
    }
  }
  return completed;
}

}  // namespace takt::tpn
