// Which window of a schedule a chart shows, and how much of it where all would be too much to look at.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tools/gantt/chart.hpp"
#include "tools/gantt/gantt_drawing.hpp"

namespace takt::tools {

/// Bars that a chart has at most where its window is for takt to choose.
inline constexpr std::size_t kChosenBars = 400;

/// Lines beyond which only those are drawn that there is a reason for.
inline constexpr std::size_t kChosenLines = 150;

/// What a chart is to show: a time window; a number of data sets; or, without either, what takt chooses.
struct WindowWish {
  std::optional<TimeWindow> times;
  std::optional<std::uint64_t> data_sets;
  std::size_t most_bars = kChosenBars;  // where takt chooses
};

/// A window, without the margins of a drawing.
struct ChosenWindow {
  TimeWindow times;
  bool has_marks = true;           // its ends mean something, and are marked
  std::string words;               // what it shows: "one lap of the critical circuit, ..."
  std::vector<std::string> cut;    // what was left out, as sentences; none if nothing was
  std::vector<std::size_t> lines;  // the lines that are drawn; all where empty
};

/// A lap of the critical circuit, or N periods from time 0 on. Where a lap has more bars than the wish allows, or more
/// than kChosenLines lines, only the lines of its steps are drawn, with as many steps as fit.
ChosenWindow paced_window(const ChartSubject& subject, const PacedChart& chart, const WindowWish& wish);

/// From time 0 until the data sets of the first hyper-period are done, or as many of them as fit the wish's bars; or
/// the first N. Where the first data set alone has more bars, or there are more than kChosenLines lines, as many of its
/// operations as fit, on their lines.
ChosenWindow start_up_window(const ChartSubject& subject, const StartUpChart& chart, const WindowWish& wish);

/// With 1/40 more on each side; a window without width gets one.
TimeWindow with_margins(const TimeWindow& window);

}  // namespace takt::tools
