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
#include "tools/evaluation_output.hpp"
#include "tools/files.hpp"
#include "tools/json_results.hpp"
#include "tools/limit_words.hpp"
#include "tools/operation_words.hpp"
#include "tools/options.hpp"
#include "tpn/json.hpp"
#include "tpn/models.hpp"

namespace takt::tools {

namespace {

struct EvaluateOptions {
  std::vector<std::string> files;
  ModelChoice model;
  std::string method = "auto";
  std::string solver;
  std::string certificate;
  std::string circuit;
  bool json = false;
  bool verbose = false;
  std::optional<double> time_limit;
  std::optional<std::uint64_t> max_rows;
  std::optional<std::uint64_t> max_memory;
};

struct FileUnderModel {
  std::string file;
  std::shared_ptr<const tpn::Document> document;  // of all the models of a file
  tpn::Model model;
};

std::vector<FileUnderModel> read_tasks(const EvaluateOptions& options, Streams& streams) {
  std::vector<FileUnderModel> tasks;
  for (const std::string& file : options.files) {
    const auto document = std::make_shared<const tpn::Document>(read_instance(file, streams));
    for (const tpn::Model model : models_of(*document, options.model)) tasks.push_back({file, document, model});
  }
  if (!options.certificate.empty() && tasks.size() != 1) {
    throw UsageError("--certificate goes with one file and one model; say which with --model");
  }
  return tasks;
}

std::vector<std::string> methods_with_solvers() {
  std::vector<std::string> names;
  for (const auto& evaluator : evaluators::evaluators()) {
    if (evaluator.has_solvers) names.emplace_back(evaluator.name);
  }
  return names;
}

// What can be told wrong without any file.
void require_consistent(const EvaluateOptions& options) {
  if (options.certificate == "-") throw UsageError("--certificate takes a file; standard output holds the result");
  const auto& evaluator = evaluators::evaluator_of(*evaluators::find_method(options.method));
  if (!options.solver.empty() && !evaluator.has_solvers) {
    throw UsageError("--solver goes with --method " + tpn::json::alternatives(methods_with_solvers()));
  }
  require_one_stdin(options.files);
  if (!options.certificate.empty()) require_apart(options.files, {options.certificate});
}

evaluators::Options evaluator_options(const EvaluateOptions& options) {
  evaluators::Options result;
  result.method = *evaluators::find_method(options.method);
  if (!options.solver.empty()) result.solver = maxplus::find_solver(options.solver);
  result.max_rows = options.max_rows;
  constexpr std::uint64_t kMebibyte = 1 << 20;
  if (options.max_memory) result.max_memory = std::min(*options.max_memory, UINT64_MAX / kMebibyte) * kMebibyte;
  if (options.time_limit) result.deadline = deadline_in(*options.time_limit);
  return result;
}

void require_fit(const EvaluatedInstance& result, const EvaluateOptions& options) {
  const auto& evaluator = evaluators::evaluator_of(*evaluators::find_method(options.method));
  if (evaluator.unfit == nullptr) return;
  if (const auto reason = evaluator.unfit(result.net)) {
    throw UsageError(fmt::format("--method {} does not fit {} under {}: {}", options.method, display_name(result.file),
                                 tpn::label_of(result.net.model), *reason));
  }
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

int save_certificate(const EvaluatedInstance& result, const std::string& path, Streams& streams) {
  const auto certificate = evaluators::certify(result.net, result.evaluation);
  if (const auto* too_large = std::get_if<tpn::TooLarge>(&certificate)) {
    streams.err << "takt: no certificate was written: " << too_large_text(*too_large) << '\n';
    return kLimit;
  }
  write_file(path, evaluators::write_certificate(std::get<evaluators::Certificate>(certificate)));
  return kAnswered;
}

int evaluate_all(const EvaluateOptions& options, Streams& streams) {
  require_consistent(options);
  const CircuitLength length = options.circuit == "full" ? CircuitLength::full : CircuitLength::excerpt;
  int status = kAnswered;
  bool is_first = true;
  const std::vector<FileUnderModel> tasks = read_tasks(options, streams);
  JsonResults results(
      tasks.size() == 1 && options.files.size() == 1 ? JsonResults::Form::object : JsonResults::Form::array,
      streams.out);
  if (!options.certificate.empty()) require_writable(options.certificate);
  for (const FileUnderModel& task : tasks) {
    auto folded = fold_instance(task.file, *task.document, task.model);
    if (const auto* too_large = std::get_if<tpn::TooLarge>(&folded)) {
      fmt::print(streams.err, "takt: {}, {}: {}\n", display_name(task.file), tpn::label_of(task.model),
                 too_large_text(*too_large));
      status = kLimit;
      continue;
    }
    EvaluatedInstance result = std::get<EvaluatedInstance>(std::move(folded));
    require_fit(result, options);
    result.evaluation = evaluators::evaluate(result.net, evaluator_options(options));
    if (options.verbose) explain(result, streams);
    if (!result.evaluation.exact()) status = kLimit;
    if (!options.certificate.empty()) status = std::max(status, save_certificate(result, options.certificate, streams));
    if (options.json) {
      write_json(results.next(), result, length);
    } else {
      if (!is_first) streams.out << '\n';
      is_first = false;
      write_table(streams.out, result, length);
    }
  }
  results.finish();
  return status;
}

std::vector<std::string> method_names() {
  std::vector<std::string> names;
  for (const auto& evaluator : evaluators::evaluators()) names.emplace_back(evaluator.name);
  return names;
}

std::vector<std::string> solver_names() {
  std::vector<std::string> names;
  for (const auto& solver : maxplus::cycle_ratio_solvers()) names.emplace_back(solver.name);
  return names;
}

std::string method_list() {
  std::string text = "Methods:\n";
  for (const auto& evaluator : evaluators::evaluators())
    text += fmt::format("  {:<10}{}\n", evaluator.name, evaluator.summary);
  return text;
}

std::string solver_list() {
  std::string text = "Solvers:\n";
  for (const auto& solver : maxplus::cycle_ratio_solvers()) {
    text += fmt::format("  {:<10}{}; {}\n", solver.name, solver.summary, solver.cost);
  }
  return text;
}

}  // namespace

Action define_evaluate(CommandLine& line) {
  auto options = std::make_shared<EvaluateOptions>();
  line.positional("FILE", options->files, "instances (JSON); - is standard input");
  add_model_options(line, options->model);
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
  line.option("--certificate", options->certificate, "write what proves the answer to this file; see takt check")
      .check(output_name())
      .type_name("OUT");
  line.option("--circuit", options->circuit,
              fmt::format("\"full\" shows all steps of the critical circuit, not just {}", kExcerptSteps))
      .check(one_of({"full"}))
      .type_name("full");
  line.option("--time-limit", options->time_limit, "seconds for a result, beyond which it is an interval")
      .check(seconds())
      .type_name("S");
  line.option("--max-rows", options->max_rows,
              "rows of the net, beyond which a result is an interval; residue has no such limit")
      .check(positive_integer())
      .type_name("N");
  line.option("--max-memory", options->max_memory,
              fmt::format("MiB that method residue may take, beyond which a result is an interval; {} unless said",
                          evaluators::kDefaultMemory >> 20))
      .check(positive_integer())
      .type_name("MIB");
  line.flag("--verbose", options->verbose, "say on standard error how large the net is and which method was used");
  line.footer(method_list() + "\n" + solver_list() +
              "\n"
              "Examples:\n"
              "  takt evaluate examples/example-a.json\n"
              "  takt evaluate examples/example-a.json --model strict --json --circuit full");
  return [options](Streams& streams) { return evaluate_all(*options, streams); };
}

}  // namespace takt::tools
