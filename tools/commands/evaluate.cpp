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
#include "evaluators/proof/certificate.hpp"
#include "tools/answers/evaluate_options.hpp"
#include "tools/answers/evaluating.hpp"
#include "tools/answers/evaluation_output.hpp"
#include "tools/answers/limit_words.hpp"
#include "tools/answers/result.hpp"
#include "tools/files/files.hpp"
#include "tools/files/several_files.hpp"
#include "tools/frame/command_line.hpp"
#include "tools/lines/evaluate_lines.hpp"
#include "tools/words/json_results.hpp"
#include "tpn/models.hpp"
#include "tpn/writer.hpp"

namespace takt::tools {

namespace {

struct InputFile {
  std::string file;
  tpn::Document document;
  std::vector<tpn::Model> models;
  std::vector<ParameterChange> changes{};    // that --set made in the document
  std::optional<tpn::Document> unchanged{};  // the document without, if there are some
};

InputFile read_input(const std::string& file, const EvaluateOptions& options, Streams& streams) {
  InputFile input{file, read_instance(file, streams), {}};
  input.models = models_of(input.document, options.model);
  if (!options.certificate.empty() || !options.output.empty()) {
    input.models = {tell_one_model(file, input.document, options.model, streams)};
  }
  if (options.changes.empty()) return input;
  input.unchanged = input.document;
  input.changes = change_parameters("--set", options.changes, input.document, file);
  return input;
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
    streams_.document = display_name(input.file);
    open_json(input.models.size());
    for (const std::string& path : {options_.certificate, options_.output})
      if (!path.empty()) require_writable(path);
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

  // Nothing if the net is too large.
  std::optional<EvaluatedInstance> evaluated(const InputFile& input, const tpn::Model& model) {
    auto searched = evaluate_instance(input.file, input.document, model, options_, streams_);
    if (const auto* too_large = std::get_if<tpn::TooLarge>(&searched)) {
      add_too_large(input.file, model, too_large_text(*too_large));
      return std::nullopt;
    }
    EvaluatedInstance result = std::get<EvaluatedInstance>(std::move(searched));
    if (options_.verbose) explain(result, streams_);
    if (!input.changes.empty() && !add_what_if(result, input, model)) return std::nullopt;
    add_latency_to(result);
    add_estimate_as_asked(result, options_);
    if (!result.evaluation.exact()) status_ = worse_status(status_, kLimit);
    if (!options_.certificate.empty()) save_certificate(result);
    if (!options_.output.empty()) save_ahead(input.document, result);
    return result;
  }

  // False if the unchanged net is too large.
  bool add_what_if(EvaluatedInstance& result, const InputFile& input, const tpn::Model& model) {
    auto before = evaluate_instance(input.file, *input.unchanged, model, options_, streams_);
    if (const auto* too_large = std::get_if<tpn::TooLarge>(&before)) {
      add_too_large(input.file, model, too_large_text(*too_large));
      return false;
    }
    const evaluators::Evaluation& evaluation = std::get<EvaluatedInstance>(before).evaluation;
    result.what_if = WhatIf{input.changes, evaluation.lower, evaluation.upper};
    if (!evaluation.exact()) status_ = worse_status(status_, kLimit);
    return true;
  }

  // Asked for, or quickly found for a table.
  void add_latency_to(EvaluatedInstance& result) {
    if (const auto limit = add_latency_as_asked(result, options_)) {
      status_ =
          worse_status(status_, tell_limit(streams_, result.file, result.net.model, "latency: " + limit_text(*limit)));
    }
  }

  void add_too_large(const std::string& file, const tpn::Model& model, const std::string& limit) {
    status_ = worse_status(status_, tell_limit(streams_, file, model, limit));
    if (options_.json && options_.keep_going) write_failure(file, &model, "limit", limit);
  }

  // The instance as it is where nothing that is ahead makes it faster.
  void save_ahead(tpn::Document document, const EvaluatedInstance& result) {
    if (result.is_ahead) document.transfers = result.advice.ahead->transfers;
    write_file(options_.output, tpn::write_document(document));
  }

  void save_certificate(const EvaluatedInstance& result) {
    const auto certificate = certificate_of(result);
    if (const auto* why = std::get_if<std::string>(&certificate)) {
      tell(streams_, "no certificate was written: " + *why);
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
  for (const InputFile& input : inputs) answers.add(input);
}

void answer_each_file(const EvaluateOptions& options, Streams& streams, Answers& answers) {
  for (const std::string& file : options.files) {
    std::optional<InputFile> input;
    if (const auto failure = failure_of(display_name(file), [&] { input = read_input(file, options, streams); })) {
      answers.add_failure(file, nullptr, *failure);
      continue;
    }
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

}  // namespace

Action define_evaluate(CommandLine& line) {
  auto options = std::make_shared<EvaluateOptions>();
  add_evaluate_options(line, *options);
  return [options](Streams& streams) { return evaluate_all(*options, streams); };
}

}  // namespace takt::tools
