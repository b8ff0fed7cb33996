// Lines, labels and bars in pixels.
#include "tools/experiment/plot_ranks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tools/experiment/gnuplot_text.hpp"
#include "tools/experiment/plot_style.hpp"
#include "tools/experiment/report_numbers.hpp"
#include "tools/pictures/text_width.hpp"
#include "tools/words/number_words.hpp"

namespace takt::tools {

using experiments::FigureSeries;
using experiments::RankGroup;
using experiments::Ranking;
using experiments::RankTest;
using experiments::ReportedFigure;

namespace {

constexpr double kWidth = 720;
constexpr double kEdge = 12;
constexpr double kMostRoom = kWidth / 3;  // for names, which are cut beyond
constexpr double kStep = 21;              // between names
constexpr double kBar = 8;                // between bars
constexpr double kNameSize = 14;          // of letters
constexpr std::size_t kLine = 112;        // letters of a line of the text below
constexpr double kTextLine = 18;

// "p = 0.012", "p < 0.001".
std::string tail_text(double tail) {
  constexpr double kLeast = 0.001;
  return tail < kLeast ? std::string("p < 0.001") : fmt::format("p = {:.2g}", tail);
}

std::string friedman_text(const ReportedFigure& figure, const Ranking& ranking) {
  return fmt::format("Mean ranks of {}, 1 the least. Friedman's test: χ² = {:.4g}, {}.",
                     plural(maxplus::Integer(ranking.blocks), figure.request.over_cells ? "cell" : "draw"),
                     ranking.statistic.to_double().value_or(0), tail_text(ranking.tail));
}

class RankScript {
 public:
  explicit RankScript(const ReportedFigure& figure) : figure_(figure), styles_(styles_of(figure)) {}

  std::string text() {
    if (!figure_.request.title.empty()) add_title();
    if (figure_.rankings.empty()) {
      add_label("no draw with a result yet", kWidth / 2, y_ + kStep, "center", 14, "#202020");
      y_ += 2 * kStep;
    }
    for (const Ranking& ranking : figure_.rankings) add_panel(ranking);
    return head() + body_ + "plot NaN notitle\n";
  }

 private:
  std::string head() const {
    const std::string& name = figure_.request.name;
    return fmt::format(
        "# gnuplot {0}.gp draws {0}.svg, of the mean ranks in {0}.tsv; places are pixels.\n"
        "if (!exists('output')) output = {1}\n"
        "set terminal svg size {2},{3} noenhanced font 'Helvetica,Arial,sans-serif,15' background '#ffffff'\n"
        "set encoding utf8\nset output output\nunset border\nunset tics\nunset key\n"
        "set lmargin at screen 0\nset rmargin at screen 1\nset tmargin at screen 1\nset bmargin at screen 0\n"
        "set xrange [0:{2}]\nset yrange [{3}:0]\n",
        name, gnuplot_quoted(name + ".svg"), kWidth, std::ceil(y_ + kEdge));
  }

  void add_title() {
    constexpr std::size_t kTitle = 80;
    for (const std::string& line : broken_lines(figure_.request.title, kTitle)) {
      add_label(line, kWidth / 2, y_ + kTextLine, "center", 15, "#000000");
      y_ += kTextLine + 2;
    }
    y_ += kEdge;
  }

  void add_panel(const Ranking& ranking) {
    if (!figure_.panels.empty()) {
      if (ranking.panel > 0) y_ += kEdge;
      add_label(figure_.panels[ranking.panel], kWidth / 2, y_ + kTextLine, "center", 15, "#202020");
      y_ += kTextLine + kEdge / 2;
    }
    measure(ranking);
    if (ranking.critical_difference) add_critical_difference(*ranking.critical_difference);
    add_axis(ranking);
    const double axis = y_;
    const std::vector<std::size_t> lines = lines_of(ranking);
    std::size_t last = 0;
    for (std::size_t g = 0; g < lines.size(); ++g) {
      add_group(ranking, ranking.groups[g], lines[g]);
      last = std::max(last, lines[g] + 1);
    }
    y_ += kBar * static_cast<double>(last) + kEdge;
    add_names(ranking, axis);
    y_ += kEdge;
    for (const std::string& line : broken_lines(ranking_text(figure_, ranking), kLine)) {
      add_label(line, kEdge, y_ + kTextLine / 2, "left", 13, "#404040");
      y_ += kTextLine;
    }
    y_ += kEdge / 2;
  }

  const FigureSeries& series(const Ranking& ranking, std::size_t place) const {
    return figure_.series[ranking.first_series + ranking.order[place]];
  }

  double rank(const Ranking& ranking, std::size_t place) const {
    return series(ranking, place).points.front().y->lower.to_double().value_or(0);
  }

  std::string name(const Ranking& ranking, std::size_t place) const {
    const std::string number = fmt::format("  {:.2f}", rank(ranking, place));
    const double room = kMostRoom - 2 * kEdge - text_width(number, kNameSize);
    return fitted(series(ranking, place).words, kNameSize, room) + number;
  }

  // Leaves room for the names to both sides, but an axis of a third of the width at least.
  void measure(const Ranking& ranking) {
    count_ = ranking.order.size();
    const auto room = [&](std::size_t from, std::size_t to) {
      double longest = 0;
      for (std::size_t place = from; place < to; ++place) {
        longest = std::max(longest, text_width(name(ranking, place), kNameSize));
      }
      return std::min(longest + 2 * kEdge, kMostRoom);
    };
    left_ = room(0, left_names());
    right_ = kWidth - room(left_names(), count_);
  }

  std::size_t left_names() const { return (count_ + 1) / 2; }

  double x_of(double rank) const { return left_ + (rank - 1) / static_cast<double>(count_ - 1) * (right_ - left_); }

  void add_critical_difference(double difference) {
    y_ += kStep;
    const double to = x_of(1 + difference);
    const bool is_long = to > right_;
    const std::string text = fmt::format("CD = {:.3g}", difference) + (is_long ? ", more than all ranks" : "");
    if (!is_long) {
      add_line(left_, y_, to, y_, "#404040", 2);
      add_line(left_, y_ - 4, left_, y_ + 4, "#404040", 2);
      add_line(to, y_ - 4, to, y_ + 4, "#404040", 2);
    }
    add_label(text, (is_long ? left_ : to) + 8, y_, "left", 13, "#404040");
  }

  void add_axis(const Ranking& ranking) {
    y_ += 2 * kStep;
    add_line(left_, y_, right_, y_, "#404040", 1.5);
    constexpr std::size_t kMostTics = 12;
    const std::size_t step = (ranking.order.size() + kMostTics - 1) / kMostTics;
    for (std::size_t tic = 1; tic <= ranking.order.size(); ++tic) {
      const double x = x_of(static_cast<double>(tic));
      const bool is_named = (tic - 1) % step == 0;
      add_line(x, y_ - (is_named ? 7 : 4), x, y_, "#404040", 1);
      if (is_named) add_label(std::to_string(tic), x, y_ - 17, "center", 14, "#202020");
    }
  }

  // Bars that do not overlap stand on one line.
  static std::vector<std::size_t> lines_of(const Ranking& ranking) {
    std::vector<std::size_t> lines;
    std::vector<std::size_t> ends;  // by line
    for (const RankGroup& group : ranking.groups) {
      const auto free = std::ranges::find_if(ends, [&](std::size_t end) { return end < group.first; });
      lines.push_back(static_cast<std::size_t>(free - ends.begin()));
      if (free == ends.end()) {
        ends.push_back(group.last);
      } else {
        *free = group.last;
      }
    }
    return lines;
  }

  void add_group(const Ranking& ranking, const RankGroup& group, std::size_t line) {
    const double y = y_ + 3 + kBar * static_cast<double>(line + 1);
    constexpr double kOver = 4;
    add_line(x_of(rank(ranking, group.first)) - kOver, y, x_of(rank(ranking, group.last)) + kOver, y, "#404040", 4);
  }

  // The best to the left, the first on top; the worst to the right, the last on top.
  void add_names(const Ranking& ranking, double axis) {
    for (std::size_t place = 0; place < count_; ++place) {
      const bool is_left = place < left_names();
      const std::size_t row = is_left ? place : count_ - 1 - place;
      const double y = y_ + kStep * (static_cast<double>(row) + 0.5);
      const CurveStyle& style = styles_[ranking.first_series + ranking.order[place]];
      const double x = x_of(rank(ranking, place));
      const double end = is_left ? left_ - kEdge : right_ + kEdge;
      add_line(x, axis, x, y, style.color, 1.6);
      add_line(x, y, end, y, style.color, 1.6);
      add_mark(x, axis, style);
      add_label(name(ranking, place), is_left ? end - 5 : end + 5, y, is_left ? "right" : "left", 14, "#000000");
    }
    y_ += kStep * static_cast<double>(left_names());
  }

  void add_line(double x, double y, double to_x, double to_y, std::string_view color, double width) {
    body_ += fmt::format("set arrow from {},{} to {},{} nohead linecolor '{}' linewidth {}\n", plotted_text(x),
                         plotted_text(y), plotted_text(to_x), plotted_text(to_y), color, width);
  }

  void add_label(const std::string& text, double x, double y, std::string_view side, int size, std::string_view color) {
    body_ += fmt::format("set label {} at {},{} {} font ',{}' textcolor '{}'\n", gnuplot_quoted(text), plotted_text(x),
                         plotted_text(y), side, size, color);
  }

  void add_mark(double x, double y, const CurveStyle& style) {
    body_ += fmt::format("set label '' at {},{} point linecolor '{}' pointtype {} pointsize 0.8 front\n",
                         plotted_text(x), plotted_text(y), style.color, style.mark);
  }

  const ReportedFigure& figure_;
  std::vector<CurveStyle> styles_;
  std::string body_;
  double y_ = kEdge / 2;
  std::size_t count_ = 0;
  double left_ = 0;
  double right_ = 0;
};

// Pairs that no bar joins, though no difference is found between them.
std::string unjoined_text(const ReportedFigure& figure, const Ranking& ranking) {
  if (ranking.unjoined.empty()) return "";
  const auto word = [&](std::size_t place) { return figure.series[ranking.first_series + ranking.order[place]].words; };
  std::vector<std::string> pairs;
  for (const RankGroup& pair : ranking.unjoined) pairs.push_back(word(pair.first) + " and " + word(pair.last));
  return fmt::format(" Nor is a difference found between {}.", fmt::join(pairs, ", "));
}

}  // namespace

std::string ranking_text(const ReportedFigure& figure, const Ranking& ranking) {
  const std::string level = decimal(ranking.level);
  std::string text = friedman_text(figure, ranking);
  if (ranking.tail > ranking.level.to_double().value_or(0)) {
    return text + fmt::format(" It finds no difference at level {}: no pairs are compared.", level);
  }
  if (ranking.test == RankTest::nemenyi) {
    return text +
           fmt::format(
               " Nemenyi's test at level {}: mean ranks differ that lie {:.3g} (CD) or more apart; bars join those "
               "that do not.",
               level, *ranking.critical_difference);
  }
  return text +
         fmt::format(
             " Wilcoxon's signed rank tests of all pairs, Holm's procedure at level {}: bars join neighbors of "
             "which no two differ.",
             level) +
         unjoined_text(figure, ranking);
}

std::string whole_ranking_text(const ReportedFigure& figure, const Ranking& ranking) {
  const auto series = [&](std::size_t place) -> const FigureSeries& {
    return figure.series[ranking.first_series + ranking.order[place]];
  };
  std::vector<std::string> ranks;
  for (std::size_t place = 0; place < ranking.order.size(); ++place) {
    const auto& mean = series(place).points.front().y->lower;
    ranks.push_back(fmt::format("{} {:.2f}", series(place).words, mean.to_double().value_or(0)));
  }
  std::vector<std::string> groups;
  for (const RankGroup& group : ranking.groups) {
    std::vector<std::string> words;
    for (std::size_t place = group.first; place <= group.last; ++place) words.push_back(series(place).words);
    groups.push_back(fmt::format("{}", fmt::join(words, " - ")));
  }
  return (figure.panels.empty() ? "" : figure.panels[ranking.panel] + ": ") + ranking_text(figure, ranking) +
         fmt::format(" Ranks: {}. Bars: {}.", fmt::join(ranks, ", "),
                     groups.empty() ? "none" : fmt::format("{}", fmt::join(groups, "; ")));
}

std::string rank_script(const ReportedFigure& figure) { return RankScript(figure).text(); }

}  // namespace takt::tools
