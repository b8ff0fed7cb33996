// Lines and objects as they come; slices of a run with its critical circuit.
#include "tools/live/trace_writer.hpp"

#include <algorithm>
#include <ostream>
#include <set>
#include <utility>

#include "tools/files/files.hpp"
#include "tools/gantt/chart_table.hpp"
#include "tools/gantt/chart_trace.hpp"
#include "tools/words/operation_table.hpp"
#include "tools/words/operation_words.hpp"
#include "tpn/json_writer.hpp"
#include "tpn/writer.hpp"

namespace takt::tools {

using evaluators::CriticalCircuit;
using evaluators::Firing;
using maxplus::Integer;
using maxplus::Rational;
using tpn::JsonLayout;
using tpn::JsonWriter;

namespace {

void write_firing(JsonWriter& json, const TraceSubject& subject, const ModelTrace& trace, const Firing& firing) {
  const OperationWords words = words_of(trace.net.pipeline, subject.stages, firing.operation);
  json.begin_object(JsonLayout::compact);
  write_members(json, {words, Integer(words.data_set), firing.start, firing.end});
  json.end();
}

// As far as it goes: a long play is no text in memory.
void write_object(std::ostream& out, const TraceSubject& subject, const ModelTrace& trace) {
  std::string text;
  JsonWriter json(text, tpn::IllFormed::replaced);  // file names need not be UTF-8
  json.begin_object(JsonLayout::line);
  json.member("file", subject.file);
  tpn::write_model(json, trace.net.model);
  write_time_unit(json, subject.times);
  json.member("data_sets", subject.data_sets);
  json.key("operations");
  json.begin_array(JsonLayout::block);
  trace.firings([&](const Firing& firing) {
    write_firing(json, subject, trace, firing);
    out << text;
    text.clear();
    return static_cast<bool>(out);
  });
  json.end();
  json.end();
  out << text;
}

// The critical circuit among the operations of a trace.
class TracedCircuit {
 public:
  TracedCircuit(const CriticalCircuit& circuit, std::size_t columns) : residues_(columns) {
    for (const auto& step : circuit.steps) height_ += step.height;
    std::uint64_t data_set = circuit.data_set;
    for (const auto& step : circuit.steps) {
      residues_[step.column].insert(data_set % height_);
      data_set += step.height;
    }
  }

  bool has(const tpn::Operation& operation) const {
    return residues_[operation.column].contains(operation.data_set % height_);
  }

 private:
  std::uint64_t height_ = 0;
  std::vector<std::set<std::uint64_t>> residues_;  // by column
};

// The steps that the trace has, in order, lap after lap. It may begin behind the circuit.
std::vector<ChartOperation> steps_in(const std::vector<ChartOperation>& operations, const CriticalCircuit& circuit,
                                     std::size_t columns) {
  std::vector<ChartOperation> steps;
  if (operations.empty()) return steps;
  const std::uint64_t first = operations.front().data_set.get_ui();
  std::uint64_t data_set = circuit.data_set;
  for (std::size_t t = 0;; t = (t + 1) % circuit.steps.size()) {
    if (data_set >= first + operations.size() / columns) return steps;
    if (data_set >= first) steps.push_back(operations[(data_set - first) * columns + circuit.steps[t].column.value()]);
    data_set += circuit.steps[t].height;
  }
}

}  // namespace

FiringSource firings_of(const std::vector<Firing>& trace) {
  return [&trace](const std::function<bool(const Firing&)>& visit) { std::ranges::all_of(trace, visit); };
}

void write_trace_csv(std::ostream& out, const TraceSubject& subject, const std::vector<ModelTrace>& traces) {
  out << kOperationHeading << '\n';
  for (const ModelTrace& trace : traces) {
    trace.firings([&](const Firing& firing) {
      const OperationWords words = words_of(trace.net.pipeline, subject.stages, firing.operation);
      write_csv_fields(out, trace.net.model, {words, Integer(words.data_set), firing.start, firing.end});
      out << '\n';
      return static_cast<bool>(out);
    });
  }
}

void write_trace_json(std::ostream& out, const TraceSubject& subject, const std::vector<ModelTrace>& traces) {
  const bool is_alone = traces.size() == 1;
  if (!is_alone) out << "[\n";
  for (std::size_t i = 0; i < traces.size(); ++i) {
    if (i > 0) out << ",\n";
    write_object(out, subject, traces[i]);
  }
  out << (is_alone ? "\n" : "\n]\n");
}

void write_perfetto_trace(std::ostream& out, const TraceSubject& subject, const tpn::FoldedNet& net,
                          const std::vector<Firing>& trace, const CriticalCircuit* circuit,
                          const std::optional<Rational>& unit_seconds) {
  const std::size_t columns = net.pipeline.columns.size();
  if (circuit != nullptr && circuit->steps.empty()) circuit = nullptr;
  ChartTable table{{net, subject.stages, subject.times}, ScheduleKind::run, {}, {}, {}, {}};
  std::optional<TracedCircuit> marks;
  if (circuit != nullptr) marks.emplace(*circuit, columns);
  for (const Firing& firing : trace) {
    const auto [j, c] = firing.operation;
    table.operations.push_back({j, c, firing.start, firing.end, marks && marks->has(firing.operation)});
  }
  const Rational unit = subject.times.has_units() ? Rational(1) : Rational::fraction(1, 1000);
  constexpr long kNanoseconds = 1'000'000'000;
  write_chart_trace(out, subject.file, table,
                    circuit == nullptr ? std::vector<ChartOperation>() : steps_in(table.operations, *circuit, columns),
                    unit_seconds.value_or(unit) * Rational(kNanoseconds));
}

std::optional<TraceForm> trace_form(std::string_view path) {
  if (path.ends_with(".trace.json")) return TraceForm::perfetto;
  if (path.ends_with(".json")) return TraceForm::json;
  return path.ends_with(".csv") ? std::optional(TraceForm::csv) : std::nullopt;
}

void write_trace_file(const std::string& path, const TraceSubject& subject, const tpn::FoldedNet& net,
                      const std::vector<Firing>& trace, const CriticalCircuit* circuit,
                      const std::optional<Rational>& unit_seconds) {
  const TraceForm form = trace_form(path).value_or(TraceForm::csv);
  const std::vector<ModelTrace> traces = {{net, firings_of(trace)}};
  write_file(path, [&](std::ostream& out) {
    if (form == TraceForm::csv) write_trace_csv(out, subject, traces);
    if (form == TraceForm::json) write_trace_json(out, subject, traces);
    if (form == TraceForm::perfetto) write_perfetto_trace(out, subject, net, trace, circuit, unit_seconds);
  });
}

}  // namespace takt::tools
