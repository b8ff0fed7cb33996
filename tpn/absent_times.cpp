// Prohibitive times: above the sequential period of every mapping that does without them.
#include "tpn/absent_times.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tpn/ends.hpp"
#include "tpn/errors.hpp"
#include "tpn/hosts.hpp"
#include "tpn/json.hpp"
#include "tpn/workflow.hpp"

namespace takt::tpn {

namespace {

// Entries of a sequence for each processor of the platform.
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
  for (std::size_t p = 0; p < processors; ++p) {
    for (std::size_t k = 0; k < count_of(problem.platform.source); ++k)
      raise(from_source, timing.source_link(p, k), problem.application.input.value_or(0));
  }
  // A workflow's stages take a file each on their own, at most: of each stage, how many do.
  std::vector<std::size_t> takers(stages.size(), 0);
  std::size_t entries = 0;
  for (std::size_t k = 0; k < stages.size(); ++k) {
    const std::vector<std::size_t> before = stages_before(problem.application, k);
    entries += before.empty() ? 1 : 0;
    for (const std::size_t sender : before) ++takers[sender];
  }
  Rational sum = from_source * Rational(entries);
  for (std::size_t k = 0; k < stages.size(); ++k) {
    if (takers[k] > 0) continue;
    Rational to_sink;
    for (std::size_t p = 0; p < processors; ++p) {
      for (std::size_t which = 0; which < count_of(problem.platform.sink); ++which)
        raise(to_sink, timing.sink_link(p, which), size_behind(k));
    }
    sum += to_sink;
  }
  for (std::size_t k = 0; k < stages.size(); ++k) {
    if (takers[k] == 0) continue;
    Rational most;
    for (const NamedLink& named : timing.named_links()) raise(most, timing.link(named), size_behind(k));
    for (const OtherLinks::Kind& kind : timing.other_links().kinds) raise(most, kind.link, size_behind(k));
    sum += most * Rational(takers[k]);
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

// By processor: whether it is known how long the stage takes there.
std::vector<bool> timed_on(const Document& problem, std::size_t stage) {
  const Stage& here = problem.application.stages[stage];
  std::vector<bool> is_timed;
  for (const Processor& on : problem.platform.processors)
    is_timed.push_back(on.time.has_value() || (here.work && on.speed));
  for (const StageTime& own : here.times) is_timed[own.processor] = true;
  return is_timed;
}

// By processor: whether the stage runs there, where it has a time.
std::vector<bool> runners_of(const Document& problem, std::size_t stage, std::vector<bool> runs) {
  for (std::size_t p = 0; p < runs.size(); ++p)
    runs[p] = runs[p] && is_let_run(problem.application.stages[stage], problem.platform, p);
  return runs;
}

std::optional<AbsentTime> first_ruled_out(const Document& problem) {
  const auto& stages = problem.application.stages;
  for (std::size_t k = 0; k < stages.size(); ++k) {
    if (stages[k].runs_on.empty()) continue;
    for (std::size_t p = 0; p < problem.platform.processors.size(); ++p) {
      if (!is_let_run(stages[k], problem.platform, p)) return AbsentTime{k, p};
    }
  }
  return std::nullopt;
}

[[noreturn]] void refuse_stage(const Document& problem, std::size_t stage) {
  const Stage& here = problem.application.stages[stage];
  throw InvalidInstance(
      fmt::format("/application/stages/{}", stage),
      fmt::format("stage {}, which no processor runs", json::quote(here.name)),
      here.work
          ? "a processor with a \"speed\", or a \"time\" in the stage for one, that its \"runs on\" does not rule out"
          : "a \"time\" in the stage for some processor that its \"runs on\" does not rule out");
}

}  // namespace

bool is_let_run(const Stage& stage, const Platform& platform, std::size_t processor) {
  if (stage.runs_on.empty()) return true;
  const Processor& here = platform.processors[processor];
  return std::ranges::any_of(stage.runs_on, [&](const std::string& name) {
    return name == here.name || name == entry_name(here) || (here.type && name == platform.types[*here.type].name);
  });
}

std::string runner_words(const Document& problem, std::size_t stage) {
  constexpr std::size_t kNamed = 4;
  const std::vector<bool> runs = runners_of(problem, stage, timed_on(problem, stage));
  std::vector<std::string> names;
  for (const ProcessorGroup& group : processor_groups(problem.platform))
    if (runs[group.first]) names.push_back(json::quote(group.name));
  if (names.size() > kNamed) {
    const std::size_t more = names.size() - kNamed;
    names.resize(kNamed);
    names.push_back(fmt::format("one of {} more", more));
  }
  return json::alternatives(names);
}

std::optional<AbsentTime> first_absent_time(const Document& problem) {
  const auto& stages = problem.application.stages;
  const auto& processors = problem.platform.processors;
  const auto ruled_out = first_ruled_out(problem);
  if (std::ranges::all_of(stages, [](const Stage& stage) { return stage.times.empty(); })) return ruled_out;
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
    const std::vector<bool> is_timed = timed_on(problem, k);
    const auto absent = std::ranges::find(is_timed, false);
    if (absent != is_timed.end()) return AbsentTime{k, static_cast<std::size_t>(absent - is_timed.begin())};
  }
  return ruled_out;
}

AbsentTimes::AbsentTimes(const Document& problem, const Timing& timing)
    : processors_(problem.platform.processors.size()),
      stages_(problem.application.stages.size()),
      missing_((stages_ + 1) * processors_) {
  std::vector<bool> is_known(processors_);
  for (std::size_t p = 0; p < processors_; ++p) is_known[p] = problem.platform.processors[p].speed.has_value();
  for (std::size_t k = 0; k < stages_; ++k) {
    const std::vector<bool> timed = timed_on(problem, k);
    const std::vector<bool> runs = runners_of(problem, k, timed);
    for (std::size_t p = 0; p < processors_; ++p) {
      missing(k + 1, p) = missing(k, p) + (runs[p] ? 0 : 1);
      is_known[p] = is_known[p] || timed[p];
    }
    if (std::ranges::find(runs, true) == runs.end()) refuse_stage(problem, k);
  }
  for (std::size_t p = 0; p < processors_; ++p)
    if (!is_known[p]) timing.computation(0, 0, p);  // throws
}

AbsentTimes::AbsentTimes(const AbsentTimes& other, std::span<const std::size_t> order)
    : processors_(other.processors_), stages_(other.stages_), missing_(other.missing_.size()) {
  for (std::size_t k = 0; k < order.size(); ++k) {
    for (std::size_t p = 0; p < processors_; ++p)
      missing(k + 1, p) = missing(k, p) + (other.can_run(order[k], order[k], p) ? 0 : 1);
  }
}

std::size_t AbsentTimes::end_of_run(std::size_t first_stage, std::size_t processor) const {
  std::size_t end = first_stage;
  while (end < stages_ && can_run(end, end, processor)) ++end;
  return end;
}

namespace {

// Sets of stages, the fewest first: each next one is not with the one before on any processor.
class CrowdSearch {
 public:
  explicit CrowdSearch(const AbsentTimes& absent) : absent_(absent), apart_from_(absent.stages()) {
    for (std::size_t k = 0; k < absent.stages(); ++k) {
      std::size_t end = k;
      for (std::size_t p = 0; p < absent.processors(); ++p) end = std::max(end, absent.end_of_run(k, p));
      apart_from_[k] = end;
    }
  }

  std::optional<CrowdedStages> search() {
    for (wanted_ = 2; wanted_ <= absent_.stages() && left_ > 0; ++wanted_) {
      if (adds(0, std::vector<bool>(absent_.processors()), 0)) return found_;
    }
    return std::nullopt;
  }

 private:
  // Whether stages from `first` on make those that are chosen enough. Their processors are `used`.
  bool adds(std::size_t first, const std::vector<bool>& used, std::size_t count) {
    for (std::size_t k = first; k < absent_.stages() && left_ > 0; ++k) {
      left_ -= std::min(left_, absent_.processors());
      std::vector<bool> with = used;
      std::size_t more = count;
      for (std::size_t p = 0; p < absent_.processors() && more < wanted_; ++p) {
        if (with[p] || !absent_.can_run(k, k, p)) continue;
        with[p] = true;
        ++more;
      }
      if (more >= wanted_) continue;
      found_.stages.push_back(k);
      if (found_.stages.size() == wanted_) {
        for (std::size_t p = 0; p < with.size(); ++p)
          if (with[p]) found_.processors.push_back(p);
        return true;
      }
      if (adds(apart_from_[k], with, more)) return true;
      found_.stages.pop_back();
    }
    return false;
  }

  const AbsentTimes& absent_;
  std::vector<std::size_t> apart_from_;  // by stage: the first behind it that no processor has with it
  std::size_t wanted_ = 0;
  std::size_t left_ = 20'000'000;  // of pairs of a set and a processor
  CrowdedStages found_;
};

std::string list_words(const std::vector<std::string>& names) {
  std::string words;
  for (std::size_t i = 0; i < names.size(); ++i) {
    words += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
  }
  return words;
}

}  // namespace

std::optional<CrowdedStages> crowded_stages(const AbsentTimes& absent) { return CrowdSearch(absent).search(); }

std::string crowded_words(const Document& problem, const CrowdedStages& crowded) {
  std::vector<std::string> stages;
  for (const std::size_t k : crowded.stages) stages.push_back(json::quote(problem.application.stages[k].name));
  std::vector<std::string> processors;
  for (const std::size_t p : crowded.processors) processors.push_back(json::quote(problem.platform.processors[p].name));
  return fmt::format("stages {} run on {} only, which {} not have two of them in one part", list_words(stages),
                     list_words(processors), processors.size() == 1 ? "does" : "do");
}

Rational longest_period(const Document& problem, const Timing& timing, const AbsentTimes& absent) {
  return longest_computations(problem, timing, absent) + longest_transfers(problem, timing);
}

Document with_prohibitive_times(const Document& problem, const Timing& timing, const AbsentTimes& absent) {
  const std::size_t processors = problem.platform.processors.size();
  const Rational longest = longest_period(problem, timing, absent) + Rational(1);
  const Rational prohibitive = longest * Rational(kMostTurns * (processors + 1));
  Document completed = problem;
  for (std::size_t k = 0; k < problem.application.stages.size(); ++k) {
    completed.application.stages[k].runs_on.clear();
    const Rational per_firing((prohibitive / timing.gain(k)).ceiling());
    for (std::size_t p = 0; p < processors; ++p) {
      if (!absent.can_run(k, k, p)) completed.application.stages[k].times.push_back({p, per_firing});
    }
  }
  return completed;
}

}  // namespace takt::tpn
