// Sentences, a table of utilizations, an object.
#include "tools/live/measurement_output.hpp"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <functional>
#include <ostream>
#include <utility>
#include <vector>

#include "tools/answers/evaluation_output.hpp"
#include "tools/files/files.hpp"
#include "tools/live/explanation_output.hpp"
#include "tools/live/run_time_words.hpp"
#include "tools/words/json_results.hpp"
#include "tools/words/number_words.hpp"
#include "tools/words/operation_words.hpp"
#include "tools/words/table.hpp"
#include "tools/words/time_words.hpp"
#include "tpn/capacity.hpp"
#include "tpn/models.hpp"
#include "tpn/writer.hpp"

namespace takt::tools {

using live::RunMeasurement;
using maxplus::Rational;
using tpn::JsonWriter;

namespace {

// No more than this part of all operations may be early without a word: a machine that stalls does that.
constexpr std::uint64_t kFewEarly = 100;

const tpn::Resource& busiest(const MeasuredRun& run) {
  return run.instance.net.resources[run.instance.evaluation.busiest];
}

// ", critical: P2" or what the largest cycle time is, and whose.
std::string critical_words(const MeasuredRun& run, const RunTimeWords& times) {
  const tpn::Resource& resource = busiest(run);
  const std::string name = resource_text(resource, run.instance.net.pipeline);
  if (run.instance.evaluation.upper == resource.cycle_time) return "critical: " + name;
  return fmt::format("no critical resource: M_ct {} of {}", times.readable(resource.cycle_time), name);
}

std::string predicted_words(const MeasuredRun& run, const RunTimeWords& times) {
  const evaluators::Evaluation& evaluation = run.instance.evaluation;
  const auto exactly = [&](const Rational& period) {
    const bool has_own_pace = run.instance.times.has_units() && run.unit_seconds == Rational(1);
    if (!run.unit_seconds || has_own_pace) return run.instance.times.amount(period);
    return fmt::format("{} units = {}", brief(period), times.readable(period));
  };
  if (!run.measured.stretch.is_played) {
    return fmt::format("{} ({})", exactly(evaluation.upper), critical_words(run, times));
  }
  const std::string for_ever = evaluation.exact()
                                   ? times.readable(evaluation.upper)
                                   : times.readable(evaluation.lower) + " to " + times.readable(evaluation.upper);
  return fmt::format("{}, playing the same data sets ({} for ever, repeating after {})",
                     times.readable(run.predicted()), for_ever, plural(run.instance.net.pipeline.rows, "data set"));
}

std::string statistics_words(const RunMeasurement& measured, const RunTimeWords& times) {
  std::string counts =
      fmt::format("{}, {}", plural(measured.stretch.data_sets, "data set"), plural(measured.stalls.size(), "stall"));
  if (!measured.interval) return counts;
  return fmt::format("mean {}, 95 %: {} .. {}; {}", times.readable(measured.interval->mean),
                     times.readable(std::max(measured.interval->low, 0.0)), times.readable(measured.interval->high),
                     counts);
}

void write_delivery(std::ostream& out, const MeasuredRun& run, const RunTimeWords& times) {
  const RunMeasurement& measured = run.measured;
  fmt::print(out, "{} delivered in order, none lost, none twice", plural(measured.stretch.data_sets, "data set"));
  if (measured.overtaking > 0) fmt::print(out, "; {} had to wait for an earlier one", measured.overtaking);
  out << '\n';
  const std::uint64_t operations = measured.stretch.data_sets * run.instance.net.pipeline.columns.size();
  if (measured.early <= operations / kFewEarly) return;
  fmt::print(out,
             "{} began too early, by up to {}: before the end of an operation that precedes them in the net. Possible "
             "reasons: clocks that differ, real messages, whose ends are seen at different times, or a run under "
             "another model\n",
             plural(measured.early, "operation"), times.readable(measured.earliest));
}

std::optional<ExplainedRun> explained_run(const MeasuredRun& run) {
  if (!run.explanation) return std::nullopt;
  return ExplainedRun{*run.explanation,
                      run.predicted(),
                      run.measured.period,
                      run.instance.net.capacity.window,
                      run.measured.stretch.data_sets,
                      &run.instance.net,
                      &run.instance.stages};
}

// For ever: the same data sets alone, which end before the net repeats itself, may take less than a cycle time each.
std::optional<Rational> predicted_utilization(const MeasuredRun& run, const tpn::Resource& resource) {
  const Rational& period = run.instance.evaluation.upper;
  if (period.sign() == 0) return std::nullopt;
  return resource.cycle_time / period;
}

std::optional<Rational> measured_utilization(const MeasuredRun& run, std::size_t resource) {
  return run.measured.busy.empty() ? std::nullopt : std::optional(run.measured.busy[resource]);
}

void write_utilizations(std::ostream& out, const MeasuredRun& run) {
  constexpr std::size_t kShown = 40;
  const auto& resources = run.instance.net.resources;
  std::vector<std::size_t> order(resources.size());
  for (std::size_t r = 0; r < order.size(); ++r) order[r] = r;
  std::ranges::stable_sort(order, std::greater{}, [&](std::size_t r) { return resources[r].cycle_time; });
  out << "\nUtilizations, the busiest first\n";
  Table table{{{"resource"}, {run.verb, Align::right}, {"predicted", Align::right}}, {}};
  for (const std::size_t r : order) {
    if (table.rows.size() == kShown) break;
    table.rows.push_back({resource_text(resources[r], run.instance.net.pipeline), percent(measured_utilization(run, r)),
                          percent(predicted_utilization(run, resources[r]))});
  }
  table.write(out);
  if (order.size() > kShown) fmt::print(out, "  ... and {} more (--json lists all)\n", order.size() - kShown);
}

void write_statistics(JsonWriter& json, const RunMeasurement& measured) {
  json.member("slope", measured.slope);
  write_interval_json(json, measured.interval);
  json.member("data_sets", measured.stretch.data_sets);
  json.member("delivered", measured.stretch.data_sets);
  json.member("overtaking", measured.overtaking);
  json.member("dropped", measured.stretch.first);
  json.member("window_length", measured.stretch.window);
  json.member("windows", measured.windows);
  json.member("slow_windows", measured.slow_windows);
  json.member("stalls", measured.stalls.size());
  json.member("early_operations", measured.early);
  write_exact(json, "earliest", measured.earliest);
}

void write_resources_json(JsonWriter& json, const MeasuredRun& run) {
  json.key("resources");
  json.begin_array();
  for (std::size_t r = 0; r < run.instance.net.resources.size(); ++r) {
    const tpn::Resource& resource = run.instance.net.resources[r];
    const auto measured = measured_utilization(run, r);
    const auto predicted = predicted_utilization(run, resource);
    json.begin_object(tpn::JsonLayout::line);
    write_members(json, resource, run.instance.net.pipeline);
    write_exact(json, "measured_utilization", measured);
    write_exact(json, "predicted_utilization", predicted);
    json.end();
  }
  json.end();
}

// "STRICT ONE-PORT, WINDOW OF 8 DATA SETS".
std::string title_of(const tpn::FoldedNet& net) {
  return tpn::title_of(net.model) + tpn::capacity_title(net.capacity.buffers.size(), net.capacity.window);
}

}  // namespace

void write_interval_json(JsonWriter& json, const std::optional<live::MeanInterval>& interval) {
  json.key("interval");
  if (!interval) return json.value(nullptr);
  json.begin_object(tpn::JsonLayout::line);
  json.member("period_mean", interval->mean);
  json.member("period_low", interval->low);
  json.member("period_high", interval->high);
  json.member("batches", interval->batches);
  json.end();
}

const Rational& MeasuredRun::predicted() const {
  return measured.stretch.is_played ? *measured.played : instance.evaluation.upper;
}

std::optional<Rational> MeasuredRun::gap() const {
  if (predicted().sign() == 0) return std::nullopt;
  return (measured.period - predicted()) / predicted();
}

bool MeasuredRun::is_within(const Rational& tolerance) const {
  const Rational off = measured.period < predicted() ? predicted() - measured.period : measured.period - predicted();
  return off <= tolerance * predicted();
}

MeasuredRun measured_run(EvaluatedInstance instance, std::string trace_name, const live::Trace& trace,
                         const evaluators::Deadline& deadline, std::optional<Rational> unit_seconds) {
  MeasuredRun run{std::move(instance), std::move(trace_name), {}, {}, std::move(unit_seconds), "measured"};
  run.measured = live::measure(run.instance.net, trace, !run.instance.evaluation.exact());
  run.explanation = live::explain(run.instance.net, trace, run.measured, deadline);
  return run;
}

void write_measurement(std::ostream& out, const MeasuredRun& run) {
  const RunTimeWords times(run.instance.times, run.unit_seconds);
  fmt::print(out, "{}, {}\n", display_name(run.instance.file), title_of(run.instance.net));
  fmt::print(out, "predicted {}\n", predicted_words(run, times));
  fmt::print(out, "{:<9} {}, {} ({})\n", run.verb, times.readable(run.measured.period), signed_percent(run.gap()),
             statistics_words(run.measured, times));
  if (const auto explained = explained_run(run)) write_explanation(out, *explained, times);
  write_delivery(out, run, times);
  write_utilizations(out, run);
}

void write_measurement_json(JsonWriter& json, const MeasuredRun& run, const std::optional<Rational>& tolerance,
                            const std::function<void(JsonWriter&)>& more) {
  json.begin_object();
  json.member("file", run.instance.file);
  if (!run.trace.empty()) json.member("trace_file", run.trace);
  tpn::write_model(json, run.instance.net.model);
  if (run.instance.net.capacity.window > 0) json.member("window", run.instance.net.capacity.window);
  write_time_unit(json, run.instance.times);
  if (run.unit_seconds) write_exact(json, "unit_seconds", *run.unit_seconds);
  write_exact(json, "predicted_period", run.predicted());
  json.member("predicted_by", run.measured.stretch.is_played ? "play" : "period");
  write_exact(json, "measured_period", run.measured.period);
  write_percent(json, "gap_percent", run.gap());
  if (tolerance) {
    write_exact(json, "tolerance", tolerance);
    json.member("holds", run.is_within(*tolerance));
  }
  write_explanation_json(json, explained_run(run));
  write_exact(json, "max_cycle_time", busiest(run).cycle_time);
  write_statistics(json, run.measured);
  write_resources_json(json, run);
  if (more) more(json);
  json.end();
}

}  // namespace takt::tools
