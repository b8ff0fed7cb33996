// takt experiment plot: the figures of a run as tables, scripts and pictures.
#include <fmt/ostream.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <ostream>
#include <system_error>

#include "tools/experiment/commands.hpp"
#include "tools/experiment/gnuplot.hpp"
#include "tools/experiment/plot_files.hpp"
#include "tools/experiment/run_directory.hpp"
#include "tools/files/files.hpp"
#include "tools/frame/command_line.hpp"
#include "tools/frame/options.hpp"
#include "tools/pictures/svg_picture.hpp"
#include "tools/words/number_words.hpp"
#include "tpn/visible.hpp"

namespace takt::tools {

using experiments::ReportedFigure;

namespace {

struct ExperimentPlotOptions {
  std::string directory;
  std::optional<std::string> output;
  std::string format = "svg";
};

void require_folder(const std::string& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error) throw FileError(path + ": cannot be made a directory: " + error.message());
}

constexpr std::size_t kMostSaid = 200;  // characters of what gnuplot said last, which names the line

// PNG and PDF are made of what gnuplot drew: they look alike, and are the same bytes from run to run, which gnuplot's
// own are not.
void convert(const std::string& path, const std::string& format, Streams& streams) {
  const std::string picture = path + "." + format;
  write_file(picture, picture_bytes(read_text(path + ".svg", streams), picture));
}

// True if the picture is there.
bool draw(const std::string& folder, const std::string& format, const ReportedFigure& figure, Streams& streams) {
  const std::string path = folder + "/" + figure.request.name;
  write_file(path + ".tsv", plot_table(figure));
  write_file(path + ".gp", plot_script(figure));
  const GnuplotOutcome outcome = run_gnuplot(folder, figure.request.name);
  if (outcome.is_missing) {
    fmt::print(streams.out, "wrote {0}.tsv and {0}.gp\n", display_name(path));
    return false;
  }
  if (!outcome.trouble.empty()) {
    throw FileError("gnuplot could not draw " + path + ".gp: " + tpn::visible(last_line(outcome.trouble), kMostSaid));
  }
  if (format != "svg") convert(path, format, streams);
  fmt::print(streams.out, "wrote {0}.svg, drawn from {0}.tsv by {0}.gp{1}\n", display_name(path),
             format == "svg" ? "" : fmt::format(", and {}.{} of it", display_name(path), format));
  return true;
}

int answer_plot(const ExperimentPlotOptions& options, Streams& streams) {
  const RunDirectory directory = RunDirectory::open(options.directory);
  const experiments::Summary summary = directory.summary();
  const std::string folder = options.output.value_or(options.directory + "/figures");
  bool has_figures = false;
  bool are_drawn = true;
  for (const experiments::ReportItem& item : directory.description().report) {
    const auto* const request = std::get_if<experiments::FigureRequest>(&item);
    if (request == nullptr) continue;
    if (!has_figures) require_folder(folder);
    has_figures = true;
    are_drawn = draw(folder, options.format, experiments::figure_of(summary, *request), streams) && are_drawn;
  }
  if (!has_figures) {
    fmt::print(streams.err, "{}: its description has no figures\n", display_name(options.directory));
    return kNo;
  }
  if (are_drawn) return kAnswered;
  fmt::print(streams.err,
             "There is no gnuplot to draw them. Install the Debian package gnuplot-nox and run this again, or gnuplot "
             "on each .gp in {}.\n",
             display_name(folder));
  return kNo;
}

}  // namespace

Action define_experiment_plot(CommandLine& line) {
  const auto options = std::make_shared<ExperimentPlotOptions>();
  line.positional("DIR", options->directory, "the directory of a run");
  line.option("-o,--output", options->output, "write to this folder; default: DIR/figures")
      .type_name("OUTDIR")
      .check(output_name());
  line.option("--format", options->format, "svg; with pdf or png, that file as well")
      .type_name("FORMAT")
      .check(one_of({"svg", "pdf", "png"}))
      .shows_default();
  line.footer(
      "For each figure takt writes its numbers (FIGURE.tsv), commands for gnuplot (FIGURE.gp) and, if gnuplot is\n"
      "installed, the picture (FIGURE.svg), from which it makes FIGURE.pdf or FIGURE.png.\n"
      "\n"
      "Exit status: 0 all drawn, 1 nothing to draw, or no gnuplot, 3 bad input.\n"
      "\n"
      "Example:\n"
      "  takt experiment plot table-2 -o pictures");
  return [options](Streams& streams) { return answer_plot(*options, streams); };
}

}  // namespace takt::tools
