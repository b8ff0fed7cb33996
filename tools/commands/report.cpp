// takt report: a page that shows a mapping's period, why it is what it is, and what would help.
#include <fmt/format.h>
#include <fmt/ostream.h>

#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "tools/answers/limit_words.hpp"
#include "tools/files/files.hpp"
#include "tools/files/several_files.hpp"
#include "tools/frame/command_line.hpp"
#include "tools/frame/limited_search.hpp"
#include "tools/frame/options.hpp"
#include "tools/report/sections.hpp"
#include "tpn/models.hpp"
#include "tpn/reader.hpp"

namespace takt::tools {

namespace {

struct ReportOptions {
  std::string file;
  ModelChoice model;
  std::string output;
  std::optional<double> time_limit;
};

void require_page_name(const std::string& output) {
  if (output.ends_with(".html") || output.ends_with(".htm")) return;
  throw UsageError(output.empty() ? "name the file of the report: -o OUT.html"
                                  : "-o " + output + ": a report's name ends in .html");
}

ReportInput read_subject(const std::string& file, Streams& streams) {
  ReportInput input{file, read_document_text(file, streams), {}};
  input.document = parse_instance(input.text, file);
  return input;
}

// The status of the answer.
int make_page(const ReportInput& input, const tpn::Model& model, const ReportOptions& options, const std::string& path,
              Streams& streams) {
  const auto found = [&] {
    const LimitedSearch search(options.time_limit, streams,
                               fmt::format("{}, {}", display_name(input.file), tpn::label_of(model)));
    return find_out(input, model, search.deadline());
  }();
  if (const auto* too_large = std::get_if<tpn::TooLarge>(&found))
    return tell_limit(streams, input.file, model, too_large_text(*too_large));
  const auto& findings = std::get<ReportFindings>(found);
  hand_out(streams, path, tpn::title_of(model), [&](std::ostream& out) { out << write_report(findings); });
  return findings.exact() ? kAnswered : kLimit;
}

int report_all(const ReportOptions& options, Streams& streams) {
  require_page_name(options.output);
  const ReportInput input = read_subject(options.file, streams);
  const std::vector<tpn::Model> models = models_of(input.document, options.model);
  const std::vector<std::string> paths = paths_of_models(options.file, options.output, models);
  int status = kAnswered;
  for (std::size_t k = 0; k < models.size(); ++k)
    status = worse_status(status, make_page(input, models[k], options, paths[k], streams));
  return status;
}

}  // namespace

Action define_report(CommandLine& line) {
  auto options = std::make_shared<ReportOptions>();
  line.positional("FILE", options->file, "an instance (JSON); - is standard input");
  add_model_options(line, options->model);
  line.option("-o", options->output,
              "write the page to this file, .html; two models make two files, such as OUT-strict.html")
      .check(output_name())
      .type_name("OUT");
  add_time_limit(line, options->time_limit, "each page",
                 "the page says what is missing, and the period may be an interval");
  line.footer(
      "A page needs no network and no other file. The same instance always gives the same page.\n"
      "Exit status: 0, or 4 if the period is an interval; the page is written in both cases.\n"
      "\n"
      "Example:\n"
      "  takt report examples/example-a.json --model strict -o example-a.html");
  return [options](Streams& streams) { return report_all(*options, streams); };
}

}  // namespace takt::tools
