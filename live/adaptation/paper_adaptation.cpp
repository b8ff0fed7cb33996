// What was decided is a tuning point first, which is then written down and done.
#include "live/adaptation/paper_adaptation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>
#include <variant>

#include "maxplus/contract.hpp"

namespace takt::live {

PaperAdaptation::PaperAdaptation(const tpn::Document& problem, const Rational& ticks_per_unit, AdaptationTerms terms,
                                 RunLog& log)
    : problem_(problem),
      view_(problem),
      ticks_per_unit_(ticks_per_unit),
      terms_(std::move(terms)),
      log_(log),
      monitor_(ranks_of(problem.platform), terms_.monitor) {
  maxplus::expects(terms_.remapping.heuristic != nullptr, "a run that adapts has a heuristic");
}

void PaperAdaptation::begin(std::uint64_t data_set, const tpn::Mapping& mapping,
                            std::span<const std::size_t> processors, Ticks now) {
  for (std::size_t p = 0; p < problem_.platform.processors.size(); ++p)
    if (std::ranges::find(processors, p) == processors.end()) terms_.gone.insert(p);
  std::optional<Route> route = route_for(view_, mapping, ticks_per_unit_);
  maxplus::expects(route.has_value(), "a run's mapping can be carried out");
  monitor_.follow(data_set, std::move(*route));
  mapping_ = mapping;
  begin_ = now;
}

void PaperAdaptation::write_measured(const MeasuredTime& measured, Ticks now) {
  const tpn::NetPart& part = monitor_.route_of(measured.data_set).part(measured.part);
  log_.write({now - begin_, MeasurementPoint{measured, part.first_stage, part.last_stage}});
}

void PaperAdaptation::check(std::size_t processor, std::size_t part, std::uint64_t data_set) const {
  const Route& route = monitor_.route_of(data_set);
  if (part < route.parts() && route.processor_at(part, data_set) == processor) return;
  throw std::runtime_error(
      fmt::format("processor {} reports a part of data set {} that it does not have", processor, data_set));
}

void PaperAdaptation::begun(std::size_t processor, std::size_t part, std::uint64_t data_set, Ticks start) {
  check(processor, part, data_set);
  monitor_.begun(processor, part, data_set, start);
}

void PaperAdaptation::computed(const Computed& computed) {
  check(computed.processor, computed.part, computed.data_set);
  const MeasuredTime measured{computed.processor, computed.part, computed.data_set, computed.end - computed.start,
                              false};
  monitor_.computed(measured);
  if (terms_.logs_all_times) write_measured(measured, computed.end);
}

bool PaperAdaptation::is_called_for(std::uint64_t /*data_set*/, Ticks now) {
  const std::optional<MonitorFinding> finding = monitor_.finding(now);
  if (!finding) return false;
  if (!terms_.logs_all_times || finding->cause.is_under_way) write_measured(finding->cause, now);
  log_.write({now - begin_, PerformanceFunction{std::string(terms_.remapping.heuristic->name), *finding}});
  return true;
}

std::vector<Rational> PaperAdaptation::beliefs(Ticks now) const {
  std::vector<Rational> ratios = monitor_.ratios(now);
  ratios.resize(problem_.platform.processors.size());
  return ratios;
}

TuningPoint PaperAdaptation::tuning_point(std::uint64_t data_set, Ticks now) const {
  const tpn::Document believed = believed_problem(problem_, beliefs(now));
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

std::optional<tpn::Mapping> PaperAdaptation::decide(std::uint64_t data_set, Ticks now) {
  TuningPoint point = tuning_point(data_set, now);
  std::optional<Route> route;
  if (point.outcome == TuningOutcome::mapped) {
    route = route_for(view_, point.mapping, ticks_per_unit_);
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
