// From numbers to pixels.
#include "tools/plot/plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string_view>

#include "tools/gantt/ticks.hpp"
#include "tools/svg.hpp"

namespace takt::tools {

using maxplus::Rational;

namespace {

constexpr double kWidth = 720;
constexpr double kHeight = 440;
constexpr double kLeft = 76;
constexpr double kRight = 24;
constexpr double kTop = 52;
constexpr double kBottom = 52;

constexpr std::string_view kPlotStyle =
    R"(:root{color-scheme:light dark;--bg:#fff;--ink:#1c2127;--dim:#5f6873;--rule:#eceef0;--acc:#c2410c;--c:#2f5f8f})"
    "\n"
    R"(@media (prefers-color-scheme:dark){:root{--bg:#14171b;--ink:#e7e9ec;--dim:#a2abb6;--rule:#262c33;--acc:#ff9a5c;)"
    R"(--c:#5b9bd5}})"
    "\n"
    R"(svg{font:12px system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans","DejaVu Sans",sans-serif;)"
    R"(font-variant-numeric:tabular-nums})"
    "\n"
    R"(text{fill:var(--ink)}.page{fill:var(--bg)}.t{font-weight:650;font-size:14px}.d{fill:var(--dim)}.m{text-anchor:middle})"
    R"(.e{text-anchor:end}.rule{stroke:var(--rule)}.level{stroke:var(--dim);stroke-dasharray:3 3}.line{fill:none;)"
    R"(stroke:var(--c);stroke-width:2}.dashed{fill:none;stroke:var(--dim);stroke-dasharray:3 3}.p{fill:var(--c)}.k{fill:var(--acc)})"
    "\n";

// The axes: from which numbers to which.
class PlotFrame {
 public:
  explicit PlotFrame(const Plot& plot) {
    for (const auto& [x, y] : plot.line) include(x, y);
    for (const auto& [x, y] : plot.dashed) include(x, y);
    for (const PlotPoint& point : plot.points) include(point.x, point.y);
    for (const auto& level : plot.levels) y_to_ = std::max(y_to_, level.first);
    if (plot.has_diagonal) x_to_ = y_to_ = std::max(x_to_, y_to_);
    // Room above, and none of no extent.
    y_to_ = y_to_.sign() == 0 ? Rational(1) : y_to_ * Rational::fraction(21, 20);
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

void write_text(SvgWriter& svg, double x, double y, std::string_view style, std::string_view words) {
  if (words.empty()) return;
  svg.open("text").attribute("class", style).attribute("x", x).attribute("y", y).text(words).close();
}

void write_line(SvgWriter& svg, std::string_view style, double x1, double y1, double x2, double y2) {
  svg.open("line").attribute("class", style).attribute("x1", x1).attribute("y1", y1);
  svg.attribute("x2", x2).attribute("y2", y2).close().raw("\n");
}

void write_axes(SvgWriter& svg, const Plot& plot, const PlotFrame& frame) {
  for (const AxisTick& tick : axis_ticks(Rational(), frame.y_to(), 8)) {
    const double y = frame.y(tick.value);
    write_line(svg, "rule", kLeft, y, kWidth - kRight, y);
    write_text(svg, kLeft - 8, y + 4, "d e", tick.label);
  }
  for (const AxisTick& tick : axis_ticks(Rational(), frame.x_to(), 8)) {
    const double x = frame.x(tick.value);
    write_line(svg, "rule", x, kTop, x, kHeight - kBottom);
    // The last number ends at the edge.
    constexpr double kHalfDigit = 3.6;
    const bool is_last = x + kHalfDigit * static_cast<double>(tick.label.size()) > kWidth;
    write_text(svg, is_last ? kWidth - 4 : x, kHeight - kBottom + 18, is_last ? "d e" : "d m", tick.label);
  }
  write_text(svg, (kLeft + kWidth - kRight) / 2, kHeight - 12, "d m", plot.x_title);
  write_text(svg, 16, kTop - 8, "d", plot.y_title);
}

void write_polyline(SvgWriter& svg, std::string_view style, const std::vector<std::pair<Rational, Rational>>& line,
                    const PlotFrame& frame) {
  if (line.empty()) return;
  std::string points;
  for (const auto& [x, y] : line) {
    points += fmt::format("{}{},{}", points.empty() ? "" : " ", coordinate(frame.x(x)), coordinate(frame.y(y)));
  }
  svg.open("polyline").attribute("class", style).attribute("points", points).close().raw("\n");
}

void write_levels(SvgWriter& svg, const Plot& plot, const PlotFrame& frame) {
  if (plot.has_diagonal) {
    write_line(svg, "level", frame.x(Rational()), frame.y(Rational()), frame.x(frame.x_to()), frame.y(frame.x_to()));
  }
  for (const auto& [level, words] : plot.levels) {
    const double y = frame.y(level);
    write_line(svg, "level", kLeft, y, kWidth - kRight, y);
    write_text(svg, kWidth - kRight - 4, y + 14, "d e", words);
  }
}

void write_notes(SvgWriter& svg, const Plot& plot, const PlotFrame& frame) {
  constexpr double kCharacter = 6.3;
  for (const PlotNote& note : plot.notes) {
    const double from = frame.x(note.from);
    const double to = frame.x(note.to);
    if (to - from < kCharacter * static_cast<double>(note.text.size())) continue;
    write_text(svg, (from + to) / 2, kTop + 14, "d m", note.text);
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
    if (point.label.empty() || !fits || y > free_below) continue;
    write_text(svg, x, y, "e", point.label);
    free_below = y - kLine;
  }
}

void write_points(SvgWriter& svg, const Plot& plot, const PlotFrame& frame) {
  std::vector<std::pair<double, double>> labelled;
  for (const PlotPoint& point : plot.points) {
    const double x = frame.x(point.x);
    const double y = frame.y(point.y);
    svg.open("circle").attribute("class", point.is_accented ? "k" : "p");
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
    const bool is_free = std::ranges::none_of(labelled, [&](const auto& other) {
      return std::abs(other.first - x) < kLabelWidth && std::abs(other.second - y) < kLabelHeight;
    });
    if (!point.label.empty() && is_free) {
      const bool leftwards = x > kWidth - kRight - kLabelWidth;
      if (point.is_accented) {
        write_text(svg, x, y - 10, "m", point.label);
      } else {
        write_text(svg, leftwards ? x - 8 : x + 8, y + 4, leftwards ? "e" : "", point.label);
      }
      labelled.emplace_back(x, y);
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
  svg.attribute("role", "img").attribute("aria-labelledby", "title description");
  svg.open("title").attribute("id", "title").text(plot.title).close();
  svg.open("desc").attribute("id", "description").text(plot.description).close();
  svg.open("style").raw(kPlotStyle).close();
  svg.open("rect").attribute("class", "page").attribute("width", "100%").attribute("height", "100%").close().raw("\n");
  write_text(svg, 16, 22, "t", plot.title);
  write_axes(svg, plot, frame);
  write_levels(svg, plot, frame);
  write_polyline(svg, "dashed", plot.dashed, frame);
  if (!plot.dashed.empty()) write_text(svg, kWidth - kRight - 4, kHeight - kBottom - 8, "d e", plot.dashed_words);
  write_polyline(svg, "line", plot.line, frame);
  write_notes(svg, plot, frame);
  write_points(svg, plot, frame);
  if (plot.rises) write_labels_above(svg, plot, frame);
  svg.close().raw("\n");
  return text;
}

}  // namespace takt::tools
