// takt report: its files and statuses; pages of examples, byte for byte.
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "tests/tools/program.hpp"
#include "tools/command.hpp"

namespace takt::tools {

namespace {

using Catch::Contains;
using testing::Outcome;
using testing::source;
using testing::takt;
using testing::TemporaryFolder;
using testing::text_of;

struct GoldenPage {
  std::string example;
  std::string model;

  std::string instance() const { return source("examples/" + example + ".json"); }
  std::string path() const { return source("tests/data/golden/" + example + "-" + model + ".html"); }
};

const std::vector<GoldenPage>& golden_pages() {
  static const std::vector<GoldenPage> kPages = {
      {"example-a", "strict"}, {"example-a", "overlap"}, {"example-b", "overlap"}};
  return kPages;
}

}  // namespace

// To renew the pages once a change of theirs is wanted: tools_test "[renew]", then look at them and at the diff.
TEST_CASE("pages of examples are written anew", "[.][renew]") {
  for (const GoldenPage& page : golden_pages()) {
    CHECK(takt({"report", page.instance(), "--model", page.model, "-o", page.path()}).status == kAnswered);
  }
}

TEST_CASE("pages of examples are what they were, byte for byte") {
  const TemporaryFolder folder;
  for (const GoldenPage& page : golden_pages()) {
    CAPTURE(page.example, page.model);
    const std::string written = folder.path("page.html");
    CHECK(takt({"report", page.instance(), "--model", page.model, "-o", written}).status == kAnswered);
    // Not CHECK(a == b): it would print both.
    const bool is_same = text_of(written) == text_of(page.path());
    CHECK(is_same);
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
