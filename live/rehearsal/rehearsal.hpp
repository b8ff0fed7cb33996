// A run without machines: all ranks in one process, on a virtual clock. What an engine does, without what clocks and
// messages add.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "evaluators/play/play.hpp"
#include "live/adaptation/adaptation.hpp"
#include "live/adaptation/coordinator.hpp"
#include "live/adaptation/run_log.hpp"
#include "live/engine/drawn_times.hpp"
#include "live/engine/engine.hpp"
#include "live/engine/load.hpp"
#include "live/engine/messages.hpp"
#include "tpn/document.hpp"

namespace takt::live {

/// The time of a stage for a data set, divided by that of the instance: the same on every processor.
using StageFactors = std::function<double(std::uint64_t data_set, std::size_t stage)>;

/// What a stage does on a data set, beside taking its time.
using StageAction = std::function<void(std::size_t stage, Packet& packet)>;

struct RehearsalTerms {
  tpn::Model model = tpn::Model::kOverlap;
  EngineTerms engine;
  CoordinatorTerms coordination;
  std::vector<BackgroundLoad> loads{};            // their times in ticks
  std::optional<AdaptationTerms> adaptation{};    // a run that adapts wants a window
  RunLog* log = nullptr;                          // of a run that adapts, if anybody reads it
  std::optional<Rational> ticks_per_unit{};       // default: as fine as the durations
  std::optional<JitterTerms> jitter{};            // wants ticks that are fine, and no turns that change
  std::optional<ArrivalTerms> arrivals{};         // default: data sets are always there
  std::optional<Ticks> until{};                   // the rehearsal breaks off at this moment
  std::function<bool()> stops{};                  // asked now and then; true breaks off likewise
  std::function<void(const RunView&)> on_view{};  // hears what CoordinatorTerms::looks_every asks for
  StageFactors factors{};                         // default: 1
  StageAction action{};                           // default: nothing; files of workflows are empty then
};

struct Rehearsal {
  std::vector<evaluators::Firing> trace;  // by data set, then column
  std::vector<std::string> results;       // by data set, from the first
  std::vector<MappingFrom> mappings;
  std::vector<Rational> deliveries;  // likewise, in order: when, in time units
  Rational end;                      // of the last delivery
  ComputationShares computed;        // by processor, where these do not take turns; in ticks
  std::uint64_t next = 0;            // data sets below it were delivered
  bool is_broken_off = false;        // then there is no trace
};

/// Runs a document that has a mapping. Nothing if the mapping is too large or a duration too long to be counted in
/// ticks. All durations are exact unless another number of ticks is asked for, but for loads, and for mappings that a
/// run adapts to, and for factors: those are rounded to ticks.
std::optional<Rehearsal> rehearse(const tpn::Document& instance, const RehearsalTerms& terms);

}  // namespace takt::live
