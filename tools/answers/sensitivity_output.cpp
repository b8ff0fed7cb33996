// Rows worth most first, what helps together, floats.
#include "tools/answers/sensitivity_output.hpp"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <utility>

#include "tools/answers/evaluation_output.hpp"
#include "tools/answers/what_if_output.hpp"
#include "tools/files/files.hpp"
#include "tools/words/json_results.hpp"
#include "tools/words/number_words.hpp"
#include "tools/words/operation_words.hpp"
#include "tools/words/order_words.hpp"
#include "tools/words/parameter_words.hpp"
#include "tools/words/table.hpp"
#include "tools/words/time_words.hpp"
#include "tpn/models.hpp"
#include "tpn/writer.hpp"

namespace takt::tools {

namespace {

using evaluators::ParameterInsight;
using maxplus::Integer;
using maxplus::Rational;
using tpn::JsonLayout;
using tpn::JsonWriter;
using tpn::Parameter;

std::string target_text(const ParameterInsight& insight, const TimeWords& times) {
  if (!insight.target) return "-";
  const auto& weight = insight.target->weight;
  const Parameter& parameter = insight.parameter;
  if (!weight || (parameter.is_inverse() && weight->sign() == 0)) return "not by this alone";
  return value_text(parameter, parameter.weight_of(*weight), times);
}

std::vector<TableColumn> columns_of(const SensitivityOptions& options) {
  std::vector<TableColumn> columns = {{"parameter"},
                                      {"value", Align::right},
                                      {"share of period", Align::right},
                                      {fmt::format("{} % faster", options.faster), Align::right},
                                      {"if free", Align::right},
                                      {"then limited by"},
                                      {"may grow by"}};
  if (!options.target.empty()) {
    columns.push_back({"value for " + printable(options.target), Align::right});
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
      insight.slack              ? slack_text(parameter, *insight.slack, result.times)
      : insight.is_without_limit ? "any amount"
                                 : "-",
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
  fmt::print(out, "\nFloats: by how much each operation may take longer, on every {} of its class (modulo {})\n",
             result.times.item(), findings.critical->rows);
  Table table{{{result.times.item(), Align::right},
               {"operation"},
               {"processor"},
               {"float", Align::right},
               {"exactly", Align::right}},
              {}};
  for (std::size_t v = 0; v < findings.floats->size(); ++v) {
    const tpn::Operation operation{v / findings.critical->columns, tpn::ColumnIndex(v % findings.critical->columns)};
    const OperationWords words = words_of(result.net.pipeline, result.stages, operation);
    const std::optional<Rational>& most = (*findings.floats)[v];
    const Cells cells = most ? result.times.cells(*most) : Cells{"no limit", ""};
    const std::uint64_t data_set = result.net.pipeline.data_set_of(operation, findings.critical->rows);
    table.rows.push_back(
        {std::to_string(data_set), operation_text(words), processors_text(words), cells.readable, cells.exact});
  }
  table.write(out);
}

// "2 of 10 operations are critical, on 2 circuits."
std::string critical_sentence(const evaluators::CriticalOperations& critical) {
  const bool is_one = critical.real_count == 1;
  const std::string circuits = !critical.circuits        ? "several circuits"
                               : *critical.circuits == 1 ? "one circuit"
                                                         : critical.circuits->get_str() + " circuits";
  return fmt::format("{} of {} operations {} critical, on {}.", critical.real_count.get_str(),
                     critical.real_size.get_str(), is_one ? "is" : "are", circuits);
}

std::string together_sentence(const SensitivityFindings& findings, const SensitivityOptions& options) {
  if (!findings.together) return "No parameter helps alone. What helps together was not found: the time was up.";
  const evaluators::TogetherChange& change = *findings.together;
  if (change.parameters.empty()) return "No parameter helps, neither alone nor together.";
  const Rational& period = findings.result.evaluation.lower;
  const char* const smallest = change.is_smallest ? "Fewer do not help." : "Whether fewer help was not decided.";
  return fmt::format("No parameter helps alone. Together: {}, {} % faster each, give {}, {}. {}",
                     names_of(change, findings.asked), options.faster, findings.result.times.said(change.period),
                     gain_text(period, change.period), smallest);
}

// "+12.5 %", "-3.0 %", "nothing".
std::string change_text(const Rational& before, const std::optional<Rational>& after) {
  if (!after) return "-";
  if (!(before < *after)) return gain_text(before, *after);
  const auto loss = in_percent(Rational(1) - before / *after);
  if (!loss) return "less";
  return *loss < 0.1 ? "under -0.1 %" : fmt::format("-{:.1f} %", *loss);
}

// By the exact evaluation of what the document would be.
void write_one_more(std::ostream& out, const SensitivityFindings& findings, const SensitivityOptions& options) {
  const std::vector<evaluators::OneMore>& rows = findings.one_more->rows;
  if (rows.empty()) return;
  const EvaluatedInstance& result = findings.result;
  fmt::print(out, "\nOne port or core more: ports take files, and cores {}, in turn\n", result.times.item_plural());
  Table table{{{"one more"}, {"period", Align::right}, {"throughput", Align::right}}, {}};
  const std::size_t shown = std::min<std::size_t>(rows.size(), options.top);
  for (std::size_t k = 0; k < shown; ++k) {
    const auto& period = rows[k].period;
    table.rows.push_back({one_more_name(rows[k]), period ? result.times.readable(*period) : "-",
                          change_text(result.evaluation.lower, period)});
  }
  table.write(out);
  if (shown < rows.size()) fmt::print(out, "{} more: --top {}.\n", rows.size() - shown, rows.size());
}

// JSON.

void write_one_more(JsonWriter& json, const SensitivityFindings& findings) {
  const evaluators::OneMoreAnalysis& analysis = *findings.one_more;
  write_list(
      json, "one_more", analysis.rows,
      [&](const evaluators::OneMore& row) {
        std::vector<std::string> names;
        std::vector<std::string> pointers;
        for (const tpn::DocumentCount& count : row.counts) {
          names.push_back(count.name);
          pointers.push_back(count.pointer);
        }
        const tpn::DocumentCount& first = row.counts.front();
        json.begin_object(JsonLayout::line);
        json.member("name", tpn::name_of(row.counts));
        json.member("names", names);
        json.member("pointers", pointers);
        json.member("count_of", first.quantity == tpn::DocumentCount::Quantity::ports ? "ports" : "cores");
        json.member("count_now", first.value);
        write_exact(json, "period", row.period);
        json.member("gain_percent",
                    row.period ? gain_percent(findings.result.evaluation.lower, *row.period) : std::nullopt);
        json.end();
      },
      JsonLayout::block);
  if (!analysis.is_whole()) json.member("unasked_one_more", static_cast<std::uint64_t>(analysis.unasked));
}

void write_gain(JsonWriter& json, const Rational& period, const std::optional<Rational>& smaller) {
  json.member("gain_percent", smaller ? gain_percent(period, *smaller) : std::nullopt);
}

void write_faster(JsonWriter& json, const ParameterInsight& insight, const SensitivityOptions& options,
                  const Rational& period) {
  const Parameter& parameter = insight.parameter;
  const Rational percent = *read_number(options.faster);
  json.key("faster");
  json.begin_object();
  write_exact(json, "faster_percent", percent);
  const Rational weight = parameter.weight_of(parameter.value) / (Rational(1) + percent / Rational(100));
  write_exact(json, "value", parameter.weight_of(weight));
  write_exact(json, "period", insight.faster_period);
  write_gain(json, period, insight.faster_period);
  json.end();
}

void write_free(JsonWriter& json, const ParameterInsight& insight, const EvaluatedInstance& result) {
  json.key("free");
  if (!insight.free) return json.value(nullptr);
  json.begin_object();
  write_exact(json, "period", insight.free->period);
  write_gain(json, result.evaluation.lower, insight.free->period);
  json.key("limiting_resource");
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

std::vector<std::string> pointers_of(const Parameter& parameter) {
  if (parameter.alike.empty()) return {parameter.pointer};
  std::vector<std::string> pointers;
  for (const Parameter& one : parameter.alike) pointers.push_back(one.pointer);
  return pointers;
}

void write_critical(JsonWriter& json, const std::optional<evaluators::CriticalOperations>& critical) {
  json.key("critical_operations");
  if (!critical) return json.value(nullptr);
  json.begin_object(JsonLayout::line);
  write_count(json, "critical_operation_count", critical->real_count);
  write_count(json, "operation_count", critical->real_size);
  json.member("single_circuit", critical->circuits == Integer(1));
  if (critical->circuits) {
    write_count(json, "circuit_count", *critical->circuits);
  } else {
    json.member("circuit_count", nullptr);
  }
  json.end();
}

void write_together(JsonWriter& json, const SensitivityFindings& findings) {
  json.key("together");
  if (!findings.together || findings.together->parameters.empty()) return json.value(nullptr);
  const evaluators::TogetherChange& change = *findings.together;
  std::vector<std::string> names;
  std::vector<std::string> pointers;
  for (const std::size_t p : change.parameters) {
    names.push_back(findings.asked[p].name);
    for (std::string& pointer : pointers_of(findings.asked[p])) pointers.push_back(std::move(pointer));
  }
  json.begin_object(JsonLayout::line);
  json.member("names", names);
  json.member("pointers", pointers);
  write_exact(json, "period", change.period);
  json.member("is_smallest", change.is_smallest);
  json.end();
}

void write_insight(JsonWriter& json, const ParameterInsight& insight, const SensitivityFindings& findings,
                   const SensitivityOptions& options) {
  const Parameter& parameter = insight.parameter;
  json.begin_object(JsonLayout::line);
  json.member("name", parameter.name);
  json.member("pointer", parameter.pointer);
  if (!parameter.alike.empty()) json.member("pointers", pointers_of(parameter));
  write_exact(json, "value", parameter.value);
  json.member("inverse", parameter.is_inverse());
  write_exact(json, "share", insight.share);
  write_exact(json, "left_derivative", insight.left_derivative);
  write_exact(json, "right_derivative", insight.right_derivative);
  write_exact(json, "slack", insight.slack);
  write_faster(json, insight, options, findings.result.evaluation.lower);
  write_free(json, insight, findings.result);
  if (!options.target.empty()) {
    const bool is_reached =
        insight.target && insight.target->weight && !(parameter.is_inverse() && insight.target->weight->sign() == 0);
    write_exact(json, "target_value",
                is_reached ? std::optional(parameter.weight_of(*insight.target->weight)) : std::nullopt);
  }
  if (insight.curve) {
    write_curve(json, "period_curve", *insight.curve, "weight", "period");
  }
  json.end();
}

void write_floats(JsonWriter& json, const SensitivityFindings& findings) {
  json.key("floats");
  if (!findings.floats) return json.value(nullptr);
  json.begin_array(JsonLayout::block);
  for (std::size_t v = 0; v < findings.floats->size(); ++v) {
    const tpn::Operation operation{v / findings.critical->columns, tpn::ColumnIndex(v % findings.critical->columns)};
    json.begin_object(JsonLayout::compact);
    const tpn::Pipeline& pipeline = findings.result.net.pipeline;
    write_members(json, words_of(pipeline, findings.result.stages, operation),
                  Integer(pipeline.data_set_of(operation, findings.critical->rows)));
    write_exact(json, "float", (*findings.floats)[v]);
    json.end();
  }
  json.end();
}

}  // namespace

std::string names_of(const evaluators::TogetherChange& change, const std::vector<Parameter>& asked) {
  std::string names;
  for (std::size_t k = 0; k < change.parameters.size(); ++k) {
    if (k > 0) names += k + 1 == change.parameters.size() ? " and " : "; ";
    names += printable(asked[change.parameters[k]].name);
  }
  return names;
}

std::string one_more_name(const evaluators::OneMore& row) {
  const std::uint64_t now = row.counts.front().value;
  std::vector<tpn::DocumentCount> shown = row.counts;
  for (tpn::DocumentCount& count : shown) count.name = printable(count.name);
  return fmt::format("{}: one more{} ({} -> {})", tpn::name_of(shown), row.counts.size() > 1 ? " each" : "", now,
                     now + 1);
}

void write_table(std::ostream& out, const SensitivityFindings& findings, const SensitivityOptions& options) {
  const EvaluatedInstance& result = findings.result;
  fmt::print(out, "{}, {}: period {}\n", display_name(result.file), tpn::title_of(result.net.model),
             result.times.said(result.evaluation.lower));
  if (const auto& critical = findings.critical) {
    fmt::print(out, "{}\n", critical_sentence(*critical));
  }
  const std::string order = order_sentence(result.net, result.stages, result.evaluation, result.times);
  if (!order.empty()) out << order << '\n';
  for (const FreeChange& change : free_changes(result.advice, result.times)) out << change.sentence << '\n';
  if (result.what_if) out << what_if_sentence(*result.what_if, result) << '\n';
  const bool are_counts_alone = !options.parameters.empty() && findings.asked.empty();
  const std::size_t shown = std::min<std::size_t>(findings.insights.size(), options.top);
  if (!are_counts_alone) {
    out << '\n';
    Table table{columns_of(options), {}};
    for (std::size_t k = 0; k < shown; ++k) table.rows.push_back(cells_of(findings.insights[k], findings, options));
    if (findings.insights.empty() && !options.parameters.empty()) {
      out << "No duration of this mapping depends on that.\n";
    } else {
      table.write(out);
    }
  }
  if (shown < findings.insights.size()) out << rest_sentence(findings.insights, shown, result.times) << '\n';
  if (findings.helps_together) fmt::print(out, "\n{}\n", together_sentence(findings, options));
  if (findings.one_more) write_one_more(out, findings, options);
  if (options.floats) write_floats(out, findings);
}

void write_json(JsonWriter& json, const SensitivityFindings& findings, const SensitivityOptions& options) {
  const EvaluatedInstance& result = findings.result;
  json.begin_object();
  json.member("file", result.file);
  tpn::write_model(json, result.net.model);
  write_time_unit(json, result.times);
  write_exact(json, "period", result.evaluation.lower);
  if (result.what_if) write_what_if(json, *result.what_if);
  write_critical(json, findings.critical);
  write_order_wait(json, result.net, result.stages, result.evaluation);
  write_list(
      json, "parameters", findings.insights,
      [&](const ParameterInsight& insight) { write_insight(json, insight, findings, options); }, JsonLayout::block);
  if (findings.helps_together) write_together(json, findings);
  if (findings.unasked > 0) json.member("unasked", static_cast<std::uint64_t>(findings.unasked));
  if (findings.one_more) write_one_more(json, findings);
  if (options.floats) write_floats(json, findings);
  json.end();
}

}  // namespace takt::tools
