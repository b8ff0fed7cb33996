// Figures as tables and scripts, what gnuplot makes of them, and reports of runs from the command line.
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "tests/tools/program.hpp"
#include "tools/command.hpp"
#include "tools/experiment/gnuplot.hpp"
#include "tools/experiment/plot_files.hpp"
#include "tools/experiment/plot_style.hpp"

namespace takt::testing {
namespace {

using Catch::Contains;
using experiments::Estimate;
using experiments::FigureKind;
using experiments::FigurePoint;
using experiments::FigureSeries;
using experiments::ReportedFigure;
using maxplus::Rational;
using tools::plot_script;
using tools::plot_table;

FigurePoint point(const Rational& x, const Rational& y) { return {x, Estimate{y, y, {}}, {}}; }

FigureSeries series(const std::string& label, const std::string& heuristic, bool is_dashed,
                    std::vector<FigurePoint> points) {
  FigureSeries result;
  result.label = label;
  result.words = label;
  result.heuristic = heuristic;
  result.is_dashed = is_dashed;
  result.points = std::move(points);
  return result;
}

ReportedFigure curves() {
  ReportedFigure figure;
  figure.request.name = "means";
  figure.request.title = "It's a $(title) `of` \\ \"words\"";
  figure.request.x_label = "stages";
  figure.request.y_label = "period";
  figure.x_words = "stages";
  figure.y_words = "period";
  figure.series = {series("bsc", "bsc", false, {point(1, Rational::fraction(1, 3)), point(2, 4)}),
                   series("bsc predicted", "bsc", true, {point(2, 3), {4, std::nullopt, {}}})};
  return figure;
}

bool has_gnuplot() { return std::system("gnuplot --version > /dev/null 2>&1") == 0; }

const char* const kPlottedText = R"({
  "name": "small", "seed": 5, "study": "evaluate",
  "generator": {"name": "replicated-mapping", "stages": 2}, "models": ["strict"],
  "grid": {"draws": 20, "processors": [3, 4, 5]}, "bins": {"period": 2},
  "report": [
    {"kind": "table", "columns": [{"mean": "period"}, {"largest": "gap"}]},
    {"kind": "curve", "name": "mean", "x": "processors", "y": {"mean": "period"}, "paper_range": [5, 10], "line": 7,
     "line_label": "seven", "x_logarithmic": true},
    {"kind": "whiskers", "name": "spread", "title": "It's", "x": "cell", "y": {"mean": "period"}},
    {"kind": "histogram", "name": "bins", "where": {"processors": 5}, "y": {"bins": "period"}}
  ],
  "expect": [{"says": "periods exist", "value": {"smallest": "period"}, "within": [0, 1000]}]
})";

}  // namespace

TEST_CASE("the table of a figure has a line for each x and two columns for each number") {
  CHECK(plot_table(curves()) ==
        "stages\tstages exactly\tbsc\tbsc exactly\tbsc predicted\tbsc predicted exactly\n"
        "1\t1\t0.3333333333\t1/3\tNaN\t-\n"
        "2\t2\t4\t4\t3\t3\n"
        "4\t4\tNaN\t-\tNaN\t-\n");
}

TEST_CASE("the script of a figure draws the columns of its table, and takes words as they are") {
  const std::string script = plot_script(curves());
  CHECK_THAT(script, Contains("if (!exists('output')) output = 'means.svg'\n"));
  CHECK_THAT(script, Contains("set title 'It''s a $(title) `of` \\ \"words\"'\n"));
  CHECK_THAT(script, Contains("set xrange [0.94:4.06]\nset yrange [0:4.183333333]\n"));
  CHECK_THAT(script, Contains("plot 'means.tsv' skip 1 using 1:3 with linespoints linecolor '#d55e00' linewidth 1.8 "
                              "dashtype 1 pointtype 13 pointsize 0.7 pointinterval 1 title 'bsc', \\\n"
                              "     'means.tsv' skip 1 using 1:5 with linespoints linecolor '#d55e00' linewidth 1.8 "
                              "dashtype (8,5) pointtype 12 pointsize 0.7 pointinterval 1 title 'bsc predicted'\n"));
}

TEST_CASE("bands, levels, ranges and logarithms are in the script") {
  ReportedFigure figure = curves();
  figure.request.y_is_logarithmic = true;
  figure.request.y_range = {{Rational::fraction(1, 2), 100}};
  figure.request.paper_range = {{2, 3}};
  figure.request.line = Rational(5);
  figure.request.line_label = "five";
  const std::string script = plot_script(figure);
  CHECK_THAT(script, Contains("set yrange [0.5:100]\nset logscale y\nset ytics (0.5, 1, 2, 5, 10, 20, 50, 100)\n"));
  CHECK_THAT(script, Contains("rectangle from graph 0, first 2 to graph 1, first 3 behind"));
  CHECK_THAT(script, Contains("title 'the paper''s axis'") && Contains("first 5 nohead"));
  CHECK_THAT(script, Contains("title 'five'"));
}

TEST_CASE("whiskers of several series stand side by side, and bars of bins share their width") {
  ReportedFigure figure = curves();
  figure.request.kind = FigureKind::whiskers;
  figure.categories = {"a", "b", "c", "d", "e"};
  const std::string script = plot_script(figure);
  CHECK_THAT(script, Contains("using ($2 + -0.05):3:5 with yerrorbars") && Contains("using ($2 + 0.05):7:9 with"));
  CHECK_THAT(script, Contains("set xtics ('a' 0, 'b' 1, 'c' 2, 'd' 3, 'e' 4)\nset xrange [-0.5:4.5]\n"));
  CHECK_THAT(plot_table(figure), Contains("\nb\t1\t0.3333333333\t1/3\tNaN\t-\tNaN\t-\tNaN\t-\n"));
  figure = curves();
  figure.request.kind = FigureKind::histogram;
  figure.bin_width = Rational(1);
  CHECK_THAT(plot_script(figure), Contains("using ($1 + 0.27):3:(0.46) with boxes") && Contains("using ($1 + 0.73):5"));
  CHECK_THAT(plot_script(figure), Contains("solid 0.85 border") && Contains("solid 0.35 border"));
  CHECK_THAT(plot_table(figure), Contains("\n1\t1\t0.3333333333\t1/3\t0\t0\n"));
}

TEST_CASE("a heuristic looks the same in all figures, its curves differ, and so do those of no heuristic") {
  ReportedFigure figure;
  figure.series = {series("a", "spl", false, {}), series("b", "bsc", false, {}), series("c", "bsc", false, {}),
                   series("d", "bsc", true, {}), series("e", "", false, {})};
  const auto styles = tools::styles_of(figure);
  CHECK(styles[0].color == "#e69f00");
  CHECK(styles[1].color == "#d55e00");
  CHECK(styles[2].color == "#d55e00");
  CHECK(styles[1].dash == "1");
  CHECK(styles[2].dash != styles[1].dash);
  CHECK(styles[3].dash != styles[2].dash);
  CHECK(styles[3].mark == styles[1].mark - 1);
  CHECK(styles[4].color == "#0072b2");
  figure.series.assign(5, series("", "bsc", false, {}));
  for (std::size_t i = 0; i < 5; ++i) figure.series[i].label = std::string(1, static_cast<char>('a' + i));
  const auto many = tools::styles_of(figure);
  CHECK(many[0].color != many[4].color);
}

TEST_CASE("a run is reported, checked and plotted") {
  const TemporaryFolder folder;
  const std::string run = folder.path("run");
  const std::string file = folder.write("small.json", kPlottedText);
  REQUIRE(takt({"experiment", "run", file, "-o", run, "--jobs", "1"}).status == tools::kAnswered);
  const Outcome report = takt({"experiment", "report", run});
  CHECK(report.status == tools::kAnswered);
  CHECK_THAT(report.out, Contains("60 draws of `replicated-mapping`, seed 5.") && Contains("- **met**, the paper's"));
  CHECK(takt({"experiment", "report", run, "--check"}).status == tools::kAnswered);
  CHECK_THAT(takt({"experiment", "report", run, "--format", "csv"}).out, Contains("processors 3,mean period,"));
  CHECK(takt({"experiment", "report", run, "--format", "xml"}).status == tools::kUsage);
  const Outcome latex = takt({"experiment", "report", run, "--format", "latex", "--figures", "pictures"});
  CHECK(latex.status == tools::kAnswered);
  CHECK_THAT(latex.out, Contains("{pictures/spread}") && Contains("$\\pm$") && !Contains("documentclass"));
  const Outcome document = takt({"experiment", "report", run, "--format", "latex", "--document"});
  CHECK_THAT(document.out, Contains("documentclass") && !Contains("includegraphics"));
  CHECK_THAT(takt({"experiment", "report", run, "--document"}).err, Contains("--document goes with --format latex"));
  CHECK_THAT(takt({"experiment", "report", run, "--figures", "x"}).err, Contains("--figures goes with --format latex"));
  CHECK_THAT(takt({"experiment", "report", run, "--format", "latex", "--figures", "50%"}).err,
             Contains("--figures: found \"50%\", expected a path without any of"));
  CHECK(takt({"experiment", "report", folder.path("none")}).status == tools::kBadInput);

  const Outcome plot = takt({"experiment", "plot", run});
  const std::string table = text_of(run + "/figures/mean.tsv");
  CHECK(lines_of(table).size() == 4);
  CHECK_THAT(text_of(run + "/figures/bins.gp"), Contains("with boxes"));
  if (!has_gnuplot()) {
    WARN("no gnuplot: pictures are not tested");
    CHECK(plot.status == tools::kNo);
    CHECK_THAT(plot.err, Contains("gnuplot-nox"));
    return;
  }
  CHECK(plot.status == tools::kAnswered);
  const std::string picture = text_of(run + "/figures/spread.svg");
  CHECK_THAT(picture, Contains("<svg") && (Contains(">It&#39;s<") || Contains(">It's<")));
  CHECK_THAT(text_of(run + "/figures/mean.svg"), Contains("seven") && Contains("the paper"));
  for (const std::string format : {"pdf", "png"}) {
    const Outcome made = takt({"experiment", "plot", run, "--format", format, "-o", folder.path(format)});
    CHECK(made.status == tools::kAnswered);
    CHECK_THAT(made.out, Contains("/mean.svg, drawn from ") && Contains("/mean." + format + " of it\n"));
    CHECK_THAT(text_of(folder.path(format) + "/mean." + format),
               Catch::StartsWith(format == "pdf" ? "%PDF-1." : "\x89PNG"));
    CHECK(text_of(folder.path(format) + "/mean.svg") == text_of(run + "/figures/mean.svg"));
  }
  const std::string again = folder.path("pdf again");
  REQUIRE(takt({"experiment", "plot", run, "--format", "pdf", "-o", again}).status == tools::kAnswered);
  CHECK(text_of(again + "/spread.pdf") == text_of(folder.path("pdf") + "/spread.pdf"));
  CHECK(takt({"experiment", "plot", run, "--format", "eps"}).status == tools::kUsage);
  REQUIRE(takt({"experiment", "plot", run, "-o", folder.path("again")}).status == tools::kAnswered);
  for (const char* name : {"mean.svg", "mean.gp", "mean.tsv", "spread.svg", "bins.svg"}) {
    CHECK(text_of(folder.path("again") + "/" + name) == text_of(run + "/figures/" + name));
  }
}

TEST_CASE("an expectation that is not met makes the status of a check, and a run without figures says so") {
  const TemporaryFolder folder;
  const std::string run = folder.path("run");
  const std::string file = folder.write("small.json", R"({"name": "n", "study": "evaluate",
    "generator": "replicated-mapping", "grid": {"draws": 2}, "models": ["strict"],
    "expect": [{"says": "there are none", "value": {"draws": true}, "within": [0, 0]}]})");
  REQUIRE(takt({"experiment", "run", file, "-o", run, "--jobs", "1"}).status == tools::kAnswered);
  CHECK(takt({"experiment", "report", run}).status == tools::kAnswered);
  CHECK(takt({"experiment", "report", run, "--check"}).status == tools::kNo);
  const Outcome plot = takt({"experiment", "plot", run});
  CHECK(plot.status == tools::kNo);
  CHECK_THAT(plot.err, Contains("its description has no figures"));
}

TEST_CASE("without gnuplot tables and scripts are written, and what to install is said") {
  const TemporaryFolder folder;
  const std::string run = folder.path("run");
  const std::string file = folder.write("small.json", kPlottedText);
  REQUIRE(takt({"experiment", "run", file, "-o", run, "--jobs", "1"}).status == tools::kAnswered);
  const std::string path = std::getenv("PATH");
  setenv("PATH", folder.path("").c_str(), 1);
  const Outcome plot = takt({"experiment", "plot", run});
  setenv("PATH", path.c_str(), 1);
  CHECK(plot.status == tools::kNo);
  CHECK_THAT(plot.err, Contains("Install the Debian package gnuplot-nox"));
  CHECK_THAT(text_of(run + "/figures/mean.gp"), Contains("plot 'mean.tsv'"));
  CHECK_FALSE(std::filesystem::exists(run + "/figures/mean.svg"));
  CHECK_FALSE(std::filesystem::exists(run + "/figures/mean.svg.part"));
}

TEST_CASE("what gnuplot refuses leaves no picture, and is told") {
  if (!has_gnuplot()) {
    WARN("no gnuplot: not tested");
    return;
  }
  const TemporaryFolder folder;
  folder.write("bad.gp", "set terminal svg\nset output output\nset nonsense 1\n");
  const std::string path = folder.path("");
  const tools::GnuplotOutcome outcome = tools::run_gnuplot(path, "bad");
  CHECK_FALSE(outcome.is_missing);
  CHECK_THAT(outcome.trouble, Contains("bad.gp") && Contains("line 3"));
  CHECK(folder.names() == std::vector<std::string>{"bad.gp"});
}

}  // namespace takt::testing
