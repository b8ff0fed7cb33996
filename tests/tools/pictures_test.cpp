// Every command that draws, as SVG, PNG and PDF, and every writer of XML with names that XML does not allow.
#include <catch2/catch.hpp>
#include <cmath>
#include <pugixml.hpp>
#include <regex>
#include <string>
#include <vector>

#include "tests/tools/program.hpp"
#include "tools/command.hpp"
#include "tools/pictures/svg_picture.hpp"
#include "tpn/visible.hpp"

namespace takt::testing {
namespace {

using Catch::Contains;

struct DrawingCommand {
  std::string name;
  std::vector<std::string> words;  // the file comes last
};

const std::vector<DrawingCommand>& drawing_commands() {
  static const std::string kMapped = source("examples/weighted-round-robin.json");
  static const std::vector<DrawingCommand> kCommands = {
      {"gantt", {"gantt", kMapped, "--model", "strict", "-o"}},
      {"simulate", {"simulate", kMapped, "--model", "strict", "-o"}},
      {"sensitivity", {"sensitivity", kMapped, "--model", "strict", "--curve", "--parameter", "encode work", "-o"}},
      {"vary", {"vary", kMapped, "--model", "strict", "--law", "erlang:4", "--data-sets", "500", "-o"}},
      {"plan", {"plan", source("examples/catalogue.json"), "--rate", "100/s", "--plot"}}};
  return kCommands;
}

std::size_t big_endian(const std::string& bytes, std::size_t at) {
  std::size_t number = 0;
  for (std::size_t k = 0; k < 4; ++k) number = number * 256 + static_cast<unsigned char>(bytes.at(at + k));
  return number;
}

TEST_CASE("commands that draw write SVG, PNG of two pixels per coordinate and PDF, the same bytes each time") {
  const TemporaryFolder folder;
  for (const DrawingCommand& command : drawing_commands()) {
    INFO(command.name);
    const auto bytes_of = [&](const std::string& ending) {
      const std::string path = folder.path(command.name + ending);
      std::vector<std::string> words = command.words;
      words.push_back(path);
      const Outcome outcome = takt(words);
      REQUIRE(outcome.err.empty());
      REQUIRE(outcome.status == tools::kAnswered);
      return text_of(path);
    };
    const std::string svg = bytes_of(".svg");
    std::smatch size;
    REQUIRE(std::regex_search(svg, size, std::regex("viewBox=\"0 0 ([0-9.]+) ([0-9.]+)\"")));
    const std::string png = bytes_of(".png");
    REQUIRE(png.starts_with("\x89PNG"));
    CHECK(big_endian(png, 16) == static_cast<std::size_t>(std::ceil(2 * std::stod(size[1]))));
    CHECK(big_endian(png, 20) == static_cast<std::size_t>(std::ceil(2 * std::stod(size[2]))));
    CHECK(png == bytes_of(".png"));
    const std::string pdf = bytes_of(".pdf");
    CHECK(pdf.starts_with("%PDF"));
    CHECK(pdf == bytes_of(".pdf"));
  }
}

TEST_CASE("a drawing that no PNG can hold is refused, with what can hold it") {
  const std::string svg =
      R"(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 20000" width="10" height="20000"/>)";
  CHECK_THROWS_WITH(tools::picture_bytes(svg, "a.png"),
                    "the drawing would have 40000 pixels on a side, and a PNG can have 32767: write .svg or .pdf");
  CHECK(tools::picture_bytes(svg, "a.pdf").starts_with("%PDF"));
  CHECK(tools::picture_bytes(svg, "a.svg") == svg);
  CHECK_THROWS_WITH(tools::picture_bytes("no drawing", "a.png"), Contains("librsvg cannot draw"));
}

TEST_CASE("a chart goes to standard output as PNG where that is asked for, and a plot has a picture's name") {
  const std::string file = source("examples/example-a.json");
  CHECK(takt({"gantt", file, "--model", "strict", "--format", "png"}).out.starts_with("\x89PNG"));
  const Outcome outcome = takt({"plan", source("examples/catalogue.json"), "--rate", "200/s", "--plot", "costs.txt"});
  CHECK(outcome.status == tools::kUsage);
  CHECK_THAT(outcome.err, Contains("--plot costs.txt: a plot's name ends in .svg, .png or .pdf"));
}

// [Extensible Markup Language 1.0, production 2]
void check_well_formed(const std::string& xml) {
  for (std::string_view rest = xml; !rest.empty();) {
    const tpn::Utf8Start start = tpn::first_character(rest);
    REQUIRE(start.code);
    const char32_t code = *start.code;
    REQUIRE((code == '\t' || code == '\n' || code == '\r' || code >= 0x20));
    REQUIRE((code != 0xFFFE && code != 0xFFFF));
    rest.remove_prefix(start.length);
  }
  for (const char* reference : {"&#0;", "&#x0", "&#xFFFE", "&#xFFFF", "&#65534;", "&#65535;", "&#1;"}) {
    CHECK(xml.find(reference) == std::string::npos);
  }
  pugi::xml_document document;
  CHECK(document.load_string(xml.c_str()));
}

TEST_CASE("whatever names say, drawings and exported nets are well-formed") {
  const std::string bad = R"(\u0000\u0001\u000b\u001b\u007f\u0085\ufffe\uffff<&\"']]>--\\N)";
  std::string json = R"({"application": {"stages": [{"name": "aBAD", "work": 4}, {"name": "bBAD", "work": 6}]},
    "platform": {"processors": [{"name": "PBAD", "speed": 1}, {"name": "QBAD", "speed": 1}, {"name": "RBAD", "speed": 2}],
                 "links": [{"from": "PBAD", "to": "QBAD", "time": 1}, {"from": "PBAD", "to": "RBAD", "time": 2}]},
    "mapping": [{"stages": ["aBAD"], "processors": ["PBAD"]}, {"stages": ["bBAD"], "processors": ["QBAD", "RBAD"]}]})";
  for (std::size_t at = json.find("BAD"); at != std::string::npos; at = json.find("BAD")) json.replace(at, 3, bad);
  const TemporaryFolder folder;
  const std::string out = folder.path("x.svg");
  const auto drawn = [&](const std::vector<std::string>& words) {
    const Outcome outcome = takt(appended(words, {"-o", out}), json);
    INFO(words.front() << ": " << outcome.err);
    REQUIRE(outcome.status == tools::kAnswered);
    return text_of(out);
  };
  for (const char* model : {"overlap", "strict"}) {
    check_well_formed(drawn({"gantt", "-", "--model", model}));
    check_well_formed(drawn({"gantt", "-", "--model", model, "--schedule", "start-up"}));
    check_well_formed(drawn({"simulate", "-", "--model", model}));
    check_well_formed(drawn({"dot", "-", "--model", model}));
    check_well_formed(drawn({"dot", "-", "--model", model, "--arcs"}));
    check_well_formed(drawn({"dot", "-", "--model", model, "--collapse"}));
    check_well_formed(
        drawn({"sensitivity", "-", "--model", model, "--curve", "--parameter", "/platform/links/0/time"}));
    for (const char* format : {"pnml", "sdf3", "csdf"}) {
      const Outcome outcome = takt({"export", "-", "--model", model, "--to", format}, json);
      INFO(format << ": " << outcome.err);
      REQUIRE(outcome.status == tools::kAnswered);
      check_well_formed(outcome.out);
    }
  }
}

}  // namespace
}  // namespace takt::testing
