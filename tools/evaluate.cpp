// takt evaluate: the exact period of given mappings.
#include <fmt/format.h>

#include <chrono>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <ostream>

#include "evaluators/certify.hpp"
#include "evaluators/evaluate.hpp"
#include "tools/command.hpp"
#include "tools/files.hpp"
#include "tools/report.hpp"
#include "tpn/models.hpp"

namespace takt::tools {

namespace {

struct EvaluateOptions {
  std::vector<std::string> files;
  std::string model;
  std::string method = "auto";
  std::string solver;
  std::string certificate;
  std::string circuit;
  bool json = false;
  bool verbose = false;
  std::optional<double> time_limit;
  std::optional<std::uint64_t> max_rows;
};

struct Task {
  std::string file;
  tpn::Document document;
  tpn::Model model;
};

std::vector<Task> read_tasks(const EvaluateOptions& options, Streams& streams) {
  std::vector<Task> tasks;
  for (const std::string& file : options.files) {
    const tpn::Document document = read_instance(file, streams);
    for (const tpn::Model model : models_of(document, options.model)) {
      tasks.push_back({display_name(file), document, model});
    }
  }
  if (!options.certificate.empty() && tasks.size() != 1) {
    throw UsageError("--certificate goes with one file and one model; say which with --model");
  }
  return tasks;
}

evaluators::Options evaluator_options(const EvaluateOptions& options) {
  evaluators::Options result;
  result.method = *evaluators::find_method(options.method);
  if (!options.solver.empty()) {
    if (result.method != evaluators::Method::unfold) throw UsageError("--solver goes with --method unfold");
    result.solver = *evaluators::find_solver(options.solver);
  }
  result.max_rows = options.max_rows;
  if (options.time_limit) {
    // A limit beyond a year is none.
    const double seconds = std::min(*options.time_limit, 366.0 * 24 * 3600);
    result.deadline = std::chrono::steady_clock::now() +
                      std::chrono::duration_cast<std::chrono::steady_clock::duration>(std::chrono::duration<double>(seconds));
  }
  return result;
}

void explain(const Result& result, Streams& streams) {
  const auto& pipeline = result.net.pipeline;
  streams.err << fmt::format("takt: {}, {}: method {}: {} rows x {} columns, {} dependences, {} resources\n", result.file,
                             tpn::name_of(result.net.model), evaluators::name_of(result.evaluation.method),
                             pipeline.rows.get_str(), pipeline.columns.size(), result.net.dependences.size(),
                             result.net.resources.size());
}

int save_certificate(const Result& result, const std::string& path, Streams& streams) {
  const auto certificate = evaluators::certify(result.net, result.evaluation);
  if (const auto* too_large = std::get_if<tpn::TooLarge>(&certificate)) {
    streams.err << "takt: no certificate was written: " << too_large_text(*too_large) << '\n';
    return kLimit;
  }
  write_file(path, evaluators::write_certificate(std::get<evaluators::Certificate>(certificate)));
  return kAnswered;
}

int evaluate_all(const EvaluateOptions& options, Streams& streams) {
  if (options.certificate == "-") throw UsageError("--certificate takes a file; standard output holds the result");
  const CircuitLength length = options.circuit == "full" ? CircuitLength::full : CircuitLength::excerpt;
  std::vector<nlohmann::ordered_json> objects;
  int status = kAnswered;
  bool first = true;
  for (Task& task : read_tasks(options, streams)) {
    auto folded = tpn::fold(tpn::make_pipeline(task.document), task.model);
    if (const auto* too_large = std::get_if<tpn::TooLarge>(&folded)) {
      streams.err << "takt: " << task.file << ", " << tpn::name_of(task.model) << ": " << too_large_text(*too_large) << '\n';
      status = kLimit;
      continue;
    }
    Result result{task.file, {}, std::get<tpn::FoldedNet>(std::move(folded)), {}};
    for (const tpn::Stage& stage : task.document.application.stages) result.stages.push_back(stage.name);
    result.evaluation = evaluators::evaluate(result.net, evaluator_options(options));
    if (options.verbose) explain(result, streams);
    if (!result.evaluation.exact()) status = kLimit;
    if (!options.certificate.empty()) status = std::max(status, save_certificate(result, options.certificate, streams));
    if (options.json) {
      objects.push_back(to_json(result, length));
    } else {
      if (!first) streams.out << '\n';
      first = false;
      write_table(streams.out, result, length);
    }
  }
  if (objects.size() == 1 && options.files.size() == 1) {
    streams.out << objects.front().dump(2) << '\n';
  } else if (!objects.empty()) {
    streams.out << nlohmann::ordered_json(objects).dump(2) << '\n';
  }
  return status;
}

std::vector<std::string> method_names() {
  std::vector<std::string> names;
  for (const auto& evaluator : evaluators::evaluators()) names.emplace_back(evaluator.name);
  return names;
}

std::vector<std::string> model_names() {
  std::vector<std::string> names;
  for (const auto& model : tpn::communication_models()) names.emplace_back(model.name);
  return names;
}

}  // namespace

Action define_evaluate(CLI::App& app) {
  auto options = std::make_shared<EvaluateOptions>();
  app.add_option("FILE", options->files, "instances (JSON); - is standard input")->required();
  app.add_option("--model", options->model, "communication model; the file's own, else both")
      ->check(CLI::IsMember(model_names()));
  app.add_option("--method", options->method, "how to evaluate")->check(CLI::IsMember(method_names()))->capture_default_str();
  app.add_option("--solver", options->solver, "cycle-ratio solver of --method unfold: howard unless said")
      ->check(CLI::IsMember({"howard", "karp"}));
  app.add_flag("--json", options->json, "print JSON: an object, or an array for several results");
  app.add_option("--certificate", options->certificate, "write what proves the answer to this file; see takt check")
      ->option_text("OUT");
  app.add_option("--circuit", options->circuit, "full shows all steps of the critical circuit, not just 20")
      ->check(CLI::IsMember({"full"}));
  app.add_option("--time-limit", options->time_limit, "seconds before the answer is an interval")
      ->check(CLI::PositiveNumber)
      ->option_text("S");
  app.add_option("--max-rows", options->max_rows, "rows of the net beyond which the answer is an interval")
      ->check(CLI::Range(std::uint64_t{1}, std::numeric_limits<std::uint64_t>::max()))
      ->option_text("N");
  app.add_flag("--verbose", options->verbose, "say on standard error what was chosen and why");
  app.footer("Example:\n  takt evaluate examples/example-a.json --model strict");
  return [options](Streams& streams) { return evaluate_all(*options, streams); };
}

}  // namespace takt::tools
