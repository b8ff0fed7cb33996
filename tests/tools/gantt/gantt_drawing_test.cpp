// What a Gantt chart shows: lines, bars, their order and words, without a coordinate.
#include "tools/gantt/gantt_drawing.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <string>
#include <vector>

#include "tests/tools/gantt/steady.hpp"
#include "tools/gantt/chart_window.hpp"
#include "tools/gantt/gantt_chart.hpp"
#include "tpn/models.hpp"
#include "tpn/reader.hpp"

namespace takt::tools {
namespace {

using maxplus::Rational;
using testing::Steady;

GanttDrawing lap_of(const Steady& steady, GanttColour colour = GanttColour::data_set) {
  return *gantt_of("folder/x.json", steady.subject(), steady.chart, paced_window(steady.subject(), steady.chart, {}),
                   colour);
}

std::vector<std::string> line_texts(const std::vector<GanttLine>& lines) {
  std::vector<std::string> texts;
  for (const GanttLine& line : lines) {
    texts.push_back((line.starts_group ? "*" : " ") + line.processor + (line.words.empty() ? "" : " ") + line.words);
  }
  return texts;
}

TEST_CASE("a line is a processor under STRICT, and a port or computations under OVERLAP") {
  const tpn::Document a = support::document_of("examples/example-a.json");
  const Steady strict(a, *tpn::find_model("strict"));
  CHECK(line_texts(gantt_lines(strict.net)) ==
        std::vector<std::string>{"*P0", "*P1", "*P2", "*P3", "*P4", "*P5", "*P6"});
  const Steady overlap(a, *tpn::find_model("overlap"));
  const auto lines = line_texts(gantt_lines(overlap.net));
  CHECK(std::vector<std::string>(lines.begin(), lines.begin() + 5) ==
        std::vector<std::string>{"*P0 compute", " P0 send", "*P1 receive", " P1 compute", " P1 send"});
  CHECK(lines.back() == " P6 compute");
  CHECK(lap_of(strict).has_tall_bars);
  CHECK_FALSE(lap_of(overlap).has_tall_bars);
}

TEST_CASE("lines go by the numbers in names, the source first and the sink last") {
  const tpn::Document document = tpn::read_document(R"({
    "application": {"stages": [{"name": "a", "work": 1, "output": 1}, {"name": "b", "work": 1, "output": 1}],
                    "input": 1},
    "platform": {"processors": [{"name": "n10", "speed": 1}, {"name": "n9", "speed": 1}], "bandwidth": 1,
                 "source": {}, "sink": {}},
    "mapping": [{"stages": ["a"], "processors": ["n10"]}, {"stages": ["b"], "processors": ["n9"]}]})",
                                                    "x.json");
  const Steady steady(document, *tpn::find_model("strict"));
  CHECK(line_texts(gantt_lines(steady.net)) == std::vector<std::string>{"*source", "*n9", "*n10", "*sink"});
}

TEST_CASE("a lap of Example A under STRICT outlines its ten operations, and every processor idles at some time") {
  const Steady steady(support::document_of("examples/example-a.json"), *tpn::find_model("strict"));
  const GanttDrawing drawing = lap_of(steady);
  CHECK(drawing.title ==
        "x.json, STRICT ONE-PORT: one lap of the critical circuit: 10 operations, 1384 time units for 6 data sets");
  CHECK(drawing.marks == std::vector<Rational>{0, 1384});
  CHECK(drawing.window.from == Rational::fraction(-173, 5));
  CHECK(drawing.window.to == Rational(1384) + Rational::fraction(173, 5));
  std::map<std::size_t, Rational> busy;
  std::map<std::string, std::size_t> outlined;
  for (const GanttBar& bar : drawing.bars) {
    const Rational from = std::max(bar.shown.from, Rational());
    const Rational to = std::min(bar.shown.to, Rational(1384));
    if (from >= to) continue;
    busy[bar.line] += to - from;
    if (bar.is_critical) ++outlined[bar.tooltip];
  }
  CHECK(outlined.size() == 10);
  CHECK(outlined.at("P0 → P2, data set 1: 0 to 192 (192)") == 2);
  CHECK(outlined.at("S1 on P2, data set 1: 192 to 320 (128)") == 1);
  CHECK(outlined.at("P2 → P5, data set 5: 1219 to 1384 (165)") == 2);
  REQUIRE(busy.size() == 7);
  for (const auto& [line, time] : busy) CHECK(time < Rational(1384));
  // 6 data sets, each once: what utilization says.
  CHECK(busy.at(2) == Rational::fraction(1295, 6) * Rational(6));
  CHECK(std::ranges::is_sorted(drawing.bars, {}, &GanttBar::is_critical));
}

TEST_CASE("a lap of Example B under OVERLAP is a staircase of seven transfers, between alternate ends") {
  const Steady steady(support::document_of("examples/example-b.json"), *tpn::find_model("overlap"));
  REQUIRE(steady.chart.lap_steps() == 7);
  REQUIRE(steady.chart.lap_data_sets() == 24);
  const LineIndex index(steady.net);
  const auto lines = gantt_lines(steady.net);
  std::vector<std::string> steps;
  for (int k = 0; k < 7; ++k) {
    const auto places = index.places_of(steady.chart.step(k));
    REQUIRE(places.size() == 2);
    CHECK(places[0].kind == BarKind::send);
    CHECK(places[1].kind == BarKind::receive);
    const auto next = index.places_of(steady.chart.step(k + 1));
    CHECK((places[0].line == next[0].line || places[1].line == next[1].line));
    steps.push_back(lines[places[0].line].processor + lines[places[1].line].processor);
  }
  CHECK(steps == std::vector<std::string>{"P0P6", "P0P5", "P1P5", "P1P4", "P2P4", "P2P3", "P2P6"});
}

TEST_CASE("hues stand for data sets, stages or kinds") {
  const Steady steady(support::document_of("examples/example-a.json"), *tpn::find_model("strict"));
  bool has_negative = false;
  for (const GanttBar& bar : lap_of(steady).bars) {
    const bool is_negative = bar.label.starts_with("−");
    has_negative = has_negative || is_negative;
    const long data_set = is_negative ? -std::stol(bar.label.substr(3)) : std::stol(bar.label);
    CHECK(bar.hue == static_cast<std::size_t>((data_set % 6 + 6) % 6));
  }
  CHECK(has_negative);
  for (const GanttBar& bar : lap_of(steady, GanttColour::stage).bars) {
    if (bar.tooltip.starts_with("S2 on")) CHECK(bar.hue == 2);
    if (bar.tooltip.starts_with("P0 →")) CHECK(bar.hue == 0);
  }
  for (const GanttBar& bar : lap_of(steady, GanttColour::kind).bars) {
    CHECK(bar.hue == static_cast<std::size_t>(bar.kind));
  }
}

TEST_CASE("lines that are not shown have no bars, and the others keep theirs") {
  const Steady steady(support::document_of("examples/example-a.json"), *tpn::find_model("overlap"));
  ChosenWindow window = paced_window(steady.subject(), steady.chart, {});
  const GanttDrawing all = *gantt_of("x", steady.subject(), steady.chart, window);
  window.lines = {1, 4};
  const GanttDrawing two = *gantt_of("x", steady.subject(), steady.chart, window);
  CHECK(line_texts(two.lines) == std::vector<std::string>{"*P0 send", "*P1 send"});
  std::size_t kept = 0;
  for (const GanttBar& bar : all.bars) kept += bar.line == 1 || bar.line == 4 ? 1 : 0;
  REQUIRE(kept > 0);
  CHECK(two.bars.size() == kept);
}

}  // namespace
}  // namespace takt::tools
