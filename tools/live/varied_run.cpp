// Plays first, then words.
#include "tools/live/varied_run.hpp"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <ostream>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "live/measurement/latencies.hpp"
#include "tools/frame/options.hpp"
#include "tools/vary/estimate_words.hpp"
#include "tools/words/json_results.hpp"
#include "tools/words/table.hpp"
#include "tools/words/time_words.hpp"
#include "tpn/law.hpp"
#include "vary/drawn_copy.hpp"
#include "vary/net_times.hpp"

namespace takt::tools {

using vary::Figure;

namespace {

constexpr std::array<double, 3> kShares = {0.5, 0.95, 0.99};
// Copies as long as the run: many for a range, and so many data sets of all together.
constexpr std::uint64_t kRunCopies = 256;
constexpr std::uint64_t kFewestRunCopies = 64;
constexpr std::uint64_t kMostPlayed = 4'000'000;

struct RunTimes {
  vary::NetTimes times;
  std::string law;
  bool are_made_up = true;
};

std::optional<RunTimes> times_of(const PreparedRun& run, bool is_rehearsed, const maxplus::Deadline& deadline) {
  const tpn::FoldedNet& net = run.instance.net;
  const bool is_real = !is_rehearsed && (!is_made_up(run.plan.kernel) || run.plan.engine.links == live::LinkUse::real);
  if (!is_real && !run.plan.jitter) return RunTimes{vary::times_of(run.document, net, tpn::Law{}), "constant"};
  if (run.plan.jitter && !run.plan.jitter->law.empty()) {
    return RunTimes{vary::times_of(run.document, net, *live::jitter_terms(*run.plan.jitter).law), run.plan.jitter->law};
  }
  auto times = vary::times_of(run.document, net, deadline);
  if (!times) return std::nullopt;
  return RunTimes{*std::move(times), is_real && !vary::has_laws(run.document) ? "constant" : "", !is_real};
}

class RunBesidePlays {
 public:
  RunBesidePlays(const PreparedRun& run, RunTimes times, const live::Trace& trace, const maxplus::Deadline& deadline)
      : net_(run.instance.net),
        are_made_up_(times.are_made_up && !net_.pipeline.is_shifted() && !net_.pipeline.has_batches()),
        played_(net_, std::move(times.times)),
        trace_(trace) {
    const auto& arrivals = run.plan.arrivals;
    if (arrivals) varied_.gap = double_of(arrivals->gap);
    if (arrivals) varied_.arrivals = arrivals->kind;
    varied_.law = times.law;
    varied_.seed = run.plan.jitter ? run.plan.jitter->seed : arrivals ? arrivals->seed : 1;
    varied_.run_data_sets = trace.size() / net_.pipeline.columns.size();
    varied_.run_skipped = live::stretch_of(net_, varied_.run_data_sets).first;
    settings_.seed = varied_.seed;
    settings_.arrivals = {varied_.arrivals};
    settings_.deadline = deadline;
  }

  std::optional<VariedRun> compare() {
    const vary::Scenario saturated{};
    const auto most = vary::figures_of(played_, std::span(&saturated, 1), {}, settings_);
    if (!most) return std::nullopt;
    varied_.period = most->scenarios[0].period;
    varied_.copies = most->copies;
    varied_.data_sets = most->data_sets;
    varied_.skipped = most->skipped;
    varied_.grows = varied_.gap && *varied_.gap <= varied_.period.low();
    observe();
    if (!expect()) return std::nullopt;
    play_such_runs();
    return std::move(varied_);
  }

 private:
  vary::Scenario scenario() const { return {varied_.gap}; }

  void observe() {
    if (!varied_.gap) {
      varied_.figures.push_back({VariedQuantity::period, 0, live::growth_from(net_, trace_, varied_.run_skipped)});
      return;
    }
    vary::DrawnArrivals arrivals(varied_.arrivals, *varied_.gap, varied_.seed);
    const std::vector<double> latencies =
        live::latencies_of(net_, trace_, varied_.run_skipped, [&](std::uint64_t j) { return arrivals.of(j); });
    varied_.figures.push_back({VariedQuantity::mean, 0, live::mean_of(latencies)});
    for (const double share : kShares)
      varied_.figures.push_back({VariedQuantity::percentile, share, live::percentile_of(latencies, share)});
  }

  // In the long run. False if the deadline passes first.
  bool expect() {
    if (!varied_.gap) varied_.figures.front().expected = varied_.period;
    if (!varied_.gap || varied_.grows) return true;
    const vary::Scenario at_rate = scenario();
    const auto found = vary::figures_of(played_, std::span(&at_rate, 1), kShares, settings_);
    if (!found) return false;
    const vary::ScenarioFigures& figures = found->scenarios[0];
    varied_.copies = std::min(varied_.copies, figures.copies);
    varied_.figures[0].expected = figures.mean;
    for (std::size_t i = 0; i < kShares.size(); ++i) varied_.figures[i + 1].expected = figures.within[i];
    return true;
  }

  // What stands there if the deadline passes is left out.
  void play_such_runs() {
    vary::PlaySettings play;
    play.seed = varied_.seed;
    play.data_sets = varied_.run_data_sets;
    play.skipped = varied_.run_skipped;
    play.arrivals = {varied_.arrivals};
    play.instructions = settings_.instructions;
    const std::uint64_t affordable = kMostPlayed / varied_.run_data_sets / vary::kLanes * vary::kLanes;
    const std::uint64_t copies = std::min(kRunCopies, affordable);
    std::vector<std::vector<double>> figures(varied_.figures.size());  // by figure, then copy
    const vary::Scenario one = scenario();
    for (std::uint64_t first = 0; first < copies; first += vary::kLanes) {
      const auto group = vary::play_copies(played_, std::span(&one, 1), play, first, settings_.deadline);
      if (!group) return;
      for (std::size_t lane = 0; lane < vary::kLanes; ++lane) add_copy(group->front(), lane, figures);
    }
    for (std::size_t i = 0; copies > 0 && i < figures.size(); ++i) {
      if (are_made_up_) varied_.figures[i].same_draws = figures[i].front();
      if (copies >= kFewestRunCopies) varied_.figures[i].such_runs = range_of(std::move(figures[i]));
    }
    if (copies >= kFewestRunCopies) varied_.run_copies = copies;
  }

  void add_copy(const vary::PlayedScenario& played, std::size_t lane, std::vector<std::vector<double>>& figures) const {
    for (std::size_t i = 0; i < figures.size(); ++i) {
      const ComparedFigure& figure = varied_.figures[i];
      switch (figure.quantity) {
        case VariedQuantity::period:
          figures[i].push_back(played.periods[lane]);
          break;
        case VariedQuantity::mean:
          figures[i].push_back(live::mean_of(played.latencies[lane]));
          break;
        case VariedQuantity::percentile:
          figures[i].push_back(live::percentile_of(played.latencies[lane], figure.share));
          break;
      }
    }
  }

  static RunRange range_of(std::vector<double> numbers) {
    constexpr double kOutside = (1 - vary::kConfidence) / 2;
    std::ranges::sort(numbers);
    const auto left = static_cast<std::size_t>(kOutside * static_cast<double>(numbers.size()));
    return {numbers[left], numbers[numbers.size() - 1 - left]};
  }

  const tpn::FoldedNet& net_;
  bool are_made_up_;
  vary::PlayedNet played_;
  const live::Trace& trace_;
  vary::VarySettings settings_;
  VariedRun varied_;
};

// A single figure, to four digits.
Figure rounded(double number) {
  if (!(number > 0)) return {number, 0};
  const double unit = std::pow(10.0, std::floor(std::log10(number)) - 3);
  return {std::round(number / unit) * unit, 0};
}

std::string name_of(const ComparedFigure& figure) {
  switch (figure.quantity) {
    case VariedQuantity::period:
      return "period";
    case VariedQuantity::mean:
      return "mean";
    case VariedQuantity::percentile:
      break;
  }
  constexpr double kPercent = 100;
  return figure.share == 0.5 ? std::string("half within")  // NOLINT: as people say it
                             : fmt::format("{:.4g} % within", kPercent * figure.share);
}

std::string_view quantity_name(VariedQuantity quantity) {
  switch (quantity) {
    case VariedQuantity::period:
      return "period";
    case VariedQuantity::mean:
      return "mean";
    case VariedQuantity::percentile:
      break;
  }
  return "percentile";
}

std::string_view arrivals_name(vary::ArrivalKind kind) {
  return kind == vary::ArrivalKind::periodic ? "periodic" : "poisson";
}

std::string law_words(const VariedRun& varied) {
  if (varied.law.empty()) return "the laws of the file";
  return vary::words_of(std::get<tpn::Law>(tpn::parse_law(varied.law)));
}

std::string judgement(const VariedRun& varied, const std::string& verb) {
  std::string beyond;
  bool is_judged = false;
  for (const ComparedFigure& figure : varied.figures) {
    const auto is_within = VariedRun::is_within(figure);
    is_judged = is_judged || is_within;
    if (is_within && !*is_within) beyond += (beyond.empty() ? "" : ", ") + name_of(figure);
  }
  if (!is_judged) return fmt::format("What was {} has no comparison: latency grows without bound.\n", verb);
  const std::string range = varied.run_copies > 0 ? "where 95 of 100 such runs lie" : "the intervals of takt vary";
  if (beyond.empty()) return fmt::format("What was {} lies within {}, widened by 2 %.\n", verb, range);
  return fmt::format("Beyond {}, widened by 2 %: {}.\n", range, beyond);
}

// How far the run is from the play of its own draws, which chance has no part in; "" if there is none.
std::string distance_words(const VariedRun& varied) {
  constexpr double kPercent = 100;
  double most = 0;
  for (const ComparedFigure& figure : varied.figures) {
    if (!figure.same_draws || !(*figure.same_draws > 0)) return "";
    most = std::max(most, std::abs(figure.observed / *figure.same_draws - 1));
  }
  return fmt::format("From the play of the same draws it is off by {:.2f} % at most.\n", kPercent * most);
}

}  // namespace

std::optional<bool> VariedRun::is_within(const ComparedFigure& figure) {
  RunRange range;
  if (figure.such_runs) {
    range = *figure.such_runs;
  } else if (figure.expected) {
    range = {figure.expected->low(), figure.expected->high()};
  } else {
    return std::nullopt;
  }
  return figure.observed >= range.low * (1 - kWidened) && figure.observed <= range.high * (1 + kWidened);
}

std::optional<VariedRun> compare_with_vary(const PreparedRun& run, bool is_rehearsed, const live::Trace& trace,
                                           const maxplus::Deadline& deadline) {
  if (!run.plan.jitter && !run.plan.arrivals) return std::nullopt;
  auto times = times_of(run, is_rehearsed, deadline);
  if (!times) return std::nullopt;
  return RunBesidePlays(run, *std::move(times), trace, deadline).compare();
}

void write_varied_run(std::ostream& out, const PreparedRun& run, const VariedRun& varied, const std::string& verb) {
  const TimeWords seconds = TimeWords::of_seconds();
  const EstimateWords words(seconds);
  const double unit = double_of(run.plan.unit_seconds);
  const auto time = [&](const Figure& figure) { return words.time({figure.value * unit, figure.margin * unit}); };
  const auto one = [&](double figure) { return words.time(rounded(figure * unit)); };
  if (varied.gap) {
    fmt::print(out, "\nLatency at {} from arrival to delivery, of {} data sets; the first {} do not count\n",
               words.rate_at(*varied.gap * unit), varied.run_data_sets - varied.run_skipped, varied.run_skipped);
  } else {
    fmt::print(out, "\nTimes that vary: time per data set, over {} data sets; the first {} do not count\n",
               varied.run_data_sets - varied.run_skipped, varied.run_skipped);
  }
  const bool has_drawn = varied.figures.front().same_draws.has_value();
  const bool has_range = varied.run_copies > 0;
  Table table{{{""}, {verb, Align::right}}, {}};
  if (has_drawn) table.columns.push_back({"same draws", Align::right});
  table.columns.push_back({"takt vary", Align::right});
  if (has_range) table.columns.push_back({"95 of 100 such runs", Align::right});
  for (const ComparedFigure& figure : varied.figures) {
    std::vector<std::string> row = {name_of(figure), one(figure.observed)};
    if (has_drawn) row.push_back(one(*figure.same_draws));
    row.push_back(figure.expected ? time(*figure.expected) : varied.grows ? "grows" : "-");
    if (has_range) row.push_back(fmt::format("{} to {}", one(figure.such_runs->low), one(figure.such_runs->high)));
    table.rows.push_back(std::move(row));
  }
  table.write(out);
  if (varied.grows) {
    fmt::print(out, "At this rate latency grows without bound: the most is {}.\n",
               words.rate_of({varied.period.value * unit, varied.period.margin * unit}));
  }
  out << judgement(varied, verb) << distance_words(varied);
  fmt::print(out, "takt vary: {}, window of {} data sets, {} copies of {} data sets{}, seed {}.\n", law_words(varied),
             run.plan.coordination.window, varied.copies, varied.data_sets,
             has_range ? fmt::format("; {} copies of {}", varied.run_copies, varied.run_data_sets) : "", varied.seed);
}

void write_varied_json(tpn::JsonWriter& json, const std::optional<VariedRun>& varied) {
  json.key("varied");
  if (!varied) return json.value(nullptr);
  json.begin_object();
  json.member("arrival_gap", varied->gap);
  json.member("arrivals", arrivals_name(varied->arrivals));
  if (varied->law.empty()) {
    json.member("law", nullptr);
  } else {
    json.member("law", varied->law);
  }
  json.member("seed", varied->seed);
  json.member("copies", varied->copies);
  json.member("data_sets", varied->data_sets);
  json.member("skipped_data_sets", varied->skipped);
  json.member("run_copies", varied->run_copies);
  json.member("confidence", vary::kConfidence);
  json.key("expected_period");
  json.begin_object(tpn::JsonLayout::line);
  json.member("estimated", varied->period.value);
  json.member("margin", varied->period.margin);
  json.end();
  json.member("grows", varied->grows);
  write_list(json, "run_figures", varied->figures, [&](const ComparedFigure& figure) {
    json.begin_object(tpn::JsonLayout::line);
    json.member("quantity", quantity_name(figure.quantity));
    if (figure.quantity == VariedQuantity::percentile) json.member("fraction", figure.share);
    json.member("observed", figure.observed);
    json.member("same_draws", figure.same_draws);
    if (figure.expected) json.member("estimated", figure.expected->value);
    if (figure.expected) json.member("margin", figure.expected->margin);
    json.member("such_runs_low", figure.such_runs ? std::optional(figure.such_runs->low) : std::nullopt);
    json.member("such_runs_high", figure.such_runs ? std::optional(figure.such_runs->high) : std::nullopt);
    json.member("is_within", VariedRun::is_within(figure));
    json.end();
  });
  json.end();
}

}  // namespace takt::tools
