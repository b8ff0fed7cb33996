// Elements, attributes and escapes of the writer of SVG.
#include "tools/pictures/svg.hpp"

#include <catch2/catch.hpp>
#include <limits>
#include <string>

namespace takt::tools {
namespace {

TEST_CASE("elements close themselves where they are empty, and stand one in the other") {
  std::string text;
  SvgWriter svg(text);
  svg.open("g").attribute("class", "b k").attribute("x", 1.25).attribute("y", "2");
  svg.element("title", "a < b").open("rect").attribute("width", 3.0).close().open("g").close().raw("\n").close();
  CHECK(text == "<g class=\"b k\" x=\"1.2\" y=\"2\"><title>a &lt; b</title><rect width=\"3.0\"/><g/>\n</g>");
}

TEST_CASE("texts are escaped, and what XML does not allow is replaced") {
  CHECK(escaped("</title><img src=\"x\" onerror='&'>") ==
        "&lt;/title&gt;&lt;img src=&quot;x&quot; onerror='&amp;'&gt;");
  CHECK(escaped("a\tb\nc\x1b d\r\x7f") == "a\tb\nc\uFFFD d\uFFFD\x7f");
  CHECK(escaped("é日\xff\xc3") == "é日\uFFFD\uFFFD");
  CHECK(escaped("\uFFFE\uFFFF\uFFFD") == "\uFFFD\uFFFD\uFFFD");
}

TEST_CASE("coordinates have one decimal, no minus on nothing, and an end") {
  CHECK(coordinate(0) == "0.0");
  CHECK(coordinate(-0.04) == "0.0");
  CHECK(coordinate(-12.34) == "-12.3");
  CHECK(coordinate(999.96) == "1000.0");
  CHECK(coordinate(std::numeric_limits<double>::infinity()) == "1000000000.0");
}

}  // namespace
}  // namespace takt::tools
