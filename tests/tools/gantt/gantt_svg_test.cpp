// Gantt charts as SVG: golden files, names that mean harm, colors that can be told apart, what a page's script reads.
#include "tools/gantt/gantt_svg.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <regex>
#include <sstream>
#include <string>

#include "tests/tools/gantt/steady.hpp"
#include "tests/tools/program.hpp"
#include "tools/command.hpp"
#include "tools/gantt/chart_window.hpp"
#include "tools/gantt/gantt_chart.hpp"
#include "tools/pictures/svg.hpp"
#include "tpn/models.hpp"
#include "tpn/reader.hpp"

namespace takt::tools {
namespace {

using maxplus::Rational;
using testing::source;
using testing::Steady;
using testing::takt;
using testing::text_of;

std::size_t count_of(const std::string& text, const std::string& what) {
  std::size_t count = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++count;
  return count;
}

GanttDrawing drawn_lap(const Steady& steady) {
  return *gantt_of("x.json", steady.subject(), steady.chart, paced_window(steady.subject(), steady.chart, {}));
}

// Where a change is meant: takt gantt examples/example-a.json --model M > tests/data/gantt/example-a-M.svg, and look at
// them. Pages of reports have the lap of Example B.
TEST_CASE("the laps of Example A are drawn as they were when they were looked at") {
  for (const std::string model : {"strict", "overlap"}) {
    const auto drawn = takt({"gantt", source("examples/example-a.json"), "--model", model});
    REQUIRE(drawn.status == kAnswered);
    REQUIRE(drawn.err.empty());
    CHECK(drawn.out == text_of(source("tests/data/gantt/example-a-" + model + ".svg")));
  }
}

TEST_CASE("names from an instance are text in a drawing, whatever they say") {
  const std::string evil = R"("</title></style><script>alert(1)</script><img src=x onerror=alert(1)>)";
  std::string json = R"({"application": {"stages": [{"name": "NAME"}, {"name": "b\u001b[31m\u202e"}]},
    "platform": {"processors": [{"name": "P NAME", "time": 3}, {"name": "\u0000\u0007", "time": 2}],
                 "links": [{"from": "P NAME", "to": "\u0000\u0007", "time": 1}]},
    "mapping": [{"stages": ["NAME"], "processors": ["P NAME"]},
                {"stages": ["b\u001b[31m\u202e"], "processors": ["\u0000\u0007"]}]})";
  std::string escaped_name = evil;
  escaped_name.insert(0, "\\");
  for (std::size_t at = json.find("NAME"); at != std::string::npos; at = json.find("NAME")) {
    json.replace(at, 4, escaped_name);
  }
  const Steady steady(tpn::read_document(json, "x"), *tpn::find_model("strict"));
  const GanttDrawing drawing =
      *gantt_of("<svg onload=x>\x01", steady.subject(), steady.chart, paced_window(steady.subject(), steady.chart, {}));
  for (const std::string& text : {gantt_svg(drawing), gantt_html(drawing, "g1")}) {
    for (const char* bad : {"<script", "<img", "</title></style>", "<svg onload", "\x1b", "\x07", "\x01", "\u202e"}) {
      CHECK(text.find(bad) == std::string::npos);
    }
    CHECK(text.find("&lt;script&gt;") != std::string::npos);
    CHECK(count_of(text, "<title") == count_of(text, "</title>"));
  }
}

TEST_CASE("long names are cut, and labels take the room they need") {
  const auto labels_of = [](const std::string& name) {
    const Steady steady(tpn::read_document(R"({"application": {"stages": [{"name": "a"}]}, "platform": {"processors":
      [{"name": ")" + name + R"(", "time": 3}]}, "mapping": [{"stages": ["a"], "processors": [")" +
                                               name + "\"]}]}",
                                           "x"),
                        *tpn::find_model("overlap"));
    return gantt_html(drawn_lap(steady), "g");
  };
  CHECK(labels_of("P0").find("--labels:92px;--labels-share:92fr") != std::string::npos);
  CHECK(labels_of("processor-1").find("--labels:168px") != std::string::npos);
  const std::string cut = labels_of(std::string(40, 'x'));
  CHECK(cut.find("--labels:220px") != std::string::npos);
  CHECK(cut.find(">" + std::string(16, 'x') + "… compute</text>") != std::string::npos);
}

TEST_CASE("numbers stand where they fit, and bars of any length are seen") {
  const Steady steady(tpn::read_document(R"({"application": {"stages": [{"name": "a"}, {"name": "b"}]},
    "platform": {"processors": [{"name": "P", "time": 1}, {"name": "Q", "time": 1000000}],
                 "links": [{"from": "P", "to": "Q", "time": 1000}]},
    "mapping": [{"stages": ["a"], "processors": ["P"]}, {"stages": ["b"], "processors": ["Q"]}]})",
                                         "x"),
                      *tpn::find_model("overlap"));
  const GanttDrawing drawing = drawn_lap(steady);
  const std::string file = gantt_svg(drawing);
  const std::string page = gantt_html(drawing, "g");
  CHECK(file.find("width=\"1.0\"") != std::string::npos);  // of P
  CHECK(file.find("display=\"none\"") == std::string::npos);
  CHECK(page.find("display=\"none\"") != std::string::npos);
  CHECK(count_of(page, "<g class=\"b ") == drawing.bars.size());
  CHECK(count_of(page, "<g class=\"b ") == count_of(page, "data-s="));
  CHECK(count_of(file, "data-") == 0);
}

TEST_CASE("a page's script finds times, heights and bars") {
  const Steady steady(support::document_of("examples/example-a.json"), *tpn::find_model("strict"));
  const std::string page = gantt_html(drawn_lap(steady), "g1");
  for (const char* part :
       {"<div class=\"gantt\"", "<svg class=\"glab\" viewBox=\"0 0 123 344\"",
        "<section class=\"scroll\" tabindex=\"0\"",
        "<svg class=\"gbars\" viewBox=\"0 0 1000 344\" data-span=\"1453.2\" data-h=\"344\" data-t0=\"-34.6\" "
        "role=\"img\" "
        "aria-labelledby=\"g1-t g1-d\"><title id=\"g1-t\">",
        "<g data-t=\"34.6\" transform=\"translate(23.8)\"><line y1=\"20.0\" y2=\"336.0\"/><text "
        "y=\"15.0\">0</text></g>",
        "<g class=\"mark\" data-t=\"1418.6\" transform=\"translate(976.2)\">",
        "<g class=\"b h1 s k\" data-s=\"34.6\" data-w=\"192\"><title>P0 → P2, data set 1: 0 to 192 (192)</title>"
        "<rect x=\"23.8\" y=\"52.0\" width=\"132.1\" height=\"18\" rx=\"2\"/><text x=\"89.9\" "
        "y=\"65.0\">1</text></g>"}) {
    CHECK(page.find(part) != std::string::npos);
  }
}

TEST_CASE("times of documents with units stand in a unit that suits them") {
  tpn::Document document = support::document_of("examples/example-a.json");
  for (tpn::Processor& processor : document.platform.processors) *processor.time /= Rational(1'000'000);
  for (tpn::Link& link : document.platform.links) *link.timing.time /= Rational(1'000'000);
  document.time_unit = tpn::TimeUnit::second;
  const Steady steady(document, *tpn::find_model("strict"));
  const GanttDrawing drawing = drawn_lap(steady);
  CHECK(drawing.title.ends_with("10 operations, 1.384 ms for 6 data sets"));
  CHECK(drawing.ticks[1].label == "0.2 ms");
  CHECK(drawing.ticks[1].value == Rational::fraction(1, 5000));
  const std::string page = gantt_html(drawing, "g");
  CHECK(page.find("data-span=\"1.4532\"") != std::string::npos);
  CHECK(page.find("data-unit=\"ms\" data-t0=\"-0.0346\"") != std::string::npos);
  CHECK(page.find("P2 → P5, data set -1: -165 us to 0 s (165 us)") != std::string::npos);
}

struct Color {
  double red, green, blue;
};

Color color_of(std::string digits) {
  digits.erase(0, 1);
  if (digits.size() == 3) digits = {digits[0], digits[0], digits[1], digits[1], digits[2], digits[2]};
  const auto channel = [&](std::size_t k) { return std::stoi(digits.substr(2 * k, 2), nullptr, 16) / 255.0; };
  return {channel(0), channel(1), channel(2)};
}

// [Web Content Accessibility Guidelines 2.2, relative luminance and contrast ratio]
double luminance(const Color& color) {
  const auto linear = [](double c) { return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4); };
  return 0.2126 * linear(color.red) + 0.7152 * linear(color.green) + 0.0722 * linear(color.blue);
}

double contrast(const Color& a, const Color& b) {
  const auto [low, high] = std::minmax({luminance(a), luminance(b)});
  return (high + 0.05) / (low + 0.05);
}

Color blended(const Color& above, const Color& below, double opacity) {
  const auto mix = [&](double a, double b) { return opacity * a + (1 - opacity) * b; };
  return {mix(above.red, below.red), mix(above.green, below.green), mix(above.blue, below.blue)};
}

constexpr double kTextContrast = 4.5;
constexpr double kGraphicsContrast = 3;

// What a drawing says of a bar in one scheme.
struct BarPaint {
  std::string fill, edge, text;
  double opacity = 1;
};

void check_bar(const BarPaint& bar, const Color& page) {
  CAPTURE(bar.fill, bar.edge, bar.text, bar.opacity);
  CHECK(contrast(color_of(bar.edge), page) >= kGraphicsContrast);
  CHECK(contrast(color_of(bar.text), blended(color_of(bar.fill), page, bar.opacity)) >= kTextContrast);
}

// The bars of a file that have a number, by their classes: what presentation attributes say.
std::map<std::string, BarPaint> light_bars(const std::string& file) {
  std::map<std::string, BarPaint> found;
  const std::regex bar(
      "<g class=\"b ([a-z0-9 ]+)\"><title>[^<]*</title><rect [^>]*fill=\"(#[0-9a-f]+)\"( fill-opacity=\"([0-9.]+)\")? "
      "stroke=\"(#[0-9a-f]+)\"[^>]*/><text [^>]*fill=\"(#[0-9a-f]+)\"");
  for (std::sregex_iterator at(file.begin(), file.end(), bar), end; at != end; ++at) {
    const std::string opacity = (*at)[4];
    found[(*at)[1]] = {(*at)[2], (*at)[5], (*at)[6], opacity.empty() ? 1 : std::stod(opacity)};
  }
  return found;
}

// What rules say of an element of a bar with those classes: the last of those that select it, as all that select the
// same have no fewer classes than those before.
std::string ruled(const std::string& style, const std::string& classes, const std::string& element,
                  const std::string& property) {
  std::string value;
  std::size_t most = 0;
  const std::regex rule("([^{}]+)\\{" + property + ":([^{}]+)\\}");
  for (std::sregex_iterator at(style.begin(), style.end(), rule), end; at != end; ++at) {
    std::stringstream selectors((*at)[1]);
    for (std::string selector; std::getline(selectors, selector, ',');) {
      if (!selector.ends_with(" " + element)) continue;
      std::stringstream names(selector.substr(1, selector.size() - element.size() - 2));
      std::size_t count = 0;
      bool selects = true;
      for (std::string name; std::getline(names, name, '.'); ++count) {
        selects = selects && (" b " + classes + " ").find(" " + name + " ") != std::string::npos;
      }
      if (!selects || count < most) continue;
      most = count;
      value = (*at)[2];
    }
  }
  return value;
}

TEST_CASE("texts have a contrast of 4.5 and bars' edges one of 3, light and dark, with and without style sheets") {
  std::map<std::string, BarPaint> bars;
  std::string style;
  const Steady steady(support::document_of("examples/example-a.json"), *tpn::find_model("strict"));
  for (const GanttColor color : {GanttColor::data_set, GanttColor::kind}) {
    const std::string file = gantt_svg(
        *gantt_of("x.json", steady.subject(), steady.chart, paced_window(steady.subject(), steady.chart, {}), color));
    bars.merge(light_bars(file));
    style = file.substr(file.find("<style>"), file.find("</style>") - file.find("<style>"));
    for (const char* newer : {"var(", "light-dark(", "--", ":root"}) CHECK(file.find(newer) == std::string::npos);
  }
  // Six hues and three kinds, computed and transferred, critical or not: those that a lap has.
  CHECK(bars.size() > 20);
  const Color light = color_of("#fff");
  const Color dark = color_of("#14171b");
  CHECK(style.find(".page{fill:#14171b}") != std::string::npos);
  for (const auto& [classes, bar] : bars) {
    CAPTURE(classes);
    check_bar(bar, light);
    const std::string opacity = ruled(style, classes, "rect", "fill-opacity");
    check_bar({ruled(style, classes, "rect", "fill"), ruled(style, classes, "rect", "stroke"),
               ruled(style, classes, "text", "fill"), opacity.empty() ? 1 : std::stod(opacity)},
              dark);
  }
  for (const SchemeColor& words : {kInkColor, kDimColor}) {
    CHECK(contrast(color_of(std::string(words.light)), light) >= kTextContrast);
    CHECK(contrast(color_of(std::string(words.dark)), dark) >= kTextContrast);
  }
}

}  // namespace
}  // namespace takt::tools
