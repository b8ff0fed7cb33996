// takt evaluate: the table.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/tools/commands/evaluate_json.hpp"
#include "tests/tools/program.hpp"
#include "tools/command.hpp"

namespace takt::testing {
namespace {

using Catch::Contains;
using nlohmann::ordered_json;

TEST_CASE("a long name is shortened in the table, the kind of its resource is not") {
  const Outcome outcome = takt({"evaluate", "-", "--model", "overlap"}, R"({
    "application": {"stages": [{"name": "a", "work": 1, "output": 1}, {"name": "b", "work": 2}]},
    "platform": {
      "processors": [{"name": "graphics-card-in-the-rack-number-one", "speed": 1}, {"name": "P", "speed": 1}],
      "bandwidth": 1
    },
    "mapping": [
      {"stages": ["a"], "processors": ["graphics-card-in-the-rack-number-one"]},
      {"stages": ["b"], "processors": ["P"]}
    ]
  })");
  CHECK_THAT(outcome.out, Contains("  graphics-card-in-the-rack-number... compute  "));
  CHECK_THAT(outcome.out, Contains("  graphics-card-in-the-rack-number... out-port  "));
}

TEST_CASE("the table of a small instance with a bottleneck") {
  const Outcome outcome = takt({"evaluate", "-", "--model", "overlap"}, kSmall);
  REQUIRE(outcome.status == tools::kAnswered);
  REQUIRE(outcome.err.empty());
  REQUIRE(outcome.out == R"(standard input, OVERLAP ONE-PORT
The bottleneck is the computation of R, busy all the time.

  period              3 time units per data set
  throughput          0.333333 data sets per time unit, exactly 1/3
  largest cycle time  3 time units per data set, of the computation of R
  latency             8 time units, alone or in an even stream
  longest sequence    2 turns
  method              pattern, for 2 rows x 3 columns

Critical circuit: 1 operation, together 6 time units for 2 data sets
  data set  operation  processor  duration
         1  compute b  R                 6

Resources, the busiest first
  resource    utilization  cycle time  exactly
  R compute       100.0 %           3
  P compute        66.7 %           2
  Q compute        50.0 %         1.5      3/2
  P out-port        5.6 %    0.166667      1/6
  Q in-port         5.6 %    0.166667      1/6
  R in-port         0.0 %           0
)");
}

TEST_CASE("columns are as wide as their characters, and a name cannot move the cursor") {
  std::string text = kSmall;
  const auto rename = [&](const std::string& from, const std::string& to) {
    for (std::size_t at = 0; (at = text.find('"' + from + '"', at)) != std::string::npos; at += to.size()) {
      text.replace(at, from.size() + 2, '"' + to + '"');
    }
  };
  rename("R", "Prozeßör");
  rename("Q", R"(\u001b[31m\n)");
  const Outcome outcome = takt({"evaluate", "-", "--model", "strict"}, text);
  REQUIRE(outcome.status == tools::kAnswered);
  REQUIRE_THAT(outcome.out, Contains("The bottleneck is Prozeßör, busy all the time."));
  REQUIRE_THAT(outcome.out, Contains(R"(
  resource          utilization  cycle time  exactly
  Prozeßör              100.0 %           3
  P                      72.2 %     2.16667     13/6
  \u001b[31m\u000a       55.6 %     1.66667      5/3
)"));
  REQUIRE(outcome.out.find('\x1b') == std::string::npos);
}

TEST_CASE("long names and numbers are cut in the table and whole in the JSON") {
  ordered_json document = ordered_json::parse(kSmall);
  const std::string name(500, 'n');
  const std::string work = "1" + std::string(199, '0') + "/7";
  document["platform"]["processors"][0]["name"] = name;
  document["platform"]["links"][0]["from"] = name;
  document["mapping"][0]["processors"][0] = name;
  document["application"]["stages"][0]["work"] = work;
  const Outcome table = takt({"evaluate", "-", "--model", "overlap"}, document.dump());
  REQUIRE(table.status == tools::kAnswered);
  for (const std::string& line : lines_of(table.out)) REQUIRE(line.size() <= 130);
  REQUIRE_THAT(table.out, Contains("period              about 1.42857e+198 time units per data set"));
  const ordered_json result = json_of({"-", "--model", "overlap"}, tools::kAnswered, document.dump());
  REQUIRE(result.at("period") == work);
  REQUIRE(result.at("busiest_resource") == ordered_json({{"processor", name}, {"kind", "compute"}}));
}

TEST_CASE("numbers beyond doubles are written with their exponent") {
  const std::string text = R"({"application": {"stages": [{"name": "a", "work": 1e300}]},
    "platform": {"processors": [{"name": "P", "speed": 1e-300}]},
    "mapping": [{"stages": ["a"], "processors": ["P"]}]})";
  const Outcome table = takt({"evaluate", "-", "--model", "strict"}, text);
  REQUIRE_THAT(table.out, Contains("period              about 1e+600 time units") &&
                              Contains("throughput          about 1e-600 data sets"));
  const ordered_json result = json_of({"-", "--model", "strict"}, tools::kAnswered, text);
  REQUIRE(result.at("period") == "1" + std::string(600, '0'));
  REQUIRE(result.at("period_decimal").is_null());
}

TEST_CASE("a large platform has its busiest resources in the table and all in the JSON") {
  ordered_json document = ordered_json::parse(kSmall);
  ordered_json sequence = ordered_json::array();
  for (int p = 0; p < 1000; ++p) {
    document["platform"]["processors"].push_back({{"name", "X" + std::to_string(p)}, {"speed", p + 1}});
    sequence.push_back("X" + std::to_string(p));
  }
  document["mapping"][1]["processors"] = sequence;
  const Outcome table = takt({"evaluate", "-", "--model", "strict"}, document.dump());
  REQUIRE(table.status == tools::kAnswered);
  REQUIRE(lines_of(table.out).size() < 80);
  REQUIRE_THAT(table.out, Contains("\n  ... and 961 more (--json lists all)\n"));
  REQUIRE(json_of({"-", "--model", "strict"}, tools::kAnswered, document.dump()).at("resources").size() == 1001);
}

}  // namespace
}  // namespace takt::testing
