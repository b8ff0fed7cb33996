// takt report: its files and statuses; pages of examples, byte for byte.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <string>
#include <tuple>
#include <vector>

#include "tests/tools/program.hpp"
#include "tools/command.hpp"

namespace takt::tools {

namespace {

using Catch::Contains;
using testing::lines_of;
using testing::Outcome;
using testing::source;
using testing::takt;
using testing::TemporaryFolder;
using testing::text_of;

struct GoldenPage {
  const char* example;
  const char* model;
  const char* ending;

  std::string path() const { return source(fmt::format("tests/data/golden/{}-{}.{}", example, model, ending)); }

  // As the program writes it.
  std::string text() const {
    const TemporaryFolder folder;
    const std::string written = folder.path("page.html");
    const std::string instance = source(fmt::format("examples/{}.json", example));
    CHECK(takt({"report", instance, "--model", model, "-o", written}).status == kAnswered);
    return text_of(written);
  }
};

constexpr GoldenPage kWholePage{"example-a", "strict", "html"};
// Their files have what differs from the whole one.
constexpr std::array kOtherPages = {GoldenPage{"example-a", "overlap", "difference"},
                                    GoldenPage{"example-b", "overlap", "difference"}};

// `page` with "= FIRST LAST" for the longest run, from each line on, of lines FIRST to LAST of `whole`.
std::string difference_of(const std::string& page, const std::string& whole) {
  const std::vector<std::string> rest = lines_of(page);
  const std::vector<std::string> known = lines_of(whole);
  std::string text;
  for (auto line = rest.begin(); line != rest.end();) {
    auto end = line;  // of the run
    auto last = known.begin();
    for (auto start = known.begin(); start != known.end(); ++start) {
      const auto [after, until] = std::mismatch(line, rest.end(), start, known.end());
      if (after > end) std::tie(end, last) = std::pair(after, until);
    }
    const auto length = end - line;
    if (length < 2) {
      text += *line++ + "\n";
    } else {
      text += fmt::format("= {} {}\n", last - length - known.begin() + 1, last - known.begin());
      line = end;
    }
  }
  return text;
}

}  // namespace

// To renew the pages once a change of theirs is wanted: tools_test "[renew]", then look at them and at the diff.
TEST_CASE("pages of examples are written anew", "[.][renew]") {
  const std::string whole = kWholePage.text();
  std::ofstream(kWholePage.path()) << whole;
  for (const GoldenPage& page : kOtherPages) std::ofstream(page.path()) << difference_of(page.text(), whole);
}

TEST_CASE("pages of examples are what they were, byte for byte") {
  const std::string whole = kWholePage.text();
  // Not CHECK(a == b): it would print both.
  const bool is_same = whole == text_of(kWholePage.path());
  CHECK(is_same);
  for (const GoldenPage& page : kOtherPages) {
    CAPTURE(page.example, page.model);
    const bool differs_as_before = difference_of(page.text(), whole) == text_of(page.path());
    CHECK(differs_as_before);
  }
}

TEST_CASE("a page for each model, its name put in; with one model as it is said") {
  const TemporaryFolder folder;
  const std::string example = source("examples/example-a.json");
  const Outcome both = takt({"report", example, "-o", folder.path("a.html")});
  CHECK(both.status == kAnswered);
  CHECK(both.out == "wrote " + folder.path("a-overlap.html") + ": OVERLAP ONE-PORT\nwrote " +
                        folder.path("a-strict.html") + ": STRICT ONE-PORT\n");
  CHECK(both.err.empty());
  CHECK_THAT(text_of(folder.path("a-strict.html")), Contains("<title>230.667 per data set – example-a.json, STRICT"));
  CHECK_FALSE(std::filesystem::exists(folder.path("a.html")));
  CHECK(takt({"report", example, "--model", "bounded", "-o", folder.path("b.html")}).status == kAnswered);
  CHECK_THAT(text_of(folder.path("b.html")), Contains("under BOUNDED ONE-PORT, ROOM FOR 1 FILE"));
}

TEST_CASE("the same instance has the same page, wherever it lies and by whatever way it comes") {
  const TemporaryFolder folder;
  const std::string text = text_of(source("examples/example-b.json"));
  const std::string copy = folder.write("example-b.json", text);
  const auto page = [&](const std::string& file, const std::string& input) {
    CHECK(takt({"report", file, "--model", "strict", "-o", folder.path("p.html")}, input).status == kAnswered);
    return text_of(folder.path("p.html"));
  };
  const std::string first = page(source("examples/example-b.json"), "");
  const bool is_same = first == page(copy, "");
  CHECK(is_same);
  CHECK_THAT(page("-", text), Contains("<b>standard input</b>"));
}

TEST_CASE("a report needs a file whose name ends in .html, which is not its instance") {
  const TemporaryFolder folder;
  const std::string example = source("examples/example-a.json");
  const Outcome nowhere = takt({"report", example});
  CHECK(nowhere.status == kUsage);
  CHECK_THAT(nowhere.err, Contains("name the file of the report: -o OUT.html"));
  const Outcome text = takt({"report", example, "-o", folder.path("a.txt")});
  CHECK(text.status == kUsage);
  CHECK_THAT(text.err, Contains("a report's name ends in .html"));
  CHECK(takt({"report", example, "-o", "/nowhere/a.html"}).status == kBadInput);
  const std::string itself = folder.write("a.html", text_of(example));
  CHECK(takt({"report", itself, "--model", "strict", "-o", itself}).status == kBadInput);
  CHECK(text_of(itself) == text_of(example));
  CHECK(takt({"report", folder.path("none.json"), "-o", folder.path("b.html")}).status == kBadInput);
  CHECK_FALSE(std::filesystem::exists(folder.path("b.html")));
}

}  // namespace takt::tools
