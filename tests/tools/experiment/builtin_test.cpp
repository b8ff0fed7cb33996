// The built-in descriptions: read, named after their files, and some draws of each computed.
#include "tools/experiment/builtin.hpp"

#include <catch2/catch.hpp>
#include <fstream>
#include <set>
#include <string>

#include "experiments/descriptions/description.hpp"
#include "experiments/reports/chunk.hpp"
#include "experiments/reports/report.hpp"

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

TEST_CASE("each built-in description has a place on the page of experiments") {
  const std::string page = file_text(TAKT_SOURCE_DIR "/experiments/papers/experiments.md.in");
  for (const BuiltinDescription& builtin : builtin_descriptions()) {
    INFO(builtin.name);
    CHECK(page.find("<!-- report " + std::string(builtin.name) + " -->") != std::string::npos);
  }
}

TEST_CASE("the first and the last cell of each built-in description give two draws without a failure") {
  for (const BuiltinDescription& builtin : builtin_descriptions()) {
    // Its searches take seconds.
    if (builtin.name == "data-parallel-table-1-100") continue;
    INFO(builtin.name);
    const auto description =
        experiments::read_description(builtin.text, std::string(builtin.name), {.seed = {}, .draws = 2});
    experiments::Summary summary(description);
    for (const std::size_t cell : {std::size_t{0}, description.cells.size() - 1}) {
      const experiments::Chunk chunk{cell, 0, 0, 2};
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
