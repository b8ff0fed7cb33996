// The additions of docs/adding.md do what they say, found through the tables that its diffs give a row each.
#include <algorithm>
#include <catch2/catch.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "evaluators/proof/certify.hpp"
#include "evaluators/proof/check.hpp"
#include "experiments/draws/generator.hpp"
#include "heuristics/registry.hpp"
#include "maxplus/solvers.hpp"
#include "tests/support/draw.hpp"
#include "tests/support/evaluations.hpp"
#include "tests/support/random_documents.hpp"
#include "tests/support/random_problems.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tools/command.hpp"
#include "tpn/models.hpp"

namespace takt::testing {
namespace {

struct Answer {
  int status = 0;
  std::string out;
  std::string err;
};

Answer takt(const std::vector<std::string>& arguments) {
  std::istringstream in;
  std::ostringstream out;
  std::ostringstream err;
  const int status = tools::run(arguments, {in, out, err, false});
  return {status, out.str(), err.str()};
}

TEST_CASE("the added heuristic is found by name, maps in its class and predicts exact periods") {
  const heuristics::Heuristic* even = heuristics::find_heuristic("even");
  REQUIRE(even != nullptr);
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    auto problem = support::random_problem({.stages = 5, .processors = 1 + seed % 6}, seed);
    const auto solution = heuristics::solve(*even, problem);
    const auto& proposal = std::get<heuristics::Proposal>(solution.result);
    problem.mapping = proposal.mapping;
    INFO("seed " << seed);
    REQUIRE(proposal.mapping.size() == std::min<std::size_t>(5, 1 + seed % 6));
    REQUIRE(support::period_of(support::net_of(problem, tpn::Model::kStrict)) == proposal.predicted_period);
  }
}

TEST_CASE("the program lists and runs the added heuristic, among all the others") {
  CHECK(takt({"heuristics"}).out.find("\neven: as many stages for each of the first processors\n") !=
        std::string::npos);
  const Answer mapped = takt({"map", TAKT_SOURCE_DIR "/examples/hedpm-problem.json", "--heuristic", "even"});
  CHECK(mapped.status == tools::kAnswered);
  CHECK(mapped.out.find("\"even\"") != std::string::npos);
}

TEST_CASE("the added model has a name for users, and each place of a turn holds one file") {
  const auto single = tpn::find_model("single");
  REQUIRE(single.has_value());
  // P0 computes for 2, sends for 3; P1 computes for 5, and receives only then.
  const std::vector<std::size_t> alone(2, 1);
  const auto document = support::replicated_document(alone, [](std::size_t part, std::size_t from, std::size_t to) {
    if (from != to) return maxplus::Rational(3);
    return maxplus::Rational(part == 0 ? 2 : 5);
  });
  CHECK(support::period_of(support::net_of(document, tpn::Model::kOverlap)) == 5);
  CHECK(support::period_of(support::net_of(document, *single)) == 8);
}

TEST_CASE("every method evaluates the added model alike, with certificates that the checker accepts") {
  const tpn::Model single = tpn::find_model("single").value();
  const std::vector<std::size_t> replication = {2, 3, 1};
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const auto document = support::uniform_document(replication, 1, 9, seed);
    const tpn::FoldedNet net = support::net_of(document, single);
    const maxplus::Rational period = support::period_of(net);
    CHECK(period >= support::period_of(support::net_of(document, tpn::Model::kOverlap)));
    for (const support::Way& way : support::ways_for(net)) {
      INFO("seed " << seed << ", " << way.name);
      const auto evaluation = evaluators::evaluate(net, way.options);
      CHECK(evaluation.lower == period);
      CHECK(evaluation.upper == period);
      const auto certificate = std::get<evaluators::Certificate>(evaluators::certify(net, evaluation));
      CHECK(std::holds_alternative<evaluators::Proven>(evaluators::check(document, certificate)));
    }
  }
  const Answer answer = takt({"evaluate", TAKT_SOURCE_DIR "/examples/example-a.json", "--model", "single"});
  CHECK(answer.status == tools::kAnswered);
  CHECK(answer.out.find("example-a.json, SINGLE-PLACE ONE-PORT\n") != std::string::npos);
}

constexpr std::string_view kIdle = R"({
  "name": "idle", "study": "idle", "generator": "replicated-mapping",
  "cells": [{"name": "small", "draws": 20, "stages": 3, "processors": 7}],
  "busy_below": [0, "1/2", 1], "ports": true,
  "report": [{"kind": "table", "columns": [{"mean": "idle", "busy_below": "1/2"}]}],
  "expect": [{"says": "nothing is busy for less than no time", "value": {"largest": "idle", "busy_below": "0"},
              "within": [0, 0]},
             {"says": "more where more is asked for", "value": {"mean": "idle"}, "least": "busy_below", "is": "0"}]
})";

std::string with(std::string_view old, std::string_view text) {
  std::string changed(kIdle);
  return changed.replace(changed.find(old), old.size(), text);
}

TEST_CASE("the added study runs, and is reported by its own key of series") {
  const TemporaryFolder folder;
  const std::string file = folder.write("idle.json", kIdle);
  const Answer run = takt({"experiment", "run", file, "-o", folder.path("run"), "--jobs", "1"});
  INFO(run.err);
  CHECK(run.status == tools::kAnswered);
  const Answer report = takt({"experiment", "report", folder.path("run"), "--check"});
  CHECK(report.status == tools::kAnswered);
  CHECK(report.out.find("2 met, 0 not met, 0 not decided") != std::string::npos);
  CHECK(report.out.find("| small |   8.9 ± 2 |") != std::string::npos);
  experiments::Arguments arguments(*experiments::find_generator("replicated-mapping"));
  arguments.set("stages", std::uint64_t{3});
  arguments.set("processors", std::uint64_t{7});
  std::ptrdiff_t idle = 0;
  for (std::uint64_t draw = 0; draw < 20; ++draw) {
    const tpn::FoldedNet net = support::net_of(experiments::draw_document(arguments, 1, draw), tpn::Model::kOverlap);
    const maxplus::Rational half = support::period_of(net) / 2;
    idle += std::ranges::count_if(net.resources, [&](const auto& resource) { return resource.cycle_time < half; });
  }
  CHECK(idle == 178);  // 20 * 8.9
}

TEST_CASE("the added study refuses wrong values of its keys, and keys of others, where they stand") {
  const TemporaryFolder folder;
  const auto refusal = [&](std::string_view old, std::string_view text) {
    const std::string file = folder.write("idle.json", with(old, text));
    const Answer answer = takt({"experiment", "run", file, "-o", folder.path("run")});
    CHECK(answer.status == tools::kBadInput);
    return answer.err.substr(answer.err.find(":", file.size()) + 1);
  };
  CHECK(refusal("\"1/2\", 1", "-1, 1") ==
        "4:21: /busy_below/1: found the number -1, expected a number of at least 0\n");
  CHECK(refusal("true", "1") == "4:41: /ports: found the number 1, expected true or false\n");
  CHECK(refusal("\"1/2\", 1", "3, 1") ==
        "2:28: /study: found the study idle: it needs \"busy_below\", shares of at most 1, expected a description with "
        "what its study needs\n");
  const std::string unknown = refusal("\"ports\"", "\"buffered\"");
  CHECK(unknown.starts_with("4:32: /buffered: found the unknown key \"buffered\", expected \"name\", "));
  CHECK(unknown.ends_with(", \"expect\", \"busy_below\" or \"ports\" in a description\n"));
}

TEST_CASE("the added solver is found by name and agrees with the others on random graphs") {
  const maxplus::CycleRatioSolver* climb = maxplus::find_solver("climb");
  REQUIRE(climb != nullptr);
  support::Draw random(1);
  const auto draw = [&](int low, int high) { return random.whole(low, high); };
  std::size_t with_cycles = 0;
  for (int round = 0; round < 2000; ++round) {
    const int vertices = draw(1, 7);
    std::vector<maxplus::ListedArc> arcs(static_cast<std::size_t>(draw(0, 14)));
    for (maxplus::ListedArc& arc : arcs) {
      arc = {static_cast<std::size_t>(draw(0, vertices - 1)), static_cast<std::size_t>(draw(0, vertices - 1)),
             draw(-10, 10), static_cast<std::uint64_t>(draw(0, 2))};
    }
    const auto graph = maxplus::make_token_graph(static_cast<std::size_t>(vertices), arcs);
    const maxplus::CycleRatio answer = climb->solve(graph, {});
    const maxplus::CycleRatio expected = maxplus::default_solver().solve(graph, {});
    REQUIRE(answer.index() == expected.index());
    const auto* cycle = std::get_if<maxplus::CriticalCycle>(&answer);
    if (cycle == nullptr) continue;
    ++with_cycles;
    REQUIRE(cycle->ratio == std::get<maxplus::CriticalCycle>(expected).ratio);
    REQUIRE(maxplus::critical_cycle(graph, cycle->arcs).ratio == cycle->ratio);
  }
  CHECK(with_cycles > 500);
}

TEST_CASE("the program solves with the added solver") {
  const Answer answer = takt({"evaluate", TAKT_SOURCE_DIR "/examples/example-a.json", "--model", "strict", "--method",
                              "unfold", "--solver", "climb"});
  CHECK(answer.status == tools::kAnswered);
  CHECK(answer.err == "");
  CHECK(answer.out.find("692/3") != std::string::npos);
}

TEST_CASE("the added output is a command of the program") {
  CHECK(takt({"--help"}).out.find("how long every resource is busy per data set") != std::string::npos);
  const Answer loads = takt({"loads", TAKT_SOURCE_DIR "/examples/example-a.json", "--model", "strict"});
  CHECK(loads.status == tools::kAnswered);
  CHECK(loads.err == "");
  CHECK(loads.out ==
        "model,processor,resource,cycle_time\nstrict,P0,processor,211\nstrict,P1,processor,1201/6\n"
        "strict,P2,processor,1295/6\nstrict,P3,processor,95\nstrict,P4,processor,623/6\nstrict,P5,processor,87\n"
        "strict,P6,processor,122\n");
}

}  // namespace
}  // namespace takt::testing
