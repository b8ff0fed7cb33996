// takt dot: its files, limits and messages.
#include <catch2/catch.hpp>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tests/tools/drawing/dot_graph.hpp"
#include "tests/tools/program.hpp"
#include "tools/command.hpp"
#include "tools/drawing/drawing.hpp"
#include "tools/drawing/graphviz.hpp"
#include "tools/drawing/layout.hpp"

namespace takt::tools {

namespace {

using testing::Net;
using testing::net_of;
using testing::Outcome;
using testing::read_dot;
using testing::source;
using testing::takt;
using testing::TemporaryFolder;
using testing::text_of;

}  // namespace

TEST_CASE("a net of too many transitions is not drawn, and the message says what to do") {
  const Outcome outcome = takt({"dot", source("examples/example-c.json"), "--model", "strict"});
  CHECK(outcome.status == kLimit);
  CHECK(outcome.out.empty());
  CHECK(outcome.err.find("the net has 10395 rows x 7 columns = 72765 transitions, more than 600: draw the folded net "
                         "with --collapse, or raise --max-transitions\n") != std::string::npos);
  CHECK(takt({"dot", source("examples/example-a.json"), "--model", "strict", "--max-transitions", "41"}).status ==
        kLimit);
  CHECK(takt({"dot", source("examples/example-a.json"), "--model", "strict", "--max-transitions", "42"}).status ==
        kAnswered);
}

TEST_CASE("a PNG beyond its largest side is refused before it is drawn") {
  const TemporaryFolder folder;
  const Outcome outcome = takt({"dot", source("examples/example-c.json"), "--model", "overlap", "--max-transitions",
                                "100000", "-o", folder.path("c.png")});
  CHECK(outcome.status == kLimit);
  CHECK(outcome.err.find("a PNG can have 32767: write .svg or .pdf") != std::string::npos);
  CHECK_FALSE(std::filesystem::exists(folder.path("c.png")));
}

TEST_CASE("option -o writes DOT text, SVG, PNG or PDF, and names each model's file") {
  const TemporaryFolder folder;
  const std::map<std::string, std::string> starts = {
      {"a.dot", "digraph"}, {"a.gv", "digraph"}, {"a.svg", "<?xml"}, {"a.png", "\x89PNG"}, {"a.pdf", "%PDF"}};
  for (const auto& [name, magic] : starts) {
    const Outcome outcome =
        takt({"dot", source("examples/example-a.json"), "--model", "strict", "-o", folder.path(name)});
    CHECK(outcome.status == kAnswered);
    CHECK(outcome.out == "wrote " + folder.path(name) + ": 6 rows x 7 columns, STRICT ONE-PORT\n");
    CHECK(outcome.err.empty());
    CHECK(text_of(folder.path(name)).starts_with(magic));
  }
  CHECK(takt({"dot", source("examples/example-a.json"), "-o", folder.path("b.svg")}).status == kAnswered);
  CHECK(text_of(folder.path("b-overlap.svg")).find("OVERLAP") != std::string::npos);
  CHECK(text_of(folder.path("b-strict.svg")).find("STRICT") != std::string::npos);
  CHECK_FALSE(std::filesystem::exists(folder.path("b.svg")));

  const Outcome unknown = takt({"dot", source("examples/example-a.json"), "-o", folder.path("a.jpg")});
  CHECK(unknown.status == kUsage);
  CHECK(unknown.err.find("ends in .dot (or .gv), .svg, .png or .pdf") != std::string::npos);
  CHECK(takt({"dot", source("examples/example-a.json"), "-o", "/nowhere/a.svg"}).status == kBadInput);
}

TEST_CASE("the same net gives the same drawing, byte for byte") {
  for (const std::string model : {"overlap", "strict"}) {
    const std::vector<std::string> arguments = {"dot", source("examples/example-a.json"), "--model", model};
    const Outcome once = takt(arguments);
    CHECK(once.out == takt(arguments).out);
    CHECK(read_dot(once.out).nodes.at("title").at("label").starts_with(model == "strict" ? "STRICT" : "OVERLAP"));
  }
  const Net net = net_of("example-a.json", tpn::Model::kStrict);
  const Drawing drawing = draw_unfolded({net.document, net.folded, net.evaluation}, net.graph, PlaceForm::circles);
  CHECK(render(drawing, PictureFormat::svg) == render(drawing, PictureFormat::svg));
}

TEST_CASE("a file's ending names the format") {
  CHECK(format_of("a/b.svg") == PictureFormat::svg);
  CHECK(format_of("b.gv") == PictureFormat::dot);
  CHECK(format_of("svg") == std::nullopt);
  CHECK(format_of("a.svg.txt") == std::nullopt);
}

}  // namespace takt::tools
