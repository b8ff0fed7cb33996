// Metadata, slices, flows: an event on each line.
#include "tools/gantt/chart_trace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <ostream>
#include <utility>

#include "maxplus/contract.hpp"
#include "tools/gantt/gantt_drawing.hpp"
#include "tpn/models.hpp"
#include "tpn/writer.hpp"

namespace takt::tools {

using maxplus::Integer;
using maxplus::Rational;
using tpn::JsonLayout;
using tpn::JsonWriter;

namespace {

struct TraceScale {
  std::string_view name;
  int nanoseconds = 1;
};
constexpr std::array kScales = {TraceScale{"ns", 1}, TraceScale{"us", 1'000}, TraceScale{"ms", 1'000'000},
                                TraceScale{"s", 1'000'000'000}};

// Where a slice stands: process and thread count from 1.
struct TraceThread {
  std::size_t process = 0;
  std::size_t line = 0;
};

class TraceWriter {
 public:
  TraceWriter(std::ostream& out, const ChartTable& table, Rational nanoseconds)
      : table_(table),
        lines_(gantt_lines(table.subject.net)),
        index_(table.subject.net),
        nanoseconds_(std::move(nanoseconds)),
        json_(text_, tpn::IllFormed::replaced, [&out](std::string& text) {
          out << text;
          text.clear();
        }) {
    std::size_t process = 0;
    for (std::size_t line = 0; line < lines_.size(); ++line) {
      if (line == 0 || lines_[line - 1].part != lines_[line].part) ++process;
      processes_.push_back(process);
    }
    for (const ChartOperation& operation : table.operations) {
      if (!first_ || operation.start < *first_) first_ = operation.start;
    }
  }

  void write(std::ostream& out, const std::string& file, const std::vector<ChartOperation>& circuit) {
    json_.begin_object(JsonLayout::line);
    json_.member("displayTimeUnit", "ms");
    json_.key("otherData");
    json_.begin_object();
    json_.member("file", file);
    json_.member("model", tpn::name_of(table_.subject.net.model));
    json_.member("schedule", schedule_name(table_));
    json_.end();
    json_.key("traceEvents");
    json_.begin_array(JsonLayout::block);
    write_names();
    for (const ChartOperation& operation : table_.operations) write_slices(operation);
    write_flows(circuit);
    json_.end();
    json_.end();
    out << text_ << '\n';
  }

 private:
  TraceThread thread_of(std::size_t line) const { return {processes_[line], line + 1}; }

  Integer nanosecond(const Rational& time) const { return ((time - *first_) * nanoseconds_).nearest(); }

  // Microseconds, three decimals.
  static std::string microseconds(const Integer& nanoseconds) {
    constexpr unsigned kPerMicrosecond = 1000;
    const Integer whole = nanoseconds / kPerMicrosecond;
    return fmt::format("{}.{:03}", whole.get_str(), maxplus::modulo(nanoseconds, kPerMicrosecond));
  }

  void begin_event(const char* phase, const std::string& name) {
    json_.begin_object(JsonLayout::compact);
    json_.member("ph", phase);
    json_.member("name", name);
  }

  void write_thread(const TraceThread& thread) {
    json_.member("pid", thread.process);
    json_.member("tid", thread.line);
  }

  void write_name(const char* event, std::size_t process, std::optional<std::size_t> thread, const std::string& name) {
    begin_event("M", event);
    json_.member("pid", process);
    if (thread) json_.member("tid", *thread);
    json_.key("args");
    json_.begin_object();
    json_.member("name", name);
    json_.end();
    json_.end();
  }

  void write_index(const char* event, std::size_t process, std::optional<std::size_t> thread, std::size_t index) {
    begin_event("M", event);
    json_.member("pid", process);
    if (thread) json_.member("tid", *thread);
    json_.key("args");
    json_.begin_object();
    json_.member("sort_index", index);
    json_.end();
    json_.end();
  }

  void write_names() {
    for (std::size_t line = 0; line < lines_.size(); ++line) {
      const TraceThread thread = thread_of(line);
      if (line == 0 || processes_[line - 1] != thread.process) {
        write_name("process_name", thread.process, std::nullopt,
                   group_heading(table_.subject.net, table_.subject.stages, lines_[line].part));
        write_index("process_sort_index", thread.process, std::nullopt, thread.process);
      }
      write_name("thread_name", thread.process, thread.line,
                 lines_[line].processor + (lines_[line].words.empty() ? "" : " " + lines_[line].words));
      write_index("thread_sort_index", thread.process, thread.line, thread.line);
    }
  }

  void write_slices(const ChartOperation& operation) {
    const Integer start = nanosecond(operation.start);
    const Integer length = nanosecond(operation.end) - start;
    for (const LineIndex::Place& place : index_.places_of(operation)) {
      begin_event("X", operation_phrase(table_.subject, operation));
      json_.member("cat", operation.is_critical ? "critical" : "operation");
      write_thread(thread_of(place.line));
      json_.key("ts");
      json_.raw(microseconds(start));
      json_.key("dur");
      json_.raw(microseconds(length));
      json_.key("args");
      json_.begin_object();
      json_.key("data_set");
      json_.raw(operation.data_set.get_str());
      json_.member("start", operation.start.to_string());
      json_.member("duration", (operation.end - operation.start).to_string());
      if (marks_circuit(table_)) json_.member("critical", operation.is_critical);
      json_.end();
      json_.end();
    }
  }

  // The ends of a flow stand on slices of one line, else of one processor, if there are such; else from who
  // receives to who sends.
  std::pair<std::size_t, std::size_t> ends_of(const std::vector<LineIndex::Place>& from,
                                              const std::vector<LineIndex::Place>& to) const {
    std::pair<std::size_t, std::size_t> best{from.back().line, to.front().line};
    for (const LineIndex::Place& a : from) {
      for (const LineIndex::Place& b : to) {
        if (a.line == b.line) return {a.line, b.line};
        if (lines_[a.line].processor_index == lines_[b.line].processor_index) best = {a.line, b.line};
      }
    }
    return best;
  }

  void write_flow_end(const char* phase, std::size_t id, std::size_t line, const Rational& time) {
    begin_event(phase, "critical circuit");
    if (*phase == 'f') json_.member("bp", "e");
    json_.member("cat", "critical");
    json_.member("id", id);
    write_thread(thread_of(line));
    json_.key("ts");
    json_.raw(microseconds(nanosecond(time)));
    json_.end();
  }

  void write_flows(const std::vector<ChartOperation>& circuit) {
    const ChartOperation* before = nullptr;
    std::size_t id = 0;
    for (const ChartOperation& operation : circuit) {
      const auto places = index_.places_of(operation);
      if (places.empty()) continue;
      if (before != nullptr) {
        const auto [from, to] = ends_of(index_.places_of(*before), places);
        write_flow_end("s", id, from, before->start);
        write_flow_end("f", id, to, operation.start);
        ++id;
      }
      before = &operation;
    }
  }

  const ChartTable& table_;
  std::vector<GanttLine> lines_;
  LineIndex index_;
  Rational nanoseconds_;                // a time unit
  std::optional<Rational> first_;       // the earliest start
  std::vector<std::size_t> processes_;  // by line, from 1
  std::string text_;
  JsonWriter json_;
};

}  // namespace

std::vector<std::string> trace_units() {
  std::vector<std::string> names;
  names.reserve(kScales.size());
  for (const TraceScale& scale : kScales) names.emplace_back(scale.name);
  return names;
}

void write_chart_trace(std::ostream& out, const std::string& file, const ChartTable& table,
                       const std::vector<ChartOperation>& circuit, const std::string& unit) {
  const auto* const scale = std::ranges::find(kScales, unit, &TraceScale::name);
  maxplus::expects(scale != kScales.end(), "a unit of trace_units()");
  write_chart_trace(out, file, table, circuit, Rational(scale->nanoseconds));
}

void write_chart_trace(std::ostream& out, const std::string& file, const ChartTable& table,
                       const std::vector<ChartOperation>& circuit, const Rational& nanoseconds) {
  TraceWriter(out, table, nanoseconds).write(out, file, circuit);
}

}  // namespace takt::tools
