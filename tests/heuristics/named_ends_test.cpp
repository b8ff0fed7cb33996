// Heuristics on problems with several sources and sinks by name: what they predict is the period, bounds are bounds,
// others refuse.
#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <string>
#include <vector>

#include "tests/heuristics/judge.hpp"
#include "tests/heuristics/problems.hpp"
#include "tests/support/host_documents.hpp"
#include "tests/support/named_ends.hpp"
#include "tests/support/random_documents.hpp"
#include "tests/support/seeds.hpp"
#include "tpn/ends.hpp"
#include "tpn/models.hpp"
#include "tpn/writer.hpp"

namespace takt::testing {
namespace {

using tpn::Model;

TEST_CASE("heuristics that take several sources predict the period, and no mapping is below the bound") {
  std::map<std::string_view, int> answered;
  const std::uint64_t seeds = support::draws(15);
  for (const support::Kind kind : {support::Kind::plain, support::Kind::intervals, support::Kind::endpoints,
                                   support::Kind::everything, support::Kind::stage_times, support::Kind::typed}) {
    for (std::uint64_t seed = 0; seed < seeds; ++seed) {
      const auto ports = seed % 2 == 0 ? support::EndPorts::one : support::EndPorts::any;
      const tpn::Document drawn = support::with_named_ends(support::random_document(kind, seed), seed, ports);
      CAPTURE(static_cast<int>(kind), seed, tpn::write_document(drawn));
      judge_heuristics(drawn, &tpn::Capabilities::several_ends, answered);
    }
  }
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    const tpn::Document drawn = support::with_named_ends(support::host_document(seed), seed, support::EndPorts::any);
    if (drawn.platform.processors.size() > 8) continue;
    CAPTURE(seed, tpn::write_document(drawn));
    judge_heuristics(drawn, &tpn::Capabilities::several_ends, answered);
  }
  check_answers(answered, 0,
                {"random", "greedy", "hill-climbing", "simulated-annealing", "polish", "exhaustive", "typed-dp",
                 "chain-dp", "clique-optimal", "greedy-cpu", "coarse-grained"});
}

// Small, with links to some of several ends for every third seed.
tpn::Document small_problem(std::uint64_t seed) {
  tpn::Document problem = random_problem(
      {1 + seed % 3, 3, Speeds::unequal, seed % 2 == 0 ? Links::equal : Links::unequal, true, seed % 4 != 1}, seed);
  problem = support::with_named_ends(problem, seed, seed % 2 == 0 ? support::EndPorts::any : support::EndPorts::one);
  if (seed % 3 != 0) return problem;
  problem.platform.defaults.bandwidth.reset();
  for (std::size_t a = 0; a < 3; ++a) {
    for (std::size_t b = a + 1; b < 3; ++b) {
      const bool is_listed = std::ranges::any_of(problem.platform.links,
                                                 [&](const tpn::Link& link) { return link.from + link.to == a + b; });
      if (!is_listed) problem.platform.links.push_back({a, b, {.bandwidth = 4, .latency = {}, .time = {}}, false});
    }
  }
  for (auto* end : {&problem.platform.source, &problem.platform.sink}) {
    if (!*end) continue;
    for (std::size_t k = 0; k < (*end)->named.size(); k += 2) {
      tpn::Endpoint& one = (*end)->named[k];
      one.timing = {};
      one.links = {{(k + seed) % 3, {.bandwidth = {}, .latency = {}, .time = 2}},
                   {(k + seed + 1) % 3, {.bandwidth = {}, .latency = {}, .time = 3}}};
    }
  }
  return problem;
}

TEST_CASE("exhaustive finds the least period with several sources and sinks, and the bound is below it") {
  int attained = 0;
  int infeasible = 0;
  for (std::uint64_t seed = 1; seed <= support::draws(60); ++seed) {
    const tpn::Document problem = small_problem(seed);
    CAPTURE(seed, tpn::write_document(problem));
    judge_exhaustive(problem, attained, [&](const auto&, const auto& least) { infeasible += least ? 0 : 1; });
  }
  CHECK(attained > 0);
  CHECK(infeasible > 0);
}

TEST_CASE("typed-dp finds the least period of equal machines, and claims it only where it is") {
  int proved = 0;
  int open = 0;
  for (std::uint64_t seed = 1; seed <= support::draws(40); ++seed) {
    tpn::Document problem = random_problem({1 + seed % 3, 4, Speeds::equal, Links::equal, true, seed % 4 != 1}, seed);
    problem = support::with_named_ends(problem, seed, seed % 3 == 0 ? support::EndPorts::any : support::EndPorts::one);
    for (auto* end : {&problem.platform.source, &problem.platform.sink}) {
      if (!*end) continue;
      for (tpn::Endpoint& one : (*end)->named) {
        one.links.clear();
        // The same links everywhere, for every other seed.
        if (seed % 2 == 0) one.timing = (*end)->named.front().timing;
      }
    }
    CAPTURE(seed, tpn::write_document(problem));
    for (const Model& model : {Model(Model::kOverlap), Model(Model::kStrict)}) {
      CAPTURE(tpn::label_of(model));
      const bool claims = claims_least(judged_typed_dp(problem, model));
      if (seed % 2 == 0) REQUIRE(claims);
      ++(claims ? proved : open);
    }
  }
  CHECK(proved > 3);
  CHECK(open > 0);
}

TEST_CASE("a link that a proposal lacks with one of several sources names it") {
  tpn::Document problem = free_problem({3, 2}, {}, {1, 1});
  problem.application.input = 1;
  problem.platform.defaults = {};
  problem.platform.links = {{0, 1, {.bandwidth = {}, .latency = {}, .time = 0}, false}};
  problem.platform.source.emplace().named = {{}, {}};
  problem.platform.source->named[0].name = "door";
  problem.platform.source->named[0].timing.time = 1;
  problem.platform.source->named[1].name = "yard";
  CHECK(reason_of(solve_checked("clique-optimal", problem))
            .starts_with("the mapping it chose needs a link from \"yard\" to \""));
}

}  // namespace
}  // namespace takt::testing
