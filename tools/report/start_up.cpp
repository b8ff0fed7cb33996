// How long data sets take: from an empty pipeline, alone, and in an even stream; and the schedule of that stream.
#include <fmt/format.h>

#include <algorithm>

#include "tools/answers/rooms_output.hpp"
#include "tools/report/sections.hpp"
#include "tools/words/number_words.hpp"

namespace takt::tools {

namespace {

// A time, or bounds of it.
PageNumber told(const evaluators::CompletionTime& completion, const Rational& divisor, const ReportWords& words) {
  PageNumber upper = words.time(completion.upper / divisor);
  if (completion.exact()) return upper;
  return {fmt::format("{} to {}", words.time(completion.lower / divisor).readable, upper.readable), ""};
}

std::string introduction_of(const ReportFindings& findings, const ReportWords& words) {
  const StartUpFindings& start_up = findings.start_up;
  std::string text = "Everything as early as possible from an empty pipeline.";
  if (!start_up.completions.empty()) {
    text += fmt::format(" The first {} is done at {}", words.times().item(),
                        told(start_up.completions.front(), 1, words).readable);
    text += start_up.transient ? fmt::format("; from {} {} on the play repeats itself every {}.", words.times().item(),
                                             *start_up.transient, words.times().items(start_up.repeats_every))
                               : ".";
  }
  return text;
}

void add_stays(PageStartUp& section, const ReportFindings& findings, const ReportWords& words,
               const PageLimits& limits) {
  const auto& latency = findings.steady->latency;
  const std::size_t classes = latency.alone_by_class.size();
  section.caption = fmt::format("Time from start to result, {}; from release to result in an even stream",
                                latency.has_batches ? "without waiting for full batches" : "alone");
  if (classes > 1) section.caption += fmt::format("; by {} modulo {}", words.times().item(), grouped(classes));
  // The class that stays longest is always there.
  const auto longest = std::ranges::max_element(latency.paced_by_class) - latency.paced_by_class.begin();
  std::vector<std::size_t> shown;
  for (std::size_t k = 0; k < std::min(classes, limits.stays); ++k) shown.push_back(k);
  if (static_cast<std::size_t>(longest) >= shown.size()) shown.back() = static_cast<std::size_t>(longest);
  for (const std::size_t k : shown) {
    section.stays.push_back({classes == 1 ? "any" : std::to_string(k), words.time(latency.alone_by_class[k]),
                             words.time(latency.paced_by_class[k])});
  }
  if (shown.size() < classes) {
    section.left_out = fmt::format(
        "{} more classes of {} stay no longer than {}; takt evaluate {} {} --latency "
        "--json lists them.",
        grouped(classes - shown.size()), words.times().item_plural(), words.time(latency.paced).readable,
        words.command_file(), words.model_options());
  }
}

}  // namespace

PageStartUp start_up_of(const ReportFindings& findings, const ReportWords& words, const PageLimits& limits) {
  PageStartUp section;
  section.introduction = introduction_of(findings, words);
  section.chart = start_up_chart(findings, words, limits);
  for (const evaluators::CompletionTime& completion : findings.start_up.completions) {
    section.completions.push_back({grouped(completion.data_sets), told(completion, 1, words),
                                   told(completion, Rational(completion.data_sets), words)});
  }
  if (findings.steady) {
    add_stays(section, findings, words, limits);
  } else {
    section.left_out = fmt::format("No latencies and no schedule: {}.", findings.unsteady);
  }
  return section;
}

PageSchedule schedule_of(const ReportFindings& findings, const ReportWords& words, const PageLimits& limits) {
  PageSchedule section;
  if (!findings.steady) return section;
  const auto& [paced, latency, critical, floats] = *findings.steady;
  section.introduction = fmt::format(
      "The steady state: {0} j is released at j times {1}. Everything repeats {2} later, with every {0} number larger "
      "by {3}. “May grow by” is how much longer an operation may take every time, at the same period.",
      words.times().item(), words.time(paced.period).readable, words.span(paced.period * Rational(paced.rows)),
      grouped(paced.rows));
  section.has_floats = floats.has_value();
  const std::size_t all = paced.rows * paced.columns;
  for (std::size_t index = 0; index < std::min(all, limits.operations); ++index) {
    const std::uint64_t row = index / paced.columns;
    const tpn::Operation operation{row, tpn::ColumnIndex(index % paced.columns)};
    const Rational start = paced.start(Integer(row), operation.column);
    PageOperation line{words.operation(operation),
                       std::to_string(row),
                       words.time(start),
                       words.time(start + findings.net.pipeline.duration(operation)),
                       {},
                       critical.is_critical[index]};
    if (floats) {
      const std::optional<Rational>& most = (*floats)[index];
      line.may_grow_by = most ? words.time(*most) : PageNumber{"no limit", ""};
    }
    section.operations.push_back(std::move(line));
  }
  if (section.operations.size() < all) {
    section.left_out =
        fmt::format("The first {} of {} operations; takt gantt {} {} -o OUT.csv has all.", section.operations.size(),
                    grouped(all), words.command_file(), words.model_options());
  }
  return section;
}

PageRooms rooms_section(const ReportFindings& findings, const ReportWords& words) {
  PageRooms section;
  if (!findings.rooms || findings.rooms->alone.empty()) return section;
  section.text = rooms_sentence(*findings.rooms, findings.net.pipeline, words.times());
  section.more = fmt::format("takt rooms {} lists what every buffer has to hold.", words.command_file());
  return section;
}

}  // namespace takt::tools
