// takt experiment report: tables, figures and verdicts of a run as text.
#include <memory>
#include <ostream>

#include "tools/experiment/commands.hpp"
#include "tools/experiment/report_writer.hpp"
#include "tools/experiment/run_directory.hpp"
#include "tools/frame/command_line.hpp"
#include "tools/frame/options.hpp"

namespace takt::tools {

namespace {

struct ExperimentReportOptions {
  std::string directory;
  std::string format = "md";
  bool is_exact = false;
  bool check = false;
};

int answer_report(const ExperimentReportOptions& options, Streams& streams) {
  if (options.is_exact && options.format == "md") {
    throw UsageError("--exact: found --format md, expected json or csv, which have exact numbers");
  }
  const RunDirectory directory = RunDirectory::open(options.directory);
  const ExperimentFindings findings{directory.description(), experiments::report_of(directory.summary()),
                                    options.directory, options.is_exact};
  streams.out << (options.format == "csv"    ? report_csv(findings)
                  : options.format == "json" ? report_json(findings)
                                             : report_markdown(findings));
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
  line.option("--format", options->format, "md for people, csv or json for programs")
      .type_name("FORMAT")
      .check(one_of({"md", "csv", "json"}))
      .shows_default();
  line.flag("--exact", options->is_exact,
            "exact numbers in full: json rounds those of more than 40 digits, csv never does");
  line.flag("--check", options->check, "status 1 where what was expected is not met");
  line.footer(
      "Exit status: 0 all there, and with --check all expectations met; 1 some are not; 3 bad input; 4 some of the "
      "run\n"
      "is not done, some draws have no result, or with --check some expectation cannot be decided.\n"
      "\n"
      "Example:\n"
      "  takt experiment report table-2 > table-2.md");
  return [options](Streams& streams) { return answer_report(*options, streams); };
}

}  // namespace takt::tools
