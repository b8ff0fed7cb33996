// Reads a problem as a divided pipeline; intervals of the axis to shares of segments.
#include "heuristics/divided/divided.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "maxplus/contract.hpp"
#include "tpn/ends.hpp"
#include "tpn/problem_view.hpp"
#include "tpn/workflow.hpp"

namespace takt::heuristics {

namespace {

// An amount that is not known counts as one.
bool may_take_time(const std::optional<tpn::LinearTime>& link, bool has_amount) {
  return link && (link->fixed.sign() > 0 || (has_amount && link->per_unit));
}

bool communication_takes_time(const tpn::ProblemView& problem) {
  const tpn::Platform& platform = problem.document().platform;
  const std::optional<Rational>& input = problem.document().application.input;
  const std::vector<tpn::Stage>& stages = problem.document().application.stages;
  const tpn::Timing& timing = problem.timing();
  const auto has_size = [](const std::optional<Rational>& size) { return !size || size->sign() > 0; };
  const std::vector<bool> are_exits = tpn::exit_stages(problem.document().application);
  bool files = false;       // any between stages
  bool deliveries = false;  // any to the sink
  for (std::size_t k = 0; k < stages.size(); ++k) (are_exits[k] ? deliveries : files) |= has_size(stages[k].output);
  const std::size_t processors = platform.processors.size();
  for (std::size_t p = 0; p < processors; ++p) {
    for (std::size_t k = 0; k < tpn::count_of(platform.source); ++k)
      if (may_take_time(timing.source_link(p, k), has_size(input))) return true;
    for (std::size_t k = 0; k < tpn::count_of(platform.sink); ++k)
      if (may_take_time(timing.sink_link(p, k), deliveries)) return true;
  }
  if (stages.size() == 1 || processors == 1) return false;
  return std::ranges::any_of(timing.other_links().kinds,
                             [&](const auto& kind) { return kind.pairs > 0 && may_take_time(kind.link, files); }) ||
         std::ranges::any_of(timing.named_links(),
                             [&](const auto& named) { return may_take_time(timing.link(named), files); });
}

// Both scaled by the least common multiple of their denominators, which is returned.
Integer scale_to_integers(std::span<const Rational> numbers, std::vector<Integer>& scaled) {
  Integer scale = 1;
  for (const Rational& number : numbers) scale = lcm(scale, number.denominator());
  for (const Rational& number : numbers) scaled.emplace_back(number.numerator() * (scale / number.denominator()));
  return scale;
}

// Shares of a stage have a work, and no time of their own.
std::optional<Infeasible> refusal_of_own_times(const tpn::ProblemView& problem) {
  if (problem.absent_times() != nullptr) {
    return Infeasible{"it divides work among all processors, and some stages run on some processors only"};
  }
  if (!problem.timing().has_own_times()) return std::nullopt;
  const auto& stages = problem.document().application.stages;
  const auto own = std::ranges::find_if(stages, [](const tpn::Stage& stage) { return !stage.times.empty(); });
  return Infeasible{
      fmt::format("stage {} has a \"time\" of its own for some processors, and dividing work needs works and speeds",
                  tpn::json::quote(own->name))};
}

}  // namespace

std::variant<DividedPipeline, Infeasible> pipeline_of(const tpn::ProblemView& problem, Log& log) {
  if (auto refusal = refusal_of_own_times(problem)) return *std::move(refusal);
  std::vector<Rational> speeds;
  for (const tpn::Processor& processor : problem.document().platform.processors) {
    if (!processor.speed && processor.time) {
      return Infeasible{fmt::format("processor {} has a fixed \"time\", and dividing work needs a \"speed\"",
                                    tpn::json::quote(processor.name))};
    }
    speeds.push_back(*processor.speed);
  }
  const auto& stages = problem.document().application.stages;
  std::vector<Rational> works;
  for (std::size_t k = 0; k < stages.size(); ++k)
    works.push_back(problem.timing().computation(k, k, 0) * speeds.front());

  DividedPipeline pipeline;
  std::vector<Integer> scaled;
  const Rational work_scale = scale_to_integers(works, scaled);
  const Rational speed_scale = scale_to_integers(speeds, pipeline.speeds);
  pipeline.unit = speed_scale / work_scale;
  pipeline.time_unit = problem.document().time_unit;
  for (std::size_t k = 0; k < stages.size(); ++k) {
    const bool joins = k > 0 && stages[k].replicable && stages[k - 1].replicable;
    if (!joins) pipeline.segments.push_back({k, k, pipeline.work, pipeline.work, false});
    pipeline.work += scaled[k];
    Segment& segment = pipeline.segments.back();
    segment.last_stage = k;
    segment.end = pipeline.work;
    segment.divisible = stages[k].replicable && segment.start < segment.end;
  }
  if (communication_takes_time(problem)) {
    log.notes.emplace_back(
        "Communication takes time here, which this heuristic leaves out: it balances computation only, and predicts as "
        "if transfers were free.");
  }
  return pipeline;
}

Chain document_chain(const DividedPipeline& pipeline) {
  Chain chain(pipeline.speeds.size());
  std::iota(chain.begin(), chain.end(), std::size_t{0});
  return chain;
}

Integer speed_of(const DividedPipeline& pipeline, std::span<const std::size_t> chain) {
  Integer sum = 0;
  for (const std::size_t processor : chain) sum += pipeline.speeds[processor];
  return sum;
}

Division divide(const DividedPipeline& pipeline, const Chain& chain, std::span<const Rational> ends) {
  maxplus::expects(
      !chain.empty() && ends.size() == chain.size() && ends.back() == pipeline.work && std::ranges::is_sorted(ends),
      "the intervals of a chain cover the pipeline");
  Division division;
  std::size_t k = 0;  // in the chain
  for (const Segment& segment : pipeline.segments) {
    std::vector<WorkShare>& shares = division.emplace_back();
    if (!segment.divisible) {
      while (ends[k] < segment.end) ++k;
      maxplus::expects(k == 0 || segment.start == segment.end || ends[k - 1] <= segment.start,
                       "no boundary inside a stage that is not divisible");
      shares.push_back({chain[k], 1});
      continue;
    }
    Rational position = segment.start;
    while (position < segment.end) {
      while (ends[k] <= position) ++k;
      const Rational end = std::min(ends[k], Rational(segment.end));
      shares.push_back({chain[k], (end - position) / segment.work()});
      position = end;
    }
  }
  return division;
}

Rational period_of(const DividedPipeline& pipeline, const Division& division) {
  std::vector<Rational> loads(pipeline.speeds.size());
  for (std::size_t i = 0; i < division.size(); ++i) {
    for (const WorkShare& share : division[i]) loads[share.processor] += share.fraction * pipeline.segments[i].work();
  }
  Rational period;
  for (std::size_t p = 0; p < loads.size(); ++p) period = std::max(period, loads[p] / pipeline.speeds[p]);
  return period * pipeline.unit;
}

std::vector<Segment> compact_segments(const DividedPipeline& pipeline) {
  std::vector<Segment> compact;
  for (const Segment& segment : pipeline.segments) {
    if (segment.start == segment.end) continue;
    if (!compact.empty() && compact.back().divisible && segment.divisible) {
      compact.back().end = segment.end;
    } else {
      compact.push_back(segment);
    }
  }
  return compact;
}

}  // namespace takt::heuristics
