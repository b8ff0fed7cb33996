// The communication models on the command line: bounded and its rooms, through every command that evaluates.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/tools/program.hpp"
#include "tools/command.hpp"

namespace takt::testing {
namespace {

using Catch::Contains;
using nlohmann::ordered_json;

const std::string& example() {
  static const std::string kExample = source("examples/example-a.json");
  return kExample;
}

// Example A with these members put in front.
std::string example_with(const std::string& members) {
  std::string text = text_of(example());
  return text.insert(text.find('{') + 1, members + ",");
}

ordered_json evaluated(const std::vector<std::string>& options, const std::string& file,
                       const std::string& input = "") {
  const Outcome outcome = takt(appended({"evaluate", file, "--json"}, options), input);
  INFO(outcome.err);
  REQUIRE(outcome.status == tools::kAnswered);
  return ordered_json::parse(outcome.out);
}

TEST_CASE("rooms are those that were said, else the file's own, else one") {
  const auto bounded = [](const ordered_json& result, std::uint64_t rooms, const std::string& period) {
    CHECK(result["model"] == "bounded");
    CHECK(result["rooms"] == rooms);
    CHECK(result["period"] == period);
  };
  bounded(evaluated({"--model", "bounded"}, example()), 1, "211");
  bounded(evaluated({"--model", "bounded", "--rooms", "2"}, example()), 2, "189");
  bounded(evaluated({}, "-", example_with(R"("model": "bounded")")), 1, "211");
  const std::string two = example_with(R"("model": "bounded", "rooms": 2)");
  bounded(evaluated({}, "-", two), 2, "189");
  bounded(evaluated({"--model", "bounded"}, "-", two), 2, "189");
  bounded(evaluated({"--rooms", "1"}, "-", two), 1, "211");
  const ordered_json strict = evaluated({"--model", "strict"}, "-", two);
  CHECK(strict["period"] == "692/3");
  CHECK_FALSE(strict.contains("rooms"));
  CHECK(evaluated({}, example()).size() == 2);  // overlap and strict
}

TEST_CASE("rooms of a model that has none, or too many, are a wrong command line") {
  const auto message = [](const std::vector<std::string>& arguments) {
    const Outcome outcome = takt(arguments);
    CHECK(outcome.status == tools::kUsage);
    return lines_of(outcome.err).front();
  };
  CHECK(message({"evaluate", example(), "--rooms", "2"}) == "takt evaluate: --rooms goes with --model bounded");
  CHECK(message({"dot", example(), "--model", "strict", "--rooms", "2"}) ==
        "takt dot: --rooms goes with --model bounded");
  CHECK(message({"simulate", example(), "--model", "bounded", "--rooms", "0"}) ==
        "takt simulate: --rooms: found \"0\", expected a whole number from 1 to 2^64 - 1");
  CHECK(message({"evaluate", example(), "--model", "bounded", "--rooms", "1001"}) ==
        "takt evaluate: --rooms: found 1001, expected at most 1000");
  CHECK(message({"run", example(), "--model", "bounded"}) ==
        "takt run: --model: found \"bounded\", expected overlap or strict");
  CHECK_THAT(takt({"run", "--help"}).out, !Contains("bounded") && !Contains("--rooms"));
  const Outcome own = takt({"run", "-"}, example_with(R"("model": "bounded")"));
  CHECK(own.status == tools::kBadInput);
  CHECK(own.err ==
        "takt: standard input: /model: found \"bounded\", expected a model that can be run: --model overlap or "
        "strict\n");
}

TEST_CASE("bounded goes through every command") {
  const TemporaryFolder folder;
  const std::string certificate = folder.path("a.certificate.json");
  const std::vector<std::string> model = {"--model", "bounded", "--rooms", "1"};
  const auto run = [&](const std::vector<std::string>& arguments, const std::vector<std::string>& more = {}) {
    const Outcome outcome = takt(appended(arguments, more));
    INFO(outcome.err);
    REQUIRE(outcome.status == tools::kAnswered);
    return outcome.out;
  };
  for (const std::string method : {"auto", "unfold", "sweep", "residue"}) {
    run({"evaluate", example(), "--method", method, "--certificate", certificate}, model);
    CHECK_THAT(run({"check", example(), certificate}),
               Contains("the period is 211 under BOUNDED ONE-PORT, ROOM FOR 1 FILE"));
  }
  const Outcome pattern = takt({"evaluate", example(), "--method", "pattern", "--model", "bounded"});
  CHECK(pattern.status == tools::kUsage);
  CHECK_THAT(pattern.err, Contains("files that wait for room tie computations to their transfers"));
  CHECK_THAT(run({"dot", example()}, model), Contains("room"));
  CHECK_THAT(run({"dot", example(), "--collapse"}, model), Contains("room"));
  CHECK_THAT(run({"simulate", example(), "--data-sets", "3"}, model), Contains("\nbounded,2,"));
  CHECK(ordered_json::parse(run({"simulate", example(), "--format", "json"}, model))["rooms"] == 1);
}

TEST_CASE("heuristics predict under bounded what verify confirms, or say why not") {
  const TemporaryFolder folder;
  const std::string problem = source("examples/hedpm-problem.json");
  const std::string mapped = folder.path("mapped.json");
  for (const std::string name : {"bsl", "bsc", "spl", "bs121", "greedy", "random", "exhaustive"}) {
    INFO(name);
    const Outcome map = takt({"map", problem, "--heuristic", name, "--model", "bounded", "-o", mapped});
    INFO(map.err);
    REQUIRE(map.status == tools::kAnswered);
    CHECK_THAT(text_of(mapped), Contains("\"model\": \"bounded\"") && Contains("\"rooms\": 1"));
    const Outcome verify = takt({"verify", mapped});
    CHECK(verify.status == tools::kAnswered);
    CHECK_THAT(verify.out, Contains("exact bounded, room 1") && Contains("equal"));
  }
  const Outcome hedpm = takt({"map", problem, "--heuristic", "hedpm", "--model", "bounded"});
  CHECK(hedpm.status == tools::kNo);
  CHECK_THAT(hedpm.err, Contains("it predicts for the model overlap or strict, not for bounded"));
}

}  // namespace
}  // namespace takt::testing
