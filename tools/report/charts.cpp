// The two Gantt charts of a page: a lap of the critical circuit, and the start-up.
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <set>

#include "tools/gantt/chart_window.hpp"
#include "tools/gantt/gantt_chart.hpp"
#include "tools/gantt/gantt_svg.hpp"
#include "tools/report/sections.hpp"
#include "tools/words/number_words.hpp"
#include "tools/words/operation_words.hpp"

namespace takt::tools {

namespace {

using LineSet = std::set<std::size_t>;

// Calls see(operation) for those of a window, as many of them as could be drawn: a processor that takes no time can
// have any number.
template <typename See>
void look_through(const ChartSchedule& schedule, const TimeWindow& window, const See& see) {
  std::size_t seen = 0;
  schedule.for_each(with_margins(window), [&](const ChartOperation& operation) {
    see(operation);
    return ++seen <= kMostDrawn;
  });
}

bool is_first(const ChartOperation& operation) { return operation.is_critical || operation.data_set == 0; }

// Of many lines those with something on them: where the circuit or data set 0 passes, before the others.
void choose_lines(ChosenWindow& window, const tpn::FoldedNet& net, const ChartSchedule& schedule, std::size_t most) {
  const std::size_t all = gantt_lines(net).size();
  if (all <= most || (!window.lines.empty() && window.lines.size() <= most)) return;
  const LineIndex index(net);
  LineSet first;
  LineSet others;
  look_through(schedule, window.times, [&](const ChartOperation& operation) {
    for (const LineIndex::Place& place : index.places_of(operation)) {
      (is_first(operation) ? first : others).insert(place.line);
    }
  });
  LineSet shown;
  for (const LineSet& lines : {first, others}) {
    for (const std::size_t line : lines) {
      if (shown.size() < most) shown.insert(line);
    }
  }
  window.lines.assign(shown.begin(), shown.end());
  window.cut.push_back(fmt::format("{} of {} lines", shown.size(), grouped(Integer(all))));
}

void drop_empty_lines(ChosenWindow& window, const ChartSchedule& schedule, const LineIndex& index) {
  LineSet used;
  look_through(schedule, window.times, [&](const ChartOperation& operation) {
    for (const LineIndex::Place& place : index.places_of(operation)) used.insert(place.line);
  });
  std::erase_if(window.lines, [&used](std::size_t line) { return !used.contains(line); });
}

// Where even so there are too many bars, the time of the first of them.
void shorten(ChosenWindow& window, const tpn::FoldedNet& net, const ChartSchedule& schedule, std::size_t most) {
  const LineIndex index(net);
  const LineSet shown(window.lines.begin(), window.lines.end());
  std::vector<Rational> starts;
  look_through(schedule, window.times, [&](const ChartOperation& operation) {
    for (const LineIndex::Place& place : index.places_of(operation)) {
      if (shown.empty() || shown.contains(place.line)) starts.push_back(operation.start);
    }
  });
  if (starts.size() <= most) return;
  const auto last = starts.begin() + static_cast<std::ptrdiff_t>(most);
  std::ranges::nth_element(starts, last);
  // A little less than the margin that comes to it.
  const Rational to = *last * Rational::fraction(39, 40);
  if (to <= window.times.from || window.times.to <= to) return;
  window.times.to = to;
  drop_empty_lines(window, schedule, index);
  window.has_marks = false;
  window.words = fmt::format("from 0 to {}", decimal(to));
  window.cut = {fmt::format("up to {}", decimal(to)), window.cut.empty() ? "all lines" : window.cut.back()};
}

ChosenWindow window_of(const ChartSubject& subject, const PacedChart& schedule, const WindowWish& wish) {
  return paced_window(subject, schedule, wish);
}
ChosenWindow window_of(const ChartSubject& subject, const StartUpChart& schedule, const WindowWish& wish) {
  return start_up_window(subject, schedule, wish);
}

template <typename Chart>
PageChart draw(const ReportFindings& findings, const ReportWords& words, const Chart& schedule,
               const PageLimits& limits, const std::string& id) {
  const std::vector<std::string> stages = stage_names(findings.document.application);
  const ChartSubject subject{findings.net, stages, words.times()};
  WindowWish wish;
  wish.most_bars = limits.bars;
  ChosenWindow window = window_of(subject, schedule, wish);
  choose_lines(window, findings.net, schedule, limits.lines);
  shorten(window, findings.net, schedule, limits.bars);
  const auto drawing = gantt_of(findings.file, subject, schedule, window);
  PageChart chart;
  if (!drawing || !is_drawable(*drawing) || drawing->bars.empty()) return chart;
  chart.markup = gantt_html(*drawing, id);
  chart.has_critical = std::ranges::any_of(drawing->bars, &GanttBar::is_critical);
  const std::string_view schedule_option = id == "startup" ? " --schedule start-up" : "";
  for (const std::string& hidden : drawing->hidden) {
    chart.cut.push_back(fmt::format("Not shown: {}. takt gantt {} {}{} --unfold draws every line.", hidden,
                                    words.command_file(), words.model_options(), schedule_option));
  }
  if (window.cut.empty()) return chart;
  std::string shown;
  for (const std::string& cut : window.cut) shown += (shown.empty() ? "" : "; ") + cut;
  chart.cut.push_back(fmt::format("Shown: {}. takt gantt {} {}{} draws any part of it.", shown, words.command_file(),
                                  words.model_options(), schedule_option));
  return chart;
}

}  // namespace

PageLap lap_of(const ReportFindings& findings, const ReportWords& words, const PageLimits& limits) {
  PageLap section;
  if (!findings.exact() || findings.period().sign() == 0) return section;
  section.is_shown = true;
  if (!findings.steady) {
    section.introduction = fmt::format("Not drawn: {}.", findings.unsteady);
    return section;
  }
  const PacedChart schedule(findings.net, findings.steady->paced, findings.evaluation.circuit);
  section.chart = draw(findings, words, schedule, limits, "lap");
  section.introduction = fmt::format(
      "The steady state, with {} let in at an even {}. From left to right, each outlined operation starts the moment "
      "the one before it ends: {} for {}, whatever happens elsewhere.",
      words.times().item_plural(), words.time(findings.period()).readable, words.span(schedule.lap_time()),
      words.times().items(schedule.lap_data_sets()));
  return section;
}

PageChart start_up_chart(const ReportFindings& findings, const ReportWords& words, const PageLimits& limits) {
  if (findings.exact() && findings.period().sign() == 0) return {};
  const StartUpChart schedule(findings.net);
  return draw(findings, words, schedule, limits, "startup");
}

}  // namespace takt::tools
