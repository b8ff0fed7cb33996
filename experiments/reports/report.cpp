// The report of an experiment, and its tables.
#include "experiments/reports/report.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "experiments/reports/series_choice.hpp"

namespace takt::experiments {

namespace {

// What names the rows: the parameters that tell the cells apart where their names are made of nothing else.
std::vector<std::string> headings_of(const Description& description, const std::vector<std::size_t>& cells) {
  const auto made_name = [](const ExperimentCell& cell) {
    std::vector<std::string> parts;
    for (const auto& [key, value] : cell.own) parts.push_back(joined(key, value));
    return fmt::format("{}", fmt::join(parts, ", "));
  };
  for (const std::size_t cell : cells) {
    const ExperimentCell& one = description.cells[cell];
    if (one.own.empty() || one.name != made_name(one)) return {"cell"};
  }
  std::vector<std::string> result;
  for (const auto& pair : description.cells[cells.front()].own) {
    const std::string& key = pair.first;
    const std::string first = parameter_text(description.cells[cells.front()], key);
    const bool differs = std::ranges::any_of(
        cells, [&](std::size_t cell) { return parameter_text(description.cells[cell], key) != first; });
    if (differs) result.push_back(key);
  }
  return result.empty() ? std::vector<std::string>{"cell"} : result;
}

// Series without the key that tells rows apart.
std::vector<Unlabeled> columns_of(const Summary& summary, const TableRequest& request,
                                  const std::vector<std::size_t>& cells) {
  std::vector<Unlabeled> sources;
  for (const SeriesStatistic& column : request.columns) {
    std::vector<SeriesKeys> kinds;
    for (const SeriesKeys& series : chosen_series(summary, cells, column.series)) {
      SeriesKeys kind = without_key(series, request.each);
      if (std::ranges::find(kinds, kind) == kinds.end()) kinds.push_back(std::move(kind));
    }
    for (SeriesKeys& kind : kinds) sources.push_back({&column, std::move(kind), {}});
  }
  return sources;
}

// What the rows of a cell are of: each value of the key, in the order of the series; nothing if there is no key.
std::vector<std::string> row_values(const Summary& summary, std::size_t cell, const std::string& each) {
  if (each.empty()) return {""};
  std::vector<std::string> values;
  for (const SeriesKeys& series : summary.cell(cell).series) {
    const std::string value(value_of(series, each));
    if (!value.empty() && std::ranges::find(values, value) == values.end()) values.push_back(value);
  }
  return values;
}

}  // namespace

ReportedTable table_of(const Summary& summary, const TableRequest& request) {
  const Description& description = summary.description();
  const std::vector<std::size_t> cells = chosen_cells(description, request.where);
  ReportedTable table;
  table.title = request.title;
  if (cells.empty()) return table;
  const std::vector<std::string> parameters = headings_of(description, cells);
  table.headings = parameters;
  if (!request.each.empty()) table.headings.push_back(request.each);
  const std::vector<Unlabeled> sources = columns_of(summary, request, cells);
  std::vector<SeriesName> names = names_of(sources, true);
  for (std::size_t c = 0; c < sources.size(); ++c) {
    table.columns.push_back(
        {std::move(names[c].label), sources[c].statistic->statistic.kind, std::move(names[c].words)});
  }
  for (const std::size_t cell : cells) {
    for (const std::string& value : row_values(summary, cell, request.each)) {
      ReportedRow row;
      row.cell = cell;
      for (const std::string& key : parameters) row.labels.push_back(parameter_text(description.cells[cell], key));
      if (!value.empty()) {
        row.labels.push_back(value);
        row.series = {{request.each, value}};
      }
      for (const Unlabeled& source : sources) {
        const SeriesKeys series = value.empty() ? source.series : with_key(source.series, request.each, value);
        row.numbers.push_back(answer_of(summary, cell, series, source.statistic->statistic));
      }
      table.rows.push_back(std::move(row));
    }
  }
  return table;
}

std::size_t ExpectationVerdict::count(ExpectationOutcome wanted) const {
  return static_cast<std::size_t>(std::ranges::count(places, wanted, &CheckedPlace::outcome));
}

std::size_t ExperimentReport::count(ExpectationOutcome wanted) const {
  return static_cast<std::size_t>(std::ranges::count(verdicts, wanted, &ExpectationVerdict::outcome));
}

ExperimentReport report_of(const Summary& summary) {
  const Description& description = summary.description();
  ExperimentReport report;
  for (std::size_t c = 0; c < description.cells.size(); ++c) {
    report.described += description.cells[c].draws;
    const auto& tallies = summary.cell(c).tallies;
    if (!tallies.empty()) report.draws += tallies.front().draws();
  }
  for (const ReportItem& item : description.report) {
    if (const auto* table = std::get_if<TableRequest>(&item)) {
      report.items.emplace_back(table_of(summary, *table));
    } else {
      report.items.emplace_back(figure_of(summary, std::get<FigureRequest>(item)));
    }
  }
  for (const Expectation& expectation : description.expectations) {
    report.verdicts.push_back(verdict_of(summary, expectation));
  }
  report.failures = summary.failures();
  report.failed = summary.failed();
  return report;
}

}  // namespace takt::experiments
