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
    text += fmt::format("  {:<10}{}\n", evaluator.name, evaluator.summary);
  return text;
}

void add_limits(CommandLine& line, EvaluateOptions& options) {
  add_time_limit(line, options.time_limit, "for a result, beyond which it is an interval");
  line.option("--max-rows", options.max_rows,
              "distinct rows of the net, beyond which a result is an interval; residue has no such limit")
      .check(positive_integer())
      .type_name("N");
  line.option("--max-memory", options.max_memory,
              fmt::format("MiB that method residue, potentials or sweep may take, beyond which a result is an "
                          "interval; default: {}",
                          evaluators::kDefaultMemory >> 20))
      .check(positive_integer())
      .type_name("MIB");
}

void add_estimate_options(CommandLine& line, EvaluateOptions& options) {
  line.flag("--estimate", options.estimate,
            "where the answer is an interval, a sampled estimate beside it, after any time limit; STRICT, processors "
            "with one turn each");
  line.option("--seed", options.seed, fmt::format("of the random choices of --estimate; default: {}", kEstimateSeed))
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
  if (options.verbose) throw UsageError("--verbose does not go with --lines; --json tells size and method of each");
  if (options.json) return;
  if (!options.circuit.empty()) throw UsageError("--circuit with --lines needs --json");
  if (options.latency || options.latency_curve)
    throw UsageError("--latency and --latency-curve with --lines need --json");
}

void require_fit_for_ahead(const EvaluateOptions& options) {
  if (options.lines.lines) throw UsageError("--ahead goes without --lines");
  if (options.window) throw UsageError("--ahead goes without --window");
  if (!options.certificate.empty()) {
    throw UsageError(
        "--certificate is of a file: takt evaluate FILE --ahead best -o OUT writes the one that --ahead means");
  }
  if (options.output == "-") throw UsageError("-o takes a file; standard output holds the result");
  if (options.output.empty()) return;
  if (options.files.size() != 1) throw UsageError(fmt::format("-o goes with one file, found {}", options.files.size()));
  require_apart(options.files, {options.output});
}

}  // namespace

void add_evaluate_options(CommandLine& line, EvaluateOptions& options) {
  line.positional("FILE", options.files, "instances (JSON); - is standard input");
  add_model_options(line, options.model);
  add_window_option(line, options.window);
  line.option("--method", options.method, "how to evaluate: " + tpn::json::alternatives(method_names()) + ", see below")
      .check(one_of(method_names()))
      .type_name("METHOD");
  line.option("--solver", options.solver,
              "cycle-ratio solver of --method " + tpn::json::alternatives(methods_with_solvers()) + ", " +
                  tpn::json::alternatives(solver_names()) + "; default: " + std::string(maxplus::default_solver().name))
      .check(one_of(solver_names()))
      .type_name("SOLVER");
  line.flag("--json", options.json, "print JSON: an object, or an array for several results");
  line.flag("--keep-going", options.keep_going,
            "answer the files that are right, and tell what is wrong with the others");
  add_lines_options(line, options.lines);
  line.option("--set", options.changes,
              "what if: with this value of a number, named as takt sensitivity prints it; may be repeated")
      .type_name("NAME=VALUE");
  line.option(
          "--ahead", options.ahead,
          "\"best\": with the transfers ahead that lower the period most, where processors that serve several parts "
          "wait for their order")
      .check(one_of({"best"}))
      .type_name("best");
  line.option("-o", options.output, "with --ahead: write the instance with these transfers")
      .check(output_name())
      .type_name("OUT");
  line.option("--certificate", options.certificate, "write what proves the answer to this file; see takt check")
      .check(output_name())
      .type_name("OUT");
  line.option("--circuit", options.circuit,
              fmt::format("\"full\" shows all steps of the critical circuit, not just {}", kExcerptSteps))
      .check(one_of({"full"}))
      .type_name("full");
  line.flag("--latency", options.latency,
            "how long data sets stay: alone, in an even stream, at least, and let in at will");
  line.flag("--latency-curve", options.latency_curve, "the same, and the least latency at longer periods");
  add_estimate_options(line, options);
  add_limits(line, options);
  line.flag("--verbose", options.verbose, "say on standard error how large the net is and which method was used");
  line.footer(method_list() + "\n" + solver_list() +
              "\n"
              "Examples:\n"
              "  takt evaluate examples/example-a.json\n"
              "  takt evaluate examples/example-a.json --model strict --json --circuit full");
}

void require_consistent(const EvaluateOptions& options) {
  if (!options.changes.empty() && !options.certificate.empty())
    throw UsageError(
        "--certificate is of a file: takt sensitivity FILE --apply NAME=VALUE -o OUT writes the one that --set means");
  if (!options.changes.empty() && options.lines.lines) throw UsageError("--set goes without --lines");
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
