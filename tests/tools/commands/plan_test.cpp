// takt plan: which machines for which rate, on catalogues whose answers are known.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/tools/program.hpp"
#include "tools/command.hpp"

namespace takt::testing {
namespace {

using Catch::Contains;
using Catch::StartsWith;
using nlohmann::ordered_json;

const std::string kCatalogue = source("examples/catalogue.json");
const std::string kActors = source("examples/ray-actors.json");

std::vector<std::string> asking(const std::string& file, const std::vector<std::string>& options) {
  std::vector<std::string> arguments = {"plan", file};
  arguments.insert(arguments.end(), options.begin(), options.end());
  return arguments;
}

std::string answer(const std::vector<std::string>& options, const std::string& file = kCatalogue) {
  const Outcome outcome = takt(asking(file, options));
  INFO(outcome.err);
  REQUIRE(outcome.status == tools::kAnswered);
  REQUIRE(outcome.err.empty());
  return outcome.out;
}

ordered_json json_answer(std::vector<std::string> options, const std::string& file = kCatalogue) {
  options.emplace_back("--json");
  return ordered_json::parse(answer(options, file));
}

// "1.76, 16 machines, 3/40": what it costs, how many there are and how long a data set stays.
std::string in_short(const ordered_json& plan) {
  long machines = 0;
  for (const auto& count : plan["machines"]) machines += std::stol(count.get<std::string>());
  return plan["cost"].get<std::string>() + ", " + std::to_string(machines) + " machines, " +
         plan["latency"].get<std::string>();
}

std::string parts_of(const ordered_json& plan) {
  std::string text;
  for (const auto& part : plan["parts"]) {
    text += (text.empty() ? "" : ", ") + part["machines"].get<std::string>() + " " + part["type"].get<std::string>();
  }
  return text;
}

ordered_json catalogue() { return ordered_json::parse(text_of(kCatalogue)); }

// All of one type, with a count or without.
ordered_json of_one_type() {
  ordered_json document = catalogue();
  for (auto& stage : document["application"]["stages"]) {
    stage["time"].erase("large");
    stage["time"].erase("gpu");
    stage.erase("replicable");
  }
  document["platform"]["types"].erase(1);
  document["platform"]["types"].erase(1);
  return document;
}

TEST_CASE("the example is planned as published") {
  CHECK(answer({"--rate", "200/s", "--losses", "--upgrade"}) == kCatalogue + R"(, OVERLAP ONE-PORT: 200/s for 1.57, with 29 machines.
Nothing of this kind (one type per part, round robin) is cheaper: proved. No mapping at all is below 1.35.

  part             machines  a data set takes    busy  if one fails
  decode + detect  26 small  128 ms to compute  98.5 %  195.3/s
)");
}

TEST_CASE("what else may be wished for changes the plan as published") {
  CHECK(in_short(json_answer({"--rate", "200/s"})) == "157/100, 29 machines, 37/250");
  CHECK(in_short(json_answer({"--period", "5ms", "--latency", "80ms"})) == "44/25, 16 machines, 3/40");
  CHECK(in_short(json_answer({"--rate", "12000/min", "--latency", "40 ms"})) == "207/100, 5 machines, 33/1250");
  CHECK_THAT(in_short(json_answer({"--rate", "200/s", "--apart"})), StartsWith("17/10, 16 machines, "));
  CHECK_THAT(in_short(json_answer({"--rate", "200/s", "--survive", "1"})), StartsWith("89/50, 32 machines, "));
  const ordered_json strict = json_answer({"--rate", "200/s", "--model", "strict"});
  CHECK_THAT(in_short(strict), StartsWith("42/25, 30 machines, "));
  CHECK(strict["throughput_decimal"] == Approx(202.1).epsilon(1e-3));
  CHECK(parts_of(json_answer({"--rate", "200/s", "--latency", "80ms"})) == "13 large, 1 large, 2 large");
  CHECK(parts_of(json_answer({"--rate", "200/s", "--latency", "40ms"})) == "2 gpu, 1 small, 2 large");
}

}  // namespace
}  // namespace takt::testing
