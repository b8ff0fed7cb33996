// A comparison as a table, as JSON, CSV and LaTeX, and problem by problem.
#pragma once

#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "tools/compare/comparison.hpp"
#include "tools/compare/contestants.hpp"
#include "tpn/document.hpp"

namespace takt::tools {

/// Problems, everybody's scores, and how everybody stands.
struct ComparisonResult {
  std::vector<std::string> files;  // as on the command line; none if problems are drawn
  std::vector<Contestant> contestants;
  std::vector<ScoredProblem> problems;
  std::vector<Standing> standings;         // in their own order
  std::vector<maxplus::Rational> factors;  // of Standing::within, ascending
  std::optional<tpn::Model> model;         // of all problems; nothing if they have different ones
  std::string model_remark;                // behind its name, where nobody chose it
  bool shows_times = false;                // run times, which differ from run to run
};

void write_comparison_table(std::ostream& out, const ComparisonResult& result);
void write_comparison_json(std::ostream& out, const ComparisonResult& result);
/// A row per heuristic.
void write_comparison_csv(std::ostream& out, const ComparisonResult& result);
/// A tabular, names and all escaped.
void write_comparison_latex(std::ostream& out, const ComparisonResult& result);

/// CSV: a row per problem and heuristic, in the order of the problems and of the contestants.
void write_each_csv(std::ostream& out, const ComparisonResult& result);

}  // namespace takt::tools
