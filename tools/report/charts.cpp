// The two Gantt charts of a page: a lap of the critical circuit, and the start-up.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>

#include "tools/gantt/chart_window.hpp"
#include "tools/gantt/gantt_chart.hpp"
#include "tools/gantt/gantt_svg.hpp"
#include "tools/number_words.hpp"
#include "tools/operation_words.hpp"
#include "tools/report/sections.hpp"

namespace takt::tools {

namespace {

// Of many lines those with something on them, the circuit's before the others.
void choose_lines(ChosenWindow& window, const ReportFindings& findings, const ChartSchedule& schedule,
                  std::size_t most) {
  const std::size_t all = gantt_lines(findings.net).size();
  if (all <= most || (!window.lines.empty() && window.lines.size() <= most)) return;
  const LineIndex index(findings.net);
  std::set<std::size_t> critical;
  std::set<std::size_t> others;
  schedule.for_each(with_margins(window.times), [&](const ChartOperation& operation) {
    for (const LineIndex::Place& place : index.places_of(operation)) {
      (operation.is_critical ? critical : others).insert(place.line);
    }
    return true;
  });
  std::set<std::size_t> shown;
  for (const auto& lines : {critical, others}) {
    for (const std::size_t line : lines) {
      if (shown.size() < most) shown.insert(line);
    }
  }
  window.lines.assign(shown.begin(), shown.end());
  window.cut.push_back(fmt::format("{} of {} lines", shown.size(), grouped(Integer(all))));
}

template <typename Chart>
PageChart draw(const ReportFindings& findings, const ReportWords& words, const Chart& schedule, ChosenWindow window,
               const PageLimits& limits, const std::string& id) {
  choose_lines(window, findings, schedule, limits.lines);
  const std::vector<std::string> stages = stage_names(findings.document.application);
  const auto drawing = gantt_of(ChartSubject{findings.file, stages, findings.net}, schedule, window);
  PageChart chart;
  if (!drawing || !is_drawable(*drawing) || drawing->bars.empty()) return chart;
  chart.markup = gantt_html(*drawing, id);
  chart.has_critical = std::ranges::any_of(drawing->bars, &GanttBar::is_critical);
  if (window.cut.empty()) return chart;
  std::string shown;
  for (const std::string& cut : window.cut) shown += (shown.empty() ? "" : "; ") + cut;
  chart.cut.push_back(fmt::format("Shown: {}. takt gantt {} {}{} draws any part of it.", shown, words.command_file(),
                                  words.model_options(), id == "start-up" ? " --schedule start-up" : ""));
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
  WindowWish wish;
  wish.most_bars = limits.bars;
  section.chart = draw(findings, words, schedule, paced_window(findings.net, schedule, wish), limits, "lap");
  section.introduction = fmt::format(
      "The steady state, data sets let in at an even {}. Each outlined operation starts the moment the one before it "
      "ends, from the left edge to the right: {} for {}, whatever is done elsewhere.",
      words.time(findings.period()).readable, words.span(schedule.lap_time()),
      plural(schedule.lap_data_sets(), "data set"));
  return section;
}

PageChart start_up_chart(const ReportFindings& findings, const ReportWords& words, const PageLimits& limits) {
  if (findings.exact() && findings.period().sign() == 0) return {};
  const StartUpChart schedule(findings.net);
  WindowWish wish;
  wish.most_bars = limits.bars;
  return draw(findings, words, schedule, start_up_window(findings.net, schedule, wish), limits, "start-up");
}

}  // namespace takt::tools
