// takt sensitivity: what every number of an instance means for its period.
#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "evaluators/evaluate.hpp"
#include "evaluators/insight/critical.hpp"
#include "evaluators/insight/paced.hpp"
#include "evaluators/insight/sensitivity.hpp"
#include "tools/command_line.hpp"
#include "tools/evaluation_output.hpp"
#include "tools/files.hpp"
#include "tools/json_results.hpp"
#include "tools/limit_words.hpp"
#include "tools/number_words.hpp"
#include "tools/operation_words.hpp"
#include "tools/options.hpp"
#include "tools/parameter_words.hpp"
#include "tools/plot/sensitivity_plot.hpp"
#include "tools/result.hpp"
#include "tools/several_files.hpp"
#include "tools/signals.hpp"
#include "tools/svg_picture.hpp"
#include "tools/table.hpp"
#include "tpn/json.hpp"
#include "tpn/models.hpp"
#include "tpn/validate.hpp"
#include "tpn/writer.hpp"

namespace takt::tools {

namespace {

using evaluators::CriticalOperations;
using evaluators::ParameterInsight;
using evaluators::SensitivityQuestions;
using maxplus::Rational;
using tpn::JsonLayout;
using tpn::JsonWriter;
using tpn::Parameter;

constexpr std::uint64_t kRows = 20;

struct SensitivityOptions {
  std::string file;
  ModelChoice model;
  std::vector<std::string> parameters;
  std::string faster = "10";
  std::string target;
  bool curve = false;
  bool floats = false;
  std::uint64_t top = kRows;
  bool json = false;
  std::optional<double> time_limit;
  std::vector<std::string> changes;
  std::string output;
};

// What is known of an instance under one model.
struct SensitivityFindings {
  EvaluatedInstance result;
  std::optional<CriticalOperations> critical;
  std::vector<ParameterInsight> insights;  // worth most first
  std::optional<std::vector<Rational>> floats;
};

bool is_named(const Parameter& parameter, const std::string& name) {
  return parameter.name == name || parameter.pointer == name;
}

Parameter parameter_named(const std::string& name, const tpn::Document& document, const std::string& file) {
  const std::vector<Parameter> parameters = tpn::parameters_of(document);
  const auto found =
      std::ranges::find_if(parameters, [&](const Parameter& parameter) { return is_named(parameter, name); });
  if (found != parameters.end()) return *found;
  std::string known;
  constexpr std::size_t kNamed = 12;
  for (std::size_t k = 0; k < parameters.size() && k < kNamed; ++k) {
    known += (k == 0 ? "\"" : ", \"") + printable(parameters[k].name) + "\"";
  }
  if (parameters.size() > kNamed) known += fmt::format(" and {} more", parameters.size() - kNamed);
  throw UsageError(fmt::format("{} has no parameter \"{}\" that its mapping uses; it has {}", display_name(file),
                               printable(name), known));
}

SensitivityQuestions questions_of(const SensitivityOptions& options) {
  SensitivityQuestions questions;
  questions.faster = *read_number(options.faster) / Rational(100);
  if (!options.target.empty()) questions.target = read_quantity(options.target, tpn::Quantity::time);
  questions.curve = options.curve;
  questions.derivatives = options.json;
  if (options.time_limit) questions.evaluation.deadline = deadline_in(*options.time_limit);
  questions.evaluation.deadline = questions.evaluation.deadline.or_on(interruption());
  return questions;
}

void look_closer(SensitivityFindings& findings, const tpn::Document& document, const SensitivityQuestions& questions,
                 const SensitivityOptions& options) {
  const EvaluatedInstance& result = findings.result;
  const evaluators::Deadline& deadline = questions.evaluation.deadline;
  const auto paced = evaluators::paced_schedule(result.net, result.evaluation.lower, deadline);
  if (const auto* schedule = std::get_if<evaluators::PacedSchedule>(&paced)) {
    findings.critical = evaluators::critical_operations(result.net, *schedule);
    if (options.floats) {
      auto floats = evaluators::operation_floats(result.net, *schedule, deadline);
      if (auto* found = std::get_if<std::vector<Rational>>(&floats)) findings.floats = std::move(*found);
    }
  }
  const auto wanted = [&](const Parameter& parameter) {
    return options.parameters.empty() ||
           std::ranges::any_of(options.parameters, [&](const std::string& name) { return is_named(parameter, name); });
  };
  findings.insights = evaluators::analyze_parameters(result.net, document, result.evaluation, questions, wanted);
  evaluators::sort_by_gain(findings.insights);
}

// The table.

std::string target_text(const ParameterInsight& insight, const TimeWords& times) {
  if (!insight.target) return "-";
  const auto& weight = insight.target->weight;
  const Parameter& parameter = insight.parameter;
  if (!weight || (parameter.is_inverse() && weight->sign() == 0)) return "not by this alone";
  return value_text(parameter, parameter.weight_of(*weight), times);
}

std::vector<TableColumn> columns_of(const SensitivityOptions& options, const TimeWords& times) {
  std::vector<TableColumn> columns = {{"parameter"},
                                      {"value", Align::right},
                                      {"share of period", Align::right},
                                      {fmt::format("{} % faster", options.faster), Align::right},
                                      {"if free", Align::right},
                                      {"then limited by"},
                                      {"may grow by"}};
  if (!options.target.empty()) {
    columns.push_back(
        {"value for " + times.readable(*read_quantity(options.target, tpn::Quantity::time)), Align::right});
  }
  return columns;
}

std::vector<std::string> cells_of(const ParameterInsight& insight, const SensitivityFindings& findings,
                                  const SensitivityOptions& options) {
  const EvaluatedInstance& result = findings.result;
  const Rational& period = result.evaluation.lower;
  const Parameter& parameter = insight.parameter;
  const bool free_helps = insight.free && insight.free->period < period;
  std::vector<std::string> row = {
      printable(parameter.name),
      value_text(parameter, parameter.value, result.times),
      insight.share.sign() == 0 ? "" : percent(insight.share),
      insight.faster_period ? gain_text(period, *insight.faster_period) : "-",
      insight.free ? gain_text(period, insight.free->period) : "-",
      free_helps ? limiting_text(result.net, *insight.free) : "",
      insight.slack ? slack_text(parameter, *insight.slack, result.times) : "-",
  };
  if (!options.target.empty()) row.push_back(target_text(insight, result.times));
  return row;
}

// "10 more may grow by 84 or more."
std::string rest_sentence(const std::vector<ParameterInsight>& insights, std::size_t shown, const TimeWords& times) {
  const std::size_t hidden = insights.size() - shown;
  std::optional<Rational> least;
  bool is_known = true;
  for (std::size_t k = shown; k < insights.size(); ++k) {
    is_known = is_known && insights[k].slack && is_time(insights[k].parameter);
    if (is_known && (!least || *insights[k].slack < *least)) least = insights[k].slack;
  }
  if (!is_known || least->sign() == 0) return fmt::format("{} more: --top {}.", hidden, insights.size());
  return fmt::format("{} more may grow by {} or more.", hidden, times.readable(*least));
}

void write_floats(std::ostream& out, const SensitivityFindings& findings) {
  if (!findings.floats) {
    out << "\nFloats: the net has too many operations, or the time was up.\n";
    return;
  }
  const EvaluatedInstance& result = findings.result;
  fmt::print(out, "\nFloats: by how much each operation may take longer, on every data set of its class (modulo {})\n",
             findings.critical->rows);
  Table table{
      {{"data set", Align::right}, {"operation"}, {"processor"}, {"float", Align::right}, {"exactly", Align::right}},
      {}};
  for (std::size_t v = 0; v < findings.floats->size(); ++v) {
    const tpn::Operation operation{v / findings.critical->columns, v % findings.critical->columns};
    const OperationWords words = words_of(result.net.pipeline, result.stages, operation);
    const Cells cells = result.times.cells((*findings.floats)[v]);
    table.rows.push_back({std::to_string(operation.data_set), operation_text(words), processors_text(words),
                          cells.readable, cells.exact});
  }
  table.write(out);
}

void write_table(std::ostream& out, const SensitivityFindings& findings, const SensitivityOptions& options) {
  const EvaluatedInstance& result = findings.result;
  fmt::print(out, "{}, {}: period {}\n", display_name(result.file), tpn::title_of(result.net.model),
             result.times.said(result.evaluation.lower));
  if (const auto& critical = findings.critical) {
    fmt::print(out, "{} of {} operations are critical, on {}.\n", critical->count, critical->is_critical.size(),
               critical->single_circuit ? "one circuit" : "several circuits");
  }
  out << '\n';
  Table table{columns_of(options, result.times), {}};
  const std::size_t shown = std::min<std::size_t>(findings.insights.size(), options.top);
  for (std::size_t k = 0; k < shown; ++k) table.rows.push_back(cells_of(findings.insights[k], findings, options));
  table.write(out);
  if (shown < findings.insights.size()) out << rest_sentence(findings.insights, shown, result.times) << '\n';
  if (options.floats) write_floats(out, findings);
}

// JSON.

std::optional<std::string> exact_text(const std::optional<Rational>& number) {
  return number ? std::optional(number->to_string()) : std::nullopt;
}

void write_faster(JsonWriter& json, const ParameterInsight& insight, const SensitivityOptions& options,
                  const Rational& period) {
  const Parameter& parameter = insight.parameter;
  const Rational percent = *read_number(options.faster);
  json.key("faster");
  json.begin_object();
  json.member("percent", percent.to_string());
  const Rational weight = parameter.weight_of(parameter.value) / (Rational(1) + percent / Rational(100));
  json.member("value", parameter.weight_of(weight).to_string());
  json.member("period", exact_text(insight.faster_period));
  std::optional<double> gain;
  if (insight.faster_period && insight.faster_period->sign() > 0)
    gain = ((period / *insight.faster_period - Rational(1)) * Rational(100)).to_double();
  json.member("gain_percent", gain);
  json.end();
}

void write_free(JsonWriter& json, const ParameterInsight& insight, const EvaluatedInstance& result) {
  json.key("free");
  if (!insight.free) return json.value(nullptr);
  const Rational& period = result.evaluation.lower;
  json.begin_object();
  json.member("period", insight.free->period.to_string());
  std::optional<double> gain;
  if (insight.free->period.sign() > 0)
    gain = ((period / insight.free->period - Rational(1)) * Rational(100)).to_double();
  json.member("gain_percent", gain);
  json.key("critical_resource");
  if (insight.free->resource) {
    const tpn::Resource& resource = result.net.resources[*insight.free->resource];
    json.begin_object();
    json.member("processor", result.net.pipeline.processors[resource.processor]);
    json.member("kind", tpn::name_of(resource.kind));
    json.end();
  } else {
    json.value(nullptr);
  }
  json.end();
}

void write_insight(JsonWriter& json, const ParameterInsight& insight, const SensitivityFindings& findings,
                   const SensitivityOptions& options) {
  const Parameter& parameter = insight.parameter;
  json.begin_object(JsonLayout::line);
  json.member("name", parameter.name);
  json.member("pointer", parameter.pointer);
  json.member("value", parameter.value.to_string());
  json.member("inverse", parameter.is_inverse());
  json.member("share", insight.share.to_string());
  json.member("left_derivative", exact_text(insight.left_derivative));
  json.member("right_derivative", exact_text(insight.right_derivative));
  json.member("slack", exact_text(insight.slack));
  write_faster(json, insight, options, findings.result.evaluation.lower);
  write_free(json, insight, findings.result);
  if (!options.target.empty()) {
    const bool is_reached =
        insight.target && insight.target->weight && !(parameter.is_inverse() && insight.target->weight->sign() == 0);
    json.member("target_value",
                is_reached ? std::optional(parameter.weight_of(*insight.target->weight).to_string()) : std::nullopt);
  }
  if (insight.curve) {
    json.key("curve");
    json.begin_array(JsonLayout::compact);
    for (const auto& [weight, period] : *insight.curve) {
      json.begin_array();
      json.value(weight.to_string());
      json.value(period.to_string());
      json.end();
    }
    json.end();
  }
  json.end();
}

void write_floats(JsonWriter& json, const SensitivityFindings& findings) {
  json.key("floats");
  if (!findings.floats) return json.value(nullptr);
  json.begin_array(JsonLayout::block);
  for (std::size_t v = 0; v < findings.floats->size(); ++v) {
    const tpn::Operation operation{v / findings.critical->columns, v % findings.critical->columns};
    json.begin_object(JsonLayout::compact);
    write_members(json, words_of(findings.result.net.pipeline, findings.result.stages, operation));
    json.member("float", (*findings.floats)[v].to_string());
    json.end();
  }
  json.end();
}

void write_json(JsonWriter& json, const SensitivityFindings& findings, const SensitivityOptions& options) {
  const EvaluatedInstance& result = findings.result;
  json.begin_object();
  json.member("file", result.file);
  tpn::write_model(json, result.net.model);
  write_time_unit(json, result.times);
  json.member("period", result.evaluation.lower.to_string());
  json.key("critical_operations");
  if (const auto& critical = findings.critical) {
    json.begin_object(JsonLayout::line);
    json.member("count", critical->count);
    json.member("of", static_cast<std::uint64_t>(critical->is_critical.size()));
    json.member("single_circuit", critical->single_circuit);
    json.end();
  } else {
    json.value(nullptr);
  }
  json.key("parameters");
  json.begin_array(JsonLayout::block);
  for (const ParameterInsight& insight : findings.insights) write_insight(json, insight, findings, options);
  json.end();
  if (options.floats) write_floats(json, findings);
  json.end();
}

// One model after the other; what is missing for want of time makes the status.
class SensitivityAnswers {
 public:
  SensitivityAnswers(const SensitivityOptions& options, Streams& streams) : options_(options), streams_(streams) {}

  int answer(const tpn::Document& document) {
    const std::vector<tpn::Model> models = models_of(document, options_.model);
    JsonResults results(models.size() == 1 ? JsonResults::Form::object : JsonResults::Form::array, streams_.out);
    bool is_first = true;
    for (const tpn::Model& model : models) {
      const auto findings = find(document, model);
      if (!findings) continue;
      if (!options_.output.empty()) {
        draw(*findings, path_of_model(options_.output, model, models.size()));
      } else if (options_.json) {
        write_json(results.next(), *findings, options_);
      } else {
        if (!is_first) streams_.out << '\n';
        write_table(streams_.out, *findings, options_);
      }
      is_first = false;
    }
    if (options_.json && options_.output.empty()) results.finish();
    return status_;
  }

 private:
  std::optional<SensitivityFindings> find(const tpn::Document& document, const tpn::Model& model) {
    const InterruptibleSearch interruptible;
    const SensitivityQuestions questions = questions_of(options_);
    auto folded = fold_instance(options_.file, document, model, questions.evaluation.deadline);
    if (const auto* too_large = std::get_if<tpn::TooLarge>(&folded)) {
      miss(model, too_large_text(*too_large));
      return std::nullopt;
    }
    SensitivityFindings findings{std::get<EvaluatedInstance>(std::move(folded)), {}, {}, {}};
    findings.result.evaluation = evaluators::evaluate(findings.result.net, questions.evaluation);
    if (!findings.result.evaluation.exact()) {
      miss(model,
           "the period is an interval, and what would help it is not known: " + limit_text(findings.result.evaluation));
      return std::nullopt;
    }
    look_closer(findings, document, questions, options_);
    const bool is_whole = std::ranges::all_of(findings.insights, [&](const ParameterInsight& insight) {
      return insight.faster_period && insight.free && (!options_.curve || insight.curve);
    });
    if (!is_whole) miss(model, "not every number was found: the time was up, or a changed period is an interval");
    return findings;
  }

  void draw(const SensitivityFindings& findings, const std::string& path) {
    if (findings.insights.empty() || !findings.insights.front().curve) {
      return miss(findings.result.net.model, "there is no curve to be drawn");
    }
    write_file(path, picture_bytes(plot_svg(sensitivity_plot(findings.result, findings.insights.front())), path));
    fmt::print(streams_.out, "wrote {}\n", display_name(path));
  }

  void miss(const tpn::Model& model, const std::string& why) {
    status_ = kLimit;
    tell(streams_, fmt::format("{}, {}: {}", display_name(options_.file), tpn::label_of(model), why));
  }

  const SensitivityOptions& options_;
  Streams& streams_;
  int status_ = kAnswered;
};

// "P0 -> P2=174.5", "P0 -> P2=10 ms": names may hold an equals sign, values not.
std::pair<Parameter, Rational> change_of(const std::string& text, const tpn::Document& document,
                                         const std::string& file) {
  const std::size_t sign = text.rfind('=');
  if (sign == std::string::npos) {
    throw UsageError(fmt::format("--apply takes NAME=VALUE, VALUE a number, not \"{}\"", printable(text)));
  }
  const std::string written = text.substr(sign + 1);
  require_plain("--apply", written, document);
  Parameter parameter = parameter_named(text.substr(0, sign), document, file);
  const auto quantity = quantity_of(parameter);
  const auto value = quantity ? read_quantity(written, *quantity) : read_number(written);
  if (!value) throw UsageError(fmt::format("--apply takes NAME=VALUE, VALUE a number, not \"{}\"", printable(text)));
  return {std::move(parameter), *value};
}

// Writes the document with other numbers.
int apply(const SensitivityOptions& options, tpn::Document document, Streams& streams) {
  require_apart({options.file}, {options.output});
  std::string changed;
  const TimeWords times(document);
  for (const std::string& text : options.changes) {
    const auto [parameter, value] = change_of(text, document, options.file);
    if (value.sign() < 0 || (parameter.is_inverse() && value.sign() == 0)) {
      throw UsageError(fmt::format("--apply: {} must be {}, not {}", printable(parameter.name),
                                   parameter.is_inverse() ? "above 0" : "at least 0", value.to_string()));
    }
    if (!tpn::json::number_text(value)) throw UsageError("--apply: the number is too long to be written");
    for (maxplus::Rational* number : tpn::numbers_at(document, parameter)) *number = value;
    changed += fmt::format("; {} {} in place of {}", printable(parameter.name), value_text(parameter, value, times),
                           value_text(parameter, parameter.value, times));
  }
  write_file(options.output, tpn::write_document(document));
  fmt::print(streams.out, "wrote {}{}\n", display_name(options.output), changed);
  return kAnswered;
}

int answer(const SensitivityOptions& options, Streams& streams) {
  const bool draws = options.curve && names_picture(options.output);
  if (!options.changes.empty() && options.output.empty()) throw UsageError("--apply NAME=VALUE goes with -o OUT");
  if (options.changes.empty() && !options.output.empty() && !draws) {
    throw UsageError("-o OUT goes with --apply NAME=VALUE, or with --curve where OUT ends in .svg, .png or .pdf");
  }
  if (options.changes.empty() && draws && options.parameters.size() != 1) {
    throw UsageError("a drawing is of one parameter: say which with --parameter NAME");
  }
  require_apart({options.file}, options.output.empty() ? std::vector<std::string>{} : std::vector{options.output});
  if (!options.output.empty() && !options.changes.empty()) require_writable(options.output);
  const tpn::Document document = read_instance(options.file, streams);
  for (const std::string& name : options.parameters) parameter_named(name, document, options.file);
  if (!options.changes.empty()) return apply(options, document, streams);
  require_plain("--target", options.target, document);
  return SensitivityAnswers(options, streams).answer(document);
}

ValueCheck positive_number() {
  return [](const std::string& text) -> std::string {
    const auto number = read_number(text);
    return number && number->sign() > 0 ? "" : "expected a number above 0, not " + printable(text);
  };
}

}  // namespace

Action define_sensitivity(CommandLine& line) {
  auto options = std::make_shared<SensitivityOptions>();
  line.positional("FILE", options->file, "an instance (JSON); - is standard input");
  add_model_options(line, options->model);
  line.option("--parameter", options->parameters, "look at this one only, named as in the table; may be repeated")
      .type_name("NAME");
  line.option("--faster", options->faster, "the gain of being faster by so many percent; 10 unless said")
      .check(positive_number())
      .type_name("PERCENT");
  line.option("--target", options->target, "the value of each parameter that alone gives this period")
      .check(positive_time())
      .type_name("PERIOD");
  line.flag("--curve", options->curve,
            "the period for all values from 0 to twice the one now, with --json or, of one parameter, with -o OUT.svg");
  line.flag("--floats", options->floats, "by how much each single operation may take longer");
  line.option("--top", options->top, "rows of the table, those worth most first")
      .check(positive_integer())
      .shows_default()
      .type_name("N");
  line.flag("--json", options->json, "print JSON: an object, or an array for both models");
  add_time_limit(line, options->time_limit, "for a model, after which what was found is shown");
  line.option("--apply", options->changes, "write the instance with this value to OUT; may be repeated")
      .type_name("NAME=VALUE");
  line.option("-o", options->output, "the file for --apply, or for the drawing of a --curve: .svg, .png or .pdf")
      .check(output_name())
      .type_name("OUT");
  line.footer(
      "A parameter is a time, speed, bandwidth, latency, work or size of the file. \"10 % faster\" divides its time "
      "by\n"
      "1.1; \"if free\" it takes none. What may grow costs nothing up to there.\n"
      "\n"
      "Examples:\n"
      "  takt sensitivity examples/example-a.json --model strict --top 8\n"
      "  takt sensitivity examples/example-a.json --model strict --target 210\n"
      "  takt sensitivity examples/example-a.json --curve --parameter /platform/links/1/time -o curve.svg\n"
      "  takt sensitivity examples/example-a.json --apply /platform/links/1/time=174 -o faster.json");
  return [options](Streams& streams) { return answer(*options, streams); };
}

}  // namespace takt::tools
