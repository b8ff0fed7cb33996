// Every key is written and must be there: these files are made and read by programs of one build.
#include "live/files/run_view.hpp"

#include <fmt/format.h>

#include <cmath>
#include <variant>

#include "tpn/json.hpp"
#include "tpn/json_writer.hpp"
#include "tpn/visible.hpp"

namespace takt::live {

namespace json = tpn::json;

namespace {

constexpr std::size_t kMostTurns = 24;  // of a part, written out
constexpr std::string_view kView = "a view";

class ViewReader {
 public:
  explicit ViewReader(const json::Tree& tree) : tree_(tree) {}

  const json::Value& value(const json::Value& object, std::string_view key) const {
    return json::required(tree_, object, kView, key);
  }
  std::uint64_t count(const json::Value& value) const {
    const Rational number = json::as_number(tree_, value, json::Bound::whole);
    if (!number.numerator().fits_ulong_p()) json::fail(tree_, value, json::describe(value), "a smaller number");
    return number.numerator().get_ui();
  }
  std::uint64_t count(const json::Value& object, std::string_view key) const { return count(value(object, key)); }
  Ticks ticks(const json::Value& object, std::string_view key) const { return static_cast<Ticks>(count(object, key)); }
  bool flag(const json::Value& object, std::string_view key) const {
    return json::as_boolean(tree_, value(object, key));
  }
  const std::vector<json::Value>& items(const json::Value& object, std::string_view key) const {
    return json::as_array(tree_, value(object, key), "a list");
  }
  std::string text(const json::Value& object, std::string_view key) const {
    return json::as_string(tree_, value(object, key), "a text");
  }
  Rational number(const json::Value& value) const { return json::as_number(tree_, value, json::Bound::non_negative); }

  RankState state(const json::Value& object) const {
    RankState state;
    const auto& times = items(object, "times");
    if (times.size() != kActivities) json::fail(tree_, object, json::describe(object), "a time for each activity");
    for (std::size_t k = 0; k < kActivities; ++k) state.times[k] = static_cast<Ticks>(count(times[k]));
    state.computed = ticks(object, "computed");
    state.nominal = ticks(object, "nominal");
    state.queue = count(object, "queue");
    for (const json::Value& item : items(object, "holdings")) {
      Holding& holding = state.holdings.emplace_back();
      holding.data_set = count(item, "data_set");
      holding.first_stage = count(item, "first");
      holding.last_stage = count(item, "last");
      const json::Value& receiver = value(item, "receiver");
      if (receiver.kind != json::Kind::null) holding.receiver = count(receiver);
      holding.since = ticks(item, "since");
    }
    return state;
  }

  tpn::Mapping mapping(const json::Value& object) const {
    tpn::Mapping mapping;
    for (const json::Value& item : items(object, "mapping")) {
      tpn::Part& part = mapping.emplace_back();
      part.first_stage = count(item, "first");
      part.last_stage = count(item, "last");
      for (const json::Value& processor : items(item, "processors")) part.processors.push_back(count(processor));
    }
    return mapping;
  }

 private:
  const json::Tree& tree_;
};

void write_ticks(tpn::JsonWriter& writer, std::string_view key, Ticks time) {
  writer.member(key, static_cast<std::uint64_t>(std::max<Ticks>(time, 0)));
}

void write_state(tpn::JsonWriter& writer, std::size_t processor, const RankState& state) {
  writer.begin_object();
  writer.member("processor", processor);
  writer.key("times");
  writer.begin_array();
  for (const Ticks time : state.times) writer.value(static_cast<std::uint64_t>(std::max<Ticks>(time, 0)));
  writer.end();
  write_ticks(writer, "computed", state.computed);
  write_ticks(writer, "nominal", state.nominal);
  writer.member("queue", state.queue);
  writer.key("holdings");
  writer.begin_array();
  for (const Holding& holding : state.holdings) {
    writer.begin_object();
    writer.member("data_set", holding.data_set);
    writer.member("first", holding.first_stage);
    writer.member("last", holding.last_stage);
    writer.member("receiver", holding.receiver);
    write_ticks(writer, "since", holding.since);
    writer.end();
  }
  writer.end();
  writer.end();
}

std::string time_words(const Rational& ticks) { return fmt::format("{:.4g} ms", ticks.to_double().value_or(0) / 1e6); }

std::string stage_words(const tpn::Document& problem, std::size_t first, std::size_t last) {
  const auto& stages = problem.application.stages;
  const std::string name = tpn::visible(stages.at(first).name);
  return first == last ? name : name + ".." + tpn::visible(stages.at(last).name);
}

struct EventWriter {
  const tpn::Document& problem;

  std::optional<RunEvent> operator()(const MeasurementPoint&) const { return std::nullopt; }
  std::optional<RunEvent> operator()(const PerformanceFunction& function) const {
    const MonitorFinding& finding = function.finding;
    return RunEvent{.words = fmt::format("{} takes {} per data set, and its limit is {}: {} looks for another mapping",
                                         tpn::visible(problem.platform.processors[finding.cause.processor].name),
                                         time_words(finding.time), time_words(finding.limit), function.heuristic)};
  }
  std::optional<RunEvent> operator()(const NoPairs& no) const {
    return RunEvent{.words = fmt::format("no computation of {} can be repeated, its files are too large",
                                         tpn::visible(problem.platform.processors[no.processor].name))};
  }
  // What is believed of the processor that a decision is about.
  std::string belief_words(const SafeDecision& decision) const {
    const std::string name = tpn::visible(problem.platform.processors[decision.processor].name);
    return decision.factor == 1 ? name + " takes as long as usual"
                                : fmt::format("{} takes {:.3g} times as long as usual", name, decision.factor);
  }
  std::optional<RunEvent> operator()(const SafeDecision& decision) const {
    switch (decision.outcome) {
      case SafeOutcome::data:
        return std::nullopt;
      case SafeOutcome::believed:
        return RunEvent{.words =
                            "the mapping stays: " + belief_words(decision) + ", and no other is faster by a tenth"};
      case SafeOutcome::waits:
        return RunEvent{.words = "the mapping stays: it is not sure enough yet that " + belief_words(decision)};
      case SafeOutcome::mapped:
      case SafeOutcome::returned:
      case SafeOutcome::taken_back:
        break;
    }
    const std::string why = decision.outcome == SafeOutcome::taken_back
                                ? "nothing confirms that " + belief_words(decision)
                                : belief_words(decision);
    RunEvent event{.words = fmt::format("another mapping from data set {} on{}, for {}: {}", decision.data_set,
                                        decision.kind == SwitchKind::drain ? ", after draining" : "", why,
                                        mapping_words(decision.mapping, problem))};
    if (decision.predicted)
      event.predicted = static_cast<Ticks>(std::llround(decision.predicted->to_double().value_or(0)));
    return event;
  }
  std::optional<RunEvent> operator()(const TuningPoint& point) const {
    const std::string present =
        point.as_it_was ? fmt::format("; the one before would take {}", time_words(*point.as_it_was)) : "";
    switch (point.outcome) {
      case TuningOutcome::mapped:
        return RunEvent{
            .words = fmt::format("another mapping from data set {} on{}, predicted {} per data set{}: {}",
                                 point.data_set, point.kind == SwitchKind::drain ? ", after draining" : "",
                                 time_words(point.predicted), present, mapping_words(point.mapping, problem)),
            .predicted = static_cast<Ticks>(std::llround(point.predicted.to_double().value_or(0)))};
      case TuningOutcome::same:
        return RunEvent{.words = "the mapping stays: it is found again"};
      case TuningOutcome::no_better:
        return RunEvent{.words = fmt::format("the mapping stays: the one that was found would take {} per data set{}",
                                             time_words(point.predicted), present)};
      case TuningOutcome::none:
        break;
    }
    return RunEvent{.words = "the mapping stays: no other was found, " + tpn::visible(point.reason)};
  }
};

}  // namespace

std::string mapping_words(const tpn::Mapping& mapping, const tpn::Document& problem) {
  std::string text;
  for (const tpn::Part& part : mapping) {
    text += (text.empty() ? "" : "; ") + stage_words(problem, part.first_stage, part.last_stage) + " on";
    const std::size_t shown = std::min(part.processors.size(), kMostTurns);
    for (std::size_t k = 0; k < shown; ++k) {
      text += " " + tpn::visible(problem.platform.processors[part.processors[k]].name);
    }
    if (shown < part.processors.size()) text += fmt::format(" ... ({} turns)", part.processors.size());
  }
  return text;
}

std::string write_run_view(const RunView& view) {
  std::string text;
  tpn::JsonWriter writer(text, tpn::IllFormed::replaced);
  writer.begin_object(tpn::JsonLayout::line);
  write_ticks(writer, "now", view.now);
  writer.member("next", view.next);
  writer.member("horizon", view.horizon);
  writer.member("is_over", view.is_over);
  writer.key("states");
  writer.begin_array();
  for (const auto& [processor, state] : view.states) write_state(writer, processor, state);
  writer.end();
  writer.key("beliefs");
  writer.begin_array();
  for (const Rational& belief : view.beliefs) writer.value(belief.to_string());
  writer.end();
  writer.member("mapping_from", view.mapping_from);
  writer.key("mapping");
  writer.begin_array();
  for (const tpn::Part& part : view.mapping) {
    writer.begin_object();
    writer.member("first", part.first_stage);
    writer.member("last", part.last_stage);
    writer.key("processors");
    writer.value(part.processors);
    writer.end();
  }
  writer.end();
  writer.end();
  return text += '\n';
}

RunView read_run_view(std::string_view text, const std::string& file) {
  const json::Tree tree = json::parse(text, file);
  const json::Value& root = json::as_object(tree, tree.root, kView);
  const ViewReader reader(tree);
  RunView view;
  view.now = reader.ticks(root, "now");
  view.next = reader.count(root, "next");
  view.horizon = reader.count(root, "horizon");
  view.is_over = reader.flag(root, "is_over");
  for (const json::Value& state : reader.items(root, "states")) {
    view.states[reader.count(state, "processor")] = reader.state(state);
  }
  for (const json::Value& belief : reader.items(root, "beliefs")) view.beliefs.push_back(reader.number(belief));
  view.mapping_from = reader.count(root, "mapping_from");
  view.mapping = reader.mapping(root);
  return view;
}

std::string write_run_event(const RunEvent& event) {
  std::string text;
  tpn::JsonWriter writer(text, tpn::IllFormed::replaced);
  writer.begin_object(tpn::JsonLayout::line);
  write_ticks(writer, "time", event.time);
  writer.member("words", event.words);
  writer.key("predicted");
  event.predicted ? writer.value(static_cast<std::uint64_t>(*event.predicted)) : writer.value(nullptr);
  writer.member("is_failure", event.is_failure);
  writer.member("is_decision", event.is_decision);
  writer.end();
  if (text.ends_with('\n')) text.pop_back();
  return text += '\n';
}

RunEvent read_run_event(std::string_view line, const std::string& file) {
  const json::Tree tree = json::parse(line, file);
  const json::Value& root = json::as_object(tree, tree.root, "an event");
  const ViewReader reader(tree);
  RunEvent event{reader.ticks(root, "time"), reader.text(root, "words"), std::nullopt, reader.flag(root, "is_failure"),
                 reader.flag(root, "is_decision")};
  const json::Value& predicted = reader.value(root, "predicted");
  if (predicted.kind != json::Kind::null) event.predicted = static_cast<Ticks>(reader.count(predicted));
  return event;
}

std::string log_line(const RunLogEntry& entry, const tpn::Document& problem) {
  return fmt::format("{:10.3f} ms  {}", static_cast<double>(entry.time) / 1e6,
                     text_of(entry, problem, {Rational(1'000'000), "ms"}));
}

std::optional<RunEvent> event_of(const RunLogEntry& entry, const tpn::Document& problem) {
  auto event = std::visit(EventWriter{problem}, entry.what);
  if (!event) return event;
  event->time = entry.time;
  event->is_decision =
      std::holds_alternative<TuningPoint>(entry.what) || std::holds_alternative<SafeDecision>(entry.what);
  return event;
}

}  // namespace takt::live
