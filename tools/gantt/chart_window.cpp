// Laps and hyper-periods, cut to what can be looked at by bisection over steps and data sets.
#include "tools/gantt/chart_window.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "maxplus/contract.hpp"
#include "tools/number_words.hpp"

namespace takt::tools {

using maxplus::Integer;
using maxplus::Rational;

namespace {

// Operations of a window that are looked at before it counts as too full, those without bars among them.
constexpr std::size_t kOperationsPerBar = 20;

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
    return bars <= most && ++operations <= kOperationsPerBar * most;
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

// The lines on which the circuit's operations stand.
std::set<std::size_t> lines_of_circuit(const PacedChart& chart, const LineIndex& index) {
  constexpr unsigned kMostSteps = 10'000;
  std::set<std::size_t> lines;
  for (Integer k = 0; k < chart.lap_steps() && k < kMostSteps; ++k) {
    for (const LineIndex::Place& place : index.places_of(chart.step(k))) lines.insert(place.line);
  }
  return lines;
}

std::string circuit_words(const PacedChart& chart, const TimeWords& times) {
  return fmt::format("one lap of the critical circuit: {}, {} for {}", plural(chart.lap_steps(), "operation"),
                     times.amount(chart.lap_time()), plural(chart.lap_data_sets(), "data set"));
}

ChosenWindow lap_window(const ChartSubject& subject, const PacedChart& chart, std::size_t most_bars) {
  const LineIndex index(subject.net);
  std::set<std::size_t> lines;
  const auto until = [&](const Integer& steps) {
    return TimeWindow{Rational(), steps == 0 ? Rational() : chart.step(steps - 1).end};
  };
  const auto few = [&](const Integer& steps) { return has_few_bars(chart, until(steps), index, lines, most_bars); };
  Integer steps = largest(chart.lap_steps(), few);
  ChosenWindow window;
  if (until(steps).to.sign() == 0 && chart.lap_time().sign() != 0) {
    lines = lines_of_circuit(chart, index);
    window.lines.assign(lines.begin(), lines.end());
    const std::size_t all = gantt_lines(subject.net).size();
    window.cut.push_back(
        fmt::format("{} of {} lines, those of the critical circuit", grouped(lines.size()), grouped(all)));
    steps = largest(chart.lap_steps(), few);
    // A step that is too full even so is shown all the same: less would be nothing.
    while (until(steps).to.sign() == 0) ++steps;
  }
  window.times = until(steps);
  window.words = circuit_words(chart, subject.times);
  if (steps < chart.lap_steps()) {
    window.cut.push_back(
        fmt::format("first {} of {} operations of the circuit", grouped(steps), grouped(chart.lap_steps())));
  }
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
            fmt::format("{} for {}", subject.times.amount(time), plural(*wish.data_sets, "data set")),
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
  if (!wish.data_sets) {
    const LineIndex index(subject.net);
    shown = largest(most, [&](const Integer& data_sets) {
      return has_few_bars(chart, until(data_sets), index, {}, wish.most_bars);
    });
    shown = std::max(shown, Integer(1));
  }
  ChosenWindow window{until(shown), true, {}, {}, {}};
  window.words = fmt::format(
      "{} after {}",
      shown == 1 ? "the first data set is done" : fmt::format("the first {} data sets are done", shown.get_str()),
      subject.times.amount(window.times.to));
  if (shown < wanted) {
    window.cut.push_back(
        fmt::format("first {} of the {} data sets of a hyper-period", grouped(shown), grouped(wanted)));
  }
  return window;
}

}  // namespace takt::tools
