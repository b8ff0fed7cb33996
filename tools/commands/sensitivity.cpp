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
#include "evaluators/insight/one_more.hpp"
#include "evaluators/insight/paced.hpp"
#include "evaluators/insight/sensitivity.hpp"
#include "tools/answers/evaluation_output.hpp"
#include "tools/answers/limit_words.hpp"
#include "tools/answers/parameter_change.hpp"
#include "tools/answers/result.hpp"
#include "tools/answers/sensitivity_output.hpp"
#include "tools/files/files.hpp"
#include "tools/frame/command_line.hpp"
#include "tools/frame/limited_search.hpp"
#include "tools/frame/options.hpp"
#include "tools/frame/rates.hpp"
#include "tools/pictures/svg_picture.hpp"
#include "tools/plot/sensitivity_plot.hpp"
#include "tools/words/json_results.hpp"
#include "tpn/counts.hpp"
#include "tpn/errors.hpp"
#include "tpn/models.hpp"
#include "tpn/validate.hpp"
#include "tpn/writer.hpp"

namespace takt::tools {

namespace {

using evaluators::ParameterInsight;
using evaluators::SensitivityQuestions;
using maxplus::Rational;
using tpn::Parameter;

// What --target asks for: a period, or a rate with its time.
std::optional<Rational> target_period(const std::string& text, const tpn::Document& document) {
  if (text.empty()) return std::nullopt;
  if (const auto rate = read_rate(text); rate && rate->pace) return period_of_rate("--target", text, document);
  return read_time("--target", text, document);
}

ValueCheck period_or_rate() {
  return [](const std::string& text) -> std::string {
    const auto rate = read_rate(text);
    return rate && rate->pace ? "" : positive_time()(text);
  };
}

SensitivityQuestions questions_of(const SensitivityOptions& options, const tpn::Document& document,
                                  const maxplus::Deadline& deadline) {
  SensitivityQuestions questions;
  questions.faster = *read_number(options.faster) / Rational(100);
  questions.target = target_period(options.target, document);
  questions.curve = options.curve;
  questions.derivatives = options.json;
  questions.evaluation.deadline = deadline;
  return questions;
}

// What was asked for by name, each once.
struct NamedRows {
  std::vector<Parameter> parameters;
  std::vector<NamedCounts> counts;
};

NamedRows named_rows(const tpn::Document& document, const SensitivityOptions& options) {
  NamedRows rows;
  for (const std::string& name : options.parameters) {
    auto named = number_named(name, document, options.file);
    if (auto* const parameter = std::get_if<Parameter>(&named)) {
      if (std::ranges::find(rows.parameters, parameter->name, &Parameter::name) == rows.parameters.end())
        rows.parameters.push_back(std::move(*parameter));
      continue;
    }
    auto& counts = std::get<NamedCounts>(named);
    if (std::ranges::find(rows.counts, counts) == rows.counts.end()) rows.counts.push_back(std::move(counts));
  }
  return rows;
}

// Alike ones in one row, unless single ones are asked for.
std::vector<Parameter> rows_of(const tpn::Document& document, const SensitivityOptions& options,
                               const NamedRows& named) {
  if (!options.parameters.empty()) return named.parameters;
  std::vector<Parameter> rows = tpn::parameters_of(document);
  return options.each ? rows : tpn::with_alike_together(document, rows);
}

// One more of each of these must be a document.
void require_one_more(const tpn::Document& document, const NamedRows& named) {
  for (NamedCounts counts : named.counts) {
    const std::string place = fmt::format("--parameter: {}", printable(tpn::name_of(counts)));
    if (counts.front().value == tpn::kUnlimitedPorts)
      throw UsageError(place + " have no limit, so there cannot be one more");
    for (tpn::DocumentCount& count : counts) ++count.value;
    try {
      tpn::with_counts(document, counts);
    } catch (const tpn::InvalidInstance& refused) {
      throw UsageError(fmt::format("{}: not one more: {}", place, refused.what()));
    }
  }
}

// Other turns can make a net much larger than the instance's own.
constexpr double kForOneMore = 30;

evaluators::OneMoreAnalysis find_one_more(const SensitivityFindings& findings, const tpn::Document& document,
                                          const SensitivityQuestions& questions, const SensitivityOptions& options,
                                          const NamedRows& named) {
  const tpn::FoldedNet& net = findings.result.net;
  evaluators::Options settings = questions.evaluation;
  if (!settings.deadline.time()) settings.deadline = deadline_after(kForOneMore);
  const auto rows = options.parameters.empty() ? evaluators::one_more_rows(net, document, options.each) : named.counts;
  auto analysis = evaluators::analyze_one_more(net, document, findings.result.evaluation, settings, rows);
  evaluators::sort_by_period(analysis.rows);
  return analysis;
}

void look_closer(SensitivityFindings& findings, const tpn::Document& document, const SensitivityQuestions& questions,
                 const SensitivityOptions& options, const NamedRows& named) {
  const EvaluatedInstance& result = findings.result;
  const evaluators::Deadline& deadline = questions.evaluation.deadline;
  const auto paced = evaluators::paced_schedule(result.net, result.evaluation.lower, deadline);
  if (const auto* schedule = std::get_if<evaluators::PacedSchedule>(&paced)) {
    findings.critical = evaluators::critical_operations(result.net, *schedule);
    if (options.floats) {
      auto floats = evaluators::operation_floats(result.net, *schedule, deadline);
      if (auto* found = std::get_if<evaluators::OperationFloats>(&floats)) findings.floats = std::move(*found);
    }
  }
  findings.asked = rows_of(document, options, named);
  auto analysis = evaluators::analyze_parameters(result.net, document, result.evaluation, questions, findings.asked);
  findings.unasked = analysis.unasked;
  findings.insights = std::move(analysis.insights);
  evaluators::sort_by_gain(findings.insights);
  if (options.parameters.empty() || !named.counts.empty())
    findings.one_more = find_one_more(findings, document, questions, options, named);
  const Rational& period = result.evaluation.lower;
  findings.helps_together = options.parameters.empty() && findings.unasked == 0 && period.sign() > 0 &&
                            !findings.insights.empty() &&
                            std::ranges::all_of(findings.insights, [&](const ParameterInsight& insight) {
                              return insight.faster_period && !insight.helps(period);
                            });
  if (!findings.helps_together) return;
  findings.together = evaluators::change_together(result.net, document, result.evaluation, findings.asked,
                                                  questions.faster, questions.evaluation);
}

// One model after the other; what is missing for want of time makes the status.
class SensitivityAnswers {
 public:
  SensitivityAnswers(const SensitivityOptions& options, bool draws, Streams& streams)
      : options_(options), draws_(draws), streams_(streams) {}

  // What --set made of this document.
  void compare_with(tpn::Document unchanged, std::vector<ParameterChange> changes) {
    unchanged_ = std::move(unchanged);
    changes_ = std::move(changes);
  }

  int answer(const tpn::Document& document, const NamedRows& named) {
    named_ = named;
    const std::vector<tpn::Model> models = models_of(document, options_.model);
    JsonResults results(models.size(), streams_.out);
    bool is_first = true;
    for (const tpn::Model& model : models) {
      const auto findings = find(document, model);
      if (!findings) continue;
      if (draws_) {
        draw(*findings, path_of_model(options_.output, model, models.size()));
      } else if (options_.json) {
        write_json(results.next(), *findings, options_);
      } else {
        if (!is_first) streams_.out << '\n';
        write_table(streams_.out, *findings, options_);
      }
      is_first = false;
    }
    if (options_.json && !draws_) results.finish();
    return status_;
  }

 private:
  std::optional<SensitivityFindings> find(const tpn::Document& document, const tpn::Model& model) {
    const LimitedSearch search(options_.time_limit);
    const SensitivityQuestions questions = questions_of(options_, document, search.deadline());
    auto folded = fold_instance(options_.file, document, model, questions.evaluation.deadline);
    if (const auto* too_large = std::get_if<tpn::TooLarge>(&folded)) {
      miss(model, too_large_text(*too_large));
      return std::nullopt;
    }
    SensitivityFindings findings{std::get<EvaluatedInstance>(std::move(folded)), {}, {}, 0, false, {}, {}, {}, {}};
    findings.result.evaluation = evaluators::evaluate(findings.result.net, questions.evaluation);
    if (!findings.result.evaluation.exact()) {
      miss(model,
           "the period is an interval, and what would help it is not known: " + limit_text(findings.result.evaluation));
      return std::nullopt;
    }
    if (unchanged_ && !add_what_if(findings, model, questions.evaluation)) return std::nullopt;
    findings.result.advice =
        find_advice(document, findings.result.net, findings.result.evaluation, questions.evaluation, true);
    look_closer(findings, document, questions, options_, named_);
    const bool is_whole = std::ranges::all_of(findings.insights, [&](const ParameterInsight& insight) {
      return insight.faster_period && insight.free && (!options_.curve || insight.curve);
    });
    if (findings.unasked > 0) {
      miss(model,
           fmt::format("{} of {} rows were not looked at: the time was up", findings.unasked, findings.asked.size()));
    }
    if (findings.helps_together && !findings.together) {
      miss(model, "what helps together was not found: the time was up, or a changed period is an interval");
    }
    if (findings.one_more) tell_of_one_more(model, *findings.one_more);
    if (!is_whole) miss(model, "not every number was found: the time was up, or a changed period is an interval");
    return findings;
  }

  // False if the unchanged net is too large.
  bool add_what_if(SensitivityFindings& findings, const tpn::Model& model, const evaluators::Options& settings) {
    const auto folded = fold_instance(options_.file, *unchanged_, model, settings.deadline);
    if (const auto* too_large = std::get_if<tpn::TooLarge>(&folded)) {
      miss(model, too_large_text(*too_large));
      return false;
    }
    const auto before = evaluators::evaluate(std::get<EvaluatedInstance>(folded).net, settings);
    if (!before.exact()) miss(model, "the period without --set is an interval: " + limit_text(before));
    findings.result.what_if = WhatIf{changes_, before.lower, before.upper};
    return true;
  }

  void tell_of_one_more(const tpn::Model& model, const evaluators::OneMoreAnalysis& analysis) {
    const std::size_t rows = analysis.rows.size() + analysis.unasked;
    if (!analysis.is_whole()) {
      miss(model, fmt::format("{} of {} rows of one port or core more were not looked at: the time was up",
                              analysis.unasked, rows));
    }
    const auto open = std::ranges::count_if(analysis.rows, [](const auto& row) { return !row.period; });
    if (open > 0) {
      miss(model, fmt::format("{} of {} periods with one port or core more were not found: the time was up, or the "
                              "period is an interval",
                              open, rows));
    }
  }

  void draw(const SensitivityFindings& findings, const std::string& path) {
    if (findings.insights.empty() || !findings.insights.front().curve) {
      return miss(findings.result.net.model, "there is no curve to be drawn");
    }
    write_file(path, picture_bytes(plot_svg(sensitivity_plot(findings.result, findings.insights.front())), path));
    fmt::print(streams_.out, "wrote {}\n", display_name(path));
  }

  void miss(const tpn::Model& model, const std::string& why) {
    status_ = tell_limit(streams_, options_.file, model, why);
  }

  const SensitivityOptions& options_;
  bool draws_;
  Streams& streams_;
  std::optional<tpn::Document> unchanged_;
  std::vector<ParameterChange> changes_;
  NamedRows named_;
  int status_ = kAnswered;
};

// Writes the document with other numbers.
int apply(const SensitivityOptions& options, tpn::Document document, Streams& streams) {
  require_apart({options.file}, {options.output});
  std::string changed;
  const TimeWords times(document);
  for (const ParameterChange& change : change_parameters("--apply", options.changes, document, options.file))
    changed += "; " + change_text(change, times);
  write_file(options.output, tpn::write_document(document));
  fmt::print(streams.out, "wrote {}{}\n", display_name(options.output), changed);
  return kAnswered;
}

void require_consistent(const SensitivityOptions& options, bool draws) {
  if (!options.changes.empty() && options.output.empty()) throw UsageError("--apply NAME=VALUE goes with -o OUT");
  if (!options.changes.empty() && !options.what_if.empty())
    throw UsageError("--apply and --set exclude each other; --set with -o OUT also writes the instance");
  if (options.changes.empty() && options.what_if.empty() && !options.output.empty() && !draws) {
    throw UsageError(
        "-o OUT goes with --apply or --set NAME=VALUE, or with --curve where OUT ends in .svg, .png or .pdf");
  }
  if (options.changes.empty() && draws && options.parameters.size() != 1) {
    throw UsageError("a drawing shows one parameter: choose it with --parameter NAME");
  }
}

int answer(const SensitivityOptions& options, Streams& streams) {
  const bool draws = options.curve && names_picture(options.output) && options.changes.empty();
  require_consistent(options, draws);
  const bool writes = !options.output.empty() && !draws;
  require_apart({options.file}, options.output.empty() ? std::vector<std::string>{} : std::vector{options.output});
  if (writes) require_writable(options.output);
  tpn::Document document = read_instance(options.file, streams);
  if (!options.changes.empty()) {
    named_rows(document, options);
    return apply(options, document, streams);
  }
  SensitivityAnswers answers(options, draws, streams);
  if (!options.what_if.empty()) {
    tpn::Document unchanged = document;
    answers.compare_with(std::move(unchanged), change_parameters("--set", options.what_if, document, options.file));
  }
  const NamedRows named = named_rows(document, options);
  if (draws && !named.counts.empty()) throw UsageError("numbers of ports or cores have no curve to draw");
  require_one_more(document, named);
  target_period(options.target, document);
  if (writes) write_file(options.output, tpn::write_document(document));
  if (writes && !options.json) fmt::print(streams.out, "wrote {}\n\n", display_name(options.output));
  return answers.answer(document, named);
}

// "10%" as "10".
std::string without_percent_sign(std::string text) {
  if (text.ends_with('%')) text.pop_back();
  return text;
}

ValueCheck positive_percent() {
  return [](const std::string& text) -> std::string {
    const auto number = read_number(without_percent_sign(text));
    return number && number->sign() > 0
               ? ""
               : fmt::format("found \"{}\", expected a percentage above 0, such as 10 or 10%", printable(text));
  };
}

void define_output(CommandLine& line, SensitivityOptions& options) {
  line.option("--top", options.top, "maximum number of rows, largest gain first")
      .check(positive_integer())
      .shows_default()
      .type_name("N");
  line.flag("--json", options.json, "print JSON: an object, or an array for both models");
  add_time_limit(line, options.time_limit, "each model", "takt prints what it has");
  line.option("--set", options.what_if,
              "what if: analyze the instance with this value, and show both periods; with -o OUT also write it")
      .type_name("NAME=VALUE");
  line.option("--apply", options.changes, "write the instance with this value to OUT; repeatable")
      .type_name("NAME=VALUE");
  line.option("-o", options.output, "the file for --apply, --set, or the drawing of --curve (.svg, .png or .pdf)")
      .check(output_name())
      .type_name("OUT");
}

}  // namespace

Action define_sensitivity(CommandLine& line) {
  auto options = std::make_shared<SensitivityOptions>();
  line.positional("FILE", options->file, "an instance (JSON); - is standard input");
  add_model_options(line, options->model);
  line.option("--parameter", options->parameters, "show this parameter only, named as in the table; repeatable")
      .type_name("NAME");
  line.option("--faster", options->faster, "show the gain of PERCENT more speed; default: 10")
      .check(positive_percent())
      .type_name("PERCENT");
  line.option("--target", options->target,
              "show for each parameter the value that alone gives this period or rate, such as 5ms or 200/s")
      .check(period_or_rate())
      .type_name("PERIOD");
  line.flag("--each", options->each, "one row per number; default: identical machines or links share a row");
  line.flag(
      "--curve", options->curve,
      "the period for all values from 0 to twice the present one; with --json, or for one parameter with -o OUT.svg");
  line.flag("--floats", options->floats, "show how much longer each operation may take at the same period");
  define_output(line, *options);
  line.footer(
      "A parameter is a time, speed, bandwidth, latency, work or size of the file. The columns of the table:\n"
      "  10 % faster  the gain with times, works and sizes divided by 1.1, speeds and bandwidths multiplied by 1.1\n"
      "  if free      the gain if it took no time\n"
      "  may grow by  how much a time may grow at the same period\n"
      "\n"
      "\"One port or core more\" shows the period with that number one larger, for each machine, and for all equal\n"
      "machines together. One more core takes data sets only where the mapping names the machine, not single cores of\n"
      "it. Before the colon stands the NAME for --set and --apply: \"node1 cores=8\", \"source ports=unlimited\".\n" +
      fmt::format("Without --time-limit these rows take {} s at most.\n", kForOneMore) +
      "\n"
      "Examples:\n"
      "  takt sensitivity examples/example-a.json --model strict --top 8\n"
      "  takt sensitivity examples/example-a.json --model strict --target 210\n"
      "  takt sensitivity examples/example-a.json --curve --parameter /platform/links/1/time -o curve.svg\n"
      "  takt sensitivity examples/example-a.json --apply /platform/links/1/time=174 -o faster.json");
  return [options](Streams& streams) {
    options->faster = without_percent_sign(options->faster);
    return answer(*options, streams);
  };
}

}  // namespace takt::tools
