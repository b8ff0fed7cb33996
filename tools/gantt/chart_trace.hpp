// A chart as a trace in Chrome's format, for ui.perfetto.dev and other viewers of traces.
//
// A process is a processor, a thread one of its lines, a slice an operation on a line, flows lead along the critical
// circuit. Traces count in microseconds, three decimals at most are safe. Times are moved so that the first is 0: not
// all viewers take negative ones; exact ones, on the chart's axis, are arguments of each slice.
//
// Trap. Slices of a thread may touch and must not overlap: both ends are rounded to nanoseconds, then subtracted.
//
// References. "Trace Event Format", the document that viewers of Chrome's traces go by.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "tools/gantt/chart_table.hpp"

namespace takt::tools {

/// What a time unit of the instance may be in a trace: "ns", "us", "ms", "s".
std::vector<std::string> trace_units();

/// `circuit` are the operations of the critical circuit in the table's window, in order; none for a start-up.
/// `unit` is one of trace_units().
void write_chart_trace(std::ostream& out, const std::string& file, const ChartTable& table,
                       const std::vector<ChartOperation>& circuit, const std::string& unit);
/// The same, with the length of a time unit in nanoseconds.
void write_chart_trace(std::ostream& out, const std::string& file, const ChartTable& table,
                       const std::vector<ChartOperation>& circuit, const maxplus::Rational& nanoseconds);

}  // namespace takt::tools
