// Pixels of lines and bars; the same two drawings, labels and bars, for files and pages.
#include "tools/gantt/gantt_svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>

#include "maxplus/contract.hpp"
#include "tools/svg.hpp"
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
constexpr double kGap = 4;  // between labels and bars
constexpr double kRightEdge = 14;
constexpr double kCaptionLine = 17;
constexpr double kBold = 8.4;       // pixels per character, of line labels: bold letters of DejaVu Sans
constexpr double kSmall = 6.5;      // of numbers on bars
constexpr double kNumberEdges = 9;  // on both sides of a number together
constexpr double kLeastBar = 1;

// Tints of the Okabe-Ito hues; what stands on them, and their edges, is legible and visible in both schemes.
constexpr std::string_view kStyle =
    R"(:root{color-scheme:light dark;--bg:#fff;--ink:#1c2127;--dim:#5f6873;--rule:#eceef0;--acc:#c2410c;)"
    R"(--c:#2f5f8f;--r:#9fc2dd;--s:#5b92bf;--onc:#fff;--ons:#1c2127;--edge:#8a94a0;--lo:.62;--h0:#a8d3f0;--h1:#f4c877;)"
    R"(--h2:#93d3b6;--h3:#e9b3d3;--h4:#efe493;--h5:#b9b8ea;--on:#1c2127})"
    "\n"
    R"(@media (prefers-color-scheme:dark){:root{--bg:#14171b;--ink:#e7e9ec;--dim:#a2abb6;--rule:#262c33;--acc:#ff9a5c;)"
    R"(--c:#5b9bd5;--r:#2c4a66;--s:#3e75a6;--onc:#101316;--ons:#fff;--edge:#76818d;--lo:.4;--h0:#7fb4d6;--h1:#d8ab58;)"
    R"(--h2:#74b798;--h3:#cb93b5;--h4:#cfc574;--h5:#9c9bd3;--on:#101316}})"
    "\n"
    R"(svg{font:12px system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans","DejaVu Sans",sans-serif;)"
    R"(font-variant-numeric:tabular-nums})"
    "\n"
    R"(text{fill:var(--ink)}.page{fill:var(--bg)}.lane{font-weight:650}.lane.dim{font-weight:400;fill:var(--dim)})"
    "\n"
    R"(.rule{stroke:var(--rule)}.ticks line{stroke:var(--rule)})"
    R"(.ticks text{fill:var(--dim);font-size:11px;text-anchor:middle})"
    R"(.mark line{stroke:var(--dim);stroke-dasharray:3 3}.cap{fill:var(--dim);font-size:12px})"
    "\n"
    R"(.b rect{stroke:var(--edge);stroke-width:.8}.b text{font-size:11px;text-anchor:middle;fill:var(--on)})"
    "\n"
    R"(.h0 rect{fill:var(--h0)}.h1 rect{fill:var(--h1)}.h2 rect{fill:var(--h2)}.h3 rect{fill:var(--h3)})"
    R"(.h4 rect{fill:var(--h4)}.h5 rect{fill:var(--h5)})"
    R"(.b.r rect,.b.s rect{fill-opacity:var(--lo)}.b.r text,.b.s text{fill:var(--ink)})"
    "\n"
    R"(.b.qr rect{fill:var(--r);fill-opacity:1}.b.qc rect{fill:var(--c)}.b.qs rect{fill:var(--s);fill-opacity:1})"
    R"(.b.qc text{fill:var(--onc)}.b.qs text{fill:var(--ons)})"
    "\n"
    R"(.b.k rect{stroke:var(--acc);stroke-width:2.4}.b.k text{font-weight:700})"
    "\n";

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
    for (const GanttLine& line : drawing.lines) widest = std::max(widest, width_of(label(line)));
    labels_ = std::clamp(widest + kLabelGap, kLeastLabels, kMostLabels);
  }

  const GanttDrawing& drawing() const { return drawing_; }
  double labels() const { return labels_; }
  double height() const { return kTop + line_height_ * static_cast<double>(drawing_.lines.size()) + kBottom; }
  double top_of(std::size_t line) const { return kTop + line_height_ * static_cast<double>(line); }
  double middle_of(std::size_t line) const { return top_of(line) + line_height_ / 2; }
  double thickness(BarKind kind) const { return kind == BarKind::compute ? tall_ : low_; }

  double x_of(const Rational& time) const {
    const TimeWindow& window = drawing_.window;
    return ((time - window.from) / (window.to - window.from) * Rational(static_cast<int>(kTimeWidth)))
        .to_double()
        .value_or(0);
  }

  // "P0 compute", cut where it is longer than the widest label.
  std::string fitting_label(const GanttLine& line) const {
    const auto most = static_cast<std::size_t>((kMostLabels - kLabelGap) / kBold);
    const std::size_t words = line.words.empty() ? 0 : line.words.size() + 1;
    const std::string name = tpn::visible(line.processor);
    if (width_of(label(line)) + kLabelGap <= kMostLabels) return label(line);
    std::string cut;
    std::size_t length = 0;
    for (std::size_t at = 0; at < name.size();) {
      const auto character = tpn::first_character(std::string_view(name).substr(at));
      length += cells_of(character);
      if (length + words + 1 > most) break;
      cut += name.substr(at, character.length);
      at += character.length;
    }
    return cut + "…" + (line.words.empty() ? "" : " " + line.words);
  }

 private:
  static constexpr double kNarrowLine = 24;
  static constexpr double kNarrowBar = 18;
  static constexpr double kNarrowTransfer = 14;

  static std::string label(const GanttLine& line) {
    return tpn::visible(line.processor) + (line.words.empty() ? "" : " " + line.words);
  }

  // Characters of East Asian scripts, pictures among them, are about twice as wide.
  static std::size_t cells_of(const tpn::Utf8Start& character) {
    constexpr char32_t kFirstWide = 0x1100;
    constexpr char32_t kFirstPunctuation = 0x2000;
    constexpr char32_t kFirstIdeograph = 0x2E80;
    const char32_t code = character.code.value_or(0);
    return (code >= kFirstWide && code < kFirstPunctuation) || code >= kFirstIdeograph ? 2 : 1;
  }

  static double width_of(std::string_view text) {
    std::size_t cells = 0;
    while (!text.empty()) {
      const auto character = tpn::first_character(text);
      cells += cells_of(character);
      text.remove_prefix(character.length);
    }
    return kBold * static_cast<double>(cells);
  }

  const GanttDrawing& drawing_;
  double line_height_ = 34;
  double tall_ = 26;
  double low_ = 18;
  double labels_ = kLeastLabels;
};

// Files have no script, so no times for one.
enum class GanttUse { file, page };

// A time or a length for the script, which tells times in units of the scale.
std::string number_text(const GanttDrawing& drawing, const Rational& time) {
  constexpr int kDigits = 10;
  return fmt::format("{:.{}g}", (time / drawing.scale.length).to_double().value_or(0), kDigits);
}

std::size_t characters_of(std::string_view text) {
  std::size_t count = 0;
  for (; !text.empty(); text.remove_prefix(tpn::first_character(text).length)) ++count;
  return count;
}

void write_labels(SvgWriter& svg, const GanttLayout& layout) {
  const auto& lines = layout.drawing().lines;
  for (std::size_t k = 0; k < lines.size(); ++k) {
    const std::string label = layout.fitting_label(lines[k]);
    svg.open("text").attribute("x", coordinate(layout.labels() - kLabelGap));
    svg.attribute("y", layout.middle_of(k) + kTextDrop).attribute("text-anchor", "end");
    svg.attribute("class", lines[k].starts_group ? "lane" : "lane dim");
    svg.text(label).close();
  }
}

// From its tick, for a label that would not end within the drawing.
double shift_of(double x, std::string_view label) {
  const double half = kSmall * static_cast<double>(characters_of(label)) / 2;
  return std::max(half - x, 0.0) + std::min(kTimeWidth - half - x, 0.0);
}

void write_grid(SvgWriter& svg, const GanttLayout& layout, GanttUse use) {
  const GanttDrawing& drawing = layout.drawing();
  for (std::size_t k = 1; k < drawing.lines.size(); ++k) {
    if (!drawing.lines[k].starts_group) continue;
    svg.open("line").attribute("class", "rule").attribute("x1", "0").attribute("x2", "100%");
    svg.attribute("y1", layout.top_of(k)).attribute("y2", layout.top_of(k)).close();
  }
  const double bottom = layout.height() - kBottom;
  const auto at = [&](std::string_view element, std::string_view name, const Rational& time) {
    svg.open(element);
    if (!name.empty()) svg.attribute("class", name);
    if (use == GanttUse::page) svg.attribute("data-t", number_text(drawing, time - drawing.window.from));
    svg.attribute("transform", fmt::format("translate({})", coordinate(layout.x_of(time))));
    svg.open("line").attribute("y1", kTickTop).attribute("y2", bottom).close();
  };
  svg.open("g").attribute("class", "ticks");
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

std::string classes_of(const GanttDrawing& drawing, const GanttBar& bar) {
  constexpr std::array kKinds = {'r', 'c', 's'};
  const char kind = kKinds.at(static_cast<std::size_t>(bar.kind));
  const std::string hue = drawing.colour == GanttColour::kind ? fmt::format("q{}", kind) : fmt::format("h{}", bar.hue);
  return fmt::format("b {} {}{}", hue, kind, bar.is_critical ? " k" : "");
}

void write_bar(SvgWriter& svg, const GanttLayout& layout, const GanttBar& bar, GanttUse use) {
  const GanttDrawing& drawing = layout.drawing();
  const double x = layout.x_of(bar.shown.from);
  const double width = std::max(layout.x_of(bar.shown.to) - x, kLeastBar);
  const double thickness = layout.thickness(bar.kind);
  svg.open("g").attribute("class", classes_of(drawing, bar));
  if (use == GanttUse::page) {
    svg.attribute("data-s", number_text(drawing, bar.shown.from - drawing.window.from));
    svg.attribute("data-w", number_text(drawing, bar.shown.to - bar.shown.from));
  }
  svg.element("title", bar.tooltip);
  svg.open("rect").attribute("x", x).attribute("y", layout.middle_of(bar.line) - thickness / 2);
  svg.attribute("width", width).attribute("height", fmt::format("{}", thickness)).attribute("rx", "2").close();
  const bool fits = width >= kNumberEdges + kSmall * static_cast<double>(characters_of(bar.label));
  if (fits || use == GanttUse::page) {
    svg.open("text").attribute("x", x + width / 2).attribute("y", layout.middle_of(bar.line) + kTextDrop);
    if (!fits) svg.attribute("display", "none");
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

std::string_view gantt_style() { return kStyle; }

std::string gantt_svg(const GanttDrawing& drawing) {
  maxplus::expects(is_drawable(drawing), "times are coordinates");
  const GanttLayout layout(drawing);
  const double width = layout.labels() + kGap + kTimeWidth + kRightEdge;
  const auto captions = static_cast<double>(drawing.caption.size());
  const double height = layout.height() + kBottom + kCaptionLine * captions;
  std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  SvgWriter svg(text);
  svg.open("svg").attribute("xmlns", "http://www.w3.org/2000/svg").attribute("viewBox", view_box(width, height));
  svg.attribute("width", fmt::format("{}", width)).attribute("height", fmt::format("{}", height));
  svg.attribute("role", "img").attribute("aria-labelledby", "title description");
  svg.open("title").attribute("id", "title").text(drawing.title).close();
  svg.open("desc").attribute("id", "description").text(drawing.description).close();
  svg.open("style").raw(kStyle).close();
  svg.open("rect").attribute("class", "page").attribute("width", "100%").attribute("height", "100%").close();
  svg.raw("\n").open("g");
  write_labels(svg, layout);
  svg.close().raw("\n");
  svg.open("svg").attribute("x", layout.labels() + kGap).attribute("width", fmt::format("{}", kTimeWidth));
  svg.attribute("height", fmt::format("{}", layout.height()));
  write_grid(svg, layout, GanttUse::file);
  for (const GanttBar& bar : drawing.bars) {
    svg.raw("\n");
    write_bar(svg, layout, bar, GanttUse::file);
  }
  svg.close();
  for (std::size_t k = 0; k < drawing.caption.size(); ++k) {
    svg.raw("\n").open("text").attribute("class", "cap").attribute("x", layout.labels() + kGap);
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
  SvgWriter svg(text);
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
  write_grid(svg, layout, GanttUse::page);
  for (const GanttBar& bar : drawing.bars) write_bar(svg, layout, bar, GanttUse::page);
  svg.close().close().close();
  return text;
}

}  // namespace takt::tools
