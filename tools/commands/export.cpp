// takt export: the net of a mapping in a file that other tools read.
#include <fmt/format.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "tools/answers/limit_words.hpp"
#include "tools/answers/result.hpp"
#include "tools/files/files.hpp"
#include "tools/frame/command_line.hpp"
#include "tools/frame/limited_search.hpp"
#include "tools/frame/options.hpp"
#include "tools/interchange/format.hpp"
#include "tpn/models.hpp"
#include "tpn/visible.hpp"

namespace takt::tools {

namespace {

// Some hundred megabytes of text.
constexpr std::uint64_t kMostExported = 200'000;

struct ExportOptions {
  std::string file;
  ModelChoice model;
  std::optional<std::uint64_t> window;
  std::string format;
  std::string output;
  std::optional<double> time_limit;
  std::uint64_t max_transitions = kMostExported;
};

// What each is, a line each.
std::string listed_formats() {
  std::string text = "Formats:\n";
  for (const InterchangeFormat& format : interchange_formats()) {
    text += fmt::format("  {:<6} {:<6} {}\n", format.name, format.ending, format.summary);
  }
  return text;
}

std::vector<std::string> format_names() {
  std::vector<std::string> names;
  for (const InterchangeFormat& format : interchange_formats()) names.emplace_back(format.name);
  return names;
}

const InterchangeFormat& chosen_interchange(const ExportOptions& options) {
  const InterchangeFormat* format =
      options.format.empty() ? format_of_ending(options.output) : find_format(options.format);
  if (format != nullptr) return *format;
  std::string endings;
  for (const InterchangeFormat& known : interchange_formats()) {
    endings += fmt::format("{}{}", endings.empty() ? "" : ", ", known.ending);
  }
  throw UsageError(fmt::format("say which format with --to, or by the ending of -o OUT: {}{}", endings,
                               options.output.empty() ? "" : fmt::format("; found {}", tpn::visible(options.output))));
}

Exported export_model(const tpn::Document& document, const tpn::Model& model, const ExportOptions& options,
                      const InterchangeFormat& format, const maxplus::Deadline& deadline) {
  const auto folded = fold_instance(options.file, document, model, deadline, options.window.value_or(0));
  if (const auto* too_large = std::get_if<tpn::TooLarge>(&folded)) return NotExported{too_large_text(*too_large)};
  const auto& instance = std::get<EvaluatedInstance>(folded);
  std::string name = document.application.name.empty() ? "pipeline" : document.application.name;
  name += ", " + tpn::title_of(model) + tpn::capacity_title(0, options.window.value_or(0));
  return export_net(format, {instance.net, name, instance.stages, instance.times.has_units()}, options.max_transitions);
}

int export_all(const ExportOptions& options, Streams& streams) {
  require_window(options.window);
  const InterchangeFormat& format = chosen_interchange(options);
  const tpn::Document document = read_instance(options.file, streams);
  if (!options.output.empty() && options.output.find('.') == std::string::npos &&
      models_of(document, options.model).size() > 1) {
    throw UsageError("-o " + options.output +
                     ": found no ending, expected one: two models make two files, such as OUT-strict.pnml");
  }
  const ModelOutputs outputs = model_outputs(options.file, options.output, document, options.model, streams);
  const LimitedSearch search(options.time_limit);
  std::vector<InterchangeText> texts;
  for (const tpn::Model& model : outputs.models) {
    Exported exported = export_model(document, model, options, format, search.deadline());
    if (const auto* reason = std::get_if<NotExported>(&exported))
      return tell_limit(streams, options.file, model, reason->text);
    texts.push_back(std::get<InterchangeText>(std::move(exported)));
  }
  for (std::size_t k = 0; k < texts.size(); ++k) {
    hand_out(streams, outputs.paths[k], fmt::format("{}, {}", tpn::title_of(outputs.models[k]), texts[k].description),
             [&](std::ostream& out) { out << texts[k].text; });
  }
  return kAnswered;
}

}  // namespace

Action define_export(CommandLine& line) {
  auto options = std::make_shared<ExportOptions>();
  line.positional("FILE", options->file, "an instance (JSON); - is standard input");
  add_model_options(line, options->model);
  add_window_option(line, options->window);
  line.option("--to", options->format, "pnml, tina, sdf3, csdf or graph, see below; default: by the ending of OUT")
      .check(one_of(format_names()))
      .type_name("FORMAT");
  line.option("-o", options->output,
              "default: the net of one model on standard output. Two models make two files, such as OUT-strict.pnml")
      .check(output_name())
      .type_name("OUT");
  line.option("--max-transitions", options->max_transitions, "maximum number of transitions, or actors of csdf")
      .check(positive_integer())
      .shows_default()
      .type_name("N");
  add_time_limit(line, options->time_limit, "building the nets", "");
  line.footer(listed_formats() +
              "docs/interchange.md says what each format holds, and how the result of another tool becomes a period.\n"
              "\n"
              "Example:\n"
              "  takt export examples/example-a.json --model strict -o example-a.pnml\n"
              "  takt export examples/example-a.json --model strict --to csdf -o example-a.xml");
  return [options](Streams& streams) { return export_all(*options, streams); };
}

}  // namespace takt::tools
