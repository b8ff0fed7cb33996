// The built-in descriptions: read, named after their files, and some draws of each computed.
#include "tools/experiment/builtin.hpp"

#include <catch2/catch.hpp>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "experiments/descriptions/description.hpp"
#include "experiments/reports/chunk.hpp"
#include "experiments/reports/report.hpp"
#include "tests/support/answer_schemas.hpp"
#include "tests/support/seeds.hpp"
#include "tpn/json.hpp"

namespace takt::tools {

namespace {

std::string file_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

TEST_CASE("each built-in description is its file, and says where it comes from") {
  REQUIRE(builtin_descriptions().size() >= 20);
  for (const BuiltinDescription& builtin : builtin_descriptions()) {
    INFO(builtin.name);
    CHECK(builtin.text == file_text(TAKT_SOURCE_DIR "/experiments/papers/" + std::string(builtin.name) + ".json"));
    const auto description = experiments::read_description(builtin.text, std::string(builtin.name));
    CHECK(description.name == builtin.name);
    CHECK_FALSE(description.source.empty());
    CHECK_FALSE(description.title.empty());
    CHECK_FALSE(description.report.empty());
    CHECK_FALSE(description.expectations.empty());
  }
}

TEST_CASE("docs/experiment.schema.json accepts all built-in descriptions, and figures and expectations of all kinds") {
  const auto accepts = [](const std::string& text) {
    std::string why;
    const bool is_fine =
        testing::schemas::accepts(TAKT_SOURCE_DIR "/docs", "experiment", nlohmann::json::parse(text), why);
    UNSCOPED_INFO(text.substr(0, 2000) + "\n" + why);
    return is_fine;
  };
  for (const BuiltinDescription& builtin : builtin_descriptions()) CHECK(accepts(std::string(builtin.text)));
  const std::string start = R"({"name": "n", "study": "heuristics", "generator": "skeleton-pair", "models": ["strict"],
    "grid": {"stages": [2, 3], "draws": 1}, "heuristics": ["spl", {"name": "bsc", "label": "b"}], "bins": {"period": 1},)";
  // What the schema says of the form, the reader says, too.
  const auto both = [&](const std::string& more) {
    const bool is_accepted = accepts(start + more + "}");
    bool is_read = true;
    try {
      experiments::read_description(start + more + "}", "n");
    } catch (const tpn::ParseError&) {
      is_read = false;
    }
    CHECK(is_read == is_accepted);
    return is_accepted;
  };
  const auto figure = [&](const std::string& members) { return both(R"("report": [{"name": "f", )" + members + "}]"); };
  const auto claim = [&](const std::string& members) { return both(R"("expect": [{"says": "so", )" + members + "}]"); };
  CHECK(figure(R"("kind": "profile", "y": {"values": "period"}, "x_range": [1, "5/2"], "facet": "stages", "//": 1)"));
  CHECK(
      figure(R"("kind": "rank", "y": [{"values": "period", "heuristic": "spl"}, {"values": "period", "heuristic": "b"}],
                  "test": "wilcoxon", "level": 0.01, "over": "cells", "where": {"stages": {"from": 1, "to": 3}})"));
  CHECK(figure(R"("kind": "boxes", "x": "stages", "y": {"values": "period"}, "y_logarithmic": true, "line": 3)"));
  CHECK(figure(R"("kind": "histogram", "y": {"bins": "period"})"));
  CHECK(figure(R"("kind": "whiskers", "x": "cell", "y": {"mean": "period"}, "y_range": [0, 9])"));
  CHECK(claim(R"("value": {"mean": "period"}, "apart": "heuristic", "within": [0, 1])"));
  CHECK_FALSE(figure(R"("kind": "profile", "y": {"mean": "period"})"));
  CHECK_FALSE(figure(R"("kind": "profile", "y": {"values": "period"}, "x": "stages")"));
  CHECK_FALSE(figure(R"("kind": "rank", "y": {"values": "period"}, "test": "t")"));
  CHECK_FALSE(figure(R"("kind": "rank", "y": {"values": "period"}, "x_label": "a")"));
  CHECK_FALSE(figure(R"("kind": "boxes", "y": {"values": "period"})"));
  CHECK_FALSE(figure(R"("kind": "curve", "x": "stages", "y": {"values": "period"})"));
  CHECK_FALSE(figure(R"("kind": "curve", "x": "stages", "y": {"mean": "period", "largest": "period"})"));
  CHECK_FALSE(figure(R"("kind": "curve", "x": "stages", "y": {"quantile": "period"})"));
  CHECK_FALSE(figure(R"("kind": "pie", "x": "stages", "y": {"mean": "period"})"));
  CHECK_FALSE(claim(R"("value": {"mean": "period"})"));
  CHECK_FALSE(claim(R"("value": {"values": "period"}, "within": [0, 1])"));
}

TEST_CASE("each built-in description has a place on the page of experiments") {
  const std::string page = file_text(TAKT_SOURCE_DIR "/experiments/papers/experiments.md.in");
  for (const BuiltinDescription& builtin : builtin_descriptions()) {
    INFO(builtin.name);
    CHECK(page.find("<!-- report " + std::string(builtin.name) + " -->") != std::string::npos);
  }
}

TEST_CASE("the first or the last cell of each built-in description gives draws without a failure") {
  const std::uint64_t draws = support::makes_all_draws() ? 2 : 1;
  std::size_t number = 0;
  for (const BuiltinDescription& builtin : builtin_descriptions()) {
    // Its searches take seconds.
    if (builtin.name == "data-parallel-table-1-100") continue;
    INFO(builtin.name);
    const auto description =
        experiments::read_description(builtin.text, std::string(builtin.name), {.seed = {}, .draws = draws});
    experiments::Summary summary(description);
    ++number;
    for (const std::size_t cell : {std::size_t{0}, description.cells.size() - 1}) {
      if (!support::makes_all_draws() && (cell == 0) == (number % 2 == 0) && description.cells.size() > 1) continue;
      const experiments::Chunk chunk{cell, 0, 0, draws};
      const auto text = experiments::compute_chunk(description, chunk, {});
      REQUIRE(text);
      CHECK_FALSE(experiments::damage_of(*text, chunk));
      summary.add(chunk, *text, "chunk");
    }
    CHECK(summary.failed() == 0);
    // Expectations can be asked however little is there.
    CHECK(experiments::report_of(summary).verdicts.size() == description.expectations.size());
  }
}

}  // namespace takt::tools
