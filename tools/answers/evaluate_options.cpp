// From options to what evaluators take.
#include "tools/answers/evaluate_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "evaluators/evaluate.hpp"
#include "maxplus/solvers.hpp"
#include "tools/files/files.hpp"
#include "tpn/json.hpp"
#include "tpn/models.hpp"

namespace takt::tools {

namespace {

std::vector<std::string> method_names() {
  std::vector<std::string> names;
  for (const auto& evaluator : evaluators::evaluators()) names.emplace_back(evaluator.name);
  return names;
}

std::string method_list() {
  std::string text = "Methods:\n";
  for (const auto& evaluator : evaluators::evaluators())
    text += fmt::format("  {:<11}{}\n", evaluator.name, evaluator.summary);
  return text;
}

void add_limits(CommandLine& line, EvaluateOptions& options) {
  add_time_limit(line, options.time_limit, "each result", "the result is an interval");
  line.option("--max-rows", options.max_rows,
              "maximum number of distinct rows of the net; above it the result is an interval; no effect on --method "
              "residue; default: set by the method")
      .check(positive_integer())
      .type_name("N");
  line.option("--max-memory", options.max_memory,
              fmt::format("maximum memory of a search by residue, potentials or sweep; above it the result is an "
                          "interval; default: {}",
                          evaluators::kDefaultMemory >> 20))
      .check(positive_integer())
      .type_name("MIB");
}

void add_estimate_options(CommandLine& line, EvaluateOptions& options) {
  line.flag("--estimate", options.estimate,
            "if the result is an interval, also print a sampled estimate, computed after the time limit; STRICT only, "
            "one turn per processor");
  line.option("--seed", options.seed, fmt::format("seed of --estimate; default: {}", kEstimateSeed))
      .check(whole_number())
      .type_name("N");
}

std::vector<std::string> methods_with_solvers() {
  std::vector<std::string> names;
  for (const auto& evaluator : evaluators::evaluators()) {
    if (evaluator.has_solvers) names.emplace_back(evaluator.name);
  }
  return names;
}

// A line has no room for what people read, nor for a file of its own.
void require_fit_for_lines(const EvaluateOptions& options) {
  if (!options.certificate.empty())
    throw UsageError("--certificate goes with one file and one model, not with --lines");
  if (options.estimate) throw UsageError("--estimate does not go with --lines");
  if (options.verbose) throw UsageError("--verbose does not go with --lines; --json has size and method of each");
  if (options.json) return;
  if (!options.circuit.empty()) throw UsageError("--circuit with --lines needs --json");
  if (options.latency || options.latency_curve)
    throw UsageError("--latency and --latency-curve with --lines need --json");
}

void require_fit_for_ahead(const EvaluateOptions& options) {
  if (options.lines.lines) throw UsageError("--ahead does not go with --lines");
  if (options.window) throw UsageError("--ahead does not go with --window");
  if (!options.certificate.empty()) {
    throw UsageError(
        "--certificate does not go with --ahead: write the instance first, takt evaluate FILE --ahead best -o OUT");
  }
  if (options.output == "-") throw UsageError("-o takes a file; standard output holds the result");
  if (options.output.empty()) return;
  if (options.files.size() != 1) throw UsageError(fmt::format("-o goes with one file, found {}", options.files.size()));
  require_apart(options.files, {options.output});
}

// Another instance than the file's.
void add_change_options(CommandLine& line, EvaluateOptions& options) {
  line.option("--set", options.changes, "what if: evaluate with this value; NAME as in takt sensitivity; repeatable")
      .type_name("NAME=VALUE");
  line.option(
          "--ahead", options.ahead,
          "let processors that serve several parts receive files ahead of time, where that shortens the period most")
      .check(one_of({"best"}))
      .type_name("best");
  line.option("-o", options.output, "with --ahead: write the instance with these transfers to OUT")
      .check(output_name())
      .type_name("OUT");
}

}  // namespace

void add_evaluate_options(CommandLine& line, EvaluateOptions& options) {
  line.positional("FILE", options.files, "instances (JSON); - is standard input");
  add_model_options(line, options.model);
  add_window_option(line, options.window);
  line.option("--method", options.method,
              "evaluation method: " + tpn::json::alternatives(method_names()) + ", see below; default: auto")
      .check(one_of(method_names()))
      .type_name("METHOD");
  line.option("--solver", options.solver,
              "with --method " + tpn::json::alternatives(methods_with_solvers()) + ", " +
                  tpn::json::alternatives(solver_names()) + "; default: " + std::string(maxplus::default_solver().name))
      .check(one_of(solver_names()))
      .type_name("SOLVER");
  line.flag("--json", options.json, "print JSON: an object, or an array for several results");
  line.flag("--keep-going", options.keep_going, "if a file is wrong, report the error and go on with the next");
  add_lines_options(line, options.lines);
  add_change_options(line, options);
  line.option("--certificate", options.certificate, "write a proof of the answer, for takt check")
      .check(output_name())
      .type_name("OUT");
  line.option("--circuit", options.circuit,
              fmt::format("print all steps of the critical circuit; default: {}", kExcerptSteps))
      .check(one_of({"full"}))
      .type_name("full");
  line.flag("--latency", options.latency,
            "print how long data sets stay: one alone, in an even stream, the least possible at this period, and let "
            "in as early as possible");
  line.flag("--latency-curve", options.latency_curve, "--latency, and the least latency at longer periods");
  add_estimate_options(line, options);
  add_limits(line, options);
  line.flag("--verbose", options.verbose, "print the size of the net and the method used on standard error");
  line.footer(method_list() + "\n" + solver_list() +
              "\n"
              "Examples:\n"
              "  takt evaluate examples/example-a.json\n"
              "  takt evaluate examples/example-a.json --model strict --json --circuit full");
}

void require_consistent(const EvaluateOptions& options) {
  if (!options.changes.empty() && !options.certificate.empty())
    throw UsageError(
        "--certificate does not go with --set: write the instance first, takt sensitivity FILE --apply NAME=VALUE -o "
        "OUT");
  if (!options.changes.empty() && options.lines.lines) throw UsageError("--set does not go with --lines");
  if (options.ahead.empty() && !options.output.empty()) {
    throw UsageError("-o goes with --ahead best; results go to standard output, which \"> FILE\" keeps");
  }
  if (!options.ahead.empty()) require_fit_for_ahead(options);
  if (options.certificate == "-") throw UsageError("--certificate takes a file; standard output holds the result");
  const auto& evaluator = evaluators::evaluator_of(*evaluators::find_method(options.method));
  if (!options.solver.empty() && !evaluator.has_solvers) {
    throw UsageError("--solver goes with --method " + tpn::json::alternatives(methods_with_solvers()));
  }
  if (options.seed && !options.estimate) throw UsageError("--seed goes with --estimate");
  require_window(options.window);
  require_one_stdin(options.files);
  require_consistent(options.lines, options.files);
  if (options.lines.lines) require_fit_for_lines(options);
  if (options.certificate.empty()) return;
  if (options.files.size() != 1) {
    throw UsageError(fmt::format("--certificate goes with one file, found {}", options.files.size()));
  }
  require_apart(options.files, {options.certificate});
}

evaluators::Options evaluator_options(const EvaluateOptions& options) {
  evaluators::Options result;
  result.method = *evaluators::find_method(options.method);
  if (!options.solver.empty()) result.solver = maxplus::find_solver(options.solver);
  result.max_rows = options.max_rows;
  constexpr std::uint64_t kMebibyte = 1 << 20;
  if (options.max_memory) result.max_memory = std::min(*options.max_memory, UINT64_MAX / kMebibyte) * kMebibyte;
  result.deadline = deadline_after(options.time_limit);
  return result;
}

tpn::RatedStages rated_stages(const EvaluateOptions& options) {
  const bool asks_more =
      options.latency || options.latency_curve || options.estimate || options.window || !options.ahead.empty();
  return asks_more ? tpn::RatedStages::refused : tpn::RatedStages::as_loads;
}

void require_fit(const EvaluatedInstance& result, const EvaluateOptions& options) {
  if (const auto reason = evaluators::why_unfit(*evaluators::find_method(options.method), result.net)) {
    throw UsageError(fmt::format("--method {} does not fit {} under {}: {}", options.method, display_name(result.file),
                                 tpn::label_of(result.net.model), *reason));
  }
}

std::vector<std::string> solver_names() {
  std::vector<std::string> names;
  for (const auto& solver : maxplus::cycle_ratio_solvers()) names.emplace_back(solver.name);
  return names;
}

std::string solver_list() {
  std::string text = "Solvers:\n";
  for (const auto& solver : maxplus::cycle_ratio_solvers()) {
    text += fmt::format("  {:<10}{}; {}\n", solver.name, solver.summary, solver.cost);
  }
  return text;
}

}  // namespace takt::tools
