// The adaptive half of a coordinator: hears what computations take, and says when a run goes on with which mapping.
//
// Problem. Processors become slower or faster while a pipeline runs. When is another mapping worth a switch, and which?
//
// Method. The monitor (live/adaptation/monitor.hpp) says when; then the problem as it is believed to be by now is
// mapped by a heuristic (live/adaptation/remapping.hpp). The present mapping stays where the heuristic finds it again,
// or one that is believed to be no faster, or none; then what the processors take now is from then on what is usual,
// lest the same be asked of every data set.
//
// References. [gonzalez2006adaptive], Section 3.2, for the monitor; that a mapping must be believed to be faster is
// ours.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "live/adaptation/monitor.hpp"
#include "live/adaptation/remapping.hpp"
#include "live/adaptation/run_log.hpp"

namespace takt::live {

struct AdaptationTerms {
  RemappingTerms remapping;
  MonitorTerms monitor;
  SwitchKind kind = SwitchKind::roll;
  std::set<std::size_t> gone;   // processors that no new mapping may use
  bool logs_all_times = false;  // every computation is a measurement point; else those that call for a decision
};

class Adaptation {
 public:
  /// Keeps references to the problem and the log.
  Adaptation(const tpn::Document& problem, const Rational& ticks_per_unit, AdaptationTerms terms, RunLog& log);

  SwitchKind kind() const { return terms_.kind; }

  /// The mapping with which the run begins. It can be carried out. Mappings that follow keep to the processors that
  /// take part. Times are of the run's clock.
  void begin(std::uint64_t data_set, const tpn::Mapping& mapping, std::span<const std::size_t> processors, Ticks now);

  /// These throw std::runtime_error where the processor does not have that part of that data set.
  void begun(std::size_t processor, std::size_t part, std::uint64_t data_set, Ticks start);
  void computed(std::size_t processor, std::size_t part, std::uint64_t data_set, Ticks start, Ticks end);

  /// Whether the monitor calls for a new mapping; `decide` must follow some time.
  bool is_called_for(Ticks now);
  /// When it may, though nobody says anything more.
  std::optional<Ticks> next() const { return monitor_.next(); }

  /// How many times as long as the instance says each processor is believed to take; empty where nothing is known yet.
  std::vector<Rational> beliefs(Ticks now) const;

  /// The mapping from this data set on, behind all that were let in; nothing where the present one stays.
  std::optional<tpn::Mapping> decide(std::uint64_t data_set, Ticks now);

 private:
  std::optional<Route> route_for(const tpn::Mapping& mapping) const;
  TuningPoint tuning_point(std::uint64_t data_set, Ticks now) const;
  void check(std::size_t processor, std::size_t part, std::uint64_t data_set) const;
  void write_measured(const MeasuredTime& measured, Ticks now);

  const tpn::Document& problem_;
  tpn::ProblemView view_;
  Rational ticks_per_unit_;
  AdaptationTerms terms_;
  RunLog& log_;
  Monitor monitor_;
  tpn::Mapping mapping_;  // the present one
  Ticks begin_ = 0;
};

}  // namespace takt::live
