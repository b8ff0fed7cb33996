// Titles, descriptions and captions; margins around the window.
#include "tools/gantt/gantt_chart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

#include "tools/files/files.hpp"
#include "tools/words/number_words.hpp"
#include "tpn/models.hpp"

namespace takt::tools {

namespace {

std::string key_of(GanttColor color, bool has_outlines, const std::string& items) {
  constexpr std::string_view kShapes = "High bars are computations, low ones transfers, on both their ends.";
  constexpr std::string_view kOutlines = " Outlined: the critical circuit.";
  std::string numbers;
  switch (color) {
    case GanttColor::data_set:
      numbers = fmt::format("Numbers and colors: {}.", items);
      break;
    case GanttColor::stage:
      numbers = fmt::format("Numbers: {}; colors: stages.", items);
      break;
    case GanttColor::kind:
      numbers = fmt::format("Numbers: {}; colors: receiving, computing, sending.", items);
      break;
  }
  return fmt::format("{} {}{}", kShapes, numbers, has_outlines ? kOutlines : "");
}

std::string last_name(const std::string& path) { return path.substr(path.rfind('/') + 1); }

// Those with a bar on one of the lines; all lines where none is said.
std::optional<std::vector<ChartOperation>> drawn_operations(const tpn::FoldedNet& net, const ChartSchedule& chart,
                                                            const TimeWindow& window,
                                                            const std::vector<std::size_t>& lines) {
  const LineIndex index(net);
  // Those that stand on no chosen line count as well: about a second of them.
  constexpr std::size_t kMostVisited = 50 * kMostDrawn;
  std::size_t visited = 0;
  std::vector<ChartOperation> operations;
  const bool fits = chart.for_each(window, [&](const ChartOperation& operation) {
    const bool is_drawn = std::ranges::any_of(index.places_of(operation), [&](const LineIndex::Place& place) {
      return lines.empty() || std::ranges::binary_search(lines, place.line);
    });
    if (is_drawn) operations.push_back(operation);
    return operations.size() <= kMostDrawn && ++visited <= kMostVisited;
  });
  if (!fits) return std::nullopt;
  return operations;
}

std::vector<std::size_t> busy_lines(const tpn::FoldedNet& net, const std::vector<ChartOperation>& operations) {
  const LineIndex index(net);
  std::set<std::size_t> lines;
  for (const ChartOperation& operation : operations) {
    for (const LineIndex::Place& place : index.places_of(operation)) lines.insert(place.line);
  }
  return {lines.begin(), lines.end()};
}

std::optional<GanttDrawing> drawing_of(const std::string& file, const ChartSubject& subject, const ChartSchedule& chart,
                                       const ChosenWindow& window, std::string_view schedule, GanttColor color,
                                       GanttFolding folding) {
  GanttFrame frame;
  frame.window = with_margins(window.times);
  frame.color = color;
  if (window.has_marks) frame.marks = {window.times.from, window.times.to};
  frame.title = fmt::format("{}, {}: {}", printable(display_name(last_name(file))), tpn::title_of(subject.net.model),
                            window.words);
  frame.description = schedule;
  const auto operations = drawn_operations(subject.net, chart, frame.window, window.lines);
  if (!operations) return std::nullopt;
  const std::size_t all = gantt_lines(subject.net).size();
  std::vector<std::size_t> lines = window.lines;
  std::string cut;
  for (const std::string& one : window.cut) cut += (cut.empty() ? "" : "; ") + one;
  AlikeLines alike;
  if (lines.empty() && folding == GanttFolding::alike) {
    alike = fold_alike(subject.net, subject.stages, *operations);
    lines = alike.shown;
  }
  if (lines.empty() && all > kChosenLines) lines = busy_lines(subject.net, *operations);
  if (window.lines.empty() && alike.shown.empty() && !lines.empty())
    cut = fmt::format("{} of {} lines, those with bars", lines.size(), all);
  frame.caption = {
      frame.title + ".", frame.description,
      key_of(color, std::ranges::any_of(*operations, &ChartOperation::is_critical), subject.times.item_plural())};
  frame.hidden = alike.hidden;
  for (auto one = alike.hidden.rbegin(); one != alike.hidden.rend(); ++one) {
    frame.caption.insert(frame.caption.begin() + 1, "Not shown: " + *one + ".");
    frame.description += " Not shown: " + *one + ".";
  }
  if (!cut.empty()) {
    frame.caption.insert(frame.caption.begin() + 1, "Shown: " + cut + ".");
    frame.description += " Shown: " + cut + ".";
  }
  return draw_gantt(subject, std::move(frame), *operations, lines);
}

}  // namespace

std::optional<GanttDrawing> gantt_of(const std::string& file, const ChartSubject& subject, const PacedChart& chart,
                                     const ChosenWindow& window, GanttColor color, GanttFolding folding) {
  const std::string schedule = fmt::format("Steady state, {} let in one every {}.", subject.times.item_plural(),
                                           subject.times.amount(chart.period()));
  return drawing_of(file, subject, chart, window, schedule, color, folding);
}

std::optional<GanttDrawing> gantt_of(const std::string& file, const ChartSubject& subject, const StartUpChart& chart,
                                     const ChosenWindow& window, GanttColor color, GanttFolding folding) {
  return drawing_of(file, subject, chart, window, "Every operation as early as it may, from an empty pipeline.", color,
                    folding);
}

}  // namespace takt::tools
