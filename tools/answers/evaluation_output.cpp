// Words and layout of the table, fields of the JSON.
#include "tools/answers/evaluation_output.hpp"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "evaluators/evaluate.hpp"
#include "maxplus/solvers.hpp"
#include "tools/answers/estimate_output.hpp"
#include "tools/answers/expected_output.hpp"
#include "tools/answers/latency_output.hpp"
#include "tools/answers/limit_words.hpp"
#include "tools/answers/what_if_output.hpp"
#include "tools/files/files.hpp"
#include "tools/frame/limited_search.hpp"
#include "tools/words/json_results.hpp"
#include "tools/words/number_words.hpp"
#include "tools/words/operation_words.hpp"
#include "tools/words/order_words.hpp"
#include "tools/words/table.hpp"
#include "tpn/models.hpp"
#include "tpn/writer.hpp"

namespace takt::tools {

namespace {

using evaluators::Evaluation;
using evaluators::Measurement;
using evaluators::Repetition;
using maxplus::Integer;
using maxplus::Rational;
using tpn::ConstraintKind;
using tpn::JsonWriter;
using tpn::Resource;

// One operation of a circuit.
struct CircuitLine {
  OperationWords words;
  Rational duration;
};

// Operations until the circuit's durations repeat.
Integer length_of(const evaluators::CriticalCircuit& circuit) { return circuit.laps * circuit.steps.size(); }

std::size_t shown_steps(const evaluators::CriticalCircuit& circuit, CircuitLength length) {
  const Integer limit = length == CircuitLength::full ? kFullSteps : kExcerptSteps;
  return std::min(limit, length_of(circuit)).get_ui();
}

// Calls visit(CircuitLine) for each step that is shown, one at a time: there can be millions.
template <typename Visit>
void for_each_step(const EvaluatedInstance& result, CircuitLength length, const Visit& visit) {
  const auto& pipeline = result.net.pipeline;
  const auto& circuit = result.evaluation.circuit;
  const std::size_t shown = shown_steps(circuit, length);
  std::uint64_t data_set = circuit.data_set;
  for (std::size_t t = 0; t < shown; ++t) {
    const evaluators::CircuitStep& here = circuit.steps[t % circuit.steps.size()];
    const tpn::Operation operation{data_set, here.column};
    visit(CircuitLine{words_of(pipeline, result.stages, operation), pipeline.duration(operation)});
    data_set += here.height;
  }
}

bool has_critical_resource(const EvaluatedInstance& result) {
  return result.evaluation.exact() &&
         result.net.resources[result.evaluation.busiest].cycle_time == result.evaluation.upper;
}

std::optional<Rational> utilization(const EvaluatedInstance& result, const Resource& resource) {
  const Evaluation& evaluation = result.evaluation;
  if (!evaluation.exact() || evaluation.upper.sign() == 0) return std::nullopt;
  return resource.cycle_time / evaluation.upper;
}

// Data sets until every column repeats itself.
std::uint64_t longest_transient(const Repetition& repeats) { return *std::ranges::max_element(repeats.transients); }

void write_json(JsonWriter& json, const Measurement& measured) {
  const auto& repeats = measured.repeats;
  json.begin_object();
  write_exact(json, "period", measured.period);
  write_count(json, "data_sets", measured.data_sets);
  write_count(json, "hyper_periods", measured.hyper_periods);
  json.member("repeats_every_hyper_periods", repeats ? std::optional(repeats->hyper_periods) : std::nullopt);
  json.member("transient_data_sets", repeats ? std::optional(longest_transient(*repeats)) : std::nullopt);
  json.member("column_transients", repeats ? std::optional(repeats->transients) : std::nullopt);
  json.end();
}

void write_json(JsonWriter& json, const CircuitLine& step) {
  json.begin_object();
  write_members(json, step.words);
  write_exact(json, "duration", step.duration);
  json.end();
}

std::vector<std::string> cells_of(const CircuitLine& step, const TimeWords& times, const TimeScale& scale) {
  const Cells duration = times.cells(step.duration, scale);
  const OperationWords& words = step.words;
  return {data_sets_text(words), operation_text(words), processors_text(words), duration.readable, duration.exact};
}

// That of the longest step that is shown.
TimeScale scale_of_steps(const EvaluatedInstance& result, CircuitLength length) {
  Rational longest;
  if (result.times.has_units()) {
    for_each_step(result, length, [&](const CircuitLine& step) { longest = std::max(longest, step.duration); });
  }
  return result.times.scale_for(longest);
}

// The same within a sentence.
std::string phrase(const EvaluatedInstance& result, const Resource& resource) {
  std::string processor = printable(result.net.pipeline.processors[resource.processor]);
  switch (resource.kind) {
    case ConstraintKind::in_port:
      return "the in-port of " + processor;
    case ConstraintKind::out_port:
      return "the out-port of " + processor;
    case ConstraintKind::compute:
      return "the computation of " + processor;
    case ConstraintKind::port:
      return "the port of " + processor;
    case ConstraintKind::segment:
      return "the segment " + processor;
    case ConstraintKind::processor:
    case ConstraintKind::flow:
    case ConstraintKind::room:
    case ConstraintKind::window:
      break;
  }
  return processor;
}

// Resources of one kind, those of all cores of an entry of the document together: "the computations of all 4 cores of
// P1".
std::vector<std::string> phrases(const EvaluatedInstance& result, const std::vector<const Resource*>& resources) {
  std::vector<std::string> texts;
  if (!result.cores) {
    for (const Resource* resource : resources) texts.push_back(phrase(result, *resource));
    return texts;
  }
  // Kinds as they come, for the busiest is the first.
  std::vector<std::pair<ConstraintKind, std::vector<std::size_t>>> by_kind;
  for (const Resource* resource : resources) {
    auto at = std::ranges::find(by_kind, resource->kind, &std::pair<ConstraintKind, std::vector<std::size_t>>::first);
    if (at == by_kind.end()) at = by_kind.insert(at, {resource->kind, {}});
    at->second.push_back(resource->processor);
  }
  for (const auto& [kind, processors] : by_kind) {
    for (const NamedProcessors& named : result.cores->together(processors, result.net.pipeline.processors)) {
      const std::size_t one = static_cast<std::size_t>(std::ranges::find(result.net.pipeline.processors, named.first) -
                                                       result.net.pipeline.processors.begin());
      std::string text = phrase(result, {kind, one, {}, {}});
      if (named.count > 1) {
        text = fmt::format("all {} cores of {}", named.count, printable(named.name));
        if (kind == ConstraintKind::compute) text.insert(0, "the computing of ");
      }
      texts.push_back(std::move(text));
    }
  }
  return texts;
}

// The busiest first.
std::vector<const Resource*> critical_resources(const EvaluatedInstance& result) {
  const Evaluation& evaluation = result.evaluation;
  std::vector<const Resource*> critical{&result.net.resources[evaluation.busiest]};
  for (std::size_t r = 0; r < result.net.resources.size(); ++r) {
    const Resource& resource = result.net.resources[r];
    if (r != evaluation.busiest && resource.cycle_time == evaluation.upper) critical.push_back(&resource);
  }
  return critical;
}

// ", as are the out-port of P1 and P2": the critical resources but the first, up to kNamed of them by name.
std::string others_text(const std::vector<std::string>& critical) {
  constexpr std::size_t kNamed = 12;
  const std::size_t others = critical.size() - 1;
  if (others == 0) return "";
  std::string text = others == 1 ? ", as is " : ", as are ";
  const std::size_t named = std::min(others, kNamed);
  for (std::size_t k = 0; k < named; ++k) {
    const bool is_last = k + 1 == others;
    text += k == 0 ? "" : is_last ? " and " : ", ";
    text += critical[k + 1];
  }
  return others == named ? text : text + fmt::format(" and {} more", others - named);
}

std::string sentence(const EvaluatedInstance& result) {
  const Evaluation& evaluation = result.evaluation;
  const Resource& busiest = result.net.resources[evaluation.busiest];
  if (!evaluation.exact() && std::holds_alternative<evaluators::RatesOnly>(evaluation.limit)) {
    return fmt::format(
        "Rates only: each resource's load; the period is at least {}. Stages consume or produce several files, and "
        "takt does not follow single firings where {}.",
        result.times.amount_per_item(evaluation.lower), std::get<evaluators::RatesOnly>(evaluation.limit).why);
  }
  if (!evaluation.exact()) return "The period is not known exactly: " + limit_text(evaluation) + ".";
  if (evaluation.upper.sign() == 0) return "No bottleneck: nothing in this mapping takes any time.";
  if (!has_critical_resource(result)) {
    return fmt::format(
        "No critical resource: every resource idles at some time; the nearest is {}, busy {} of the time.",
        phrase(result, busiest), percent(utilization(result, busiest)));
  }
  const std::vector<std::string> critical = phrases(result, critical_resources(result));
  return fmt::format("The bottleneck is {}, busy all the time{}.", critical.front(), others_text(critical));
}

// What was asked for, then what may be done, free changes first.
std::vector<std::string> advice_sentences(const EvaluatedInstance& result) {
  std::vector<std::string> sentences;
  Advice advice = result.advice;
  if (result.is_ahead) {
    sentences.push_back(applied_sentence(*advice.ahead, result.times));
    advice.ahead.reset();
  } else if (result.wants_ahead && result.evaluation.exact()) {
    sentences.push_back(none_sentence(result.net, result.evaluation));
  }
  for (FreeChange& change : free_changes(advice, result.times)) sentences.push_back(std::move(change.sentence));
  if (!advice.world.empty()) sentences.push_back(std::move(advice.world));
  return sentences;
}

void add_measurement(Table& table, const Measurement& measured, const EvaluatedInstance& result) {
  const std::string span = measured.hyper_periods > 0 ? plural(measured.hyper_periods, "hyper-period") + " of " +
                                                            result.times.items(result.net.pipeline.rows)
                                                      : result.times.items(measured.data_sets);
  table.rows.push_back(
      {"measured period",
       fmt::format("{}, playing {}", result.times.amount(measured.period, result.times.per_item()), span)});
  table.rows.push_back({"transient", measured.repeats
                                         ? fmt::format("{}; then everything repeats every {}",
                                                       result.times.items(longest_transient(*measured.repeats)),
                                                       plural(measured.repeats->hyper_periods, "hyper-period"))
                                         : "no repetition was seen"});
}

// "35 of 10395 rows" where no more than that are distinct.
std::string rows_text(const tpn::FoldedNet& net) {
  const Integer distinct = tpn::repetition_of(net);
  const std::string all = plural(net.pipeline.rows, "row");
  return distinct == net.pipeline.rows ? all : fmt::format("{} distinct of {}", distinct.get_str(), all);
}

void write_summary(std::ostream& out, const EvaluatedInstance& result) {
  const Evaluation& evaluation = result.evaluation;
  const tpn::Pipeline& pipeline = result.net.pipeline;
  Table table{{{""}, {""}}, {}};
  if (evaluation.exact()) {
    table.rows.push_back({"period", result.times.amount_per_item(evaluation.upper)});
    if (evaluation.upper.sign() != 0) {
      table.rows.push_back({"throughput", result.times.rate(Rational(1) / evaluation.upper)});
    }
  } else {
    table.rows.push_back({"period at least", result.times.amount_per_item(evaluation.lower)});
    table.rows.push_back({"period at most", result.times.amount_per_item(evaluation.upper)});
  }
  if (result.estimate) add_estimate(table, *result.estimate, result.times);
  add_expected_period(table, result);
  const Resource& busiest = result.net.resources[evaluation.busiest];
  table.rows.push_back(
      {"largest cycle time", fmt::format("{}, of {}", result.times.amount(busiest.cycle_time, result.times.per_item()),
                                         phrase(result, busiest))});
  if (result.latency) add_latency(table, *result.latency, result.times);
  if (const std::size_t longest = longest_sequence(pipeline); longest > 1) {
    table.rows.push_back({"longest sequence", plural(longest, "turn")});
  }
  if (evaluation.measurement) add_measurement(table, *evaluation.measurement, result);
  if (result.net.in_sequence) return table.write(out);
  table.rows.push_back({"method", fmt::format("{}{}{}, for {} x {}", evaluators::name_of(evaluation.method),
                                              evaluation.solver != nullptr ? " with " : "",
                                              evaluation.solver != nullptr ? evaluation.solver->name : "",
                                              rows_text(result.net), plural(pipeline.columns.size(), "column"))});
  table.write(out);
}

// Names of resources of one kind and cycle time, and how many each stands for.
std::vector<std::pair<std::string, std::size_t>> rows_of(const EvaluatedInstance& result,
                                                         const std::vector<const Resource*>& resources) {
  std::vector<std::pair<std::string, std::size_t>> rows;
  if (!result.cores || resources.empty()) {
    for (const Resource* resource : resources) rows.emplace_back(resource_text(*resource, result.net.pipeline), 1);
    return rows;
  }
  std::vector<std::size_t> processors;
  processors.reserve(resources.size());
  for (const Resource* resource : resources) processors.push_back(resource->processor);
  const ConstraintKind kind = resources.front()->kind;
  for (const NamedProcessors& named : result.cores->together(processors, result.net.pipeline.processors)) {
    const std::string range = named.count == 1 ? printable(named.name)
                                               : fmt::format("{} to {}", printable(named.first), printable(named.last));
    rows.emplace_back(tpn::resource_name(kind, range), named.count);
  }
  return rows;
}

void write_resources(std::ostream& out, const EvaluatedInstance& result) {
  constexpr std::size_t kShown = 40;
  std::vector<const Resource*> resources;
  for (const Resource& resource : result.net.resources) resources.push_back(&resource);
  std::ranges::stable_sort(resources, std::greater{}, [](const Resource* resource) { return resource->cycle_time; });
  out << "\nResources, the busiest first\n";
  Table table{{{"resource"}, {"utilization", Align::right}, {"cycle time", Align::right}, {"exactly", Align::right}},
              {}};
  const TimeScale scale = result.times.scale_for(resources.front()->cycle_time);
  std::size_t told = 0;
  for (auto first = resources.begin(); first != resources.end() && table.rows.size() < kShown;) {
    const Resource& resource = **first;
    // Those of a host's cores are one line where they are alike.
    const auto last = std::find_if(first, resources.end(), [&](const Resource* other) {
      return other->kind != resource.kind || other->cycle_time != resource.cycle_time;
    });
    const Cells cycle_time = result.times.cells(resource.cycle_time, scale);
    for (const auto& [name, count] : rows_of(result, {first, last})) {
      if (table.rows.size() == kShown) break;
      table.rows.push_back({name, percent(utilization(result, resource)), cycle_time.readable, cycle_time.exact});
      told += count;
    }
    first = last;
  }
  table.write(out);
  if (resources.size() > told) fmt::print(out, "  ... and {} more (--json lists all)\n", resources.size() - told);
}

}  // namespace

void write_circuit(std::ostream& out, const EvaluatedInstance& result, CircuitLength length) {
  const auto& circuit = result.evaluation.circuit;
  const Integer operations = length_of(circuit);
  Integer height = 0;
  for (const auto& step : circuit.steps) height += step.height;
  height *= circuit.laps;
  fmt::print(out, "\nCritical circuit: {}, together {} for {}\n", plural(operations, "operation"),
             result.times.amount(result.evaluation.upper * Rational(height)), result.times.items(height));
  const std::vector<TableColumn> columns = {{result.times.item(), Align::right},
                                            {"operation"},
                                            {"processor"},
                                            {"duration", Align::right},
                                            {"exactly", Align::right}};
  const TimeScale scale = scale_of_steps(result, length);
  write_table(out, columns, [&](const RowVisitor& visit) {
    for_each_step(result, length, [&](const CircuitLine& step) { visit(cells_of(step, result.times, scale)); });
  });
  const Integer hidden = operations - shown_steps(circuit, length);
  if (hidden > 0) {
    fmt::print(out, "  ... and {} more{}\n", hidden.get_str(),
               length == CircuitLength::full ? "" : " (--circuit full shows all)");
  }
}

void write_circuit_json(JsonWriter& json, const EvaluatedInstance& result, CircuitLength length) {
  if (!result.evaluation.exact() || result.net.in_sequence) return json.value(nullptr);
  json.begin_object();
  write_count(json, "length", length_of(result.evaluation.circuit));
  json.key("steps");
  json.begin_array();
  for_each_step(result, length, [&](const CircuitLine& step) { write_json(json, step); });
  json.end();
  write_order_wait(json, result.net, result.stages, result.evaluation);
  json.end();
}

std::string limit_text(const evaluators::Limit& limit) {
  if (const auto* too_large = std::get_if<tpn::TooLarge>(&limit)) return too_large_hint(*too_large);
  if (const auto* rates = std::get_if<evaluators::RatesOnly>(&limit)) {
    return "rates only: each resource's load bounds the period where " + rates->why;
  }
  return std::string(why_ended());
}

std::string limit_text(const Evaluation& evaluation) {
  if (!std::holds_alternative<evaluators::Unproved>(evaluation.limit)) return limit_text(evaluation.limit);
  return fmt::format("{} measures it and proves bounds only", evaluators::name_of(evaluation.method));
}

namespace {

void write_period(JsonWriter& json, const EvaluatedInstance& result) {
  const Evaluation& evaluation = result.evaluation;
  const auto exact = evaluation.exact() ? std::optional(evaluation.upper) : std::nullopt;
  const Resource& busiest = result.net.resources[evaluation.busiest];
  json.member("exact", exact.has_value());
  write_exact(json, "period", exact);
  write_reciprocal(json, "throughput", exact);
  write_exact(json, "period_lower_bound", evaluation.lower);
  write_exact(json, "period_upper_bound", evaluation.upper);
  write_exact(json, "max_cycle_time", busiest.cycle_time);
  json.key("busiest_resource");
  json.begin_object();
  write_members(json, busiest, result.net.pipeline);
  json.end();
  json.member("has_critical_resource", exact ? std::optional(has_critical_resource(result)) : std::nullopt);
}

void write_resources_json(JsonWriter& json, const EvaluatedInstance& result) {
  json.begin_array();
  for (const Resource& resource : result.net.resources) {
    json.begin_object();
    write_members(json, resource, result.net.pipeline);
    write_exact(json, "cycle_time", resource.cycle_time);
    write_exact(json, "utilization", utilization(result, resource));
    json.end();
  }
  json.end();
}

}  // namespace

void write_json(JsonWriter& json, const EvaluatedInstance& result, CircuitLength length,
                std::optional<std::size_t> line) {
  const Evaluation& evaluation = result.evaluation;
  if (line) {
    json.begin_object(tpn::JsonLayout::compact);
  } else {
    json.begin_object();
  }
  json.member("file", result.file);
  if (line) json.member("line", *line);
  tpn::write_model(json, result.net.model);
  if (result.net.capacity.window > 0) json.member("window", result.net.capacity.window);
  if (const std::size_t buffers = result.net.capacity.buffers.size(); buffers > 0)
    json.member("limited_buffers", buffers);
  write_time_unit(json, result.times);
  write_period(json, result);
  write_expected_period(json, result);
  if (result.what_if) write_what_if(json, *result.what_if);
  if (!result.net.in_sequence) {
    json.member("method", evaluators::name_of(evaluation.method));
    if (evaluation.solver != nullptr) json.member("solver", evaluation.solver->name);
    write_count(json, "hyper_period", result.net.pipeline.rows);
    write_count(json, "distinct_rows", tpn::repetition_of(result.net));
  }
  if (evaluation.measurement) {
    json.key("measured");
    write_json(json, *evaluation.measurement);
  }
  if (result.estimate) write_estimate(json, *result.estimate);
  if (result.latency) write_latency(json, *result.latency);
  if (result.advice.ahead) write_ahead(json, *result.advice.ahead, result.is_ahead);
  json.key("critical_circuit");
  write_circuit_json(json, result, length);
  if (!evaluation.exact()) json.member("limit", limit_text(evaluation));
  json.key("resources");
  write_resources_json(json, result);
  json.end();
}

namespace {

// They follow single operations.
std::vector<std::string> further_sentences(const EvaluatedInstance& result) {
  if (result.net.in_sequence) return {};
  std::vector<std::string> sentences = advice_sentences(result);
  sentences.insert(sentences.begin(), order_sentence(result.net, result.stages, result.evaluation, result.times));
  return sentences;
}

}  // namespace

void write_table(std::ostream& out, const EvaluatedInstance& result, CircuitLength length) {
  const tpn::Capacity& capacity = result.net.capacity;
  fmt::print(out, "{}, {}{}\n{}\n", display_name(result.file), tpn::title_of(result.net.model),
             tpn::capacity_title(capacity.buffers.size(), capacity.window), sentence(result));
  for (const std::string& also : further_sentences(result))
    if (!also.empty()) out << also << '\n';
  out << '\n';
  if (result.what_if) fmt::print(out, "{}\n\n", what_if_sentence(*result.what_if, result));
  write_summary(out, result);
  if (result.latency) write_latency_curve(out, *result.latency, result.times);
  if (result.evaluation.exact() && !result.net.in_sequence) write_circuit(out, result, length);
  write_resources(out, result);
}

}  // namespace takt::tools
