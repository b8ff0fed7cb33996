// Lines of CSV and objects of JSON, as they come.
#include "tools/gantt/chart_table.hpp"

#include <cstddef>
#include <ostream>

#include "tools/words/json_results.hpp"
#include "tools/words/operation_table.hpp"
#include "tools/words/operation_words.hpp"
#include "tpn/writer.hpp"

namespace takt::tools {

using tpn::JsonLayout;
using tpn::JsonWriter;

namespace {

OperationWords chart_words(const ChartTable& table, const ChartOperation& operation) {
  const std::uint64_t round = representative(table.subject.net.pipeline, operation.column, operation.data_set);
  return words_of(table.subject.net.pipeline, table.subject.stages, {round, operation.column});
}

void write_object(JsonWriter& json, const std::string& file, const ChartTable& table) {
  json.begin_object(JsonLayout::line);
  json.member("file", file);
  tpn::write_model(json, table.subject.net.model);
  write_time_unit(json, table.subject.times);
  json.member("schedule", schedule_name(table));
  if (table.period) write_exact(json, "period", table.period);
  if (table.entry) write_exact(json, "entry", table.entry);
  write_exact(json, "window_begin", table.window.from);
  write_exact(json, "window_end", table.window.to);
  json.key("operations");
  json.begin_array(JsonLayout::block);
  for (const ChartOperation& operation : table.operations) {
    const OperationWords words = chart_words(table, operation);
    json.begin_object(JsonLayout::compact);
    write_members(json, {words, operation.data_set, operation.start, operation.end});
    if (marks_circuit(table)) json.member("critical", operation.is_critical);
    json.end();
  }
  json.end();
  json.end();
}

}  // namespace

std::string_view schedule_name(const ChartTable& table) {
  switch (table.kind) {
    case ScheduleKind::paced:
      return "paced";
    case ScheduleKind::start_up:
      return "start-up";
    case ScheduleKind::run:
      break;
  }
  return "run";
}

void write_chart_csv(std::ostream& out, const std::vector<ChartTable>& tables) {
  out << kOperationHeading << ",schedule,critical\n";
  for (const ChartTable& table : tables) {
    for (const ChartOperation& operation : table.operations) {
      const OperationWords words = chart_words(table, operation);
      write_csv_fields(out, table.subject.net.model, {words, operation.data_set, operation.start, operation.end});
      out << ',' << schedule_name(table) << ',';
      if (marks_circuit(table)) out << (operation.is_critical ? "true" : "false");
      out << '\n';
    }
  }
}

void write_chart_json(std::ostream& out, const std::string& file, const std::vector<ChartTable>& tables) {
  JsonResults results(tables.size() == 1 ? JsonResults::Form::object : JsonResults::Form::array, out);
  for (const ChartTable& table : tables) write_object(results.next(), file, table);
  results.finish();
}

}  // namespace takt::tools
