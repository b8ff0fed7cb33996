// What was decided is a tuning point first, which is then written down and done.
#include "live/adaptation/adaptation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>
#include <variant>

#include "maxplus/contract.hpp"

namespace takt::live {

namespace {

std::size_t ranks_of(const tpn::Platform& platform) {
  return platform.processors.size() + (platform.source ? 1 : 0) + (platform.sink ? 1 : 0);
}

}  // namespace

Adaptation::Adaptation(const tpn::Document& problem, const Rational& ticks_per_unit, AdaptationTerms terms, RunLog& log)
    : problem_(problem),
      view_(problem),
      ticks_per_unit_(ticks_per_unit),
      terms_(std::move(terms)),
      log_(log),
      monitor_(ranks_of(problem.platform), terms_.monitor) {
  maxplus::expects(terms_.remapping.heuristic != nullptr, "a run that adapts has a heuristic");
}

std::optional<Route> Adaptation::route_for(const tpn::Mapping& mapping) const {
  const auto made = tpn::make_pipeline(view_, mapping);
  const auto* pipeline = std::get_if<tpn::Pipeline>(&made);
  return pipeline == nullptr ? std::nullopt : Route::make(*pipeline, ticks_per_unit_);
}

void Adaptation::begin(std::uint64_t data_set, const tpn::Mapping& mapping, std::span<const std::size_t> processors,
                       Ticks now) {
  for (std::size_t p = 0; p < problem_.platform.processors.size(); ++p)
    if (std::ranges::find(processors, p) == processors.end()) terms_.gone.insert(p);
  std::optional<Route> route = route_for(mapping);
  maxplus::expects(route.has_value(), "a run's mapping can be carried out");
  monitor_.follow(data_set, std::move(*route));
  mapping_ = mapping;
  begin_ = now;
}

void Adaptation::write_measured(const MeasuredTime& measured, Ticks now) {
  const tpn::NetPart& part = monitor_.route_of(measured.data_set).part(measured.part);
  log_.write({now - begin_, MeasurementPoint{measured, part.first_stage, part.last_stage}});
}

void Adaptation::check(std::size_t processor, std::size_t part, std::uint64_t data_set) const {
  const Route& route = monitor_.route_of(data_set);
  if (part < route.parts() && route.processor_at(part, data_set) == processor) return;
  throw std::runtime_error(
      fmt::format("processor {} speaks of a part of data set {} that it does not have", processor, data_set));
}

void Adaptation::begun(std::size_t processor, std::size_t part, std::uint64_t data_set, Ticks start) {
  check(processor, part, data_set);
  monitor_.begun(processor, part, data_set, start);
}

void Adaptation::computed(std::size_t processor, std::size_t part, std::uint64_t data_set, Ticks start, Ticks end) {
  check(processor, part, data_set);
  const MeasuredTime measured{processor, part, data_set, end - start, false};
  monitor_.computed(measured);
  if (terms_.logs_all_times) write_measured(measured, end);
}

bool Adaptation::is_called_for(Ticks now) {
  const std::optional<MonitorFinding> finding = monitor_.finding(now);
  if (!finding) return false;
  if (!terms_.logs_all_times || finding->cause.is_under_way) write_measured(finding->cause, now);
  log_.write({now - begin_, PerformanceFunction{std::string(terms_.remapping.heuristic->name), *finding}});
  return true;
}

std::vector<Rational> Adaptation::beliefs(Ticks now) const {
  std::vector<Rational> ratios = monitor_.ratios(now);
  ratios.resize(problem_.platform.processors.size());
  return ratios;
}

TuningPoint Adaptation::tuning_point(std::uint64_t data_set, Ticks now) const {
  std::vector<Rational> ratios = monitor_.ratios(now);
  ratios.resize(problem_.platform.processors.size());
  const tpn::Document believed = believed_problem(problem_, ratios);
  const Remapping found = remap(believed, terms_.gone, &mapping_, terms_.remapping);
  TuningPoint point;
  point.kind = terms_.kind;
  point.data_set = data_set;
  point.reason = found.reason;
  if (!found.mapping) return point;
  point.mapping = *found.mapping;
  point.predicted = found.predicted * ticks_per_unit_;
  if (*found.mapping == mapping_) {
    point.outcome = TuningOutcome::same;
    return point;
  }
  const bool is_possible = !uses_any(mapping_, terms_.gone);
  const std::optional<Rational> present = is_possible ? period_of(believed, mapping_, terms_.remapping) : std::nullopt;
  if (present) point.as_it_was = *present * ticks_per_unit_;
  point.outcome = present && *present <= found.predicted ? TuningOutcome::no_better : TuningOutcome::mapped;
  return point;
}

std::optional<tpn::Mapping> Adaptation::decide(std::uint64_t data_set, Ticks now) {
  TuningPoint point = tuning_point(data_set, now);
  std::optional<Route> route;
  if (point.outcome == TuningOutcome::mapped) {
    route = route_for(point.mapping);
    if (!route) {
      point.outcome = TuningOutcome::none;
      point.reason = "its mapping is too large to be carried out";
    }
  }
  monitor_.rely_on_times(now);
  log_.write({now - begin_, point});
  if (!route) {
    monitor_.calibrate_anew();
    return std::nullopt;
  }
  monitor_.follow(data_set, std::move(*route));
  mapping_ = point.mapping;
  return mapping_;
}

}  // namespace takt::live
