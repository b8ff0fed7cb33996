// takt evaluate: the exact period of given mappings.
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
#include "evaluators/proof/certify.hpp"
#include "maxplus/solvers.hpp"
#include "tools/command_line.hpp"
#include "tools/evaluate_options.hpp"
#include "tools/evaluation_output.hpp"
#include "tools/files.hpp"
#include "tools/json_results.hpp"
#include "tools/latency_output.hpp"
#include "tools/limit_words.hpp"
#include "tools/lines/evaluate_lines.hpp"
#include "tools/number_words.hpp"
#include "tools/operation_words.hpp"
#include "tools/options.hpp"
#include "tools/progress.hpp"
#include "tools/result.hpp"
#include "tools/several_files.hpp"
#include "tools/signals.hpp"
#include "tools/time_words.hpp"
#include "tpn/json.hpp"
#include "tpn/models.hpp"
#include "tpn/writer.hpp"

namespace takt::tools {

namespace {

struct InputFile {
  std::string file;
  tpn::Document document;
  std::vector<tpn::Model> models;
};

InputFile read_input(const std::string& file, const EvaluateOptions& options, Streams& streams) {
  InputFile input{file, read_instance(file, streams), {}};
  input.models = models_of(input.document, options.model);
  return input;
}

std::vector<std::string> methods_with_solvers() {
  std::vector<std::string> names;
  for (const auto& evaluator : evaluators::evaluators()) {
    if (evaluator.has_solvers) names.emplace_back(evaluator.name);
  }
  return names;
}

void require_one_result(std::size_t results) {
  if (results != 1) throw UsageError("--certificate goes with one file and one model; say which with --model");
}

// A line has no room for what people read, nor for a file of its own.
void require_fit_for_lines(const EvaluateOptions& options) {
  if (!options.certificate.empty())
    throw UsageError("--certificate goes with one file and one model, not with --lines");
  if (options.verbose) throw UsageError("--verbose does not go with --lines; --json tells size and method of each");
  if (options.json) return;
  if (!options.circuit.empty()) throw UsageError("--circuit with --lines needs --json");
  if (options.latency || options.latency_curve)
    throw UsageError("--latency and --latency-curve with --lines need --json");
}

// What can be told wrong without any file.
void require_consistent(const EvaluateOptions& options) {
  if (options.certificate == "-") throw UsageError("--certificate takes a file; standard output holds the result");
  const auto& evaluator = evaluators::evaluator_of(*evaluators::find_method(options.method));
  if (!options.solver.empty() && !evaluator.has_solvers) {
    throw UsageError("--solver goes with --method " + tpn::json::alternatives(methods_with_solvers()));
  }
  require_window(options.window);
  require_one_stdin(options.files);
  require_consistent(options.lines, options.files);
  if (options.lines.lines) require_fit_for_lines(options);
  if (options.certificate.empty()) return;
  require_one_result(options.files.size());
  require_apart(options.files, {options.certificate});
}

void explain(const EvaluatedInstance& result, Streams& streams) {
  const auto& pipeline = result.net.pipeline;
  const auto used =
      std::ranges::find(evaluators::evaluators(), result.evaluation.method, &evaluators::Evaluator::method);
  const std::string& why = result.evaluation.why;
  fmt::print(streams.err, "takt: {}, {}: {} rows x {} columns, {} dependences, {} resources; {} {}: {}\n",
             display_name(result.file), tpn::label_of(result.net.model), pipeline.rows.get_str(),
             pipeline.columns.size(), result.net.dependences.size(), result.net.resources.size(),
             why.empty() ? "method" : "auto chose", used->name, why.empty() ? used->summary : why);
}

// The results of all files, as they come.
class Answers {
 public:
  Answers(const EvaluateOptions& options, Streams& streams) : options_(options), streams_(streams) {}

  int status() const { return status_; }

  // The period under each of a file's models.
  void add(const InputFile& input) {
    open_json(input.models.size());
    if (!options_.certificate.empty()) require_writable(options_.certificate);
    for (const tpn::Model& model : input.models) {
      std::optional<EvaluatedInstance> result;
      std::optional<FileFailure> failure;
      if (options_.keep_going) {
        failure = failure_of(display_name(input.file), [&] { result = evaluated(input, model); });
      } else {
        result = evaluated(input, model);
      }
      if (failure) add_failure(input.file, &model, *failure);
      if (!failure && result) write(*result);
    }
  }

  // Of a file, or of a file under one model.
  void add_failure(const std::string& file, const tpn::Model* model, const FileFailure& failure) {
    open_json(1);
    status_ = worse_status(status_, failure.status);
    tell(streams_, failure.message);
    const bool is_limit = failure.status == kLimit;
    if (options_.json) write_failure(file, model, is_limit ? "limit" : "error", failure.message);
  }

  void finish() {
    if (results_) results_->finish();
  }

 private:
  void open_json(std::size_t results) {
    if (results_) return;
    const bool is_alone = options_.files.size() == 1 && results == 1;
    results_.emplace(is_alone ? JsonResults::Form::object : JsonResults::Form::array, streams_.out);
  }

  // Nothing where the net is too large.
  std::optional<EvaluatedInstance> evaluated(const InputFile& input, const tpn::Model& model) {
    auto searched = search(input, model);
    if (const auto* too_large = std::get_if<tpn::TooLarge>(&searched)) {
      add_too_large(input.file, model, too_large_text(*too_large));
      return std::nullopt;
    }
    EvaluatedInstance result = std::get<EvaluatedInstance>(std::move(searched));
    if (options_.verbose) explain(result, streams_);
    add_latency_to(result);
    if (!result.evaluation.exact()) status_ = worse_status(status_, kLimit);
    if (!options_.certificate.empty()) save_certificate(result);
    return result;
  }

  // Asked for, or quickly found for a table.
  void add_latency_to(EvaluatedInstance& result) {
    const InterruptibleSearch interruptible;
    const evaluators::Deadline deadline = evaluator_options(options_).deadline;
    const bool is_asked = options_.latency || options_.latency_curve;
    if (!is_asked && !options_.json) result.latency = quick_latency(result, deadline);
    if (!is_asked || !result.evaluation.exact()) return;
    auto found =
        find_latency(result, options_.latency_curve ? LatencyDetail::all_and_curve : LatencyDetail::all, deadline);
    if (auto* latency = std::get_if<FoundLatency>(&found)) {
      result.latency = std::move(*latency);
      return;
    }
    status_ = worse_status(status_, kLimit);
    tell(streams_, fmt::format("{}, {}: latency: {}", display_name(result.file), tpn::label_of(result.net.model),
                               limit_text(std::get<evaluators::Limit>(found))));
  }

  // Until it ends, the time is up, or someone interrupts it.
  std::variant<EvaluatedInstance, tpn::TooLarge> search(const InputFile& input, const tpn::Model& model) {
    const InterruptibleSearch interruptible;
    SearchProgress progress(streams_, fmt::format("{}, {}", printable(display_name(input.file)), tpn::label_of(model)),
                            TimeWords(input.document));
    evaluators::Options settings = evaluator_options(options_);
    if (streams_.err_is_terminal) settings.deadline = settings.deadline.heard_by(progress);
    auto folded = fold_instance(input.file, input.document, model, settings.deadline, options_.window.value_or(0));
    if (auto* result = std::get_if<EvaluatedInstance>(&folded)) {
      require_fit(*result, options_);
      result->evaluation = evaluators::evaluate(result->net, settings);
    }
    return folded;
  }

  void add_too_large(const std::string& file, const tpn::Model& model, const std::string& limit) {
    status_ = worse_status(status_, kLimit);
    tell(streams_, fmt::format("{}, {}: {}", display_name(file), tpn::label_of(model), limit));
    if (options_.json && options_.keep_going) write_failure(file, &model, "limit", limit);
  }

  void save_certificate(const EvaluatedInstance& result) {
    const auto certificate = evaluators::certify(result.net, result.evaluation);
    if (const auto* too_large = std::get_if<tpn::TooLarge>(&certificate)) {
      tell(streams_, "no certificate was written: " + too_large_text(*too_large));
      status_ = worse_status(status_, kLimit);
      return;
    }
    write_file(options_.certificate, evaluators::write_certificate(std::get<evaluators::Certificate>(certificate)));
  }

  void write(const EvaluatedInstance& result) {
    const CircuitLength length = options_.circuit_length();
    if (options_.json) {
      write_json(results_->next(), result, length);
    } else {
      if (!is_first_) streams_.out << '\n';
      is_first_ = false;
      write_table(streams_.out, result, length);
    }
    flush();
  }

  void write_failure(const std::string& file, const tpn::Model* model, const char* key, const std::string& message) {
    tpn::JsonWriter& json = results_->next();
    json.begin_object();
    json.member("file", file);
    if (model != nullptr) tpn::write_model(json, *model);
    json.member(key, message);
    json.end();
    flush();
  }

  // Without --keep-going a usage error may come later: JSON waits for the end as long as its text is short.
  void flush() {
    if (options_.json && options_.keep_going) results_->flush();
    if (!options_.json) streams_.out.flush();
  }

  const EvaluateOptions& options_;
  Streams& streams_;
  std::optional<JsonResults> results_;
  bool is_first_ = true;
  int status_ = kAnswered;
};

// Every file is read before the first is answered: a bad one stops all.
void answer_good_files(const EvaluateOptions& options, Streams& streams, Answers& answers) {
  std::vector<InputFile> inputs;
  for (const std::string& file : options.files) inputs.push_back(read_input(file, options, streams));
  if (!options.certificate.empty()) require_one_result(inputs.front().models.size());
  for (const InputFile& input : inputs) answers.add(input);
}

void answer_each_file(const EvaluateOptions& options, Streams& streams, Answers& answers) {
  for (const std::string& file : options.files) {
    std::optional<InputFile> input;
    if (const auto failure = failure_of(display_name(file), [&] { input = read_input(file, options, streams); })) {
      answers.add_failure(file, nullptr, *failure);
      continue;
    }
    if (!options.certificate.empty()) require_one_result(input->models.size());
    answers.add(*input);
  }
}

int evaluate_all(const EvaluateOptions& options, Streams& streams) {
  require_consistent(options);
  if (options.lines.lines) return evaluate_lines(options, streams);
  Answers answers(options, streams);
  if (options.keep_going) {
    answer_each_file(options, streams, answers);
  } else {
    answer_good_files(options, streams, answers);
  }
  answers.finish();
  return answers.status();
}

std::vector<std::string> method_names() {
  std::vector<std::string> names;
  for (const auto& evaluator : evaluators::evaluators()) names.emplace_back(evaluator.name);
  return names;
}

std::string method_list() {
  std::string text = "Methods:\n";
  for (const auto& evaluator : evaluators::evaluators())
    text += fmt::format("  {:<10}{}\n", evaluator.name, evaluator.summary);
  return text;
}

void add_limits(CommandLine& line, EvaluateOptions& options) {
  add_time_limit(line, options.time_limit, "for a result, beyond which it is an interval");
  line.option("--max-rows", options.max_rows,
              "distinct rows of the net, beyond which a result is an interval; residue has no such limit")
      .check(positive_integer())
      .type_name("N");
  line.option(
          "--max-memory", options.max_memory,
          fmt::format("MiB that method residue or sweep may take, beyond which a result is an interval; {} unless said",
                      evaluators::kDefaultMemory >> 20))
      .check(positive_integer())
      .type_name("MIB");
}

}  // namespace

Action define_evaluate(CommandLine& line) {
  auto options = std::make_shared<EvaluateOptions>();
  line.positional("FILE", options->files, "instances (JSON); - is standard input");
  add_model_options(line, options->model);
  add_window_option(line, options->window);
  line.option("--method", options->method,
              "how to evaluate: " + tpn::json::alternatives(method_names()) + ", see below")
      .check(one_of(method_names()))
      .type_name("METHOD");
  line.option("--solver", options->solver,
              "cycle-ratio solver of --method " + tpn::json::alternatives(methods_with_solvers()) + ", " +
                  tpn::json::alternatives(solver_names()) + "; " + std::string(maxplus::default_solver().name) +
                  " unless said")
      .check(one_of(solver_names()))
      .type_name("SOLVER");
  line.flag("--json", options->json, "print JSON: an object, or an array for several results");
  line.flag("--keep-going", options->keep_going,
            "answer the files that are right, and tell what is wrong with the others");
  add_lines_options(line, options->lines);
  line.option("--certificate", options->certificate, "write what proves the answer to this file; see takt check")
      .check(output_name())
      .type_name("OUT");
  line.option("--circuit", options->circuit,
              fmt::format("\"full\" shows all steps of the critical circuit, not just {}", kExcerptSteps))
      .check(one_of({"full"}))
      .type_name("full");
  line.flag("--latency", options->latency,
            "how long data sets stay: alone, in an even stream, at least, and let in at will");
  line.flag("--latency-curve", options->latency_curve, "the same, and the least latency at longer periods");
  add_limits(line, *options);
  line.flag("--verbose", options->verbose, "say on standard error how large the net is and which method was used");
  line.footer(method_list() + "\n" + solver_list() +
              "\n"
              "Examples:\n"
              "  takt evaluate examples/example-a.json\n"
              "  takt evaluate examples/example-a.json --model strict --json --circuit full");
  return [options](Streams& streams) { return evaluate_all(*options, streams); };
}

}  // namespace takt::tools
