// Figures as tables and scripts, what gnuplot makes of them, and reports of runs from the command line.
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <string>

#include "heuristics/registry.hpp"
#include "tests/tools/program.hpp"
#include "tools/command.hpp"
#include "tools/experiment/gnuplot.hpp"
#include "tools/experiment/plot_files.hpp"
#include "tools/experiment/plot_ranks.hpp"
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

TEST_CASE("profiles are steps over ratios on a logarithmic axis, to its end, with marks of their own") {
  ReportedFigure figure = curves();
  figure.request.kind = FigureKind::profile;
  figure.request.x_is_logarithmic = true;
  figure.series = {series("bsc", "bsc", false, {point(1, Rational::fraction(1, 2)), point(3, 1)}),
                   series("spl", "spl", false, {point(1, 0), point(2, Rational::fraction(1, 2)), point(8, 1)})};
  CHECK(plot_table(figure) ==
        "stages\tstages exactly\tbsc\tbsc exactly\tspl\tspl exactly\n"
        "1\t1\t0.5\t1/2\t0\t0\n"
        "2\t2\tNaN\t-\t0.5\t1/2\n"
        "3\t3\t1\t1\tNaN\t-\n"
        "8\t8\t1\t1\t1\t1\n");
  const std::string script = plot_script(figure);
  CHECK_THAT(script, Contains("set datafile missing 'NaN'\n") && Contains("set xrange [1:8]\nset logscale x\n") &&
                         Contains("set yrange [0:1]\n"));
  CHECK_THAT(script, Contains("'means.tsv' skip 1 using 1:5 with steps linecolor '#e69f00' linewidth 2 dashtype 1"));
  CHECK_THAT(script, Contains("$marks1 using 1:2 with points linecolor '#e69f00'") && Contains(" title 'spl'"));
  figure.request.x_range = {{1, 2}};
  CHECK_THAT(plot_script(figure), Contains("set xrange [1:2]\n"));
}

TEST_CASE("boxes have quartiles, whiskers and what lies outside in the table, a line for each of these") {
  ReportedFigure figure = curves();
  figure.request.kind = FigureKind::boxes;
  figure.categories = {"5", "10"};
  FigurePoint first{0, Estimate{3, 3, {}}, {}, experiments::BoxNumbers{1, 2, 3, 4, 5, {-9, 20}}};
  FigurePoint second{1, Estimate{4, 4, {}}, {}, experiments::BoxNumbers{4, 4, 4, 4, 4, {}}};
  figure.series = {series("bsc", "bsc", false, {first, second}), series("spl", "spl", false, {second})};
  const std::vector<std::string> lines = lines_of(plot_table(figure));
  REQUIRE(lines.size() == 4);
  CHECK_THAT(lines[0], Catch::StartsWith("stages\tstages as a number\tbsc\tbsc exactly\tbsc first quartile\t"));
  CHECK_THAT(lines[1], Catch::StartsWith("5\t0\t3\t3\t2\t2\t4\t4\t1\t1\t5\t5\t-9\t-9\tNaN\t-"));
  CHECK_THAT(lines[2], Catch::StartsWith("5\t0\tNaN\t-\tNaN\t-\tNaN\t-\tNaN\t-\tNaN\t-\t20\t20\tNaN\t-"));
  CHECK_THAT(lines[3], Catch::StartsWith("10\t1\t4\t4\t"));
  const std::string script = plot_script(figure);
  CHECK_THAT(script, Contains("using ($2 + -0.2):5:9:11:7:(0.32) with candlesticks fillcolor '#d55e00'"));
  CHECK_THAT(script, Contains("using ($2 + 0.2):25 with points linecolor '#e69f00'"));
  CHECK_THAT(script, Contains("set yrange [-10.45:21.45]\n"));
  // Heuristics at x are named there.
  figure.categories = {"bsc", "spl"};
  figure.series = {series("bsc", "bsc", false, {first}), series("spl", "spl", false, {second})};
  CHECK_THAT(plot_script(figure), Contains("using ($2 + 0):5:9:11:7:(0.64)") && Contains("using ($2 + 0):17:21") &&
                                      !Contains(" title 'bsc'"));
}

TEST_CASE("ranks are drawn on an axis, with bars, the critical difference and the test in words") {
  ReportedFigure figure;
  figure.request.kind = FigureKind::rank;
  figure.request.name = "ranks";
  figure.request.title = "Who's first";
  figure.categories = {"mean rank"};
  figure.series = {series("spl", "spl", false, {point(0, Rational::fraction(5, 2))}),
                   series("bsc", "bsc", false, {point(0, 1)}),
                   series("random", "random", false, {point(0, Rational::fraction(5, 2))})};
  experiments::Ranking ranking;
  ranking.level = Rational::fraction(1, 20);
  ranking.blocks = 30;
  ranking.statistic = Rational::fraction(81, 2);
  ranking.tail = 1.6e-9;
  ranking.critical_difference = 0.605;
  ranking.order = {1, 0, 2};
  ranking.groups = {{1, 2}};
  figure.rankings = {ranking};
  const std::string script = plot_script(figure);
  CHECK_THAT(script, Contains("set terminal svg size 720,") && Contains("set label 'Who''s first' at 360,"));
  CHECK_THAT(script, Contains("set label 'CD = 0.605'") && Contains("set label 'bsc  1.00'"));
  CHECK_THAT(script, Contains("Friedman''s test: χ² = 40.5, p < 0.001. Nemenyi''s test at level 0.05:"));
  CHECK_THAT(script, Contains("linecolor '#d55e00' pointtype 13"));
  CHECK(
      tools::whole_ranking_text(figure, ranking) ==
      "Mean ranks of 30 draws, 1 the least. Friedman's test: χ² = 40.5, p < 0.001. Nemenyi's test at level 0.05: mean "
      "ranks differ that lie 0.605 (CD) or more apart; bars join those that do not. Ranks: bsc 1.00, spl 2.50, random "
      "2.50. Bars: spl - random.");
  CHECK(plot_table(figure) ==
        "\t as a number\tspl\tspl exactly\tbsc\tbsc exactly\trandom\trandom exactly\n"
        "mean rank\t0\t2.5\t5/2\t1\t1\t2.5\t5/2\n");
  ranking.tail = 0.2;
  CHECK_THAT(tools::ranking_text(figure, ranking),
             Contains("p = 0.2. It finds no difference at level 0.05: no pairs are compared."));
  ranking.tail = 0.01;
  ranking.test = experiments::RankTest::wilcoxon;
  ranking.groups = {};
  ranking.unjoined = {{0, 2}};
  CHECK(
      tools::ranking_text(figure, ranking) ==
      "Mean ranks of 30 draws, 1 the least. Friedman's test: χ² = 40.5, p = 0.01. Wilcoxon's signed rank tests of all "
      "pairs, Holm's procedure at level 0.05: bars join neighbors of which no two differ. Nor is a difference found "
      "between bsc and random.");
  figure.rankings.clear();
  CHECK_THAT(plot_script(figure), Contains("'no draw with a result yet'"));
}

TEST_CASE("many series make a picture higher, and long names in ranks are cut") {
  ReportedFigure figure = curves();
  CHECK_THAT(plot_script(figure), Contains("size 720,500 "));
  const std::string long_name = "a series whose name is longer than there is room for beside an axis";
  for (int i = 0; i < 10; ++i) figure.series.push_back(series(long_name, "", false, {point(1, 1)}));
  CHECK_THAT(plot_script(figure), Contains("maxcolumns 1 ") && Contains("size 720,684 "));
  figure.request.kind = FigureKind::rank;
  figure.series.resize(3);
  for (FigureSeries& one : figure.series) one.points = {point(0, 2)};
  experiments::Ranking ranking;
  ranking.level = Rational::fraction(1, 20);
  ranking.order = {0, 1, 2};
  figure.rankings = {ranking};
  CHECK_THAT(plot_script(figure), Contains("set label 'bsc  2.00'") && !Contains(long_name) && Contains("…  2.00'"));
}

TEST_CASE("panels share axes, styles and one legend, and columns name their panel") {
  ReportedFigure figure = curves();
  figure.panels = {"stages 5", "stages 10", "it's"};
  figure.series = {series("bsc", "bsc", false, {point(1, 1), point(2, 4)}), series("bsc", "bsc", false, {point(1, 30)}),
                   series("new", "", false, {point(2, 30)}), series("new", "", false, {point(1, 2)})};
  for (const std::size_t s : {1U, 2U}) figure.series[s].panel = 1;
  figure.series[3].panel = 2;
  CHECK_THAT(plot_table(figure), Catch::StartsWith("stages\tstages exactly\tstages 5: bsc\tstages 5: bsc exactly\t"
                                                   "stages 10: bsc\tstages 10: bsc exactly\tstages 10: new\t"));
  const std::string script = plot_script(figure);
  CHECK_THAT(script,
             Contains("set multiplot\n") && Contains("set title 'it''s' offset") && Contains("set yrange [0:31.45]\n"));
  CHECK_THAT(script,
             Contains("using 1:3 with linespoints linecolor '#d55e00' linewidth 1.8 dashtype 1 pointtype 13") &&
                 Contains("using 1:5 with linespoints linecolor '#d55e00' linewidth 1.8 dashtype 1 pointtype 13"));
  std::size_t entries = 0;
  for (std::size_t at = script.find(" title '"); at != std::string::npos; at = script.find(" title '", at + 1))
    ++entries;
  // The page's legend has each label once; panels have titles of their own.
  CHECK(entries == 2 + 3);
  CHECK_THAT(script, Contains("plot NaN notitle, \\\n     keyentry with linespoints linecolor '#d55e00'"));
}

TEST_CASE("each heuristic has a look of its own, and no two have the same") {
  std::set<std::pair<std::string, int>> looks;
  for (const heuristics::Heuristic& heuristic : heuristics::heuristics()) {
    ReportedFigure figure;
    // Behind one without a name, which takes the first of the looks that go by order.
    figure.series = {series("other", "", false, {}), series("x", "", false, {}),
                     series("a", std::string(heuristic.name), false, {})};
    figure.series[1].heuristic = "nothing of that name";
    const auto styles = tools::styles_of(figure);
    INFO(heuristic.name);
    CHECK(looks.emplace(styles[2].color, styles[2].mark).second);
    figure.series.erase(figure.series.begin(), figure.series.begin() + 2);
    CHECK(tools::styles_of(figure)[0].color == styles[2].color);
    CHECK(tools::styles_of(figure)[0].mark == styles[2].mark);
  }
  CHECK(looks.size() == heuristics::heuristics().size());
}

TEST_CASE("gnuplot draws figures of all kinds") {
  if (!has_gnuplot()) {
    WARN("no gnuplot: not tested");
    return;
  }
  const TemporaryFolder folder;
  const std::string run = folder.path("run");
  const std::string file = folder.write("kinds.json", R"({"name": "kinds", "seed": 2, "study": "heuristics",
    "generator": {"name": "skeleton-pair", "processors": 5}, "grid": {"draws": 6, "stages": [2, 4, 8]},
    "heuristics": ["bsc", "spl", "random"], "models": ["overlap", "strict"], "measures": ["period"],
    "bins": {"period": 2}, "report": [
      {"kind": "profile", "name": "profile", "y": {"values": "period", "model": "strict"}, "title": "It's"},
      {"kind": "profile", "name": "panels", "facet": "stages", "y": {"values": "period", "model": "strict"}},
      {"kind": "rank", "name": "nemenyi", "y": {"values": "period", "model": "strict"}},
      {"kind": "rank", "name": "wilcoxon", "facet": "model", "test": "wilcoxon", "y": {"values": "period"}},
      {"kind": "boxes", "name": "boxes", "x": "stages", "y": {"values": "period"}, "y_logarithmic": true},
      {"kind": "boxes", "name": "named", "x": "heuristic", "facet": "cell", "y": {"values": "period", "model": "strict"}},
      {"kind": "curve", "name": "curves", "x": "stages", "facet": "model", "y": {"mean": "period"}, "title": "Means",
       "line": 3, "line_label": "three", "paper_range": [1, 2]},
      {"kind": "whiskers", "name": "whiskers", "x": "cell", "facet": "heuristic", "y": {"mean": "period"}},
      {"kind": "histogram", "name": "bins", "facet": "model", "y": {"bins": "period", "heuristic": "bsc"}}]})");
  REQUIRE(takt({"experiment", "run", file, "-o", run, "--jobs", "1"}).status == tools::kAnswered);
  const Outcome plot = takt({"experiment", "plot", run});
  INFO(plot.err);
  REQUIRE(plot.status == tools::kAnswered);
  CHECK(lines_of(plot.out).size() == 9);
  CHECK_THAT(text_of(run + "/figures/panels.svg"), Contains("stages 4") && Contains("period / best of the draw"));
  CHECK_THAT(text_of(run + "/figures/nemenyi.svg"), Contains("CD = ") && Contains("18 draws"));
  CHECK_THAT(text_of(run + "/figures/wilcoxon.svg"), Contains("Holm") && Contains("overlap"));
  CHECK_THAT(text_of(run + "/figures/curves.svg"), Contains("three") && Contains("Means"));
  const Outcome report = takt({"experiment", "report", run});
  CHECK_THAT(report.out, Contains("- Figure `nemenyi`.\n  - Mean ranks of 18 draws, 1 the least. Friedman's test:"));
  CHECK_THAT(takt({"experiment", "report", run, "--format", "latex", "--figures", "f"}).out,
             Contains("\\caption{kinds. Mean ranks of 18 draws, 1 the least. Friedman's test: $\\chi^2$ = "));
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
