// takt dot: names of any kind in a drawing.
#include <catch2/catch.hpp>
#include <string>
#include <variant>
#include <vector>

#include "evaluators/evaluate.hpp"
#include "tests/tools/drawing/dot_graph.hpp"
#include "tools/drawing/drawing.hpp"
#include "tools/drawing/graphviz.hpp"
#include "tools/drawing/layout.hpp"
#include "tools/pictures/text_width.hpp"
#include "tpn/event_graph.hpp"
#include "tpn/reader.hpp"

namespace takt::tools {

namespace {

using testing::read_dot;
using testing::ReadGraph;

}  // namespace

TEST_CASE("any name comes through as it is, and none can break the text") {
  const std::vector<std::string> names = {
      R"("quoted")", R"(back\slash \N \G \l)", R"(ends in \)", "<b>bold</b>", "a&lt;b&amp;",
      "é ü → 東京",  "; } digraph {",          "%1",           "{a|b}",       ""};
  for (const std::string& name : names) {
    for (const std::string option : {"--arcs", "--collapse"}) {
      INFO(name << " " << option);
      tpn::Document document = tpn::read_document(
          R"({"application": {"stages": [{"name": "s"}]}, "platform": {"processors": [{"name": "p", "time": 1}]},
              "mapping": [{"stages": ["s"], "processors": ["p"]}]})",
          "names");
      document.application.name = name;
      document.application.stages[0].name = name;
      document.platform.processors[0].name = name;
      const auto folded = std::get<tpn::FoldedNet>(tpn::fold(document, tpn::Model::kOverlap));
      const auto evaluation = evaluators::evaluate(folded);
      const Subject subject{document, folded, evaluation};
      const auto graph = std::get<tpn::EventGraph>(tpn::unfold(folded, 10));
      const Drawing drawing =
          option == "--arcs" ? draw_unfolded(subject, graph, PlaceForm::arcs) : draw_folded(subject);
      const ReadGraph read = read_dot(to_dot(drawing));
      // Graphviz' own escapes undone.
      std::string label = read.nodes.at(option == "--arcs" ? "T0_0" : "C0").at("label");
      label = label.substr(0, label.find("\\non "));
      std::string plain;
      for (std::size_t i = 0; i < label.size(); ++i) {
        if (label.compare(i, 5, "&amp;") == 0) {
          plain += '&';
          i += 4;
        } else {
          if (label[i] == '\\') ++i;
          plain += label[i];
        }
      }
      CHECK(plain == name);
      CHECK(render(drawing, PictureFormat::svg).find("</svg>") != std::string::npos);
    }
  }
}

TEST_CASE("line breaks, zero bytes and broken UTF-8 in a name cannot break a drawing") {
  Drawing drawing{"odd", 200, 100, {}, {}};
  DrawnNode node;
  node.name = "T0_0";
  node.lines = {std::string("a\nb\0c", 5), "x\xFFy\xC3", "1\u009b2"};
  node.center = {100, 50};
  node.width = node.height = 50;
  drawing.nodes.push_back(node);
  const std::string text = to_dot(drawing);
  CHECK(read_dot(text).nodes.at("T0_0").at("label") == "a b c\\nx\uFFFDy\uFFFD\\n1 2");
  CHECK(render(drawing, PictureFormat::svg).find(">a b c<") != std::string::npos);
}

TEST_CASE("a node without words says so in the text, as Graphviz would show its name in their place") {
  Drawing drawing{"bare", 200, 100, {}, {}};
  DrawnNode node;
  node.name = "p0";
  node.center = {100, 50};
  node.width = node.height = 20;
  drawing.nodes.push_back(node);
  const std::string text = to_dot(drawing);
  CHECK(text.find("label=\"\"", text.find("p0")) != std::string::npos);
  CHECK(render(drawing, PictureFormat::svg).find(">p0</text>") == std::string::npos);
}

TEST_CASE("names of any length are drawn, in pictures of bearable size") {
  tpn::Document document = tpn::read_document(
      R"({"application": {"stages": [{"name": "s"}]}, "platform": {"processors": [{"name": "p", "time": 1}]},
          "mapping": [{"stages": ["s"], "processors": ["p"]}]})",
      "names");
  std::string name;
  for (int k = 0; k < 500'000; ++k) name += "é";
  document.application.name = name;
  document.application.stages[0].name = name;
  document.platform.processors[0].name = name;
  const auto folded = std::get<tpn::FoldedNet>(tpn::fold(document, tpn::Model::kStrict));
  const auto evaluation = evaluators::evaluate(folded);
  const auto graph = std::get<tpn::EventGraph>(tpn::unfold(folded, 10));
  const Subject subject{document, folded, evaluation};
  for (const Drawing& drawing : {draw_unfolded(subject, graph, PlaceForm::circles), draw_folded(subject)}) {
    const std::string text = to_dot(drawing);
    CHECK(text.size() < 20'000);
    CHECK(text.find(name.substr(0, 198) + "…") != std::string::npos);
    CHECK(text.find(name.substr(0, 200)) == std::string::npos);
    CHECK(render(drawing, PictureFormat::svg).size() < 20'000);
  }
}

TEST_CASE("long names are cut in the middle of no character, and told by the tooltip") {
  const std::string name(120, 'm');
  CHECK(text_width(fitted(name, 10, 130), 10) <= 130);
  CHECK(fitted("short", 10, 130) == "short");
  CHECK(fitted("ab", 10, 1) == "…");
  const std::string greek = fitted("αβγδεζηθικλμνξοπρστυφχψω", 10, 60);
  CHECK(greek == "αβγδε…");
}

}  // namespace takt::tools
