// Laps and hyper-periods, cut to what can be looked at by bisection over steps and data sets.
#include "tools/gantt/chart_window.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <set>
#include <string_view>
#include <utility>

#include "maxplus/contract.hpp"
#include "tools/words/number_words.hpp"

namespace takt::tools {

using maxplus::Integer;
using maxplus::Rational;

namespace {

// Operations of a window that are looked at before it counts as too full, those without bars among them.
constexpr std::size_t kMostLookedAt = 200'000;

// "4,730"
std::string grouped(const Integer& number) {
  std::string text = number.get_str();
  constexpr std::size_t kGroup = 3;
  for (std::size_t at = text.size(); at > kGroup; at -= kGroup) text.insert(at - kGroup, ",");
  return text;
}

bool has_few_bars(const ChartSchedule& schedule, const TimeWindow& window, const LineIndex& index,
                  const std::set<std::size_t>& lines, std::size_t most) {
  std::size_t bars = 0;
  std::size_t operations = 0;
  return schedule.for_each(with_margins(window), [&](const ChartOperation& operation) {
    for (const LineIndex::Place& place : index.places_of(operation)) {
      if (lines.empty() || lines.contains(place.line)) ++bars;
    }
    return bars <= most && ++operations <= kMostLookedAt;
  });
}

// The largest number from 0 to `most` for which few(number), if it holds up to some number and not beyond. Looks at
// numbers up to twice that.
template <typename Few>
Integer largest(const Integer& most, const Few& few) {
  if (few(most)) return most;
  Integer yes = 0;
  Integer no = 1;
  while (no < most && few(no)) {
    yes = no;
    no *= 2;
  }
  no = std::min(no, most);
  while (yes + 1 < no) {
    const Integer middle = (yes + no) / 2;
    (few(middle) ? yes : no) = middle;
  }
  return yes;
}

// Operations one after the other, each of which ends no sooner than the one before.
struct ChartCourse {
  Integer steps;
  std::function<ChartOperation(const Integer&)> step;
  std::string_view name;

  TimeWindow until(const Integer& count) const { return {Rational(), count == 0 ? Rational() : step(count - 1).end}; }
};

// Of the first steps.
std::set<std::size_t> lines_of(const ChartCourse& course, const Integer& steps, const LineIndex& index) {
  std::set<std::size_t> lines;
  for (Integer k = 0; k < steps && k < kChosenBars; ++k) {
    for (const LineIndex::Place& place : index.places_of(course.step(k))) lines.insert(place.line);
  }
  return lines;
}

// From 0 to the end of as many steps as have few bars; on the lines of those steps, if there are many lines or one
// step has many bars.
ChosenWindow window_of(const ChartSubject& subject, const ChartSchedule& chart, const ChartCourse& course,
                       std::size_t most) {
  const LineIndex index(subject.net);
  const std::size_t all = gantt_lines(subject.net).size();
  const auto few = [&](const Integer& count) { return has_few_bars(chart, course.until(count), index, {}, most); };
  const auto few_on_lines = [&](const Integer& count) {
    return has_few_bars(chart, course.until(count), index, lines_of(course, count, index), most);
  };
  const bool takes_time = course.until(course.steps).to.sign() != 0;
  Integer steps;
  if (all <= kChosenLines) steps = largest(course.steps, few);
  ChosenWindow window;
  if (takes_time && course.until(steps).to.sign() == 0) {
    steps = largest(course.steps, few_on_lines);
    // A step that is too full even so is shown all the same: less would be nothing.
    while (course.until(steps).to.sign() == 0) ++steps;
    const std::set<std::size_t> lines = lines_of(course, steps, index);
    window.lines.assign(lines.begin(), lines.end());
    window.cut.push_back(
        fmt::format("{} of {}, those of {}", grouped(lines.size()), grouped(all) + " lines", course.name));
  }
  window.times = course.until(steps);
  if (takes_time && steps < course.steps) {
    window.cut.push_back(
        fmt::format("first {} of {} operations of {}", grouped(steps), grouped(course.steps), course.name));
  }
  return window;
}

ChosenWindow lap_window(const ChartSubject& subject, const PacedChart& chart, std::size_t most) {
  const ChartCourse circuit{chart.lap_steps(), [&](const Integer& k) { return chart.step(k); }, "the critical circuit"};
  ChosenWindow window = window_of(subject, chart, circuit, most);
  window.words = fmt::format("one lap of the critical circuit: {}, {} for {}", plural(chart.lap_steps(), "operation"),
                             subject.times.amount(chart.lap_time()), subject.times.items(chart.lap_data_sets()));
  return window;
}

std::string window_words(const TimeWindow& window, const TimeWords& times) {
  return fmt::format("from {} to {}", times.said(window.from), times.amount(window.to));
}

}  // namespace

TimeWindow with_margins(const TimeWindow& window) {
  constexpr int kShare = 40;
  Rational width = window.to - window.from;
  if (width.sign() == 0) width = 1;
  const Rational margin = width / Rational(kShare);
  return {window.from - margin, window.from + width + margin};
}

ChosenWindow paced_window(const ChartSubject& subject, const PacedChart& chart, const WindowWish& wish) {
  if (wish.times) return {*wish.times, false, window_words(*wish.times, subject.times), {}, {}};
  if (wish.data_sets) {
    const Rational time = chart.period() * Rational(*wish.data_sets);
    return {{Rational(), time},
            true,
            fmt::format("{} for {}", subject.times.amount(time), subject.times.items(*wish.data_sets)),
            {},
            {}};
  }
  return lap_window(subject, chart, wish.most_bars);
}

ChosenWindow start_up_window(const ChartSubject& subject, const StartUpChart& chart, const WindowWish& wish) {
  if (wish.times) return {*wish.times, false, window_words(*wish.times, subject.times), {}, {}};
  const Integer wanted = wish.data_sets ? Integer(*wish.data_sets) : subject.net.pipeline.rows;
  const Integer most = wish.data_sets ? wanted : std::min(wanted, Integer(wish.most_bars));
  const std::vector<Rational> completions = chart.completions(most.get_ui());
  const auto until = [&](const Integer& data_sets) {
    return TimeWindow{Rational(), data_sets == 0 ? Rational() : completions[data_sets.get_ui() - 1]};
  };
  Integer shown = most;
  ChosenWindow window;
  if (!wish.data_sets && gantt_lines(subject.net).size() > kChosenLines) {
    shown = 0;
  } else if (!wish.data_sets) {
    const LineIndex index(subject.net);
    shown = largest(most, [&](const Integer& data_sets) {
      return has_few_bars(chart, until(data_sets), index, {}, wish.most_bars);
    });
  }
  if (shown == 0) {
    const std::vector<ChartOperation> first = chart.first_data_set();
    const std::string words = subject.times.item() + " 0";
    const ChartCourse course{first.size(), [&](const Integer& k) { return first[k.get_ui()]; }, words};
    window = window_of(subject, chart, course, wish.most_bars);
    shown = 1;
  } else {
    window.times = until(shown);
  }
  window.words = fmt::format("{} after {}",
                             shown == 1 ? fmt::format("the first {} is done", subject.times.item())
                                        : fmt::format("the first {} are done", subject.times.items(shown)),
                             subject.times.amount(until(shown).to));
  if (shown < wanted) {
    window.cut.push_back(fmt::format("first {} of the {} {} of a hyper-period", grouped(shown), grouped(wanted),
                                     subject.times.item_plural()));
  }
  return window;
}

}  // namespace takt::tools
