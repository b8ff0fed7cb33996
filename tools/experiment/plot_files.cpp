// Tables and scripts of figures.
#include "tools/experiment/plot_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "tools/experiment/plot_style.hpp"
#include "tools/experiment/report_numbers.hpp"
#include "tpn/visible.hpp"

namespace takt::tools {

using experiments::Estimate;
using experiments::FigureKind;
using experiments::FigurePoint;
using experiments::FigureSeries;
using experiments::ReportedFigure;
using maxplus::Rational;

namespace {

constexpr std::string_view kPaper = "the paper's axis";
constexpr std::string_view kInterval = "95 % interval of the mean";

double double_of(const Rational& number) { return number.to_double().value_or(0); }

std::set<Rational> all_x(const ReportedFigure& figure) {
  std::set<Rational> result;
  for (const FigureSeries& series : figure.series) {
    for (const FigurePoint& point : series.points) result.insert(point.x);
  }
  return result;
}

const FigurePoint* point_at(const FigureSeries& series, const Rational& x) {
  const auto found = std::ranges::lower_bound(series.points, x, {}, &FigurePoint::x);
  return found == series.points.end() || found->x != x ? nullptr : &*found;
}

bool has_whiskers(const ReportedFigure& figure) { return figure.request.kind == FigureKind::whiskers; }

// Of curves; whiskers are deviations.
bool has_intervals(const ReportedFigure& figure) {
  return figure.request.kind == FigureKind::curve && std::ranges::any_of(figure.series, [](const FigureSeries& series) {
           return std::ranges::any_of(series.points, [](const FigurePoint& point) {
             return point.y && point.y->interval && point.y->interval->first < point.y->interval->second;
           });
         });
}

// Two for x, and two for each number, deviation and interval.
std::size_t column_of(const ReportedFigure& figure, std::size_t series) {
  return 3 + series * (has_whiskers(figure) || has_intervals(figure) ? 4 : 2);
}

void add_interval(std::string& line, const FigurePoint* point) {
  const bool is_known = point != nullptr && point->y && point->y->interval;
  line += is_known ? fmt::format("\t{}\t{}", plotted_text(point->y->interval->first),
                                 plotted_text(point->y->interval->second))
                   : std::string("\tNaN\tNaN");
}

void add_cells(std::string& line, const std::optional<Estimate>& number) {
  const std::string exact = exact_text(number);
  line += "\t" + plotted_text(number) + "\t" + (exact.empty() ? "-" : exact);
}

// A text of gnuplot that stands for nothing but itself: nothing is special in single quotes but these.
std::string gnuplot_quoted(std::string_view text) {
  std::string result = "'";
  for (const char c : tpn::visible(text)) result += c == '\'' ? std::string("''") : std::string(1, c);
  return result + "'";
}

// Lines of bearable length, broken at blanks.
std::string quoted_lines(const std::string& text) {
  constexpr std::size_t kWidest = 72;
  std::string result;
  std::string_view rest = text;
  while (rest.size() > kWidest) {
    const std::size_t blank = rest.rfind(' ', kWidest);
    if (blank == std::string_view::npos || blank == 0) break;
    result += gnuplot_quoted(rest.substr(0, blank)) + " . \"\\n\" . ";
    rest.remove_prefix(blank + 1);
  }
  return result + gnuplot_quoted(rest);
}

struct AxisRange {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  void take(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
  bool is_empty() const { return low > high; }
};

class PlotScript {
 public:
  explicit PlotScript(const ReportedFigure& figure) : figure_(figure), request_(figure.request) {}

  std::string text() {
    add_head();
    add_key();
    add_x_axis();
    add_y_axis();
    add_marks();
    add_plots();
    return std::move(text_);
  }

 private:
  void add_head() {
    const std::string name = request_.name;
    text_ += fmt::format("# gnuplot {0}.gp draws {0}.svg from {0}.tsv.\n", name);
    text_ += fmt::format("if (!exists('output')) output = {}\n", gnuplot_quoted(name + ".svg"));
    text_ +=
        "set terminal svg size 720,500 noenhanced font 'Helvetica,Arial,sans-serif,15' background '#ffffff'\n"
        "set encoding utf8\n"
        "set output output\n"
        "set datafile separator tab\n"
        "set border 3 linewidth 1 linecolor '#404040'\n"
        "set tics nomirror out textcolor '#202020'\n"
        "set xtics offset 0,0.4\n"
        "set grid ytics linecolor '#d8d8d8' linewidth 0.7 dashtype 1\n";
    if (!request_.title.empty()) text_ += "set title " + quoted_lines(request_.title) + "\n";
    text_ += "set xlabel " + gnuplot_quoted(figure_.x_words) + " . \"\\n\" offset 0,0.9\nset ylabel " +
             gnuplot_quoted(figure_.y_words) + "\n";
  }

  // Below the drawing, in as many columns as the labels leave room for.
  void add_key() {
    std::size_t longest = 8;
    std::size_t entries = figure_.series.size();
    for (const FigureSeries& series : figure_.series) longest = std::max(longest, series.words.size());
    if (request_.paper_range) {
      longest = std::max(longest, kPaper.size());
      ++entries;
    }
    if (request_.line && !request_.line_label.empty()) {
      longest = std::max(longest, request_.line_label.size());
      ++entries;
    }
    if (has_intervals(figure_)) {
      longest = std::max(longest, kInterval.size());
      ++entries;
    }
    constexpr std::size_t kLine = 84;
    constexpr std::size_t kSample = 7;
    const std::size_t columns = std::max<std::size_t>(1, std::min(entries, kLine / (longest + kSample)));
    text_ += fmt::format(
        "set key outside below center horizontal Left reverse samplen 3 spacing 1.1 maxcolumns {} "
        "font ',14'\n",
        columns);
  }

  void add_x_axis() {
    if (!figure_.categories.empty()) {
      std::vector<std::string> tics;
      std::size_t letters = 0;
      for (std::size_t i = 0; i < figure_.categories.size(); ++i) {
        tics.push_back(fmt::format("{} {}", gnuplot_quoted(figure_.categories[i]), i));
        letters += figure_.categories[i].size() + 3;
      }
      constexpr std::size_t kLine = 70;
      text_ += fmt::format("set xtics {}({})\n", letters > kLine ? "rotate by -35 " : "", fmt::join(tics, ", "));
      text_ +=
          fmt::format("set xrange [-0.5:{}]\n", plotted_text(static_cast<double>(figure_.categories.size()) - 0.5));
      return;
    }
    AxisRange range;
    for (const Rational& x : all_x(figure_)) range.take(double_of(x));
    if (range.is_empty()) return;
    if (figure_.bin_width) {
      const double width = double_of(*figure_.bin_width);
      text_ += fmt::format("set xrange [{}:{}]\n", plotted_text(range.low - width / 2),
                           plotted_text(range.high + 1.5 * width));
    } else {
      add_range("x", widened(range, request_.x_is_logarithmic, 0.02));
    }
  }

  static AxisRange widened(const AxisRange& range, bool is_logarithmic, double share) {
    if (is_logarithmic) {
      const double factor = std::pow(range.high / range.low, share) * 1.02;
      return {range.low / factor, range.high * factor};
    }
    const double more = range.high > range.low ? (range.high - range.low) * share : 1;
    return {range.low - more, range.high + more};
  }

  void add_range(std::string_view axis, const AxisRange& range) {
    text_ += fmt::format("set {}range [{}:{}]\n", axis, plotted_text(range.low), plotted_text(range.high));
    const bool is_logarithmic = axis == "x" ? request_.x_is_logarithmic : request_.y_is_logarithmic;
    if (!is_logarithmic) return;
    text_ += fmt::format("set logscale {}\n", axis);
    if (range.low > 0 && range.high / range.low < 1000) add_tics(axis, range);
  }

  // 1, 2, 5, 10, 20, ..., or more of them: of few decades gnuplot names one number or two.
  void add_tics(std::string_view axis, const AxisRange& range) {
    constexpr std::size_t kFew = 4;
    std::vector<std::string> tics = tics_of(range, {1, 2, 5});
    if (tics.size() < kFew) tics = tics_of(range, {1, 1.5, 2, 3, 4, 5, 6, 7, 8, 9});
    if (tics.size() > 1) text_ += fmt::format("set {}tics ({})\n", axis, fmt::join(tics, ", "));
  }

  static std::vector<std::string> tics_of(const AxisRange& range, const std::vector<double>& steps) {
    std::vector<std::string> tics;
    for (int power = static_cast<int>(std::floor(std::log10(range.low))); std::pow(10, power) <= range.high; ++power) {
      for (const double step : steps) {
        const double tic = step * std::pow(10, power);
        if (range.low <= tic && tic <= range.high) tics.push_back(plotted_text(tic));
      }
    }
    return tics;
  }

  // All that is to be seen.
  AxisRange seen() const {
    AxisRange range;
    const auto take = [&](double value) {
      if (!request_.y_is_logarithmic || value > 0) range.take(value);
    };
    for (const FigureSeries& series : figure_.series) {
      for (const FigurePoint& point : series.points) {
        if (!point.y) continue;
        const double half = point.deviation ? double_of(point.deviation->upper) : 0;
        take(double_of(point.y->lower) - half);
        take(double_of(point.y->upper) + half);
        if (point.y->interval && has_intervals(figure_)) {
          take(point.y->interval->first);
          take(point.y->interval->second);
        }
      }
    }
    if (request_.paper_range) {
      take(double_of(request_.paper_range->first));
      take(double_of(request_.paper_range->second));
    }
    if (request_.line) take(double_of(*request_.line));
    return range;
  }

  void add_y_axis() {
    if (request_.y_range) {
      add_range("y", {double_of(request_.y_range->first), double_of(request_.y_range->second)});
      return;
    }
    const AxisRange range = seen();
    if (range.is_empty()) return;
    const bool from_zero = !request_.y_is_logarithmic && range.low >= 0 &&
                           (range.low < range.high / 2 || request_.kind == FigureKind::histogram);
    const AxisRange wide = widened(range, request_.y_is_logarithmic, 0.05);
    constexpr double kFewDraws = 10;
    if (request_.kind == FigureKind::histogram && range.high <= kFewDraws) text_ += "set ytics 1\n";
    add_range("y", {from_zero ? 0 : wide.low, range.high > 0 || !from_zero ? wide.high : 1});
  }

  // The paper's axis as a band, a level as a line.
  void add_marks() {
    if (request_.paper_range) {
      text_ += fmt::format(
          "set object 1 rectangle from graph 0, first {} to graph 1, first {} behind fillcolor '#ebebeb' "
          "fillstyle solid noborder\n",
          plotted_text(request_.paper_range->first), plotted_text(request_.paper_range->second));
    }
    if (request_.line) {
      text_ += fmt::format(
          "set arrow 1 from graph 0, first {0} to graph 1, first {0} nohead linecolor '#404040' linewidth 1.2 "
          "dashtype (3,3)\n",
          plotted_text(*request_.line));
    }
  }

  void add_plots() {
    std::vector<std::string> plots;
    const std::vector<CurveStyle> styles = styles_of(figure_);
    const bool is_banded = has_intervals(figure_);
    for (std::size_t s = 0; s < figure_.series.size() && is_banded; ++s) plots.push_back(band_of(s, styles[s]));
    for (std::size_t s = 0; s < figure_.series.size(); ++s) plots.push_back(plot_of(s, styles[s]));
    if (is_banded) {
      plots.push_back(fmt::format("keyentry with boxes fillcolor '{}' {} title {}", styles.front().color, kBandFill,
                                  gnuplot_quoted(kInterval)));
    }
    if (request_.paper_range) {
      plots.push_back("keyentry with boxes fillcolor '#ebebeb' fillstyle solid noborder title " +
                      gnuplot_quoted(kPaper));
    }
    if (request_.line && !request_.line_label.empty()) {
      plots.push_back("keyentry with lines linecolor '#404040' linewidth 1.2 dashtype (3,3) title " +
                      gnuplot_quoted(request_.line_label));
    }
    if (plots.empty()) plots.emplace_back("NaN notitle");
    text_ += fmt::format("plot {}\n", fmt::join(plots, ", \\\n     "));
  }

  static constexpr std::string_view kBandFill = "fillstyle transparent solid 0.18 noborder";

  // Below the curves; bars where x has no order.
  std::string band_of(std::size_t s, const CurveStyle& style) const {
    const std::string data = gnuplot_quoted(request_.name + ".tsv") + " skip 1 using ";
    const std::size_t column = column_of(figure_, s);
    if (!figure_.categories.empty()) {
      return fmt::format("{}2:{}:{}:{} with yerrorbars linecolor '{}' linewidth 1 pointtype 0 notitle", data, column,
                         column + 2, column + 3, style.color);
    }
    return fmt::format("{}1:{}:{} with filledcurves fillcolor '{}' {} notitle", data, column + 2, column + 3,
                       style.color, kBandFill);
  }

  std::string plot_of(std::size_t s, const CurveStyle& style) const {
    const FigureSeries& series = figure_.series[s];
    const std::string data = gnuplot_quoted(request_.name + ".tsv") + " skip 1 using ";
    const std::size_t column = column_of(figure_, s);
    const std::string title = " title " + gnuplot_quoted(series.words);
    if (request_.kind == FigureKind::histogram) {
      const double width = double_of(*figure_.bin_width) * 0.92;
      const double each = width / static_cast<double>(figure_.series.size());
      const double middle = double_of(*figure_.bin_width) / 2 - width / 2 + (static_cast<double>(s) + 0.5) * each;
      return fmt::format(
          "{}($1 + {}):{}:({}) with boxes fillcolor '{}' fillstyle solid {} border linecolor '#404040'{}", data,
          plotted_text(middle), column, plotted_text(each), style.color, plotted_text(style.fill), title);
    }
    const std::string look = fmt::format("linecolor '{}' linewidth 1.8 dashtype {} pointtype {} pointsize 0.7",
                                         style.color, style.dash, style.mark);
    if (has_whiskers(figure_)) {
      return fmt::format("{}{}:{}:{} with {} {}{}", data, x_beside(s), column, column + 2,
                         figure_.categories.empty() ? "yerrorlines" : "yerrorbars", look, title);
    }
    constexpr std::size_t kMarks = 12;
    const std::size_t interval = std::max<std::size_t>(1, (series.points.size() + kMarks - 1) / kMarks);
    return fmt::format("{}{}:{} with linespoints {} pointinterval {}{}", data, x_column(), column, look, interval,
                       title);
  }

  std::string x_column() const { return figure_.categories.empty() ? "1" : "2"; }

  // Whiskers of several series stand side by side.
  std::string x_beside(std::size_t s) const {
    if (figure_.series.size() < 2) return x_column();
    const double place = static_cast<double>(s) - (static_cast<double>(figure_.series.size()) - 1) / 2;
    if (!figure_.categories.empty()) return fmt::format("($2 + {})", plotted_text(place * 0.1));
    AxisRange range;
    for (const Rational& x : all_x(figure_)) range.take(double_of(x));
    if (request_.x_is_logarithmic) {
      return fmt::format("($1 * {})", plotted_text(std::pow(range.high / range.low, place * 0.008)));
    }
    return fmt::format("($1 + {})", plotted_text(place * 0.008 * (range.high - range.low)));
  }

  const ReportedFigure& figure_;
  const experiments::FigureRequest& request_;
  std::string text_;
};

void add_point(std::string& text, const ReportedFigure& figure, const FigurePoint* point) {
  const bool is_empty_bin = point == nullptr && figure.bin_width;
  add_cells(text, point != nullptr ? point->y : is_empty_bin ? std::optional(Estimate{0, 0, {}}) : std::nullopt);
  if (has_whiskers(figure)) add_cells(text, point != nullptr ? point->deviation : std::nullopt);
  if (has_intervals(figure)) add_interval(text, point);
}

}  // namespace

std::string plot_table(const ReportedFigure& figure) {
  std::string text = fmt::format("{0}\t{0} {1}", tpn::visible(figure.request.x_label),
                                 figure.categories.empty() ? "exactly" : "as a number");
  for (const FigureSeries& series : figure.series) {
    const std::string label = tpn::visible(series.label);
    text += fmt::format("\t{0}\t{0} exactly", label);
    if (has_whiskers(figure)) text += fmt::format("\t{0} deviation\t{0} deviation exactly", label);
    if (has_intervals(figure)) text += fmt::format("\t{0} interval from\t{0} interval to", label);
  }
  text += '\n';
  for (const Rational& x : all_x(figure)) {
    text += figure.categories.empty() ? plotted_text(Estimate{x, x, {}})
                                      : tpn::visible(figure.categories[x.numerator().get_ui()]);
    text += "\t" + x.to_string();
    for (const FigureSeries& series : figure.series) add_point(text, figure, point_at(series, x));
    text += '\n';
  }
  return text;
}

std::string plot_script(const ReportedFigure& figure) { return PlotScript(figure).text(); }

}  // namespace takt::tools
