// What an adaptive run writes down of its decisions, in the three words of MATE, which tunes running programs.
//
// References. [moreno2017hedpm], Section 4.2: the tuning loop has measurement points, performance functions and tuning
// points.
#pragma once

#include <optional>
#include <string>
#include <variant>

#include "live/adaptation/monitor.hpp"
#include "live/adaptation/normal_times.hpp"
#include "tpn/document.hpp"

namespace takt::live {

/// How a run takes up a new mapping: from the first data set on that has not been let in, at once; or after all that
/// were let in have been delivered.
enum class SwitchKind { roll, drain };

/// The time of a computation.
struct MeasurementPoint {
  MeasuredTime measured;
  std::size_t first_stage = 0;
  std::size_t last_stage = 0;
};

/// What decides, and why it was asked.
struct PerformanceFunction {
  std::string heuristic;
  MonitorFinding finding;
};

enum class TuningOutcome {
  mapped,     // anew
  same,       // the heuristic's mapping is the present one
  no_better,  // it is believed to be no faster than the present one
  none        // the heuristic has found none
};

/// What was decided. Periods are in ticks per data set, as they are believed to be.
struct TuningPoint {
  TuningOutcome outcome = TuningOutcome::none;
  SwitchKind kind = SwitchKind::roll;
  tpn::Mapping mapping;               // of `mapped` and `no_better`
  std::uint64_t data_set = 0;         // of `mapped`: from it on
  Rational predicted;                 // but of `none`
  std::optional<Rational> as_it_was;  // of the present mapping, where it is known and still possible
  std::string reason;                 // of `none`
};

enum class SafeOutcome {
  mapped,      // anew
  returned,    // as usual again: to the first mapping, or what is best then
  taken_back,  // nothing has confirmed the change
  believed,    // but no other mapping is better
  data,        // the data was slow, not the processor
  waits        // for a higher stake, or for the budget
};

/// What the safe rule has decided of one processor. Periods are in ticks per data set, as they are believed to be.
struct SafeDecision {
  SafeOutcome outcome = SafeOutcome::waits;
  std::size_t processor = 0;
  ChangeEnd end = ChangeEnd::slow;
  double stake = 1;
  double need = 0;    // of the stake
  double before = 1;  // how many times as long as usual the processor was believed to take
  double factor = 1;  // and is now
  std::size_t pairs = 0;
  std::optional<double> paired;  // what they say
  bool is_under_way = false;
  double loss = 0;    // of the present period, if nothing has changed
  double budget = 0;  // periods that are left for such losses
  SwitchKind kind = SwitchKind::roll;
  std::uint64_t data_set = 0;  // from it on, where the mapping changes; else the next
  tpn::Mapping mapping;        // where it changes
  std::optional<Rational> predicted;
  std::optional<Rational> as_it_was;
};

/// Files of a processor are too large to be handed over, or it has none: its alarms are weighed without pairs.
struct NoPairs {
  std::size_t processor = 0;
};

/// One thing that was written down, `time` ticks after the run began.
struct RunLogEntry {
  Ticks time = 0;
  std::variant<MeasurementPoint, PerformanceFunction, TuningPoint, SafeDecision, NoPairs> what;
};

class RunLog {
 public:
  RunLog() = default;
  RunLog(const RunLog&) = delete;
  RunLog& operator=(const RunLog&) = delete;
  virtual ~RunLog() = default;

  virtual void write(const RunLogEntry& entry) = 0;
};

/// Display unit and its length in ticks.
struct ShownTime {
  Rational ticks = 1;  // > 0
  std::string unit;
};

/// An entry on one line, without its time.
std::string text_of(const RunLogEntry& entry, const tpn::Document& problem, const ShownTime& shown);

/// A rule's name, for logs and files.
std::string_view name_of(heuristics::RemapRule rule);
std::string_view name_of(SwitchKind kind);
std::string_view name_of(TuningOutcome outcome);
std::string_view name_of(SafeOutcome outcome);

}  // namespace takt::live
