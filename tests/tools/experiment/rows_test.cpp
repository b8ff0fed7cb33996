// Rows as tables, and runs that would be.
#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "maxplus/rational.hpp"
#include "tests/tools/program.hpp"

namespace takt::testing {
namespace {

using Catch::Contains;
using Catch::StartsWith;
using maxplus::Rational;
using nlohmann::json;

constexpr const char* kRowsText = R"({
  "name": "small", "seed": 5, "study": "evaluate", "chunk": 3,
  "generator": {"name": "replicated-mapping", "stages": 2},
  "grid": {"draws": 4, "processors": [3, 4]}, "models": ["strict"]
})";

std::string written(const TemporaryFolder& folder, const std::string& name, const std::string& text) {
  std::ofstream(folder.path(name)) << text;
  return folder.path(name);
}

}  // namespace

TEST_CASE("rows of a run are a table: a column for each parameter, key and measure, a row for each draw") {
  const TemporaryFolder folder;
  const std::string run = folder.path("run");
  REQUIRE(takt({"experiment", "run", written(folder, "small.json", kRowsText), "-o", run}).status == 0);
  const Outcome csv = takt({"experiment", "rows", run});
  CHECK(csv.status == 0);
  CHECK_THAT(csv.out, StartsWith("cell,processors,draw,model,period,max_cycle_time,gap,rows,failed\n"
                                 "processors 3,3,0,strict,"));
  CHECK(std::ranges::count(csv.out, '\n') == 9);

  const Outcome exact = takt({"experiment", "rows", run, "--format", "jsonl", "--exact"});
  const Outcome decimal = takt({"experiment", "rows", run, "--format", "jsonl"});
  std::istringstream exact_lines(exact.out);
  std::istringstream decimal_lines(decimal.out);
  std::size_t rows = 0;
  for (std::string a, b; std::getline(exact_lines, a) && std::getline(decimal_lines, b); ++rows) {
    const json left = json::parse(a);
    const json right = json::parse(b);
    const auto period = std::get<Rational>(maxplus::parse_fraction(left["period"].get<std::string>()));
    CHECK(period.to_double() == right["period"].get<double>());
    CHECK(right["failed"].is_null());
    CHECK(right["processors"] == (rows < 4 ? 3 : 4));
    // What the draw is evaluated to by itself.
    const Outcome draw = takt({"experiment", "draw", run, "--cell", left["cell"].get<std::string>(), "--draw",
                               std::to_string(right["draw"].get<int>())});
    const Outcome evaluated = takt({"evaluate", written(folder, "draw.json", draw.out), "--model", "strict", "--json"});
    CHECK_THAT(evaluated.out, Contains("\"period\": \"" + left["period"].get<std::string>() + "\""));
  }
  CHECK(rows == 8);
}

TEST_CASE("rows of a run that is not done are those that are there, and a run that keeps none says so") {
  const TemporaryFolder folder;
  const std::string run = folder.path("run");
  REQUIRE(takt({"experiment", "run", written(folder, "small.json", kRowsText), "-o", run, "--shard", "1/4"}).status ==
          0);
  const Outcome part = takt({"experiment", "rows", run});
  CHECK(part.status == 4);
  CHECK(std::ranges::count(part.out, '\n') == 4);
  std::string text = kRowsText;
  text.insert(text.rfind('}'), R"(, "keep": "none")");
  REQUIRE(takt({"experiment", "run", written(folder, "tallies.json", text), "-o", folder.path("none")}).status == 0);
  const Outcome none = takt({"experiment", "rows", folder.path("none")});
  CHECK(none.status == 3);
  CHECK_THAT(none.err, Contains(R"(its description keeps no rows ("keep": "none"); takt experiment report says)"));
}

TEST_CASE("a dry run says how many draws, files and rows there would be, and writes nothing") {
  const TemporaryFolder folder;
  const std::string description = written(folder, "small.json", kRowsText);
  const std::string run = folder.path("run");
  const Outcome dry = takt({"experiment", "run", description, "--dry-run", "-o", run});
  CHECK(dry.status == 0);
  CHECK(dry.out ==
        "small: 8 draws of 2 cells, in 4 chunks of 3 draws or fewer\n8 rows, about 2 kB in 2 files\n"
        "less than a second in all with 1 process, as 8 draws took; nothing was written\n");
  CHECK_FALSE(std::filesystem::exists(run));
  const Outcome nowhere = takt({"experiment", "run", description});
  CHECK(nowhere.status == 2);
  CHECK_THAT(nowhere.err, Contains("--output: found no directory, expected one, or --dry-run"));
}

}  // namespace takt::testing
