// takt simulate: when the operations of the first data sets start and end, as CSV or JSON.
#include <fmt/format.h>
#include <fmt/ostream.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "evaluators/play/play.hpp"
#include "tools/answers/completion_output.hpp"
#include "tools/answers/evaluation_output.hpp"
#include "tools/answers/limit_words.hpp"
#include "tools/files/files.hpp"
#include "tools/frame/command_line.hpp"
#include "tools/frame/options.hpp"
#include "tools/gantt/chart_window.hpp"
#include "tools/gantt/gantt_chart.hpp"
#include "tools/gantt/gantt_svg.hpp"
#include "tools/live/trace_writer.hpp"
#include "tools/pictures/svg_picture.hpp"
#include "tools/words/operation_words.hpp"
#include "tools/words/time_words.hpp"
#include "tpn/models.hpp"

namespace takt::tools {

namespace {

using evaluators::Firing;
using maxplus::Integer;

// Lines of a table that nobody would plot, and gigabytes of text.
constexpr std::uint64_t kMostOperations = 100'000'000;
constexpr std::uint64_t kDataSets = 100;

struct SimulateOptions {
  std::string file;
  ModelChoice model;
  std::string format;
  std::string output;
  std::optional<std::uint64_t> data_sets;
  std::vector<std::string> completion;
  std::optional<double> time_limit;

  bool draws() const { return format.empty() && names_picture(output); }
};

// What is to be played and written.
struct Play {
  std::string file;
  std::uint64_t data_sets = 0;
  std::vector<std::string> stages;
  std::vector<tpn::FoldedNet> nets;  // one for each model
  TimeWords times;
};

Integer operations_of(const Play& what) {
  Integer operations = 0;
  for (const tpn::FoldedNet& net : what.nets) operations += Integer(what.data_sets) * net.pipeline.columns.size();
  return operations;
}

// Played anew each time they are asked for.
std::vector<ModelTrace> traces_of(const Play& what) {
  std::vector<ModelTrace> traces;
  for (const tpn::FoldedNet& net : what.nets) {
    traces.push_back(
        {net, [&](const std::function<bool(const Firing&)>& visit) { evaluators::play(net, what.data_sets, visit); }});
  }
  return traces;
}

using PlayWriter = void (*)(std::ostream& out, const TraceSubject& subject, const std::vector<ModelTrace>& traces);

PlayWriter writer_of(const SimulateOptions& options) {
  if (!options.format.empty()) return options.format == "json" ? write_trace_json : write_trace_csv;
  constexpr std::string_view kEnding = ".json";
  const std::string& name = options.output;
  const bool names_json =
      name.size() > kEnding.size() && name.compare(name.size() - kEnding.size(), kEnding.size(), kEnding) == 0;
  return names_json ? write_trace_json : write_trace_csv;
}

void require_output(const SimulateOptions& options) {
  if (options.output.empty() || options.draws()) return;
  if (options.output == "-") throw UsageError("-o takes a file; the times go to standard output without it");
  require_apart({options.file}, {options.output});
  require_writable(options.output);
}

void require_consistent(const SimulateOptions& options) {
  if (options.completion.empty() && options.time_limit) throw UsageError("--time-limit goes with --completion");
  if (!options.completion.empty() && !options.output.empty()) {
    throw UsageError("--completion goes to standard output, without -o");
  }
}

// The data sets that are played and no others; by default as many as can be looked at.
int draw(const SimulateOptions& options, const Play& what, Streams& streams) {
  std::vector<tpn::Model> models;
  for (const tpn::FoldedNet& net : what.nets) models.push_back(net.model);
  const std::vector<std::string> paths = paths_of_models(options.file, options.output, models);
  std::vector<std::string> texts;
  std::vector<std::string> words;
  for (const tpn::FoldedNet& net : what.nets) {
    const ChartSubject subject{net, what.stages, what.times};
    const StartUpChart chart(net, options.data_sets);
    const ChosenWindow window = start_up_window(subject, chart, {std::nullopt, options.data_sets});
    const auto drawing = gantt_of(what.file, subject, chart, window);
    if (!drawing || !is_drawable(*drawing)) {
      return tell_limit(streams, options.file, net.model,
                        (drawing ? "times are beyond what a drawing can hold"
                                 : fmt::format("more than {} operations are not drawn (--data-sets)", kMostDrawn)) +
                            "; a table has them: -o OUT.csv");
    }
    texts.push_back(picture_bytes(gantt_svg(*drawing), options.output));
    words.push_back(window.words);
  }
  for (std::size_t k = 0; k < paths.size(); ++k) {
    hand_out(streams, paths[k], words[k], [&](std::ostream& out) { out << texts[k]; });
  }
  return kAnswered;
}

int simulate(const SimulateOptions& options, Streams& streams) {
  require_consistent(options);
  require_output(options);
  const tpn::Document document = read_instance(options.file, streams);
  if (!options.completion.empty()) {
    return write_completions({options.file, options.completion, options.format, options.time_limit}, document,
                             models_of(document, options.model), streams);
  }
  Play what{
      options.file, options.data_sets.value_or(kDataSets), stage_names(document.application), {}, TimeWords(document)};
  for (const tpn::Model model : models_of(document, options.model)) {
    auto folded = tpn::fold(document, model);
    if (const auto* too_large = std::get_if<tpn::TooLarge>(&folded))
      return tell_limit(streams, options.file, model, too_large_text(*too_large));
    what.nets.push_back(std::get<tpn::FoldedNet>(std::move(folded)));
  }
  const Integer operations = operations_of(what);
  if (operations > kMostOperations) {
    fmt::print(streams.err, "takt: {}: {}\n", display_name(options.file),
               too_large_hint({tpn::LimitKind::played_operations, operations, kMostOperations}));
    return kLimit;
  }
  if (options.draws()) return draw(options, what, streams);
  const std::string words = fmt::format("{} of {}", plural(operations, "operation"), what.times.items(what.data_sets));
  hand_out(streams, options.output, words, [&](std::ostream& out) {
    writer_of(options)(out, {what.file, what.stages, what.times, what.data_sets}, traces_of(what));
  });
  return kAnswered;
}

}  // namespace

Action define_simulate(CommandLine& line) {
  auto options = std::make_shared<SimulateOptions>();
  line.positional("FILE", options->file, "an instance (JSON); - is standard input");
  add_model_options(line, options->model);
  const CommandOption data_sets =
      line.option("--data-sets", options->data_sets,
                  "play the first N data sets; default: 100, or in a drawing as many as fit")
          .check(positive_integer())
          .type_name("N");
  line.option(
          "--completion", options->completion,
          "print when the first N data sets are done, for each N, without playing them all; default format: a table")
      .check(count_of_data_sets())
      .type_name("N")
      .takes_several()
      .excludes(data_sets);
  add_time_limit(line, options->time_limit, "--completion", "the times are bounds");
  line.option("--format", options->format, "csv or json; default: csv, or json where OUT ends in .json")
      .check(one_of({"csv", "json"}))
      .type_name("FORMAT");
  line.option("-o", options->output,
              "default: standard output. OUT in .svg, .png or .pdf is a drawing like takt gantt --schedule start-up; "
              "two models make two files, such as OUT-strict.svg")
      .check(output_name())
      .type_name("OUT");
  line.footer(
      "The pipeline is empty at first, and every operation starts as early as possible. takt evaluate --method "
      "simulate\n"
      "measures the period and the transient of the same play.\n"
      "\n"
      "Examples:\n"
      "  takt simulate examples/example-a.json --model strict --data-sets 12\n"
      "  takt simulate examples/example-a.json -o example-a.csv\n"
      "  takt simulate examples/example-a.json --completion 1 10 100 1e9");
  return [options](Streams& streams) { return simulate(*options, streams); };
}

}  // namespace takt::tools
