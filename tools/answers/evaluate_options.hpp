// What takt evaluate is asked for, whole files or line by line.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "evaluators/evaluation.hpp"
#include "tools/answers/evaluation_output.hpp"
#include "tools/answers/result.hpp"
#include "tools/frame/command_line.hpp"
#include "tools/frame/each_line.hpp"
#include "tools/frame/options.hpp"

namespace takt::tools {

/// Where nobody says which.
inline constexpr std::uint64_t kEstimateSeed = 1;

/// As on the command line.
struct EvaluateOptions {
  std::vector<std::string> files;
  ModelChoice model;
  std::optional<std::uint64_t> window;
  std::string method = "auto";
  std::string solver;
  std::vector<std::string> changes;
  std::string ahead;
  std::string output;
  std::string certificate;
  std::string circuit;
  bool latency = false;
  bool latency_curve = false;
  bool estimate = false;
  std::optional<std::uint64_t> seed;
  bool json = false;
  bool verbose = false;
  bool keep_going = false;
  LinesChoice lines;
  std::optional<double> time_limit;
  std::optional<std::uint64_t> max_rows;
  std::optional<std::uint64_t> max_memory;

  CircuitLength circuit_length() const { return circuit == "full" ? CircuitLength::full : CircuitLength::excerpt; }
};

/// All that takt evaluate takes, and what its --help says below.
void add_evaluate_options(CommandLine& line, EvaluateOptions& options);

/// Throws UsageError for what can be told wrong without any file.
void require_consistent(const EvaluateOptions& options);

/// For one result that is begun now.
evaluators::Options evaluator_options(const EvaluateOptions& options);

/// Loads, unless more than the period is asked for.
tpn::RatedStages rated_stages(const EvaluateOptions& options);

/// Throws UsageError if the method does not fit the net.
void require_fit(const EvaluatedInstance& result, const EvaluateOptions& options);

/// The names of the solvers of cycle ratios, and what --help says of them all.
std::vector<std::string> solver_names();
std::string solver_list();

}  // namespace takt::tools
