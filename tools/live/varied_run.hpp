// A run whose times vary, or whose data sets arrive at a rate, beside what takt vary says of it.
//
// Method. The net of the run, its window included, is played as takt vary does, by the same laws and at the same rate.
// That gives the figures of the long run, with their intervals. A run is short, and off by chance: so copies as long as
// the run are played as well, and 95 of 100 of them show the range in which one may lie. The first of these has the
// draws of the run itself, where its durations are made up: what is off from that is the machine's doing.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "live/files/run_plan.hpp"
#include "live/measurement/measurement.hpp"
#include "maxplus/deadline.hpp"
#include "tools/live/run_setup.hpp"
#include "tpn/json_writer.hpp"
#include "vary/vary.hpp"

namespace takt::tools {

/// What is compared: of a run at a rate the mean latency and percentiles, else the period.
enum class VariedQuantity { period, mean, percentile };

/// The range in which 95 of 100 runs lie.
struct RunRange {
  double low = 0;
  double high = 0;
};

/// Times in time units.
struct ComparedFigure {
  VariedQuantity quantity = VariedQuantity::mean;
  double share = 0;  // of a percentile
  double observed = 0;
  std::optional<double> same_draws{};      // where durations are made up
  std::optional<vary::Figure> expected{};  // in the long run; nothing if it grows, or the law has no mean
  std::optional<RunRange> such_runs{};     // nothing of runs so long that copies of them are too much
};

struct VariedRun {
  std::optional<double> gap;  // of arrivals, in time units; nothing if data sets are always there
  vary::ArrivalKind arrivals = vary::ArrivalKind::periodic;
  std::string law;               // as --law has it; empty: those of the file
  std::uint64_t seed = 1;        // of the run's draws, and of the plays
  std::uint64_t copies = 0;      // of the long run
  std::uint64_t data_sets = 0;   // of each of them
  std::uint64_t skipped = 0;     // of these
  std::uint64_t run_copies = 0;  // copies as long as the run
  std::uint64_t run_data_sets = 0;
  std::uint64_t run_skipped = 0;
  vary::Figure period;  // that the mapping sustains
  bool grows = false;   // latency without bound, in the long run
  std::vector<ComparedFigure> figures;

  /// Whether a figure lies within the range of such runs, or else the interval of the long run, widened by 2 %;
  /// nothing if there is neither.
  static std::optional<bool> is_within(const ComparedFigure& figure);
};

/// By how much a range is widened.
inline constexpr double kWidened = 0.02;

/// Nothing if nothing varies and there is no rate, or the deadline passes first. The trace is that of a whole run.
std::optional<VariedRun> compare_with_vary(const PreparedRun& run, bool is_rehearsed, const live::Trace& trace,
                                           const maxplus::Deadline& deadline);

/// A table, the sentence that judges it, and what was played. `verb` is what was done to the run: "measured".
void write_varied_run(std::ostream& out, const PreparedRun& run, const VariedRun& varied, const std::string& verb);

/// The member "varied"; null if there is none.
void write_varied_json(tpn::JsonWriter& json, const std::optional<VariedRun>& varied);

}  // namespace takt::tools
