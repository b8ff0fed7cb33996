// Words and layout of the table, fields of the JSON.
#include "tools/evaluation_output.hpp"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <ostream>
#include <utility>

#include "evaluators/evaluate.hpp"
#include "maxplus/solvers.hpp"
#include "tools/files.hpp"
#include "tools/number_words.hpp"
#include "tools/operation_words.hpp"
#include "tools/table.hpp"
#include "tpn/models.hpp"

namespace takt::tools {

namespace {

using evaluators::Evaluation;
using evaluators::Measurement;
using evaluators::Repetition;
using maxplus::Integer;
using maxplus::Rational;
using nlohmann::ordered_json;
using tpn::ColumnKind;
using tpn::ConstraintKind;
using tpn::PartRole;
using tpn::Resource;

// One operation of a circuit.
struct Step {
  OperationWords words;
  Rational duration;
};

// Operations until the circuit's durations repeat.
Integer length_of(const evaluators::CriticalCircuit& circuit) { return circuit.laps * circuit.steps.size(); }

std::vector<Step> steps_of(const Result& result, CircuitLength length) {
  const auto& pipeline = result.net.pipeline;
  const auto& circuit = result.evaluation.circuit;
  const Integer limit = length == CircuitLength::full ? kFullSteps : kExcerptSteps;
  const std::size_t shown = std::min(limit, length_of(circuit)).get_ui();
  std::vector<Step> steps;
  std::uint64_t data_set = circuit.data_set;
  for (std::size_t t = 0; t < shown; ++t) {
    const evaluators::CircuitStep& here = circuit.steps[t % circuit.steps.size()];
    const tpn::Operation operation{data_set, here.column};
    steps.push_back({words_of(pipeline, result.stages, operation), pipeline.duration(operation)});
    data_set += here.height;
  }
  return steps;
}

bool has_critical_resource(const Result& result) {
  return result.evaluation.exact() &&
         result.net.resources[result.evaluation.busiest].cycle_time == result.evaluation.upper;
}

std::optional<Rational> utilization(const Result& result, const Resource& resource) {
  const Evaluation& evaluation = result.evaluation;
  if (!evaluation.exact() || evaluation.upper.sign() == 0) return std::nullopt;
  return resource.cycle_time / evaluation.upper;
}

// Data sets until every column repeats itself.
std::uint64_t longest_transient(const Repetition& repeats) { return *std::ranges::max_element(repeats.transients); }

ordered_json to_json(const Measurement& measured) {
  ordered_json json;
  json["period"] = measured.period.to_string();
  const auto approximate = measured.period.to_double();
  json["period_decimal"] = approximate ? ordered_json(*approximate) : nullptr;
  json["data_sets"] = measured.data_sets;
  json["hyper_periods"] = measured.hyper_periods;
  const auto& repeats = measured.repeats;
  json["repeats_every"] = repeats ? ordered_json(repeats->hyper_periods) : nullptr;
  json["transient_data_sets"] = repeats ? ordered_json(longest_transient(*repeats)) : nullptr;
  json["column_transients"] = repeats ? ordered_json(repeats->transients) : nullptr;
  return json;
}

ordered_json text_or_null(const std::optional<Rational>& number) {
  return number ? ordered_json(number->to_string()) : ordered_json(nullptr);
}

ordered_json to_json(const Step& step) {
  ordered_json json = to_json(step.words);
  json["duration"] = step.duration.to_string();
  return json;
}

std::string stages_text(const std::vector<std::string>& stages) {
  constexpr std::size_t kListed = 3;
  if (stages.size() > kListed) return printable(stages.front()) + " to " + printable(stages.back());
  std::string text;
  for (const std::string& stage : stages) text += (text.empty() ? "" : ", ") + printable(stage);
  return text;
}

std::string operation_text(const OperationWords& words) {
  if (words.kind == ColumnKind::compute) {
    if (words.part->role != PartRole::mapped) return words.part->role == PartRole::source ? "source" : "sink";
    return "compute " + stages_text(words.stages);
  }
  if (words.part->role == PartRole::source) return "transfer the input";
  return "transfer the output of " + printable(words.stages.back());
}

std::string resource_text(const Result& result, const Resource& resource) {
  const std::string processor = printable(result.net.pipeline.processors[resource.processor]);
  return resource.kind == ConstraintKind::processor ? processor
                                                    : fmt::format("{} {}", processor, tpn::name_of(resource.kind));
}

// The same within a sentence.
std::string phrase(const Result& result, const Resource& resource) {
  std::string processor = printable(result.net.pipeline.processors[resource.processor]);
  switch (resource.kind) {
    case ConstraintKind::in_port:
      return "the in-port of " + processor;
    case ConstraintKind::out_port:
      return "the out-port of " + processor;
    case ConstraintKind::compute:
      return "the computation of " + processor;
    case ConstraintKind::processor:
    case ConstraintKind::flow:
      break;
  }
  return processor;
}

std::string sentence(const Result& result) {
  const Evaluation& evaluation = result.evaluation;
  const Resource& busiest = result.net.resources[evaluation.busiest];
  if (!evaluation.exact()) return "The period is not known exactly: " + limit_text(evaluation) + ".";
  if (evaluation.upper.sign() == 0) return "No bottleneck: nothing in this mapping takes any time.";
  if (!has_critical_resource(result)) {
    return fmt::format(
        "No critical resource: every resource idles at some time; the nearest is {}, busy {} of the time.",
        phrase(result, busiest), percent(utilization(result, busiest)));
  }
  const auto critical = std::ranges::count(result.net.resources, evaluation.upper, &Resource::cycle_time);
  return fmt::format(
      "The bottleneck is {}, busy all the time{}.", phrase(result, busiest),
      critical == 1 ? ""
                    : fmt::format(", as {} {}", critical == 2 ? "is" : "are", plural(critical - 1, "other resource")));
}

void add_measurement(Table& table, const Measurement& measured, const Integer& rows) {
  const std::string span = measured.hyper_periods > 0
                               ? plural(measured.hyper_periods, "hyper-period") + " of " + plural(rows, "data set")
                               : plural(measured.data_sets, "data set");
  table.rows.push_back(
      {"measured period", fmt::format("{} per data set, playing {}", amount(measured.period, "time unit"), span)});
  table.rows.push_back({"transient", measured.repeats
                                         ? fmt::format("{}; then everything repeats every {}",
                                                       plural(longest_transient(*measured.repeats), "data set"),
                                                       plural(measured.repeats->hyper_periods, "hyper-period"))
                                         : "no repetition was seen"});
}

void write_summary(std::ostream& out, const Result& result) {
  const Evaluation& evaluation = result.evaluation;
  const tpn::Pipeline& pipeline = result.net.pipeline;
  Table table{{{""}, {""}}, {}};
  if (evaluation.exact()) {
    table.rows.push_back({"period", amount(evaluation.upper, "time unit") + " per data set"});
    if (evaluation.upper.sign() != 0) {
      table.rows.push_back({"throughput", amount(Rational(1) / evaluation.upper, "data set") + " per time unit"});
    }
  } else {
    table.rows.push_back({"period at least", amount(evaluation.lower, "time unit") + " per data set"});
    table.rows.push_back({"period at most", amount(evaluation.upper, "time unit") + " per data set"});
  }
  const Resource& busiest = result.net.resources[evaluation.busiest];
  table.rows.push_back(
      {"largest cycle time",
       fmt::format("{} per data set, of {}", amount(busiest.cycle_time, "time unit"), phrase(result, busiest))});
  if (evaluation.measurement) add_measurement(table, *evaluation.measurement, pipeline.rows);
  table.rows.push_back(
      {"method", fmt::format("{}{}{}, for {} x {}", evaluators::name_of(evaluation.method),
                             evaluation.solver != nullptr ? " with " : "",
                             evaluation.solver != nullptr ? evaluation.solver->name : "", plural(pipeline.rows, "row"),
                             plural(pipeline.columns.size(), "column"))});
  table.write(out);
}

void write_resources(std::ostream& out, const Result& result) {
  constexpr std::size_t kShown = 40;
  std::vector<const Resource*> resources;
  for (const Resource& resource : result.net.resources) resources.push_back(&resource);
  std::ranges::stable_sort(resources, std::greater{}, [](const Resource* resource) { return resource->cycle_time; });
  out << "\nResources, the busiest first\n";
  Table table{{{"resource"}, {"utilization", Align::right}, {"cycle time", Align::right}, {"exactly", Align::right}},
              {}};
  for (const Resource* resource : resources) {
    if (table.rows.size() == kShown) break;
    const Cells cycle_time = cells(resource->cycle_time);
    table.rows.push_back({resource_text(result, *resource), percent(utilization(result, *resource)),
                          cycle_time.readable, cycle_time.exact});
  }
  table.write(out);
  if (resources.size() > kShown) fmt::print(out, "  ... and {} more (--json lists all)\n", resources.size() - kShown);
}

}  // namespace

void write_circuit(std::ostream& out, const Result& result, CircuitLength length) {
  const auto& circuit = result.evaluation.circuit;
  const Integer operations = length_of(circuit);
  Integer height = 0;
  for (const auto& step : circuit.steps) height += step.height;
  height *= circuit.laps;
  fmt::print(out, "\nCritical circuit: {}, together {} for {}\n", plural(operations, "operation"),
             amount(result.evaluation.upper * Rational(height), "time unit"), plural(height, "data set"));
  Table table{
      {{"data set", Align::right}, {"operation"}, {"processor"}, {"duration", Align::right}, {"exactly", Align::right}},
      {}};
  for (const Step& step : steps_of(result, length)) {
    const Cells duration = cells(step.duration);
    const OperationWords& words = step.words;
    table.rows.push_back({std::to_string(words.data_set), operation_text(words),
                          printable(words.processor) + (words.peer.empty() ? "" : " -> " + printable(words.peer)),
                          duration.readable, duration.exact});
  }
  table.write(out);
  const Integer hidden = operations - table.rows.size();
  if (hidden > 0) {
    fmt::print(out, "  ... and {} more{}\n", hidden.get_str(),
               length == CircuitLength::full ? "" : " (--circuit full shows all)");
  }
}

ordered_json circuit_json(const Result& result, CircuitLength length) {
  if (!result.evaluation.exact()) return nullptr;
  ordered_json steps = ordered_json::array();
  for (const Step& step : steps_of(result, length)) steps.push_back(to_json(step));
  const Integer operations = length_of(result.evaluation.circuit);
  ordered_json json;
  json["length"] = operations.fits_ulong_p() ? ordered_json(operations.get_ui()) : ordered_json(operations.get_str());
  json["steps"] = std::move(steps);
  return json;
}

std::string too_large_text(const tpn::TooLarge& too_large) {
  return fmt::format("{} {} would be needed, the limit is {}", too_large.needed.get_str(), too_large.what,
                     too_large.limit);
}

std::string limit_text(const Evaluation& evaluation) {
  if (const auto* too_large = std::get_if<tpn::TooLarge>(&evaluation.limit)) {
    std::string text = too_large_text(*too_large);
    if (too_large->what.starts_with("rows")) return text + " (--max-rows)";
    if (too_large->what.starts_with("bytes")) return text + " (--max-memory)";
    if (too_large->what.starts_with("visits")) return text + " (none with --time-limit)";
    return text;
  }
  if (std::holds_alternative<evaluators::OutOfTime>(evaluation.limit)) return "the time limit was met";
  return fmt::format("{} measures it and proves bounds only", evaluators::name_of(evaluation.method));
}

ordered_json to_json(const Result& result, CircuitLength length) {
  const Evaluation& evaluation = result.evaluation;
  const auto& resources = result.net.resources;
  const bool exact = evaluation.exact();
  ordered_json json;
  json["file"] = result.file;
  json["model"] = tpn::name_of(result.net.model);
  json["exact"] = exact;
  json["period"] = exact ? ordered_json(evaluation.upper.to_string()) : nullptr;
  const auto approximate = evaluation.upper.to_double();
  json["period_decimal"] = exact && approximate ? ordered_json(*approximate) : nullptr;
  json["throughput"] =
      exact && evaluation.upper.sign() != 0 ? ordered_json((Rational(1) / evaluation.upper).to_string()) : nullptr;
  json["lower_bound"] = evaluation.lower.to_string();
  json["upper_bound"] = evaluation.upper.to_string();
  json["max_cycle_time"] = {{"value", resources[evaluation.busiest].cycle_time.to_string()},
                            {"resource", tpn::name_of(resources[evaluation.busiest], result.net.pipeline)}};
  json["critical_resource"] = exact ? ordered_json(has_critical_resource(result)) : nullptr;
  json["method"] = evaluators::name_of(evaluation.method);
  if (evaluation.solver != nullptr) json["solver"] = evaluation.solver->name;
  json["rows"] = result.net.pipeline.rows.get_str();
  if (evaluation.measurement) json["measured"] = to_json(*evaluation.measurement);
  json["critical_circuit"] = circuit_json(result, length);
  if (!exact) json["limit"] = limit_text(evaluation);
  ordered_json listed = ordered_json::array();
  for (const Resource& resource : resources) {
    listed.push_back({{"processor", result.net.pipeline.processors[resource.processor]},
                      {"kind", tpn::name_of(resource.kind)},
                      {"cycle_time", resource.cycle_time.to_string()},
                      {"utilization", text_or_null(utilization(result, resource))}});
  }
  json["resources"] = std::move(listed);
  return json;
}

void write_table(std::ostream& out, const Result& result, CircuitLength length) {
  const tpn::CommunicationModel& model = tpn::communication_model(result.net.model);
  fmt::print(out, "{}, {}\n{}\n\n", display_name(result.file), model.title, sentence(result));
  write_summary(out, result);
  if (result.evaluation.exact()) write_circuit(out, result, length);
  write_resources(out, result);
}

}  // namespace takt::tools
