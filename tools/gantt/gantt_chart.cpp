// Titles, descriptions and captions; margins around the window.
#include "tools/gantt/gantt_chart.hpp"

#include <fmt/format.h>

#include <string_view>
#include <utility>

#include "tools/files.hpp"
#include "tools/number_words.hpp"
#include "tpn/models.hpp"

namespace takt::tools {

namespace {

std::string key_of(GanttColour colour, bool has_outlines) {
  constexpr std::string_view kShapes = "High bars are computations, low ones transfers, on both their ends.";
  constexpr std::string_view kOutlines = " Outlined: the critical circuit.";
  std::string numbers;
  switch (colour) {
    case GanttColour::data_set:
      numbers = "Numbers and colours: data sets.";
      break;
    case GanttColour::stage:
      numbers = "Numbers: data sets; colours: stages.";
      break;
    case GanttColour::kind:
      numbers = "Numbers: data sets; colours: receiving, computing, sending.";
      break;
  }
  return fmt::format("{} {}{}", kShapes, numbers, has_outlines ? kOutlines : "");
}

std::string last_name(const std::string& path) { return path.substr(path.rfind('/') + 1); }

std::optional<GanttDrawing> drawing_of(const std::string& file, const ChartSubject& subject, const ChartSchedule& chart,
                                       const ChosenWindow& window, std::string_view schedule, GanttColour colour,
                                       bool has_outlines) {
  GanttFrame frame;
  frame.window = with_margins(window.times);
  frame.colour = colour;
  if (window.has_marks) frame.marks = {window.times.from, window.times.to};
  frame.title = fmt::format("{}, {}: {}", printable(display_name(last_name(file))), tpn::title_of(subject.net.model),
                            window.words);
  frame.description = schedule;
  for (const std::string& cut : window.cut) frame.description += " Shown: " + cut + ".";
  frame.caption.push_back(frame.title + ".");
  frame.caption.push_back(frame.description);
  frame.caption.push_back(key_of(colour, has_outlines));
  const auto operations = operations_in(chart, frame.window, kMostDrawn);
  if (!operations) return std::nullopt;
  return draw_gantt(subject, std::move(frame), *operations, window.lines);
}

}  // namespace

std::optional<GanttDrawing> gantt_of(const std::string& file, const ChartSubject& subject, const PacedChart& chart,
                                     const ChosenWindow& window, GanttColour colour) {
  const std::string schedule =
      fmt::format("Steady state, data sets let in one every {}.", subject.times.amount(chart.period()));
  return drawing_of(file, subject, chart, window, schedule, colour, true);
}

std::optional<GanttDrawing> gantt_of(const std::string& file, const ChartSubject& subject, const StartUpChart& chart,
                                     const ChosenWindow& window, GanttColour colour) {
  return drawing_of(file, subject, chart, window, "Every operation as early as it may, from an empty pipeline.", colour,
                    false);
}

}  // namespace takt::tools
