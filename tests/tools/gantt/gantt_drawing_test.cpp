// What a Gantt chart shows: lines, bars, their order and words, without a coordinate.
#include "tools/gantt/gantt_drawing.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <set>
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

GanttDrawing lap_of(const Steady& steady, GanttColor color = GanttColor::data_set) {
  return *gantt_of("folder/x.json", steady.subject(), steady.chart, paced_window(steady.subject(), steady.chart, {}),
                   color);
}

std::vector<std::string> line_texts(const std::vector<GanttLine>& lines) {
  std::vector<std::string> texts;
  for (const GanttLine& line : lines) {
    texts.push_back((line.starts_processor ? "*" : " ") + line.processor + (line.words.empty() ? "" : " ") +
                    line.words);
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

TEST_CASE("lines go by the pipeline, the source first and the sink last, whatever names say") {
  const tpn::Document document = tpn::read_document(R"({
    "application": {"stages": [{"name": "a", "work": 1, "output": 1}, {"name": "b", "work": 1, "output": 1}],
                    "input": 1},
    "platform": {"processors": [{"name": "n10", "speed": 1}, {"name": "n9", "speed": 1}], "bandwidth": 1,
                 "source": {}, "sink": {}},
    "mapping": [{"stages": ["a"], "processors": ["n10"]}, {"stages": ["b"], "processors": ["n9"]}]})",
                                                    "x.json");
  const Steady steady(document, *tpn::find_model("strict"));
  CHECK(line_texts(gantt_lines(steady.net)) == std::vector<std::string>{"*source", "*n10", "*n9", "*sink"});
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
  for (const GanttBar& bar : lap_of(steady, GanttColor::stage).bars) {
    if (bar.tooltip.starts_with("S2 on")) CHECK(bar.hue == 2);
    if (bar.tooltip.starts_with("P0 →")) CHECK(bar.hue == 0);
  }
  for (const GanttBar& bar : lap_of(steady, GanttColor::kind).bars) {
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

// One machine, then `count` of which those in `slow` take longer, then one that takes `last`.
tpn::Document fan(std::size_t count, const std::set<std::size_t>& slow, int last) {
  std::string processors = R"({"name": "A", "time": 1}, {"name": "Z", "time": )" + std::to_string(last) + "}";
  std::string links;
  std::string names;
  for (std::size_t k = 1; k <= count; ++k) {
    const std::string name = "\"m" + std::to_string(k) + "\"";
    processors += fmt::format(R"(, {{"name": {}, "time": {}}})", name, slow.contains(k) ? 70 : 60);
    links += fmt::format(R"({}{{"from": "A", "to": {}, "time": 1}}, {{"from": {}, "to": "Z", "time": 1}})",
                         links.empty() ? "" : ", ", name, name);
    names += (names.empty() ? "" : ", ") + name;
  }
  return tpn::read_document(R"({"application": {"stages": [{"name": "in"}, {"name": "work"}, {"name": "out"}]},
    "platform": {"processors": [)" +
                                processors + R"(], "links": [)" + links + R"(]}, "mapping": [
    {"stages": ["in"], "processors": ["A"]}, {"stages": ["work"], "processors": [)" +
                                names + R"(]}, {"stages": ["out"], "processors": ["Z"]}]})",
                            "x.json");
}

TEST_CASE("of more than eight alike machines three are drawn, with those that are not alike and those on the circuit") {
  const auto shown = [](const Steady& steady, GanttFolding folding) {
    const auto drawing = gantt_of("x.json", steady.subject(), steady.chart,
                                  paced_window(steady.subject(), steady.chart, {}), GanttColor::data_set, folding);
    std::vector<std::string> names;
    for (const GanttLine& line : drawing->lines) {
      if (line.starts_processor) names.push_back(line.processor);
    }
    return std::pair(names, drawing->hidden);
  };
  using Texts = std::vector<std::string>;
  const tpn::Model overlap = *tpn::find_model("overlap");
  {
    // Z holds everything up.
    const Steady steady(fan(12, {5, 9}, 40), overlap);
    const auto [names, hidden] = shown(steady, GanttFolding::alike);
    CHECK(names == Texts{"A", "m1", "m2", "m3", "m5", "m9", "Z"});
    CHECK(hidden == Texts{"7 of the 12 machines of work, each as busy as one that is shown"});
    CHECK(shown(steady, GanttFolding::none).first.size() == 14);
    const auto drawing =
        gantt_of("x.json", steady.subject(), steady.chart, paced_window(steady.subject(), steady.chart, {}));
    CHECK(std::ranges::count(drawing->caption,
                             "Not shown: 7 of the 12 machines of work, each as busy as one that is shown.") == 1);
    Texts headings;
    for (const GanttLine& line : drawing->lines) {
      if (!line.heading.empty()) headings.push_back(line.heading);
    }
    CHECK(headings == Texts{"in", "work on 12 machines", "out"});
  }
  {
    // Eight have their lines.
    const Steady steady(fan(8, {}, 40), overlap);
    CHECK(shown(steady, GanttFolding::alike) == std::pair(shown(steady, GanttFolding::none).first, Texts{}));
  }
  {
    // The critical circuit is on one of the machines: it is drawn, wherever it stands.
    const Steady steady(fan(12, {}, 2), overlap);
    REQUIRE_FALSE(steady.evaluation.circuit.steps.empty());
    const std::size_t critical = steady.net.pipeline.parts[1].processor_at(steady.evaluation.circuit.data_set);
    const auto [names, hidden] = shown(steady, GanttFolding::alike);
    CHECK(std::ranges::count(names, steady.net.pipeline.processors[critical]) == 1);
    CHECK(names.size() >= 5);
    CHECK(hidden.size() == 1);
  }
}

}  // namespace
}  // namespace takt::tools
