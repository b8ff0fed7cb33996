// Plots: where numbers come to stand, hostile words, and the curve that takt sensitivity draws.
#include "tools/plot/plot.hpp"

#include <catch2/catch.hpp>
#include <string>

#include "tests/tools/program.hpp"
#include "tools/command.hpp"

namespace takt::testing {
namespace {

using Catch::Contains;
using maxplus::Rational;

TEST_CASE("a plot's line goes from axis to axis, and its words are escaped") {
  tools::Plot plot;
  plot.title = "<a> & \"b\"";
  plot.line = {{0, 10}, {50, 10}, {100, 20}};
  plot.levels = {{Rational(5), "a level"}};
  plot.points = {{50, 10, "now", "here", true}};
  const std::string svg = tools::plot_svg(plot);
  // 620 pixels for 100, 336 pixels for 21: the largest number and a twentieth more.
  CHECK_THAT(svg, Contains("points=\"76.0,228.0 386.0,228.0 696.0,68.0\""));
  CHECK_THAT(svg, Contains("cx=\"386.0\" cy=\"228.0\"") && Contains("<title>here</title>") && Contains(">now</text>"));
  CHECK_THAT(svg, Contains("y1=\"308.0\"") && Contains(">a level</text>"));
  CHECK_THAT(svg, Contains("&lt;a&gt; &amp; ") && !Contains("<a>"));
}

TEST_CASE("of labels upon one another in a plot the first stands, and all points do") {
  tools::Plot plot;
  plot.has_diagonal = true;
  plot.points = {{10, 10, "first", "", false}, {10, 10, "second", "", false}, {2, 9, "third", "", false}};
  const std::string svg = tools::plot_svg(plot);
  CHECK_THAT(svg, Contains("first") && Contains("third") && !Contains("second"));
  std::size_t circles = 0;
  for (std::size_t at = svg.find("<circle"); at != std::string::npos; at = svg.find("<circle", at + 1)) ++circles;
  CHECK(circles == 3);
}

TEST_CASE("sensitivity draws a plot of the period for all values of a parameter") {
  const TemporaryFolder folder;
  const std::string out = folder.path("curve.svg");
  const std::string file = source("examples/example-a.json");
  const Outcome outcome =
      takt({"sensitivity", file, "--model", "strict", "--curve", "--parameter", "P0 -> P2", "-o", out});
  REQUIRE(outcome.status == tools::kAnswered);
  const std::string svg = text_of(out);
  // The vertex stands at 131 of 384, now at 192 in the middle.
  CHECK_THAT(svg, Contains("The period by P0 -&gt; P2, STRICT ONE-PORT") && Contains("P1, always busy"));
  CHECK_THAT(svg, Contains("cx=\"386.0\"") && Contains("cx=\"287.5\"") && Contains(">now</text>"));
  CHECK(takt({"sensitivity", file, "--curve", "-o", out}).status == tools::kUsage);
  CHECK(takt({"sensitivity", file, "-o", out}).status == tools::kUsage);
  CHECK(folder.names().size() == 1);
}

}  // namespace
}  // namespace takt::testing
