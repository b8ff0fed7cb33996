// The search for absent works and sizes.
#include "heuristics/common/amounts.hpp"

#include <catch2/catch.hpp>

#include <string>
#include <utility>

#include "tests/heuristics/problems.hpp"
#include "tpn/errors.hpp"

namespace takt::testing {
namespace {

using maxplus::Rational;

// The place of what is wrong, and what is said of it.
template <typename Require>
std::pair<std::string, std::string> refused(const tpn::Document& problem, const Require& require) {
  try {
    require(tpn::ProblemView(problem));
  } catch (const tpn::InvalidInstance& error) {
    return {error.pointer, error.what()};
  }
  return {};
}

TEST_CASE("every stage needs a time on every processor, its own or that of its work") {
  const auto error_of = [](const tpn::Document& problem) { return refused(problem, heuristics::require_works).first; };
  tpn::Document problem;
  problem.application.stages = {{.name = "A", .work = {}, .output = {}, .times = {{2, 1}, {1, 3}}},
                                {.name = "B", .work = 1, .output = {}, .times = {{2, 3}}}};
  problem.platform.processors = {{"P0", {}, 5}, {"P1", 2, {}}, {"P2", {}, {}}};
  CHECK(error_of(problem).empty());
  problem.application.stages[1].times = {{1, 3}};
  CHECK(error_of(problem) == "/application/stages/1/time");
  problem.application.stages[1].times = {{2, 3}};
  problem.application.stages[1].work.reset();
  CHECK(error_of(problem) == "/application/stages/1/work");
  problem.application.stages[0].times = {{2, 1}};
  CHECK(error_of(problem) == "/application/stages/0/work");
}

TEST_CASE("amounts are required where a speed or a bandwidth needs them, and only there") {
  const auto error_of = [](const tpn::Document& problem) {
    return refused(problem, heuristics::require_amounts).second;
  };
  tpn::Document problem;
  problem.application.stages = {{"A", 1, 1}, {"B", 1, 1}, {"C", 1, {}}};
  problem.platform.processors = {{"P0", {}, 5}, {"P1", 2, {}}, {"P2", 3, {}}};
  problem.platform.defaults.bandwidth = 4;
  CHECK(error_of(problem).empty());

  problem.application.stages[1].work.reset();
  CHECK(error_of(problem) ==
        "/application/stages/1/work: found stage \"B\" without \"work\", expected its work, as "
        "\"P1\" computes it at a speed");
  problem.platform.processors = {{"P0", {}, 5}, {"P1", {}, 5}, {"P2", {}, 5}};
  CHECK(error_of(problem).empty());

  const std::string absent =
      "/application/stages/0/output: found stage \"A\" without \"output\", expected its size, as ";
  problem.application.stages[0].output.reset();
  CHECK(error_of(problem) == absent + "\"P0\" sends it to \"P1\" at a bandwidth");
  const auto fixed = [](std::size_t from, std::size_t to) { return tpn::Link{from, to, {{}, {}, Rational(1)}, false}; };
  problem.platform.links = {fixed(1, 2), fixed(0, 1)};
  CHECK(error_of(problem) == absent + "\"P0\" sends it to \"P2\" at a bandwidth");
  problem.platform.links.push_back(fixed(0, 2));
  CHECK(error_of(problem).empty());
  problem.platform.links[0].timing = {Rational(3), {}, {}};
  CHECK(error_of(problem) == absent + "\"P1\" sends it to \"P2\" at a bandwidth");
  problem.platform.links[0] = fixed(2, 1);

  problem.platform.sink = tpn::Endpoint{};
  CHECK(error_of(problem) ==
        "/application/stages/2/output: found stage \"C\" without \"output\", expected its size, "
        "as \"P0\" sends it to the sink at a bandwidth");
  problem.platform.sink->timing.time = 1;
  CHECK(error_of(problem).empty());
  problem.platform.source = tpn::Endpoint{};
  CHECK(error_of(problem) ==
        "/application/input: found no \"input\", expected its size, as the source sends it to "
        "\"P0\" at a bandwidth");
}

TEST_CASE("a stage whose file nobody takes needs no size but for a sink") {
  const auto error_of = [](const tpn::Document& problem) {
    return refused(problem, heuristics::require_amounts).first;
  };
  tpn::Document problem;
  problem.application.stages = {{"A", 1, 1}, {"B", 1, {}}, {"C", 1, {}}};
  problem.application.stages[2].after = {0};
  problem.platform.processors = {{"P0", 1, {}}, {"P1", 2, {}}};
  problem.platform.defaults.bandwidth = 4;
  CHECK(error_of(problem).empty());
  for (const char* name : {"random", "greedy", "exhaustive", "polish", "greedy-cpu", "coarse-grained"}) {
    CAPTURE(name);
    CHECK(proposal_of(solve_checked(name, problem)).predicted_period > 0);
  }
  problem.platform.sink = tpn::Endpoint{};
  CHECK(error_of(problem) == "/application/stages/1/output");
  CHECK_THROWS_WITH(solve_checked("greedy", problem), Catch::Contains("/application/stages/1/output"));
  problem.application.stages[1].output = Rational(1);
  CHECK(error_of(problem) == "/application/stages/2/output");
  problem.application.stages[2].output = Rational(1);
  CHECK(error_of(problem).empty());
  problem.application.stages[0].output.reset();
  CHECK(error_of(problem) == "/application/stages/0/output");
}

}  // namespace
}  // namespace takt::testing
