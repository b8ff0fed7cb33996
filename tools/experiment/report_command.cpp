// takt experiment report: tables, figures and verdicts of a run as text.
#include <fmt/format.h>

#include <memory>
#include <ostream>
#include <string>
#include <string_view>

#include "tools/experiment/commands.hpp"
#include "tools/experiment/report_writer.hpp"
#include "tools/experiment/run_directory.hpp"
#include "tools/frame/command_line.hpp"
#include "tools/frame/options.hpp"
#include "tpn/json.hpp"

namespace takt::tools {

namespace {

struct ExperimentReportOptions {
  std::string directory;
  std::string format = "md";
  LatexOptions latex;
  bool is_exact = false;
  bool check = false;
};

std::string report_text(const ExperimentFindings& findings, const ExperimentReportOptions& options) {
  if (options.format == "csv") return report_csv(findings);
  if (options.format == "json") return report_json(findings);
  return options.format == "latex" ? report_latex(findings, options.latex) : report_markdown(findings);
}

void require_sense(const ExperimentReportOptions& options) {
  const bool is_latex = options.format == "latex";
  const bool has_exact = options.format == "csv" || options.format == "json";
  if (options.is_exact && !has_exact) {
    throw UsageError(
        fmt::format("--exact: found --format {}, expected json or csv, which have exact numbers", options.format));
  }
  if (options.latex.is_document && !is_latex) throw UsageError("--document goes with --format latex");
  if (!options.latex.figures) return;
  if (!is_latex) throw UsageError("--figures goes with --format latex");
  // Within \\includegraphics nothing can be escaped.
  constexpr std::string_view kSpecial = "\\{}%#$&^~\"\n";
  if (options.latex.figures->find_first_of(kSpecial) == std::string::npos) return;
  throw UsageError("--figures: found " + tpn::json::quote(*options.latex.figures) +
                   ", expected a path without any of \\ { } % # $ & ^ ~ \"");
}

int answer_report(const ExperimentReportOptions& options, Streams& streams) {
  require_sense(options);
  const RunDirectory directory = RunDirectory::open(options.directory);
  const ExperimentFindings findings{directory.description(), experiments::report_of(directory.summary()),
                                    options.directory, options.is_exact};
  streams.out << report_text(findings, options);
  const experiments::ExperimentReport& report = findings.report;
  using experiments::ExpectationOutcome;
  if (options.check && report.count(ExpectationOutcome::not_met) > 0) return kNo;
  const bool is_decided = !options.check || report.count(ExpectationOutcome::undecided) == 0;
  return is_decided && report.is_complete() && report.failed == 0 ? kAnswered : kLimit;
}

}  // namespace

Action define_experiment_report(CommandLine& line) {
  const auto options = std::make_shared<ExperimentReportOptions>();
  line.positional("DIR", options->directory, "the directory of a run");
  line.option("--format", options->format, "md, latex, csv or json")
      .type_name("FORMAT")
      .check(one_of({"md", "latex", "csv", "json"}))
      .shows_default();
  line.option("--figures", options->latex.figures,
              "with --format latex: include the figures from this folder, a path relative to the document")
      .type_name("FOLDER")
      .check(output_name());
  line.flag("--document", options->latex.is_document,
            "with --format latex: a complete document, not a part for \\input");
  line.flag("--exact", options->is_exact,
            "with --format json: do not round exact numbers of more than 40 digits (csv never does)");
  line.flag("--check", options->check, "exit status 1 if an expectation is not met");
  line.footer(
      "Exit status: 0 complete, and with --check all expectations met; 1 some are not met; 3 bad input; 4 the run is\n"
      "not finished, draws have no result, or with --check an expectation cannot be decided.\n"
      "\n"
      "Example:\n"
      "  takt experiment report table-2 > table-2.md\n"
      "  takt experiment plot table-2 --format pdf -o figures\n"
      "  takt experiment report table-2 --format latex --figures figures > table-2.tex");
  return [options](Streams& streams) { return answer_report(*options, streams); };
}

}  // namespace takt::tools
