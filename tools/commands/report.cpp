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
#include "tools/frame/command_line.hpp"
#include "tools/frame/limited_search.hpp"
#include "tools/frame/options.hpp"
#include "tools/report/sections.hpp"
#include "tpn/models.hpp"
#include "tpn/reader.hpp"
#include "tpn/visible.hpp"

namespace takt::tools {

namespace {

struct ReportOptions {
  std::string file;
  ModelChoice model;
  std::string output;
  std::optional<double> time_limit;
};

// A page that is yet to be written to a file of its own.
struct FinishedPage {
  std::string path;
  std::string html;
  std::string description;
  int status = kAnswered;
};

// "a.html" of one model among several is "a-strict.html".
std::string page_path(const std::string& output, tpn::Model model, std::size_t pages) {
  if (pages == 1) return output;
  const std::size_t ending = output.rfind('.');
  return output.substr(0, ending) + "-" + std::string(tpn::name_of(model)) + output.substr(ending);
}

void require_page_name(const std::string& output) {
  if (output.ends_with(".html") || output.ends_with(".htm")) return;
  throw UsageError(output.empty() ? "a report goes to a file of its own: -o OUT.html"
                                  : "-o " + output + ": a report's name ends in .html");
}

ReportInput read_subject(const std::string& file, Streams& streams) {
  ReportInput input{file, read_text(file, streams), {}};
  input.document = parse_instance(input.text, file);
  return input;
}

std::optional<FinishedPage> make_page(const ReportInput& input, tpn::Model model, const ReportOptions& options,
                                      Streams& streams) {
  const LimitedSearch search(options.time_limit, streams,
                             fmt::format("{}, {}", display_name(input.file), tpn::label_of(model)));
  const evaluators::Deadline& deadline = search.deadline();
  const auto found = find_out(input, model, deadline);
  if (const auto* too_large = std::get_if<tpn::TooLarge>(&found)) {
    fmt::print(streams.err, "takt: {}, {}: {}\n", display_name(input.file), tpn::label_of(model),
               too_large_text(*too_large));
    return std::nullopt;
  }
  const auto& findings = std::get<ReportFindings>(found);
  return FinishedPage{"", write_report(findings), tpn::title_of(model), findings.exact() ? kAnswered : kLimit};
}

int report_all(const ReportOptions& options, Streams& streams) {
  require_page_name(options.output);
  const ReportInput input = read_subject(options.file, streams);
  const std::vector<tpn::Model> models = models_of(input.document, options.model);
  std::vector<std::string> paths;
  paths.reserve(models.size());
  for (const tpn::Model& model : models) paths.push_back(page_path(options.output, model, models.size()));
  require_apart({options.file}, paths);
  for (const std::string& path : paths) require_writable(path);
  int status = kAnswered;
  for (std::size_t k = 0; k < models.size(); ++k) {
    const auto page = make_page(input, models[k], options, streams);
    if (!page || page->status != kAnswered) status = kLimit;
    if (!page) continue;
    write_file(paths[k], page->html);
    fmt::print(streams.out, "wrote {}: {}\n", tpn::visible(paths[k]), page->description);
  }
  return status;
}

}  // namespace

Action define_report(CommandLine& line) {
  auto options = std::make_shared<ReportOptions>();
  line.positional("FILE", options->file, "an instance (JSON); - is standard input");
  add_model_options(line, options->model);
  line.option("-o", options->output,
              "write the page to this file, whose name ends in .html. Of two models, each has its name added: "
              "OUT-strict.html")
      .check(output_name())
      .type_name("OUT");
  add_time_limit(line, options->time_limit,
                 "for a page, beyond which it says what was not finished; a period may be an interval then");
  line.footer(
      "A page needs no network and no other file, and is the same for the same instance.\n"
      "Exit status: 0, or 4 where the period is an interval; the page is written all the same.\n"
      "\n"
      "Example:\n  takt report examples/example-a.json --model strict -o example-a.html");
  return [options](Streams& streams) { return report_all(*options, streams); };
}

}  // namespace takt::tools
