// Total times of a stream by load and by the way a run meets it, measured and on a virtual clock: takt run --adapt all.
#pragma once

#include <functional>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "live/files/run_plan.hpp"
#include "live/files/run_result.hpp"
#include "live/rehearsal/total_times.hpp"
#include "tools/command.hpp"
#include "tools/live/run_setup.hpp"

namespace takt::tools {

/// A load with every way.
struct TotalTimeRow {
  maxplus::Rational load;
  std::vector<double> measured;                  // seconds, by way
  std::vector<std::optional<double>> rehearsed;  // likewise, on a virtual clock
  std::vector<std::size_t> mappings;             // of the measured run, the first included
};

struct TotalTimeTable {
  std::vector<std::string> ways;
  std::vector<TotalTimeRow> rows;  // loads 0, 1, ...
};

/// The setting of a run with one load: the stage whose processor is loaded is that of the instance's mapping. Throws
/// UsageError where the run has no load, or several, or an end to it.
live::TotalTimeSetting total_time_setting(const PreparedRun& run);

/// Runs a plan to its end; nothing if it fails.
using RunCase = std::function<std::optional<live::RunResult>(const live::RunPlan& plan)>;

/// All loads from 0 up to the run's, by steps of 1, with all ways. Progress goes to streams.err. Nothing if a
/// run fails; throws UsageError if a heuristic has no mapping.
std::optional<TotalTimeTable> total_times(const PreparedRun& run, const live::TotalTimeSetting& setting,
                                          const RunCase& run_case, Streams& streams);

void write_total_times(std::ostream& out, const TotalTimeTable& table);
void write_total_times_json(std::ostream& out, const std::string& file, const TotalTimeTable& table);

}  // namespace takt::tools
