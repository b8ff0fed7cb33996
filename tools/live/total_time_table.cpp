// Runs one after the other: they would slow each other down.
#include "tools/live/total_time_table.hpp"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <numeric>
#include <ostream>

#include "tools/files/progress.hpp"
#include "tools/words/json_results.hpp"
#include "tools/words/table.hpp"
#include "tpn/folded_net.hpp"

namespace takt::tools {

namespace {

using live::RunPlan;
using live::RunWay;
using live::TotalTimeCase;
using live::TotalTimeSetting;
using maxplus::Rational;

const Rational kNanosecondsInSecond = 1'000'000'000;

// The plan of a case: another first mapping, window and adaptation than the run's.
RunPlan plan_of(const PreparedRun& run, const TotalTimeSetting& setting, const TotalTimeCase& one) {
  RunPlan plan = run.plan;
  plan.instance = live::first_instance(setting, one.way);
  if (!plan.instance.mapping) throw UsageError(fmt::format("{} finds no mapping of this problem", one.way.heuristic));
  plan.coordination.window = one.way.window;
  plan.loads = {live::load_of(setting, one, plan.instance, run.plan.unit_seconds * kNanosecondsInSecond)};
  plan.adaptation.reset();
  if (one.way.adapts)
    plan.adaptation = {.heuristic = one.way.heuristic, .kind = *one.way.adapts, .rule = live::AdaptationRule::paper};
  return plan;
}

std::optional<double> rehearsed(const TotalTimeSetting& setting, const TotalTimeCase& one, const Rational& unit) {
  const auto total = live::rehearse_case(setting, one, unit * kNanosecondsInSecond);
  return total ? (total->time * unit).to_double() : std::nullopt;
}

}  // namespace

TotalTimeSetting total_time_setting(const PreparedRun& run) {
  if (run.plan.loads.size() != 1) throw UsageError("--adapt all goes with one --load, the largest that is tried");
  const live::BackgroundLoad& load = run.plan.loads.front();
  if (load.until != live::BackgroundLoad{}.until) throw UsageError("--adapt all needs a --load without an end");
  if (load.load > Rational(100)) throw UsageError("--adapt all needs a --load of at most 100");
  TotalTimeSetting setting;
  setting.problem = run.document;
  setting.model = run.plan.model;
  const tpn::Mapping& mapping = *run.document.mapping;
  const auto part = std::ranges::find_if(mapping, [&](const tpn::Part& has) {
    return std::ranges::find(has.processors, load.processor) != has.processors.end();
  });
  if (part == mapping.end()) throw UsageError("--adapt all needs a --load on a processor of the mapping");
  setting.loaded_stage = part->first_stage;
  setting.data_sets = run.plan.coordination.data_sets;
  setting.load_from = Rational(load.from) / (run.plan.unit_seconds * kNanosecondsInSecond);
  setting.problem.mapping.reset();
  return setting;
}

std::optional<TotalTimeTable> total_times(const PreparedRun& run, const TotalTimeSetting& setting,
                                          const RunCase& run_case, Streams& streams) {
  const std::vector<RunWay> ways = live::run_ways();
  TotalTimeTable table;
  for (const RunWay& way : ways) table.ways.push_back(way.name);
  Progress line(streams);
  for (Rational load = 0; load <= run.plan.loads.front().load; load += 1) {
    TotalTimeRow row{.load = load, .measured = {}, .rehearsed = {}, .mappings = {}};
    for (const RunWay& way : ways) {
      const TotalTimeCase one{load, way};
      line.show(fmt::format("load {}: {}", load.to_string(), way.name));
      const auto result = run_case(plan_of(run, setting, one));
      if (!result) return std::nullopt;
      row.measured.push_back(static_cast<double>(result->end - result->begin) / 1e9);
      row.mappings.push_back(result->mappings.size());
      row.rehearsed.push_back(rehearsed(setting, one, run.plan.unit_seconds));
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

void write_total_times(std::ostream& out, const TotalTimeTable& table) {
  fmt::print(out, "Seconds until all is delivered, by load; in brackets on a virtual clock\n");
  Table text{{{"load", Align::right}}, {}};
  for (const std::string& way : table.ways) text.columns.push_back({way, Align::right});
  for (const TotalTimeRow& row : table.rows) {
    std::vector<std::string>& cells = text.rows.emplace_back();
    cells.push_back(row.load.to_string());
    for (std::size_t w = 0; w < row.measured.size(); ++w) {
      cells.push_back(row.rehearsed[w] ? fmt::format("{:.2f} ({:.2f})", row.measured[w], *row.rehearsed[w])
                                       : fmt::format("{:.2f}", row.measured[w]));
    }
  }
  text.write(out);
}

void write_total_times_json(std::ostream& out, const std::string& file, const TotalTimeTable& table) {
  JsonResults results(JsonResults::Form::object, out);
  tpn::JsonWriter& json = results.next();
  json.begin_object();
  json.member("file", file);
  json.key("runs");
  json.begin_array();
  for (const TotalTimeRow& row : table.rows) {
    for (std::size_t w = 0; w < row.measured.size(); ++w) {
      json.begin_object(tpn::JsonLayout::line);
      write_exact(json, "load", row.load);
      json.member("way", table.ways[w]);
      json.member("seconds", row.measured[w]);
      json.member("rehearsed_seconds", row.rehearsed[w]);
      json.member("mappings", row.mappings[w]);
      json.end();
    }
  }
  json.end();
  json.end();
  results.finish();
}

}  // namespace takt::tools
