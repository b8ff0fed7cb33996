// Reports of experiments as text: Markdown and LaTeX for people and documents, CSV and JSON for programs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "experiments/reports/report.hpp"
#include "tpn/json_writer.hpp"

namespace takt::tools {

/// A report and what it is of.
struct ExperimentFindings {
  const experiments::Description& description;
  experiments::ExperimentReport report;
  std::string directory;  // of the run, for the commands that are named
  bool is_exact = false;  // in JSON, also of numbers of more than kMostExactDigits digits
};

/// A section with a heading of the second level: tables, figures by name, what was expected, and draws that failed.
std::string report_markdown(const ExperimentFindings& findings);

/// What a report in LaTeX has beside tables and verdicts.
struct LatexOptions {
  bool is_document = false;            // by itself, not for \input
  std::optional<std::string> figures;  // where the pictures lie, seen from the document; none if it is not given
};

/// Tables with rules of booktabs, long ones over several pages; figures; what was expected as a table.
std::string report_latex(const ExperimentFindings& findings, const LatexOptions& options);

/// A line for each number of a table and for each place of an expectation: exactly and as a decimal.
std::string report_csv(const ExperimentFindings& findings);

/// An object with all of it.
std::string report_json(const ExperimentFindings& findings);

/// The members that tell of draws without a result: all of them counted, some of them named.
void write_failures(tpn::JsonWriter& json, const experiments::Description& description, std::uint64_t failed,
                    const std::vector<experiments::FailedDraw>& failures);

}  // namespace takt::tools
