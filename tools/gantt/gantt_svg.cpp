// Pixels of lines and bars; the same two drawings, labels and bars, for files and pages.
#include "tools/gantt/gantt_svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

#include "maxplus/contract.hpp"
#include "tools/pictures/palette.hpp"
#include "tools/pictures/svg.hpp"
#include "tools/pictures/text_width.hpp"
#include "tools/words/short_names.hpp"
#include "tpn/visible.hpp"

namespace takt::tools {

using maxplus::Rational;

namespace {

constexpr double kTimeWidth = 1000;  // of all bars, in pixels
constexpr double kTop = 26;          // above the first line
constexpr double kBottom = 8;        // below the last
constexpr double kTickText = 15;     // the baseline of the ticks' numbers
constexpr double kTickTop = 20;
constexpr double kTextDrop = 4;  // from the middle of a line to the baseline of its text
constexpr double kLeastLabels = 92;
constexpr double kMostLabels = 220;
constexpr double kLabelGap = 8;
constexpr double kHeading = 18;         // a group's, above its lines
constexpr double kHeadingShare = 0.85;  // of its letters to those of labels
constexpr double kGap = 4;              // between labels and bars
constexpr double kRightEdge = 14;
constexpr double kCaptionLine = 17;
constexpr double kBold = 8.4;       // pixels per character, of line labels: bold letters of DejaVu Sans
constexpr double kSmall = 6.5;      // of numbers on bars
constexpr double kNumberEdges = 9;  // on both sides of a number together
constexpr double kLeastBar = 1;

// Class and colors of bars.
struct BarColors {
  std::string_view name;  // of the class
  SchemeColor fill;
  SchemeColor text;
};
constexpr std::array kHueColors = {BarColors{"h0", kTints[0], kOnHue}, BarColors{"h1", kTints[1], kOnHue},
                                   BarColors{"h2", kTints[2], kOnHue}, BarColors{"h3", kTints[3], kOnHue},
                                   BarColors{"h4", kTints[4], kOnHue}, BarColors{"h5", kTints[5], kOnHue}};
// By BarKind.
constexpr std::array kKindColors = {BarColors{"qr", kReceiveColor, kInkColor},
                                    BarColors{"qc", kComputeColor, {"#fff", "#101316"}},
                                    BarColors{"qs", kSendColor, {"#1c2127", "#fff"}}};
constexpr SchemeColor kTransferOpacity{"0.62", "0.4"};  // of hues

// How characters and lines become pixels, and where they are.
class GanttLayout {
 public:
  explicit GanttLayout(const GanttDrawing& drawing) : drawing_(drawing) {
    if (!drawing.has_tall_bars) {
      line_height_ = kNarrowLine;
      tall_ = kNarrowBar;
      low_ = kNarrowTransfer;
    }
    double widest = 0;
    double top = kTop;
    for (const GanttLine& line : drawing.lines) {
      widest = std::max({widest, width_of(label(line)), width_of(line.heading) * kHeadingShare});
      if (!line.heading.empty()) top += kHeading;
      tops_.push_back(top);
      top += line_height_;
    }
    height_ = top + kBottom;
    fit_labels();
    labels_ = std::clamp(std::ceil(widest + kLabelGap), kLeastLabels, kMostLabels);
  }

  const GanttDrawing& drawing() const { return drawing_; }
  double labels() const { return labels_; }
  double height() const { return height_; }
  double top_of(std::size_t line) const { return tops_[line]; }
  double middle_of(std::size_t line) const { return top_of(line) + line_height_ / 2; }
  double thickness(BarKind kind) const { return kind == BarKind::compute ? tall_ : low_; }

  double x_of(const Rational& time) const {
    const TimeWindow& window = drawing_.window;
    return ((time - window.from) / (window.to - window.from) * Rational(static_cast<int>(kTimeWidth)))
        .to_double()
        .value_or(0);
  }

  /// "P0 compute", cut where it is longer than the widest label.
  const std::string& fitting_label(std::size_t line) const { return fitting_labels_[line]; }
  const std::string& fitting_heading(std::size_t line) const { return fitting_headings_[line]; }

 private:
  static constexpr double kNarrowLine = 24;
  static constexpr double kNarrowBar = 18;
  static constexpr double kNarrowTransfer = 14;

  // Names are cut, words are not.
  void fit_labels() {
    std::vector<std::string> names;
    std::vector<std::string> headings;
    for (const GanttLine& line : drawing_.lines) {
      names.push_back(tpn::visible(line.processor));
      headings.push_back(line.heading);
    }
    const auto words = [&](std::size_t line) { return drawing_.lines[line].words; };
    fitting_labels_ = short_names(names, [&](std::size_t line, const std::string& name) {
      const double space = words(line).empty() ? 0 : kBold;
      return width_of(name) + space + width_of(words(line)) + kLabelGap <= kMostLabels;
    });
    fitting_headings_ = short_names(headings, [&](std::size_t, const std::string& heading) {
      return width_of(heading) * kHeadingShare + kLabelGap <= kMostLabels;
    });
    for (std::size_t line = 0; line < names.size(); ++line) {
      if (!words(line).empty()) fitting_labels_[line] += " " + words(line);
    }
  }

  static std::string label(const GanttLine& line) {
    return tpn::visible(line.processor) + (line.words.empty() ? "" : " " + line.words);
  }

  static double width_of(std::string_view text) { return kBold * static_cast<double>(text_cells(text)); }

  const GanttDrawing& drawing_;
  double line_height_ = 34;
  double tall_ = 26;
  double low_ = 18;
  double labels_ = kLeastLabels;
  std::vector<std::string> fitting_labels_;  // by line
  std::vector<std::string> fitting_headings_;
  std::vector<double> tops_;  // by line, without its heading
  double height_ = 0;
};

// Files have no script, so no times for one; pages have a style, so no attributes instead of one.
enum class GanttUse { file, page };

class GanttPainter : public SvgWriter {
 public:
  GanttPainter(std::string& text, GanttUse use) : SvgWriter(text), use_(use) {}

  GanttUse use() const { return use_; }
  /// A presentation attribute of a file.
  GanttPainter& paint(std::string_view name, std::string_view value) {
    if (use_ == GanttUse::file) attribute(name, value);
    return *this;
  }

 private:
  GanttUse use_;
};

// A time or a length for the script, which tells times in units of the scale.
std::string number_text(const GanttDrawing& drawing, const Rational& time) {
  constexpr int kDigits = 10;
  return fmt::format("{:.{}g}", (time / drawing.scale.length).to_double().value_or(0), kDigits);
}

void write_labels(GanttPainter& svg, const GanttLayout& layout) {
  const auto& lines = layout.drawing().lines;
  if (layout.drawing().scale.name.empty()) {
    svg.open("text").attribute("class", "part").attribute("x", coordinate(layout.labels() - kLabelGap));
    svg.attribute("y", kTickText).attribute("text-anchor", "end");
    svg.paint("fill", kDimColor.light).paint("font-size", "11").paint("font-style", "italic");
    svg.text("time units").close();
  }
  for (std::size_t k = 0; k < lines.size(); ++k) {
    if (!lines[k].heading.empty()) {
      svg.open("text").attribute("class", "part").attribute("x", coordinate(layout.labels() - kLabelGap));
      svg.attribute("y", layout.top_of(k) - kTextDrop).attribute("text-anchor", "end");
      svg.paint("fill", kDimColor.light).paint("font-size", "11").paint("font-style", "italic");
      svg.text(layout.fitting_heading(k)).close();
    }
    const std::string& label = layout.fitting_label(k);
    svg.open("text").attribute("x", coordinate(layout.labels() - kLabelGap));
    svg.attribute("y", layout.middle_of(k) + kTextDrop).attribute("text-anchor", "end");
    svg.attribute("class", lines[k].starts_processor ? "lane" : "lane dim");
    svg.paint("fill", lines[k].starts_processor ? kInkColor.light : kDimColor.light);
    if (lines[k].starts_processor) svg.paint("font-weight", "600");
    svg.text(label).close();
  }
}

// From its tick, for a label that would not end within the drawing.
double shift_of(double x, std::string_view label) {
  const double half = kSmall * static_cast<double>(text_characters(label)) / 2;
  return std::max(half - x, 0.0) + std::min(kTimeWidth - half - x, 0.0);
}

void write_grid(GanttPainter& svg, const GanttLayout& layout) {
  const GanttDrawing& drawing = layout.drawing();
  for (std::size_t k = 1; k < drawing.lines.size(); ++k) {
    if (!drawing.lines[k].starts_processor) continue;
    const double y = layout.top_of(k) - (drawing.lines[k].heading.empty() ? 0 : kHeading);
    svg.open("line").attribute("class", "rule").attribute("x1", "0").attribute("x2", "100%");
    svg.attribute("y1", y).attribute("y2", y);
    svg.paint("stroke", kRuleColor.light).close();
  }
  const double bottom = layout.height() - kBottom;
  const auto at = [&](std::string_view element, std::string_view name, const Rational& time) {
    const bool is_mark = !name.empty();
    svg.open(element);
    if (is_mark) svg.attribute("class", name);
    if (svg.use() == GanttUse::page) svg.attribute("data-t", number_text(drawing, time - drawing.window.from));
    svg.attribute("transform", fmt::format("translate({})", coordinate(layout.x_of(time))));
    svg.open("line").attribute("y1", kTickTop).attribute("y2", bottom);
    svg.paint("stroke", is_mark ? kDimColor.light : kRuleColor.light);
    if (is_mark) svg.paint("stroke-dasharray", "3 3");
    svg.close();
  };
  svg.open("g").attribute("class", "ticks");
  svg.paint("fill", kDimColor.light).paint("font-size", "11").paint("text-anchor", "middle");
  for (const AxisTick& tick : drawing.ticks) {
    at("g", "", tick.value);
    svg.open("text");
    const double shift = shift_of(layout.x_of(tick.value), tick.label);
    if (shift != 0) svg.attribute("x", shift);
    svg.attribute("y", kTickText).text(tick.label).close().close();
  }
  svg.close();
  for (const Rational& mark : drawing.marks) {
    at("g", "mark", mark);
    svg.close();
  }
}

const BarColors& colors_of(const GanttDrawing& drawing, const GanttBar& bar) {
  return drawing.color == GanttColor::kind ? kKindColors.at(static_cast<std::size_t>(bar.kind))
                                           : kHueColors.at(bar.hue);
}

std::string classes_of(const GanttDrawing& drawing, const GanttBar& bar) {
  constexpr std::array kKinds = {'r', 'c', 's'};
  const char kind = kKinds.at(static_cast<std::size_t>(bar.kind));
  return fmt::format("b {} {}{}", colors_of(drawing, bar).name, kind, bar.is_critical ? " k" : "");
}

bool is_pale(const GanttDrawing& drawing, const GanttBar& bar) {
  return drawing.color != GanttColor::kind && bar.kind != BarKind::compute;
}

void write_bar(GanttPainter& svg, const GanttLayout& layout, const GanttBar& bar) {
  const GanttDrawing& drawing = layout.drawing();
  const double x = layout.x_of(bar.shown.from);
  const double width = std::max(layout.x_of(bar.shown.to) - x, kLeastBar);
  const double thickness = layout.thickness(bar.kind);
  const BarColors& colors = colors_of(drawing, bar);
  svg.open("g").attribute("class", classes_of(drawing, bar));
  if (svg.use() == GanttUse::page) {
    svg.attribute("data-s", number_text(drawing, bar.shown.from - drawing.window.from));
    svg.attribute("data-w", number_text(drawing, bar.shown.to - bar.shown.from));
  }
  svg.element("title", bar.tooltip);
  svg.open("rect").attribute("x", x).attribute("y", layout.middle_of(bar.line) - thickness / 2);
  svg.attribute("width", width).attribute("height", fmt::format("{}", thickness)).attribute("rx", "2");
  svg.paint("fill", colors.fill.light);
  if (is_pale(drawing, bar)) svg.paint("fill-opacity", kTransferOpacity.light);
  svg.paint("stroke", (bar.is_critical ? kAccentColor : kEdgeColor).light);
  svg.paint("stroke-width", bar.is_critical ? "2.4" : "0.8").close();
  const bool fits = width >= kNumberEdges + kSmall * static_cast<double>(text_characters(bar.label));
  if (fits || svg.use() == GanttUse::page) {
    svg.open("text").attribute("x", x + width / 2).attribute("y", layout.middle_of(bar.line) + kTextDrop);
    if (!fits) svg.attribute("display", "none");
    svg.paint("fill", (is_pale(drawing, bar) ? kInkColor : colors.text).light);
    if (bar.is_critical) svg.paint("font-weight", "700");
    svg.text(bar.label).close();
  }
  svg.close();
}

std::string view_box(double width, double height) { return fmt::format("0 0 {} {}", width, height); }

}  // namespace

bool is_drawable(const GanttDrawing& drawing) {
  const auto& [from, to] = drawing.window;
  const auto width = ((to - from) / drawing.scale.length).to_double();
  return from.to_double() && to.to_double() && width && *width > 0;
}

std::string gantt_style() {
  std::string rules;
  const auto add = [&](std::string_view selector, std::string_view property, const SchemeColor& color) {
    rules += dark_rule(selector, property, color.dark);
  };
  add(".page", "fill", kPageColor);
  add(".lane", "fill", kInkColor);
  add(".lane.dim,.part,.cap,.ticks text", "fill", kDimColor);
  add(".rule,.ticks line", "stroke", kRuleColor);
  add(".mark line", "stroke", kDimColor);
  add(".b rect", "stroke", kEdgeColor);
  const auto add_bars = [&](const BarColors& colors) {
    add(fmt::format(".{} rect", colors.name), "fill", colors.fill);
    add(fmt::format(".{} text", colors.name), "fill", colors.text);
  };
  std::ranges::for_each(kHueColors, add_bars);
  add(".r rect,.s rect", "fill-opacity", kTransferOpacity);
  add(".b.r text,.b.s text", "fill", kInkColor);
  std::ranges::for_each(kKindColors, add_bars);
  rules += ".b.qr rect,.b.qs rect{fill-opacity:1}";
  add(".b.qs text", "fill", kKindColors.back().text);
  add(".b.k rect", "stroke", kAccentColor);
  return dark_style(rules);
}

std::string gantt_svg(const GanttDrawing& drawing) {
  maxplus::expects(is_drawable(drawing), "times are coordinates");
  const GanttLayout layout(drawing);
  const double width = layout.labels() + kGap + kTimeWidth + kRightEdge;
  const auto captions = static_cast<double>(drawing.caption.size());
  const double height = layout.height() + kBottom + kCaptionLine * captions;
  std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  GanttPainter svg(text, GanttUse::file);
  svg.open("svg").attribute("xmlns", "http://www.w3.org/2000/svg").attribute("viewBox", view_box(width, height));
  svg.attribute("width", fmt::format("{}", width)).attribute("height", fmt::format("{}", height));
  svg.attribute("font-family", kSvgFonts).attribute("font-size", "12");
  svg.attribute("role", "img").attribute("aria-labelledby", "title description");
  svg.open("title").attribute("id", "title").text(drawing.title).close();
  svg.open("desc").attribute("id", "description").text(drawing.description).close();
  svg.open("style").raw(gantt_style()).close();
  svg.open("rect").attribute("class", "page").attribute("width", "100%").attribute("height", "100%");
  svg.paint("fill", kPageColor.light).close();
  svg.raw("\n").open("g");
  write_labels(svg, layout);
  svg.close().raw("\n");
  svg.open("svg").attribute("x", layout.labels() + kGap).attribute("width", fmt::format("{}", kTimeWidth));
  svg.attribute("height", fmt::format("{}", layout.height()));
  write_grid(svg, layout);
  svg.raw("\n").open("g").attribute("font-size", "11").attribute("text-anchor", "middle");
  for (const GanttBar& bar : drawing.bars) {
    svg.raw("\n");
    write_bar(svg, layout, bar);
  }
  svg.close().close();
  for (std::size_t k = 0; k < drawing.caption.size(); ++k) {
    svg.raw("\n").open("text").attribute("class", "cap").attribute("fill", kDimColor.light);
    svg.attribute("x", layout.labels() + kGap);
    svg.attribute("y", layout.height() + kCaptionLine * static_cast<double>(k + 1) - kTextDrop);
    svg.text(drawing.caption[k]).close();
  }
  svg.raw("\n").close().raw("\n");
  return text;
}

std::string gantt_html(const GanttDrawing& drawing, std::string_view id) {
  maxplus::expects(is_drawable(drawing), "times are coordinates");
  const GanttLayout layout(drawing);
  std::string text;
  GanttPainter svg(text, GanttUse::page);
  svg.open("div").attribute("class", "gantt");
  svg.attribute("style", fmt::format("--labels:{0}px;--labels-share:{0}fr", layout.labels()));
  svg.open("svg").attribute("class", "glab").attribute("viewBox", view_box(layout.labels(), layout.height()));
  svg.attribute("aria-hidden", "true");
  write_labels(svg, layout);
  svg.close();
  svg.open("section").attribute("class", "scroll").attribute("tabindex", "0");
  svg.attribute("aria-label", drawing.title + ", scrollable");
  svg.open("svg").attribute("class", "gbars").attribute("viewBox", view_box(kTimeWidth, layout.height()));
  svg.attribute("data-span", number_text(drawing, drawing.window.to - drawing.window.from));
  svg.attribute("data-h", fmt::format("{}", layout.height()));
  if (!drawing.scale.name.empty()) svg.attribute("data-unit", drawing.scale.name);
  svg.attribute("data-t0", number_text(drawing, drawing.window.from)).attribute("role", "img");
  svg.attribute("aria-labelledby", fmt::format("{0}-t {0}-d", id));
  svg.open("title").attribute("id", fmt::format("{}-t", id)).text(drawing.title).close();
  svg.open("desc").attribute("id", fmt::format("{}-d", id)).text(drawing.description).close();
  write_grid(svg, layout);
  for (const GanttBar& bar : drawing.bars) write_bar(svg, layout, bar);
  svg.close().close().close();
  return text;
}

}  // namespace takt::tools
