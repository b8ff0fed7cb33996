// Tables and scripts of figures.
//
// Panels stand side by side on pages of the same axes, one legend below all of them.
#include "tools/experiment/plot_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "tools/experiment/gnuplot_text.hpp"
#include "tools/experiment/plot_ranks.hpp"
#include "tools/experiment/plot_style.hpp"
#include "tools/experiment/report_numbers.hpp"
#include "tools/words/number_words.hpp"
#include "tpn/visible.hpp"

namespace takt::tools {

using experiments::BoxNumbers;
using experiments::Estimate;
using experiments::FigureKind;
using experiments::FigurePoint;
using experiments::FigureSeries;
using experiments::ReportedFigure;
using maxplus::Rational;

namespace {

constexpr std::string_view kPaper = "the paper's axis";
constexpr std::string_view kInterval = "95 % interval of the mean";

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
bool has_steps(const ReportedFigure& figure) { return figure.request.kind == FigureKind::profile; }
bool has_boxes(const ReportedFigure& figure) { return figure.request.kind == FigureKind::boxes; }

// Of curves; whiskers are deviations.
bool has_intervals(const ReportedFigure& figure) {
  return figure.request.kind == FigureKind::curve && std::ranges::any_of(figure.series, [](const FigureSeries& series) {
           return std::ranges::any_of(series.points, [](const FigurePoint& point) {
             return point.y && point.y->interval && point.y->interval->first < point.y->interval->second;
           });
         });
}

// Two for x, and two for each number, deviation and interval; of boxes for the median, the quartiles, the ends of the
// whiskers and what lies outside.
std::size_t column_of(const ReportedFigure& figure, std::size_t series) {
  constexpr std::size_t kOfBox = 12;
  const std::size_t each = has_boxes(figure) ? kOfBox : has_whiskers(figure) || has_intervals(figure) ? 4 : 2;
  return 3 + series * each;
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

// Lines of bearable length, broken at blanks.
std::string quoted_lines(const std::string& text) {
  constexpr std::size_t kWidest = 72;
  std::string result;
  for (const std::string& line : broken_lines(text, kWidest)) {
    result += (result.empty() ? "" : " . \"\\n\" . ") + gnuplot_quoted(line);
  }
  return result;
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
    if (figure_.panels.empty()) {
      add_titles();
      add_key();
      add_x_axis();
      add_y_axis();
      add_marks();
      add_plots(0, true);
    } else {
      add_panels();
    }
    return std::move(text_);
  }

 private:
  static constexpr double kWidth = 720;
  static constexpr double kHeight = 500;

  // A long legend makes it higher; gnuplot would put it over the curves.
  double height() const {
    if (!figure_.panels.empty()) return page().height;
    constexpr std::size_t kRows = 4;
    constexpr double kRow = 23;
    const std::size_t rows = legend().rows;
    return rows > kRows ? kHeight + kRow * static_cast<double>(rows - kRows) : kHeight;
  }

  void add_head() {
    const std::string name = request_.name;
    text_ += fmt::format("# gnuplot {0}.gp draws {0}.svg from {0}.tsv.\n", name);
    text_ += fmt::format("if (!exists('output')) output = {}\n", gnuplot_quoted(name + ".svg"));
    text_ += fmt::format(
        "set terminal svg size {},{} noenhanced font 'Helvetica,Arial,sans-serif,15' background '#ffffff'\n", kWidth,
        height());
    text_ +=
        "set encoding utf8\n"
        "set output output\n"
        "set datafile separator tab\n"
        "set border 3 linewidth 1 linecolor '#404040'\n"
        "set tics nomirror out textcolor '#202020'\n"
        "set xtics offset 0,0.4\n"
        "set grid ytics linecolor '#d8d8d8' linewidth 0.7 dashtype 1\n";
    // What has no value is no break in a line of steps.
    if (has_steps(figure_)) text_ += "set datafile missing 'NaN'\n";
  }

  void add_titles() {
    if (!request_.title.empty()) text_ += "set title " + quoted_lines(request_.title) + "\n";
    text_ += "set xlabel " + gnuplot_quoted(figure_.x_words) + " . \"\\n\" offset 0,0.9\nset ylabel " +
             gnuplot_quoted(figure_.y_words) + "\n";
  }

  // Below the drawing.
  void add_key() {
    text_ += fmt::format(
        "set key outside below center horizontal Left reverse samplen 3 spacing 1.1 maxcolumns {} "
        "font ',14'\n",
        legend().columns);
  }

  struct Legend {
    std::size_t entries = 0;
    std::size_t columns = 1;  // at most
    std::size_t rows = 0;     // where gnuplot finds texts wide
  };

  // In as many columns as the labels leave room for.
  Legend legend() const {
    std::size_t longest = 8;
    std::set<std::string> words;
    std::size_t entries = 0;
    for (const FigureSeries& series : figure_.series) {
      longest = std::max(longest, series.words.size());
      const bool is_first = words.insert(series.words).second || figure_.panels.empty();
      const auto number = static_cast<std::size_t>(&series - figure_.series.data());
      if (is_first && !is_named_at_x(number)) ++entries;
    }
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
    constexpr std::size_t kShortLine = 70;
    constexpr std::size_t kSample = 7;
    const auto columns = [&](std::size_t line) {
      return std::max<std::size_t>(1, std::min(entries, line / (longest + kSample)));
    };
    return {entries, columns(kLine), (entries + columns(kShortLine) - 1) / columns(kShortLine)};
  }

  void add_x_axis() {
    if (!figure_.categories.empty()) {
      add_category_tics(true);
      text_ +=
          fmt::format("set xrange [-0.5:{}]\n", plotted_text(static_cast<double>(figure_.categories.size()) - 0.5));
      return;
    }
    if (has_steps(figure_)) return add_ratio_axis();
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

  // Whether names are too long to stand beside each other.
  bool has_turned_names() const {
    std::size_t letters = 0;
    for (const std::string& category : figure_.categories) letters += category.size() + 3;
    constexpr std::size_t kLine = 70;
    const std::size_t columns = figure_.panels.size() > 1 ? page_columns() : 1;
    return letters > kLine / columns;
  }

  std::size_t page_columns() const {
    constexpr std::size_t kFew = 6;
    return figure_.panels.size() <= kFew ? std::min<std::size_t>(figure_.panels.size(), 2) : 3;
  }

  void add_category_tics(bool are_named) {
    std::vector<std::string> tics;
    for (std::size_t i = 0; i < figure_.categories.size(); ++i) {
      tics.push_back(fmt::format("{} {}", are_named ? gnuplot_quoted(figure_.categories[i]) : "''", i));
    }
    text_ += fmt::format("set xtics {}({})\n", has_turned_names() ? "rotate by -35 " : "", fmt::join(tics, ", "));
  }

  // From 1, if each series is the best, to if nothing is gained any more.
  void add_ratio_axis() {
    constexpr double kLeast = 1.1;
    AxisRange range{1, kLeast};
    for (const Rational& x : all_x(figure_)) range.take(double_of(x));
    if (request_.x_range) range = {double_of(request_.x_range->first), double_of(request_.x_range->second)};
    add_range("x", range);
    for (std::size_t s = 0; s < figure_.series.size(); ++s) add_step_marks(s, range);
  }

  // Steps have no marks of their own: some at even distances, which tell series apart without colors.
  void add_step_marks(std::size_t s, const AxisRange& range) {
    const auto& points = figure_.series[s].points;
    text_ += fmt::format("$marks{} << EOD\n", s);
    constexpr int kMarks = 7;
    const double shift = (static_cast<double>(place_beside(s)) + 0.5) / static_cast<double>(series_beside());
    for (int mark = 0; mark < kMarks && !points.empty(); ++mark) {
      const double x = range.low * std::pow(range.high / range.low, (mark + shift) / kMarks);
      const auto behind =
          std::ranges::find_if(points, [&](const FigurePoint& point) { return double_of(point.x) > x; });
      if (behind != points.begin()) text_ += fmt::format("{}\t{}\n", plotted_text(x), plotted_text((behind - 1)->y));
    }
    text_ += "EOD\n";
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
        if (point.box) {
          take(double_of(point.box->low));
          take(double_of(point.box->high));
          for (const Rational& value : point.box->outside) take(double_of(value));
        }
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
    if (has_steps(figure_)) {
      text_ += "set yrange [0:1]\n";
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

  // The series of a panel, and what stands in the legend beside them.
  void add_plots(std::size_t panel, bool has_legend) {
    std::vector<std::string> plots;
    const std::vector<CurveStyle> styles = styles_of(figure_);
    const bool is_banded = has_intervals(figure_);
    for (std::size_t s = 0; s < figure_.series.size() && is_banded; ++s) {
      if (figure_.series[s].panel == panel) plots.push_back(band_of(s, styles[s]));
    }
    for (std::size_t s = 0; s < figure_.series.size(); ++s) {
      if (figure_.series[s].panel != panel) continue;
      add_series(s, styles[s], has_legend, plots);
    }
    if (has_legend) add_legend_of_marks(plots, styles);
    if (plots.empty()) plots.emplace_back("NaN notitle");
    text_ += fmt::format("plot {}\n", fmt::join(plots, ", \\\n     "));
  }

  void add_legend_of_marks(std::vector<std::string>& plots, const std::vector<CurveStyle>& styles) const {
    if (has_intervals(figure_)) {
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
  }

  void add_series(std::size_t s, const CurveStyle& style, bool has_title, std::vector<std::string>& plots) const {
    const bool is_titled = has_title && !is_named_at_x(s);
    const std::string title = is_titled ? " title " + gnuplot_quoted(figure_.series[s].words) : " notitle";
    if (has_boxes(figure_)) {
      add_boxes(s, style, title, plots);
    } else if (has_steps(figure_)) {
      plots.push_back(fmt::format("{} skip 1 using 1:{} with steps linecolor '{}' linewidth 2 dashtype {} notitle",
                                  gnuplot_quoted(request_.name + ".tsv"), column_of(figure_, s), style.color,
                                  style.dash));
      plots.push_back(fmt::format("$marks{} using 1:2 with points linecolor '{}' pointtype {} pointsize 0.7 notitle", s,
                                  style.color, style.mark));
      if (has_title) plots.push_back(legend_entry(s, style));
    } else {
      plots.push_back(plot_of(s, style, title));
    }
  }

  // A box, its median as a bar, and marks for what lies outside.
  void add_boxes(std::size_t s, const CurveStyle& style, const std::string& title,
                 std::vector<std::string>& plots) const {
    const std::string data = gnuplot_quoted(request_.name + ".tsv") + " skip 1 using ";
    const std::size_t c = column_of(figure_, s);
    const double room = 0.8 / static_cast<double>(boxes_beside());
    const double place = (static_cast<double>(box_beside(s)) + 0.5) * room - 0.4;
    const std::string x = fmt::format("($2 + {})", plotted_text(place));
    const std::string width = fmt::format("({})", plotted_text(room * 0.8));
    plots.push_back(fmt::format(
        "{}{}:{}:{}:{}:{}:{} with candlesticks fillcolor '{}' fillstyle solid 0.4 border linecolor '{}' linewidth "
        "1.4{} whiskerbars 0.5",
        data, x, c + 2, c + 6, c + 8, c + 4, width, style.color, style.color, title));
    plots.push_back(fmt::format("{0}{1}:{2}:{2}:{2}:{2}:{3} with candlesticks linecolor '#000000' linewidth 2 notitle",
                                data, x, c, width));
    plots.push_back(fmt::format("{}{}:{} with points linecolor '{}' pointtype 6 pointsize 0.4 notitle", data, x, c + 10,
                                style.color));
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

  std::string plot_of(std::size_t s, const CurveStyle& style, const std::string& title) const {
    const FigureSeries& series = figure_.series[s];
    const std::string data = gnuplot_quoted(request_.name + ".tsv") + " skip 1 using ";
    const std::size_t column = column_of(figure_, s);
    if (request_.kind == FigureKind::histogram) {
      const double width = double_of(*figure_.bin_width) * 0.92;
      const double each = width / static_cast<double>(series_beside());
      const double middle =
          double_of(*figure_.bin_width) / 2 - width / 2 + (static_cast<double>(place_beside(s)) + 0.5) * each;
      return fmt::format(
          "{}($1 + {}):{}:({}) with boxes fillcolor '{}' fillstyle solid {} border linecolor '#404040'{}", data,
          plotted_text(middle), column, plotted_text(each), style.color, plotted_text(style.fill), title);
    }
    const std::string look = look_of(style);
    if (has_whiskers(figure_)) {
      return fmt::format("{}{}:{}:{} with {} {}{}", data, x_beside(s), column, column + 2,
                         figure_.categories.empty() ? "yerrorlines" : "yerrorbars", look, title);
    }
    constexpr std::size_t kMarks = 12;
    const std::size_t interval = std::max<std::size_t>(1, (series.points.size() + kMarks - 1) / kMarks);
    return fmt::format("{}{}:{} with linespoints {} pointinterval {}{}", data, x_column(), column, look, interval,
                       title);
  }

  static std::string look_of(const CurveStyle& style) {
    return fmt::format("linecolor '{}' linewidth 1.8 dashtype {} pointtype {} pointsize 0.7", style.color, style.dash,
                       style.mark);
  }

  std::string x_column() const { return figure_.categories.empty() ? "1" : "2"; }

  // How many series stand beside each other in a panel, and which of them this is.
  std::size_t series_beside() const {
    std::size_t most = 1;
    for (std::size_t s = 0; s < figure_.series.size(); ++s) most = std::max(most, place_beside(s) + 1);
    return most;
  }
  std::size_t place_beside(std::size_t s) const {
    const auto panel = figure_.series[s].panel;
    const auto begin = std::ranges::find(figure_.series, panel, &FigureSeries::panel);
    return s - static_cast<std::size_t>(begin - figure_.series.begin());
  }

  // Which of the boxes of a panel that stand at the same x this is: heuristics at x are series with an x of their own.
  std::size_t box_beside(std::size_t s) const {
    const FigureSeries& own = figure_.series[s];
    return static_cast<std::size_t>(std::count_if(
        figure_.series.begin(), figure_.series.begin() + static_cast<std::ptrdiff_t>(s),
        [&](const FigureSeries& other) {
          return other.panel == own.panel && std::ranges::any_of(other.points, [&](const FigurePoint& point) {
                   return point_at(own, point.x) != nullptr;
                 });
        }));
  }
  std::size_t boxes_beside() const {
    std::size_t most = 1;
    for (std::size_t s = 0; s < figure_.series.size(); ++s) most = std::max(most, box_beside(s) + 1);
    return most;
  }

  // Whether a legend would say again what stands at x.
  bool is_named_at_x(std::size_t s) const {
    const FigureSeries& series = figure_.series[s];
    return has_boxes(figure_) && series.points.size() == 1 &&
           series.words == figure_.categories[series.points.front().x.numerator().get_ui()];
  }

  // Whiskers of several series stand side by side.
  std::string x_beside(std::size_t s) const {
    const std::size_t count = series_beside();
    if (count < 2) return x_column();
    const double place = static_cast<double>(place_beside(s)) - (static_cast<double>(count) - 1) / 2;
    if (!figure_.categories.empty()) return fmt::format("($2 + {})", plotted_text(place * 0.1));
    AxisRange range;
    for (const Rational& x : all_x(figure_)) range.take(double_of(x));
    if (request_.x_is_logarithmic) {
      return fmt::format("($1 * {})", plotted_text(std::pow(range.high / range.low, place * 0.008)));
    }
    return fmt::format("($1 + {})", plotted_text(place * 0.008 * (range.high - range.low)));
  }

  // Where panels stand, in pixels.
  struct Page {
    std::size_t columns = 2;
    std::size_t rows = 1;
    double title = 0;  // the height of the title
    double left = 0;
    double panel_height = 250;
    double labels = 52;  // below the lowest panels
    double legend = 0;
    double height = 0;
  };

  Page page() const {
    constexpr double kLine = 20;
    Page page;
    const std::size_t count = figure_.panels.size();
    page.columns = page_columns();
    page.rows = (count + page.columns - 1) / page.columns;
    if (page.columns > 2) page.panel_height = 190;
    page.left = 57 + 9 * static_cast<double>(tic_letters());
    if (!request_.title.empty()) page.title = kLine * static_cast<double>(title_lines().size()) + 10;
    if (has_turned_names()) page.labels += 34;
    constexpr double kEntry = 23;
    page.legend = kEntry * static_cast<double>(legend().rows) + 10;
    page.height = page.title + page.panel_height * static_cast<double>(page.rows) + page.labels + page.legend;
    return page;
  }

  // About how many letters the numbers at the y axis have.
  std::size_t tic_letters() const {
    constexpr std::size_t kLeast = 3;
    if (has_steps(figure_)) return kLeast;
    const AxisRange range =
        request_.y_range ? AxisRange{double_of(request_.y_range->first), double_of(request_.y_range->second)} : seen();
    if (range.is_empty()) return kLeast;
    const std::size_t low =
        (range.low <= -1 ? fmt::format("{:.0f}", range.low) : fmt::format("{:.1g}", range.low)).size();
    return std::max({kLeast, low, fmt::format("{:.0f}", range.high).size()});
  }

  std::vector<std::string> title_lines() const {
    constexpr std::size_t kWidest = 72;
    return broken_lines(request_.title, kWidest);
  }

  void add_panels() {
    const Page sheet = page();
    text_ += "set key off\n";
    if (!request_.title.empty()) {
      text_ += fmt::format("set label 1 {} at screen 0.5, screen {} center font ',16'\n", quoted_lines(request_.title),
                           plotted_text(1 - 16 / sheet.height));
    }
    add_x_axis();
    add_y_axis();
    add_marks();
    text_ += "set multiplot\n";
    for (std::size_t p = 0; p < figure_.panels.size(); ++p) {
      add_place(sheet, p);
      add_plots(p, false);
      if (p == 0) text_ += "unset label 1\n";
    }
    add_common_legend(sheet);
    text_ += "unset multiplot\n";
  }

  // Its edges, and labels if there is no panel further to the left, or below.
  void add_place(const Page& sheet, std::size_t panel) {
    const std::size_t row = panel / sheet.columns;
    const std::size_t column = panel % sheet.columns;
    const bool is_lowest = panel + sheet.columns >= figure_.panels.size();
    constexpr double kBetween = 24;
    constexpr double kTitle = 34;
    const double width = (kWidth - sheet.left) / static_cast<double>(sheet.columns);
    const double left = sheet.left + width * static_cast<double>(column);
    const double top = sheet.title + sheet.panel_height * static_cast<double>(row) + kTitle;
    const double bottom = sheet.title + sheet.panel_height * static_cast<double>(row + 1) - 8;
    text_ += fmt::format(
        "set lmargin at screen {}\nset rmargin at screen {}\nset tmargin at screen {}\nset bmargin at screen {}\n",
        plotted_text(left / kWidth), plotted_text((left + width - kBetween) / kWidth),
        plotted_text(1 - top / sheet.height), plotted_text(1 - bottom / sheet.height));
    text_ += fmt::format("set title {} offset 0,-0.6\n", gnuplot_quoted(figure_.panels[panel]));
    text_ += is_lowest ? "set xlabel " + gnuplot_quoted(figure_.x_words) + " offset 0,0.7\n" : "unset xlabel\n";
    text_ += column == 0 ? "set ylabel " + gnuplot_quoted(figure_.y_words) + "\n" : "unset ylabel\n";
    text_ += fmt::format("set format y '{}'\n", column == 0 ? "%h" : "");
    if (figure_.categories.empty()) {
      text_ += fmt::format("set format x '{}'\n", is_lowest ? "%h" : "");
    } else {
      add_category_tics(is_lowest);
    }
  }

  // An entry for each label of any panel, by itself on a page without axes.
  void add_common_legend(const Page& sheet) {
    const std::vector<CurveStyle> styles = styles_of(figure_);
    std::vector<std::string> entries = {"NaN notitle"};
    std::set<std::string> words;
    for (std::size_t s = 0; s < figure_.series.size(); ++s) {
      if (is_named_at_x(s) || !words.insert(figure_.series[s].words).second) continue;
      CurveStyle style = styles[s];
      // What has a color of its own in each panel has none in the legend.
      for (std::size_t other = s + 1; other < figure_.series.size(); ++other) {
        const bool is_same = figure_.series[other].words == figure_.series[s].words;
        if (is_same && styles[other].color != style.color) style.color = "#404040";
      }
      entries.push_back(legend_entry(s, style));
    }
    add_legend_of_marks(entries, styles);
    text_ += fmt::format(
        "unset title\nunset xlabel\nunset ylabel\nunset tics\nunset border\nunset grid\nunset arrow\nunset object\n"
        "unset logscale\nset xrange [0:1]\nset yrange [0:1]\nset lmargin at screen 0\nset rmargin at screen 1\n"
        "set bmargin at screen 0\nset tmargin at screen {}\n"
        "set key inside center center horizontal Left reverse samplen 3 spacing 1.1 maxcolumns {} font ',14'\n"
        "plot {}\n",
        plotted_text(sheet.legend / sheet.height), legend().columns, fmt::join(entries, ", \\\n     "));
  }

  std::string legend_entry(std::size_t s, const CurveStyle& style) const {
    const std::string title = gnuplot_quoted(figure_.series[s].words);
    if (request_.kind == FigureKind::histogram || has_boxes(figure_)) {
      return fmt::format("keyentry with boxes fillcolor '{}' fillstyle solid {} border linecolor '{}' title {}",
                         style.color, plotted_text(has_boxes(figure_) ? 0.4 : style.fill),
                         has_boxes(figure_) ? style.color : "#404040", title);
    }
    return fmt::format("keyentry with linespoints {} title {}", look_of(style), title);
  }

  const ReportedFigure& figure_;
  const experiments::FigureRequest& request_;
  std::string text_;
};

// Behind the median.
void add_box(std::string& text, const FigurePoint* point) {
  const BoxNumbers* const box = point != nullptr && point->box ? &*point->box : nullptr;
  const auto add = [&](const Rational* number) {
    add_cells(text, number != nullptr ? std::optional(Estimate{*number, *number, {}}) : std::nullopt);
  };
  add(box != nullptr ? &box->first : nullptr);
  add(box != nullptr ? &box->third : nullptr);
  add(box != nullptr ? &box->low : nullptr);
  add(box != nullptr ? &box->high : nullptr);
  add(box != nullptr && !box->outside.empty() ? &box->outside.front() : nullptr);
}

// Lines for what lies outside of boxes, but for the first of each, which stands with its box.
void add_outside(std::string& text, const ReportedFigure& figure, const Rational& x, const std::string& begin) {
  std::size_t most = 0;
  std::vector<const BoxNumbers*> boxes;
  for (const FigureSeries& series : figure.series) {
    const FigurePoint* const point = point_at(series, x);
    boxes.push_back(point != nullptr && point->box ? &*point->box : nullptr);
    if (boxes.back() != nullptr) most = std::max(most, boxes.back()->outside.size());
  }
  for (std::size_t i = 1; i < most; ++i) {
    text += begin;
    for (const BoxNumbers* box : boxes) {
      for (int number = 0; number < 5; ++number) add_cells(text, std::nullopt);
      const bool has_more = box != nullptr && i < box->outside.size();
      add_cells(text, has_more ? std::optional(Estimate{box->outside[i], box->outside[i], {}}) : std::nullopt);
    }
    text += '\n';
  }
}

void add_point(std::string& text, const ReportedFigure& figure, const FigurePoint* point) {
  const bool is_empty_bin = point == nullptr && figure.bin_width;
  add_cells(text, point != nullptr ? point->y : is_empty_bin ? std::optional(Estimate{0, 0, {}}) : std::nullopt);
  if (has_boxes(figure)) add_box(text, point);
  if (has_whiskers(figure)) add_cells(text, point != nullptr ? point->deviation : std::nullopt);
  if (has_intervals(figure)) add_interval(text, point);
}

// What a column is called in a table, with the panel before it.
std::string heading_of(const ReportedFigure& figure, const FigureSeries& series) {
  const std::string label = tpn::visible(series.label);
  return figure.panels.empty() ? label : tpn::visible(figure.panels[series.panel]) + ": " + label;
}

}  // namespace

std::string plot_table(const ReportedFigure& figure) {
  std::string text = fmt::format("{0}\t{0} {1}", tpn::visible(figure.request.x_label),
                                 figure.categories.empty() ? "exactly" : "as a number");
  for (const FigureSeries& series : figure.series) {
    const std::string label = heading_of(figure, series);
    text += fmt::format("\t{0}\t{0} exactly", label);
    if (has_boxes(figure)) {
      for (const char* what : {"first quartile", "third quartile", "whisker from", "whisker to", "outside"}) {
        text += fmt::format("\t{0} {1}\t{0} {1} exactly", label, what);
      }
    }
    if (has_whiskers(figure)) text += fmt::format("\t{0} deviation\t{0} deviation exactly", label);
    if (has_intervals(figure)) text += fmt::format("\t{0} interval from\t{0} interval to", label);
  }
  text += '\n';
  const std::set<Rational> xs = all_x(figure);
  for (const Rational& x : xs) {
    const std::string begin = (figure.categories.empty() ? plotted_text(Estimate{x, x, {}})
                                                         : tpn::visible(figure.categories[x.numerator().get_ui()])) +
                              "\t" + x.to_string();
    text += begin;
    const bool is_last = has_steps(figure) && x == *xs.rbegin();
    for (const FigureSeries& series : figure.series) {
      const FigurePoint* point = point_at(series, x);
      // Steps go on to the end of the axis.
      if (point == nullptr && is_last && !series.points.empty()) point = &series.points.back();
      add_point(text, figure, point);
    }
    text += '\n';
    if (has_boxes(figure)) add_outside(text, figure, x, begin);
  }
  return text;
}

std::string plot_script(const ReportedFigure& figure) {
  return figure.request.kind == FigureKind::rank ? rank_script(figure) : PlotScript(figure).text();
}

}  // namespace takt::tools
