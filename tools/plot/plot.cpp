// From numbers to pixels.
#include "tools/plot/plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <string_view>

#include "tools/gantt/ticks.hpp"
#include "tools/pictures/svg.hpp"

namespace takt::tools {

using maxplus::Rational;

namespace {

constexpr double kWidth = 720;
constexpr double kHeight = 440;
constexpr double kLeft = 76;
constexpr double kRight = 24;
constexpr double kTop = 52;
constexpr double kBottom = 52;

// Style classes, and the presentation attributes that they stand for where nobody prefers dark.
struct PlotPaint {
  std::string_view name;
  std::string_view property;
  SchemeColor color;
};
constexpr std::array kPlotPaints = {
    PlotPaint{"page", "fill", kPageColor},      PlotPaint{"i", "fill", kInkColor},
    PlotPaint{"d", "fill", kDimColor},          PlotPaint{"rule", "stroke", kRuleColor},
    PlotPaint{"level", "stroke", kDimColor},    PlotPaint{"dashed", "stroke", kDimColor},
    PlotPaint{"line", "stroke", kComputeColor}, PlotPaint{"p", "fill", kComputeColor},
    PlotPaint{"k", "fill", kAccentColor}};

// The class of the element opened last, with its light color.
void paint(SvgWriter& svg, std::string_view name) {
  const auto* const found = std::ranges::find(kPlotPaints, name, &PlotPaint::name);
  svg.attribute("class", name).attribute(found->property, found->color.light);
}

std::string plot_style() {
  std::string rules;
  for (const PlotPaint& one : kPlotPaints) {
    rules += dark_rule(fmt::format(".{}", one.name), one.property, one.color.dark);
  }
  return dark_style(rules + dark_rule(".halo", "stroke", kPageColor.dark) +
                    dark_rule(".lead", "stroke", kAccentColor.dark));
}

enum class Anchor { start, middle, end };

// The axes: from which numbers to which.
class PlotFrame {
 public:
  explicit PlotFrame(const Plot& plot) {
    for (const auto& [x, y] : plot.line) include(x, y);
    for (const auto& [x, y] : plot.dashed) include(x, y);
    for (const PlotCurve& curve : plot.curves) {
      for (const auto& [x, y] : curve.line) include(x, y);
    }
    for (const PlotPoint& point : plot.points) include(point.x, point.y);
    for (const auto& upright : plot.uprights) x_to_ = std::max(x_to_, upright.first * Rational::fraction(21, 20));
    for (const auto& level : plot.levels) y_to_ = std::max(y_to_, level.first);
    if (plot.has_diagonal) x_to_ = y_to_ = std::max(x_to_, y_to_);
    // Room above, and none of no extent.
    const Rational room = plot.uprights.empty() ? Rational::fraction(21, 20) : Rational::fraction(5, 4);
    y_to_ = y_to_.sign() == 0 ? Rational(1) : y_to_ * room;
    x_to_ = x_to_.sign() == 0 ? Rational(1) : plot.has_diagonal ? y_to_ : x_to_;
  }

  const Rational& x_to() const { return x_to_; }
  const Rational& y_to() const { return y_to_; }
  double x(const Rational& value) const { return kLeft + share(value, x_to_) * (kWidth - kLeft - kRight); }
  double y(const Rational& value) const { return kHeight - kBottom - share(value, y_to_) * (kHeight - kTop - kBottom); }

 private:
  static double share(const Rational& value, const Rational& whole) { return (value / whole).to_double().value_or(0); }

  void include(const Rational& x, const Rational& y) {
    x_to_ = std::max(x_to_, x);
    y_to_ = std::max(y_to_, y);
  }

  Rational x_to_;
  Rational y_to_;
};

void write_text(SvgWriter& svg, double x, double y, std::string_view color, Anchor anchor, std::string_view words) {
  if (words.empty()) return;
  svg.open("text").attribute("x", x).attribute("y", y);
  if (anchor != Anchor::start) svg.attribute("text-anchor", anchor == Anchor::middle ? "middle" : "end");
  paint(svg, color);
  svg.text(words).close();
}

void write_line(SvgWriter& svg, std::string_view style, double x1, double y1, double x2, double y2) {
  svg.open("line").attribute("x1", x1).attribute("y1", y1).attribute("x2", x2).attribute("y2", y2);
  paint(svg, style);
  if (style == "level") svg.attribute("stroke-dasharray", "3 3");
  svg.close().raw("\n");
}

void write_axes(SvgWriter& svg, const Plot& plot, const PlotFrame& frame) {
  for (const AxisTick& tick : axis_ticks(Rational(), frame.y_to(), 8)) {
    const double y = frame.y(tick.value);
    write_line(svg, "rule", kLeft, y, kWidth - kRight, y);
    write_text(svg, kLeft - 8, y + 4, "d", Anchor::end, tick.label);
  }
  for (const AxisTick& tick : axis_ticks(Rational(), frame.x_to(), 8)) {
    const double x = frame.x(tick.value);
    write_line(svg, "rule", x, kTop, x, kHeight - kBottom);
    // The last number ends at the edge.
    constexpr double kHalfDigit = 3.6;
    const bool is_last = x + kHalfDigit * static_cast<double>(tick.label.size()) > kWidth;
    write_text(svg, is_last ? kWidth - 4 : x, kHeight - kBottom + 18, "d", is_last ? Anchor::end : Anchor::middle,
               tick.label);
  }
  write_text(svg, (kLeft + kWidth - kRight) / 2, kHeight - 12, "d", Anchor::middle, plot.x_title);
  write_text(svg, 16, kTop - 8, "d", Anchor::start, plot.y_title);
}

void write_polyline(SvgWriter& svg, std::string_view style, const std::vector<std::pair<Rational, Rational>>& line,
                    const PlotFrame& frame) {
  if (line.empty()) return;
  std::string points;
  for (const auto& [x, y] : line) {
    points += fmt::format("{}{},{}", points.empty() ? "" : " ", coordinate(frame.x(x)), coordinate(frame.y(y)));
  }
  svg.open("polyline").attribute("points", points).attribute("fill", "none");
  paint(svg, style);
  svg.attribute(style == "line" ? "stroke-width" : "stroke-dasharray", style == "line" ? "2" : "3 3");
  svg.close().raw("\n");
}

void write_levels(SvgWriter& svg, const Plot& plot, const PlotFrame& frame) {
  if (plot.has_diagonal) {
    write_line(svg, "level", frame.x(Rational()), frame.y(Rational()), frame.x(frame.x_to()), frame.y(frame.x_to()));
  }
  for (const auto& [level, words] : plot.levels) {
    const double y = frame.y(level);
    write_line(svg, "level", kLeft, y, kWidth - kRight, y);
    write_text(svg, kWidth - kRight - 4, y + 14, "d", Anchor::end, words);
  }
}

// Words to the left of their line, each a line of text lower than the one before.
void write_uprights(SvgWriter& svg, const Plot& plot, const PlotFrame& frame) {
  constexpr double kLine = 16;
  double y = kTop + 14;
  for (const auto& [place, words] : plot.uprights) {
    const double x = frame.x(place);
    write_line(svg, "level", x, kTop, x, kHeight - kBottom);
    write_text(svg, x - 6, y, "d", Anchor::end, words);
    y += kLine;
  }
}

// Words above the left end of each curve, below those of the curve before.
void write_curves(SvgWriter& svg, const Plot& plot, const PlotFrame& frame) {
  constexpr double kLine = 15;
  double free_below = 0;
  for (const PlotCurve& curve : plot.curves) {
    write_polyline(svg, "line", curve.line, frame);
    if (curve.line.empty()) continue;
    const auto& [x, y] = curve.line.front();
    const double at = std::max(frame.y(y) - 6, free_below);
    write_text(svg, frame.x(x), at, "i", Anchor::start, curve.words);
    free_below = at + kLine;
  }
}

void write_notes(SvgWriter& svg, const Plot& plot, const PlotFrame& frame) {
  constexpr double kCharacter = 6.3;
  for (const PlotNote& note : plot.notes) {
    const double from = frame.x(note.from);
    const double to = frame.x(note.to);
    if (to - from < kCharacter * static_cast<double>(note.text.size())) continue;
    write_text(svg, (from + to) / 2, kTop + 14, "d", Anchor::middle, note.text);
  }
}

// Where a line that rises is lowest between two pixels of the horizontal axis.
double lowest_pixel(const Plot& plot, const PlotFrame& frame, double from) {
  double y = kHeight - kBottom;
  for (const auto& [px, py] : plot.line) {
    y = frame.y(py);
    if (frame.x(px) >= from) break;
  }
  return y;
}

// Below a line that rises there is room to the right of a point; where that ends, farther down. What the label crosses
// is interrupted.
void write_labels_below(SvgWriter& svg, const Plot& plot, const PlotFrame& frame) {
  constexpr double kCharacter = 7.4;
  constexpr double kEdge = kWidth - 4;
  for (const PlotPoint& point : plot.points) {
    if (!point.is_accented || point.label.empty()) continue;
    const double x = frame.x(point.x);
    const double width = kCharacter * static_cast<double>(point.label.size());
    const bool fits = x + 8 + width < kEdge;
    double y = frame.y(point.y) + 18;
    if (!fits) {
      y = std::max(y, lowest_pixel(plot, frame, kEdge - width) + 18);
      svg.open("line").attribute("x1", x).attribute("y1", frame.y(point.y)).attribute("x2", x).attribute("y2", y - 12);
      svg.attribute("class", "lead").attribute("stroke", kAccentColor.light).close().raw("\n");
    }
    svg.open("text").attribute("x", fits ? x + 8 : kEdge).attribute("y", std::min(y, kHeight - kBottom - 6));
    if (!fits) svg.attribute("text-anchor", "end");
    svg.attribute("class", "k halo").attribute("fill", kAccentColor.light).attribute("font-weight", "600");
    svg.attribute("stroke", kPageColor.light).attribute("stroke-width", "4").attribute("paint-order", "stroke");
    svg.text(point.label).close().raw("\n");
  }
}

// Above a line that rises all is free to the left of a point, up to the axis and the label before.
void write_labels_above(SvgWriter& svg, const Plot& plot, const PlotFrame& frame) {
  constexpr double kCharacter = 6.6;
  constexpr double kLine = 14;
  double free_below = kHeight;
  for (const PlotPoint& point : plot.points) {
    const double x = frame.x(point.x) - 6;
    const double y = frame.y(point.y) - 8;
    const bool fits = x - kCharacter * static_cast<double>(point.label.size()) > kLeft;
    if (point.label.empty() || point.is_accented || !fits || y > free_below) continue;
    write_text(svg, x, y, "i", Anchor::end, point.label);
    free_below = y - kLine;
  }
}

void write_points(SvgWriter& svg, const Plot& plot, const PlotFrame& frame) {
  std::vector<std::pair<double, double>> labeled;
  for (const PlotPoint& point : plot.points) {
    const double x = frame.x(point.x);
    const double y = frame.y(point.y);
    svg.open("circle");
    paint(svg, point.is_accented ? "k" : "p");
    svg.attribute("cx", x).attribute("cy", y).attribute("r", "4");
    if (!point.tooltip.empty()) svg.element("title", point.tooltip);
    svg.close();
    if (plot.rises) {
      svg.raw("\n");
      continue;
    }
    // Of labels that would lie upon one another, the first stands.
    constexpr double kLabelHeight = 13;
    constexpr double kLabelWidth = 130;
    const bool is_free = std::ranges::none_of(labeled, [&](const auto& other) {
      return std::abs(other.first - x) < kLabelWidth && std::abs(other.second - y) < kLabelHeight;
    });
    if (!point.label.empty() && is_free) {
      const bool leftwards = x > kWidth - kRight - kLabelWidth;
      if (point.is_accented) {
        write_text(svg, x, y - 10, "i", Anchor::middle, point.label);
      } else {
        write_text(svg, leftwards ? x - 8 : x + 8, y + 4, "i", leftwards ? Anchor::end : Anchor::start, point.label);
      }
      labeled.emplace_back(x, y);
    }
    svg.raw("\n");
  }
}

}  // namespace

std::string plot_svg(const Plot& plot) {
  const PlotFrame frame(plot);
  std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  SvgWriter svg(text);
  svg.open("svg").attribute("xmlns", "http://www.w3.org/2000/svg");
  svg.attribute("viewBox", fmt::format("0 0 {} {}", kWidth, kHeight));
  svg.attribute("width", fmt::format("{}", kWidth)).attribute("height", fmt::format("{}", kHeight));
  svg.attribute("font-family", kSvgFonts).attribute("font-size", "12");
  svg.attribute("role", "img").attribute("aria-labelledby", "title description");
  svg.open("title").attribute("id", "title").text(plot.title).close();
  svg.open("desc").attribute("id", "description").text(plot.description).close();
  svg.open("style").raw(plot_style()).close();
  svg.open("rect").attribute("width", "100%").attribute("height", "100%");
  paint(svg, "page");
  svg.close().raw("\n").open("text").attribute("x", 16.0).attribute("y", 22.0);
  svg.attribute("font-size", "14").attribute("font-weight", "600");
  paint(svg, "i");
  svg.text(plot.title).close();
  write_axes(svg, plot, frame);
  write_levels(svg, plot, frame);
  write_uprights(svg, plot, frame);
  write_curves(svg, plot, frame);
  write_polyline(svg, "dashed", plot.dashed, frame);
  if (!plot.dashed.empty())
    write_text(svg, kWidth - kRight - 4, kHeight - kBottom - 8, "d", Anchor::end, plot.dashed_words);
  write_polyline(svg, "line", plot.line, frame);
  write_notes(svg, plot, frame);
  write_points(svg, plot, frame);
  if (plot.rises) {
    write_labels_above(svg, plot, frame);
    write_labels_below(svg, plot, frame);
  }
  svg.close().raw("\n");
  return text;
}

}  // namespace takt::tools
