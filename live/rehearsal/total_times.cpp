// Each case is mapped anew: heuristics are quick beside a run.
#include "live/rehearsal/total_times.hpp"

#include <algorithm>
#include <utility>
#include <variant>

#include "heuristics/registry.hpp"
#include "maxplus/contract.hpp"

namespace takt::live {

namespace {

// Moves of a search for which nobody waits long.
constexpr int kSearchMoves = 2000;

constexpr std::uint64_t kLargeWindow = 24;
constexpr std::uint64_t kSmallWindow = 10;

RemappingTerms remapping_terms(const TotalTimeSetting& setting, const RunWay& way) {
  const heuristics::Heuristic* heuristic = heuristics::find_heuristic(way.heuristic);
  maxplus::expects(heuristic != nullptr, "a way to run has a heuristic");
  return {
      .heuristic = heuristic, .options = way.options, .model = setting.model, .window = way.window, .time_limit = {}};
}

}  // namespace

TotalTimeSetting figure_setting() {
  TotalTimeSetting setting{.problem = {}, .data_sets = 128, .loaded_stage = 4, .load_from = 240};
  for (int k = 0; k < 8; ++k) {
    tpn::Stage& stage = setting.problem.application.stages.emplace_back();
    stage.name = "s" + std::to_string(k);
    stage.work = 20;
    stage.output = 1;
  }
  setting.problem.application.input = 1;
  for (int p = 0; p < 10; ++p) {
    setting.problem.platform.processors.push_back({.name = "p" + std::to_string(p), .speed = Rational(1), .time = {}});
  }
  setting.problem.platform.defaults.time = Rational::fraction(1, 2);
  return setting;
}

std::vector<RunWay> run_ways() {
  const std::vector<heuristics::OptionSetting> search = {{"moves", Rational(kSearchMoves)}};
  return {{"not adaptive", "calibrate", {}, kLargeWindow, {}},
          {"drain, window 24", "calibrate", {}, kLargeWindow, SwitchKind::drain},
          {"drain, window 10", "calibrate", {}, kSmallWindow, SwitchKind::drain},
          {"roll, window 10", "calibrate", {}, kSmallWindow, SwitchKind::roll},
          {"hedpm, window 10", "hedpm", {}, kSmallWindow, SwitchKind::roll},
          {"polish, window 10", "polish", search, kSmallWindow, SwitchKind::roll}};
}

std::vector<TotalTimeCase> total_time_cases(std::span<const Rational> loads, std::span<const RunWay> ways) {
  std::vector<TotalTimeCase> cases;
  for (const Rational& load : loads)
    for (const RunWay& way : ways) cases.push_back({load, way});
  return cases;
}

tpn::Document first_instance(const TotalTimeSetting& setting, const RunWay& way) {
  tpn::Document instance = setting.problem;
  instance.mapping = remap(setting.problem, {}, nullptr, remapping_terms(setting, way)).mapping;
  return instance;
}

BackgroundLoad load_of(const TotalTimeSetting& setting, const TotalTimeCase& one, const tpn::Document& instance,
                       const Rational& ticks_per_unit) {
  const auto part = std::ranges::find_if(*instance.mapping,
                                         [&](const tpn::Part& has) { return has.last_stage >= setting.loaded_stage; });
  const maxplus::Integer from = Rational(setting.load_from * ticks_per_unit).floor();
  return {.processor = part->processors.front(), .load = one.load, .from = from.get_si()};
}

std::optional<AdaptationTerms> adaptation_of(const TotalTimeSetting& setting, const RunWay& way) {
  if (!way.adapts) return std::nullopt;
  AdaptationTerms terms;
  terms.remapping = remapping_terms(setting, way);
  terms.kind = *way.adapts;
  return terms;
}

std::optional<TotalTime> rehearse_case(const TotalTimeSetting& setting, const TotalTimeCase& one,
                                       const Rational& ticks_per_unit, RunLog* log) {
  const tpn::Document instance = first_instance(setting, one.way);
  if (!instance.mapping) return std::nullopt;
  const auto run = rehearse(
      instance, {.model = setting.model,
                 .engine = {},
                 .coordination = {.first_data_set = 0, .data_sets = setting.data_sets, .window = one.way.window},
                 .loads = {load_of(setting, one, instance, ticks_per_unit)},
                 .adaptation = adaptation_of(setting, one.way),
                 .log = log,
                 .ticks_per_unit = ticks_per_unit});
  if (!run) return std::nullopt;
  return TotalTime{run->end, run->mappings.size()};
}

}  // namespace takt::live
