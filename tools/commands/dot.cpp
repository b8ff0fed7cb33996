// takt dot: the timed Petri net of a mapping as a drawing, its critical circuit marked.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "evaluators/evaluate.hpp"
#include "tools/answers/evaluation_output.hpp"
#include "tools/answers/limit_words.hpp"
#include "tools/drawing/drawing.hpp"
#include "tools/drawing/graphviz.hpp"
#include "tools/files/files.hpp"
#include "tools/frame/command_line.hpp"
#include "tools/frame/limited_search.hpp"
#include "tools/frame/options.hpp"
#include "tools/pictures/svg.hpp"
#include "tpn/event_graph.hpp"
#include "tpn/models.hpp"

namespace takt::tools {

namespace {

// More than this is not looked at but searched.
constexpr std::uint64_t kMostTransitions = 600;

struct DotOptions {
  std::string file;
  ModelChoice model;
  std::string output;
  std::optional<double> time_limit;
  bool collapse = false;
  bool arcs = false;
  std::uint64_t max_transitions = kMostTransitions;
};

struct Picture {
  Drawing drawing;
  std::string description;  // what it shows
  tpn::Model model;
};

// Too large to be drawn; the text says what to do.
struct Unfit {
  std::string text;
};

std::string size_of(const tpn::Pipeline& pipeline) {
  return fmt::format("{} rows x {} columns", pipeline.rows.get_str(), pipeline.columns.size());
}

std::variant<Picture, Unfit> draw(const tpn::Document& document, tpn::Model model, const DotOptions& options,
                                  const evaluators::Deadline& deadline, Streams& streams) {
  const std::string title = tpn::title_of(model);
  const auto folded = tpn::fold(document, model, deadline);
  if (const auto* too_large = std::get_if<tpn::TooLarge>(&folded)) {
    return Unfit{"the net cannot be drawn: " + too_large_text(*too_large)};
  }
  const auto& net = std::get<tpn::FoldedNet>(folded);
  const tpn::Integer transitions = net.pipeline.rows * net.pipeline.columns.size();
  if (!options.collapse && transitions > options.max_transitions) {
    return Unfit{
        fmt::format("the net has {} = {} transitions, more than {}: draw the folded net with --collapse, or "
                    "raise --max-transitions",
                    size_of(net.pipeline), transitions.get_str(), options.max_transitions)};
  }
  // Most nets have some arcs per column; guards can make them millions.
  constexpr std::uint64_t kArcsPerTransition = 10;
  if (options.collapse && net.dependences.size() / kArcsPerTransition > options.max_transitions) {
    return Unfit{
        fmt::format("the folded net has {} arcs, more than {} for each of {} transitions: raise "
                    "--max-transitions",
                    net.dependences.size(), kArcsPerTransition, options.max_transitions)};
  }
  evaluators::Options search;
  search.deadline = deadline;
  const evaluators::Evaluation evaluation = evaluators::evaluate(net, search);
  if (!evaluation.exact()) {
    const auto* limit = std::get_if<tpn::TooLarge>(&evaluation.limit);
    streams.err << "takt: no critical circuit is marked, because the period is known only as an interval: "
                << (limit == nullptr ? limit_text(evaluation) : too_large_text(*limit)) << '\n';
  }
  const Subject subject{document, net, evaluation};
  if (options.collapse) {
    return Picture{draw_folded(subject), fmt::format("{} columns, folded, {}", net.pipeline.columns.size(), title),
                   model};
  }
  const auto unfolded = tpn::unfold(net, net.pipeline.rows.get_ui());
  const PlaceForm form = options.arcs ? PlaceForm::arcs : PlaceForm::circles;
  return Picture{draw_unfolded(subject, std::get<tpn::EventGraph>(unfolded), form),
                 fmt::format("{}, {}", size_of(net.pipeline), title), model};
}

PictureFormat chosen_format(const DotOptions& options) {
  if (options.output.empty()) return PictureFormat::dot;
  const auto format = format_of(options.output);
  if (!format)
    throw UsageError("-o " + options.output + ": a drawing's name ends in .dot (or .gv), .svg, .png or .pdf");
  return *format;
}

int draw_all(const DotOptions& options, Streams& streams) {
  const PictureFormat format = chosen_format(options);
  const tpn::Document document = read_instance(options.file, streams);
  const ModelOutputs outputs = model_outputs(options.file, options.output, document, options.model, streams);
  const LimitedSearch search(options.time_limit);
  std::vector<Picture> pictures;
  for (const tpn::Model& model : outputs.models) {
    auto drawn = draw(document, model, options, search.deadline(), streams);
    const auto* unfit = std::get_if<Unfit>(&drawn);
    Unfit too_wide;
    if (unfit == nullptr && format == PictureFormat::png && pixels(std::get<Picture>(drawn).drawing) > kMostPixels) {
      too_wide.text = fmt::format(
          "the drawing would have {} pixels on a side, and a PNG can have {}: write .svg or "
          ".pdf, or draw the folded net with --collapse",
          pixels(std::get<Picture>(drawn).drawing), kMostPixels);
      unfit = &too_wide;
    }
    if (unfit != nullptr) {
      streams.err << "takt: " << display_name(options.file) << ": " << unfit->text << '\n';
      return kLimit;
    }
    pictures.push_back(std::get<Picture>(std::move(drawn)));
  }
  for (std::size_t k = 0; k < pictures.size(); ++k) {
    const std::string bytes = render(pictures[k].drawing, format);
    hand_out(streams, outputs.paths[k], pictures[k].description, [&](std::ostream& out) { out << bytes; });
  }
  return kAnswered;
}

}  // namespace

Action define_dot(CommandLine& line) {
  auto options = std::make_shared<DotOptions>();
  line.positional("FILE", options->file, "an instance (JSON); - is standard input");
  add_model_options(line, options->model);
  const CommandOption collapse =
      line.flag("--collapse", options->collapse, "draw the folded net: one box per column, for any number of rows");
  line.flag("--arcs", options->arcs, "draw places as arcs between transitions, without circles").excludes(collapse);
  line.option("-o", options->output,
              ".dot (DOT text), .svg, .png or .pdf; default: DOT of one model on standard output. Two models make two "
              "files, such as OUT-strict.svg")
      .check(output_name())
      .type_name("OUT");
  line.option("--max-transitions", options->max_transitions, "maximum number of transitions to draw")
      .check(positive_integer())
      .shows_default()
      .type_name("N");
  add_time_limit(line, options->time_limit, "the periods", "no critical circuit is marked");
  line.footer("Example:\n  takt dot examples/example-a.json --model strict -o example-a.svg");
  return [options](Streams& streams) { return draw_all(*options, streams); };
}

}  // namespace takt::tools
