// What every number of an instance means for its period, as a table and as JSON.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "evaluators/insight/critical.hpp"
#include "evaluators/insight/one_more.hpp"
#include "evaluators/insight/sensitivity.hpp"
#include "evaluators/insight/together.hpp"
#include "tools/answers/result.hpp"
#include "tools/frame/options.hpp"
#include "tpn/json_writer.hpp"

namespace takt::tools {

/// As on the command line.
struct SensitivityOptions {
  std::string file;
  ModelChoice model;
  std::vector<std::string> parameters;
  std::string faster = "10";
  std::string target;
  bool each = false;
  bool curve = false;
  bool floats = false;
  std::uint64_t top = 20;
  bool json = false;
  std::optional<double> time_limit;
  std::vector<std::string> what_if;  // --set
  std::vector<std::string> changes;  // --apply
  std::string output;
};

/// What is known of an instance under one model.
struct SensitivityFindings {
  EvaluatedInstance result;
  std::optional<evaluators::CriticalOperations> critical;
  std::vector<evaluators::ParameterInsight> insights;  // worth most first
  std::size_t unasked = 0;                             // numbers that there was no time for
  bool helps_together = false;                         // nothing helps alone: it was asked what does together
  std::optional<evaluators::TogetherChange> together;  // among `asked`; nothing if it was not found
  std::vector<tpn::Parameter> asked;
  std::optional<evaluators::OperationFloats> floats;
  std::optional<evaluators::OneMoreAnalysis> one_more;  // the shortest period first; nothing if it was not asked for
};

/// "node1 cores: one more (8 -> 9)", "node1, node2 cores: one more each (8 -> 9)": what stands before the colon names
/// the numbers on the command line as well.
std::string one_more_name(const evaluators::OneMore& row);

/// "A on P1, B on P2": the parameters of a change, in their order.
std::string names_of(const evaluators::TogetherChange& change, const std::vector<tpn::Parameter>& asked);

void write_table(std::ostream& out, const SensitivityFindings& findings, const SensitivityOptions& options);
void write_json(tpn::JsonWriter& json, const SensitivityFindings& findings, const SensitivityOptions& options);

}  // namespace takt::tools
