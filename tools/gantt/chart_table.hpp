// The operations of a chart as CSV and JSON: those of `takt simulate`, with schedule and critical added.
#pragma once

#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tools/gantt/chart.hpp"
#include "tools/gantt/gantt_drawing.hpp"

namespace takt::tools {

/// What times are from: the steady state, the play of an empty pipeline, or a run that took place.
enum class ScheduleKind { paced, start_up, run };

/// The operations of a window of a schedule, by data set, then column.
struct ChartTable {
  ChartSubject subject;
  ScheduleKind kind = ScheduleKind::paced;
  TimeWindow window;
  std::optional<maxplus::Rational> period;  // where the schedule has one
  std::optional<maxplus::Rational> entry;   // when data set 0 is let in, likewise
  std::vector<ChartOperation> operations;
};

/// Whether operations are marked that are of the critical circuit.
inline bool marks_circuit(const ChartTable& table) { return table.kind != ScheduleKind::start_up; }

/// "paced", "start-up" or "run".
std::string_view schedule_name(const ChartTable& table);

/// A heading, then a line for each operation, table after table.
void write_chart_csv(std::ostream& out, const std::vector<ChartTable>& tables);

/// An object for one table, otherwise an array.
void write_chart_json(std::ostream& out, const std::string& file, const std::vector<ChartTable>& tables);

}  // namespace takt::tools
