// The additions of docs/adding.md do what they say, found through the tables that its diffs give a row each.
#include <catch2/catch.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "heuristics/registry.hpp"
#include "tests/support/evaluations.hpp"
#include "tests/support/random_problems.hpp"
#include "tools/command.hpp"

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
    REQUIRE(support::period_of(support::net_of(problem, tpn::Model::strict)) == proposal.predicted_period);
  }
}

TEST_CASE("the program lists and runs the added heuristic, among all the others") {
  CHECK(takt({"heuristics"}).out.find("\neven: as many stages for each of the first processors\n") !=
        std::string::npos);
  const Answer mapped = takt({"map", TAKT_SOURCE_DIR "/examples/hedpm-problem.json", "--heuristic", "even"});
  CHECK(mapped.status == tools::kAnswered);
  CHECK(mapped.out.find("\"even\"") != std::string::npos);
}

TEST_CASE("the added output is a command of the program") {
  CHECK(takt({"--help"}).out.find("how busy every resource is") != std::string::npos);
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
