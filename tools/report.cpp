// Words and layout of the table, fields of the JSON.
#include "tools/report.hpp"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>
#include <ostream>

#include "evaluators/evaluate.hpp"
#include "tpn/models.hpp"

namespace takt::tools {

namespace {

using evaluators::Evaluation;
using maxplus::Integer;
using maxplus::Rational;
using nlohmann::ordered_json;
using tpn::ColumnKind;
using tpn::ConstraintKind;
using tpn::PartRole;
using tpn::Resource;

// One operation of a circuit, in the user's words.
struct Step {
  ColumnKind kind = ColumnKind::compute;
  const tpn::NetPart* part = nullptr;
  std::vector<std::string> stages;
  std::string processor;
  std::string peer;
  std::uint64_t data_set = 0;
  Rational duration;
};

std::vector<std::string> stages_of(const Result& result, const tpn::NetPart& part) {
  if (part.role != PartRole::mapped) return {};
  const auto first = result.stages.begin() + static_cast<std::ptrdiff_t>(part.first_stage);
  const auto last = result.stages.begin() + static_cast<std::ptrdiff_t>(part.last_stage) + 1;
  return {first, last};
}

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
    const tpn::Column& column = pipeline.columns[here.column];
    Step step;
    step.kind = column.kind;
    step.part = &pipeline.parts[column.part];
    step.stages = stages_of(result, *step.part);
    step.processor = pipeline.processors[step.part->processor_at(data_set)];
    if (column.kind == ColumnKind::transfer) {
      step.peer = pipeline.processors[pipeline.parts[column.part + 1].processor_at(data_set)];
    }
    step.data_set = data_set;
    step.duration = pipeline.duration({data_set, here.column});
    steps.push_back(std::move(step));
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

ordered_json text_or_null(const std::optional<Rational>& number) {
  return number ? ordered_json(number->to_string()) : ordered_json(nullptr);
}

ordered_json to_json(const Step& step) {
  ordered_json json;
  const bool computes = step.kind == ColumnKind::compute;
  json["operation"] = computes ? "compute" : "transfer";
  switch (step.part->role) {
    case PartRole::source: json["part"] = "source"; break;
    case PartRole::mapped: json["part"] = step.part->mapping_part; break;
    case PartRole::sink: json["part"] = "sink"; break;
  }
  if (computes) json["stages"] = step.stages;
  json["processor"] = step.processor;
  if (!computes) json["peer"] = step.peer;
  json["data_set"] = step.data_set;
  json["duration"] = step.duration.to_string();
  return json;
}

std::string percent(const std::optional<Rational>& share) {
  if (!share) return "-";
  const auto value = (*share * Rational(100)).to_double();
  // Rounding must not make an idling resource look busy all the time.
  if (*share < Rational(1) && value && *value >= 99.95) return "> 99.9 %";
  return value ? fmt::format("{:.1f} %", *value) : "-";
}

std::string decimal(const Rational& number) {
  const auto value = number.to_double();
  return value ? fmt::format("{:.6g}", *value) : "beyond decimals";
}

// The exact number and, where that is not the same text, about how much it is.
std::string exact_and_decimal(const Rational& number) {
  constexpr std::size_t kReadable = 48;
  const std::string exact = number.to_string();
  const std::string about = decimal(number);
  if (exact == about) return exact;
  if (exact.size() > kReadable) return "about " + about + " (--json has it exactly)";
  return exact + "  (" + (number.is_integer() ? "" : "about ") + about + ")";
}

std::string plural(std::size_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

std::string joined(const std::vector<std::string>& names) { return fmt::format("{}", fmt::join(names, ", ")); }

std::string operation_text(const Step& step) {
  if (step.kind == ColumnKind::compute) {
    if (step.part->role != PartRole::mapped) return step.part->role == PartRole::source ? "source" : "sink";
    return "compute " + joined(step.stages);
  }
  if (step.part->role == PartRole::source) return "transfer the input";
  return "transfer the output of " + step.stages.back();
}

std::string sentence(const Result& result) {
  const Evaluation& evaluation = result.evaluation;
  const Resource& busiest = result.net.resources[evaluation.busiest];
  const std::string name = tpn::name_of(busiest, result.net.pipeline);
  if (!evaluation.exact()) return "The period is not known exactly: " + limit_text(evaluation) + ".";
  if (evaluation.upper.sign() == 0) return "Nothing in this mapping takes any time.";
  if (!has_critical_resource(result)) {
    return fmt::format("No critical resource: every resource idles at some time. The nearest is {}, busy {} of the time.",
                       name, percent(utilization(result, busiest)));
  }
  const auto critical = static_cast<std::size_t>(
      std::ranges::count(result.net.resources, evaluation.upper, &Resource::cycle_time));
  return fmt::format("The bottleneck is {}: it is busy all the time{}.", name,
                     critical == 1 ? "" : ", as are " + plural(critical - 1, "other resource"));
}

struct Table {
  std::vector<std::vector<std::string>> rows;

  void write(std::ostream& out) const {
    std::vector<std::size_t> widths;
    for (const auto& row : rows) {
      widths.resize(std::max(widths.size(), row.size()));
      for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
    }
    for (const auto& row : rows) {
      std::string line = " ";
      for (std::size_t i = 0; i < row.size(); ++i) line += fmt::format(" {:<{}} ", row[i], widths[i]);
      line.erase(line.find_last_not_of(' ') + 1);
      out << line << '\n';
    }
  }
};

void write_circuit(std::ostream& out, const Result& result, CircuitLength length) {
  const auto& circuit = result.evaluation.circuit;
  const Integer operations = length_of(circuit);
  Integer height = 0;
  for (const auto& step : circuit.steps) height += step.height;
  height *= circuit.laps;
  fmt::print(out, "\nCritical circuit: {} {}, together {} time units for {} {}\n", operations.get_str(),
             operations == 1 ? "operation" : "operations",
             (result.evaluation.upper * Rational(height)).to_string(), height.get_str(),
             height == 1 ? "data set" : "data sets");
  Table table;
  table.rows.push_back({"data set", "operation", "processor", "duration"});
  for (const Step& step : steps_of(result, length)) {
    table.rows.push_back({std::to_string(step.data_set), operation_text(step),
                          step.peer.empty() ? step.processor : step.processor + " -> " + step.peer,
                          step.duration.to_string()});
  }
  table.write(out);
  const Integer hidden = operations + 1 - table.rows.size();
  if (hidden > 0) fmt::print(out, "  ... and {} more (--circuit full shows all)\n", hidden.get_str());
}

void write_resources(std::ostream& out, const Result& result) {
  constexpr std::size_t kShown = 40;
  std::vector<const Resource*> resources;
  for (const Resource& resource : result.net.resources) resources.push_back(&resource);
  std::ranges::stable_sort(resources, [](const Resource* a, const Resource* b) { return a->cycle_time > b->cycle_time; });
  out << "\nResources, the busiest first\n";
  Table table;
  table.rows.push_back({"resource", "cycle time", "", "utilization"});
  for (const Resource* resource : resources) {
    if (table.rows.size() > kShown) break;
    table.rows.push_back({tpn::name_of(*resource, result.net.pipeline), resource->cycle_time.to_string(),
                          resource->cycle_time.is_integer() ? "" : "about " + decimal(resource->cycle_time),
                          percent(utilization(result, *resource))});
  }
  table.write(out);
  if (resources.size() > kShown) fmt::print(out, "  ... and {} more (--json lists all)\n", resources.size() - kShown);
}

}  // namespace

std::string too_large_text(const tpn::TooLarge& too_large) {
  return fmt::format("{} {} would be needed, the limit is {}", too_large.needed.get_str(), too_large.what,
                     too_large.limit);
}

std::string limit_text(const Evaluation& evaluation) {
  if (const auto* too_large = std::get_if<tpn::TooLarge>(&evaluation.limit)) {
    std::string text = too_large_text(*too_large);
    return too_large->what == "rows" ? text + " (--max-rows)" : text;
  }
  return "the time limit was met";
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
  if (evaluation.solver) json["solver"] = evaluators::name_of(*evaluation.solver);
  json["rows"] = result.net.pipeline.rows.get_str();
  if (exact) {
    ordered_json steps = ordered_json::array();
    for (const Step& step : steps_of(result, length)) steps.push_back(to_json(step));
    const Integer operations = length_of(evaluation.circuit);
    json["critical_circuit"]["length"] =
        operations.fits_ulong_p() ? ordered_json(operations.get_ui()) : ordered_json(operations.get_str());
    json["critical_circuit"]["steps"] = std::move(steps);
  } else {
    json["critical_circuit"] = nullptr;
    json["limit"] = limit_text(evaluation);
  }
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
  const Evaluation& evaluation = result.evaluation;
  const auto model = std::ranges::find(tpn::communication_models(), result.net.model, &tpn::CommunicationModel::model);
  fmt::print(out, "{}, {}\n{}\n\n", result.file, model->title, sentence(result));
  Table table;
  if (evaluation.exact()) {
    table.rows.push_back({"period", exact_and_decimal(evaluation.upper) + " time units a data set"});
    if (evaluation.upper.sign() != 0) {
      table.rows.push_back(
          {"throughput", exact_and_decimal(Rational(1) / evaluation.upper) + " data sets a time unit"});
    }
  } else {
    table.rows.push_back({"period at least", exact_and_decimal(evaluation.lower) + " time units a data set"});
    table.rows.push_back({"period at most", exact_and_decimal(evaluation.upper) + " time units a data set"});
  }
  const Resource& busiest = result.net.resources[evaluation.busiest];
  table.rows.push_back({"largest cycle time", exact_and_decimal(busiest.cycle_time) + ", " +
                                                  tpn::name_of(busiest, result.net.pipeline)});
  table.rows.push_back({"method", fmt::format("{}{}{}, {} rows x {} columns", evaluators::name_of(evaluation.method),
                                              evaluation.solver ? " with " : "",
                                              evaluation.solver ? evaluators::name_of(*evaluation.solver) : "",
                                              result.net.pipeline.rows.get_str(), result.net.pipeline.columns.size())});
  table.write(out);
  if (evaluation.exact()) write_circuit(out, result, length);
  write_resources(out, result);
}

}  // namespace takt::tools
