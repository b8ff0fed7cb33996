// exhaustive against a naive enumeration that shares nothing with it.
#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "tests/heuristics/problems.hpp"
#include "tests/support/counted_clock.hpp"
#include "tpn/errors.hpp"
#include "tpn/models.hpp"
#include "tpn/validate.hpp"

namespace takt::testing {
namespace {

using maxplus::Rational;
using tpn::Model;

const std::array<Model, 3> kModels = {Model::kOverlap, Model::kStrict, tpn::bounded_model(1)};
constexpr std::array<const char*, 3> kClasses = {"one-to-one", "interval", "replicated"};

// As random_problem, with links that are all named, about a third of them absent, and ends linked with some.
tpn::Document sparse_problem(std::size_t stages, std::size_t processors, std::uint64_t seed) {
  tpn::Document problem = random_problem({stages, processors, Speeds::unequal, Links::unequal}, seed);
  problem.platform.defaults = {};
  std::erase_if(problem.platform.links, [&](const tpn::Link& link) { return (link.from + link.to + seed) % 3 == 0; });
  for (auto* end : {&problem.platform.source, &problem.platform.sink}) {
    for (std::size_t p = end == &problem.platform.sink ? 1 : 0; p < processors; p += 2)
      (*end)->links.push_back({p, {.bandwidth = Rational(7), .latency = {}, .time = {}}});
  }
  return problem;
}

void require_least(const tpn::Document& problem, const std::string& mapping_class, Model model) {
  INFO(mapping_class << (model == Model::kStrict ? " strict" : " overlap"));
  const auto solution = solve_checked("exhaustive", problem, of_class(mapping_class, model));
  const auto least = least_period(problem, mapping_class, model);
  if (!least) {
    REQUIRE(std::holds_alternative<heuristics::Infeasible>(solution.result));
    return;
  }
  const auto& proposal = proposal_of(solution);
  REQUIRE(proposal.predicted_period.to_string() == least->to_string());
  REQUIRE(exact_period(problem, proposal.mapping, model).to_string() == least->to_string());
  REQUIRE_FALSE(proposal.cut_short);
}

TEST_CASE("exhaustive finds the least period of each class") {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    for (const Links links : {Links::equal, Links::unequal}) {
      const std::size_t stages = 1 + seed % 3;
      const auto problem = random_problem({stages, 4, Speeds::unequal, links, seed % 2 == 0, seed != 2}, seed);
      INFO("seed " << seed);
      for (const Model model : kModels)
        for (const char* mapping_class : kClasses) require_least(problem, mapping_class, model);
    }
  }
}

TEST_CASE("exhaustive finds the least period where links are absent, if any mapping has its links") {
  std::size_t infeasible = 0;
  for (std::uint64_t seed = 1; seed <= 9; ++seed) {
    const auto problem = sparse_problem(1 + seed % 3, 4, seed);
    INFO("seed " << seed);
    for (const char* mapping_class : kClasses) {
      require_least(problem, mapping_class, kModels[seed % kModels.size()]);
      const auto solution =
          solve_checked("exhaustive", problem, of_class(mapping_class, kModels[seed % kModels.size()]));
      infeasible += std::holds_alternative<heuristics::Infeasible>(solution.result) ? 1 : 0;
    }
  }
  REQUIRE(infeasible > 0);
}

TEST_CASE("exhaustive tries every order of replicas that matters") {
  // Four stages of replicas 2 and 2: which of them meet decides.
  for (std::uint64_t seed = 11; seed <= 12; ++seed) {
    auto problem = random_problem({2, 5, Speeds::unequal, Links::unequal, false}, seed);
    for (tpn::Link& link : problem.platform.links)
      link.timing.bandwidth = Rational(1 + (link.from * 7 + link.to * 3) % 5);
    require_least(problem, "replicated", Model::kOverlap);
  }
}

TEST_CASE("exhaustive keeps processors with fixed times apart") {
  auto problem = random_problem({3, 4, Speeds::unequal, Links::unequal}, 5);
  problem.platform.processors[2].speed.reset();
  problem.platform.processors[2].time = Rational::fraction(7, 3);
  problem.platform.defaults.latency = Rational::fraction(1, 7);
  for (const Model model : kModels)
    for (const char* mapping_class : kClasses) require_least(problem, mapping_class, model);
}

TEST_CASE("exhaustive by hand: two equal stages, two processors, free communication") {
  const auto least = [](const std::string& mapping_class, int second_speed) {
    const auto problem = free_problem({6, 6}, {}, {2, second_speed});
    return proposal_of(solve_checked("exhaustive", problem, of_class(mapping_class, Model::kStrict))).predicted_period;
  };
  // Both stages on both processors in turn: the slower one has 12 for two data sets. One-to-one: 6.
  REQUIRE(least("one-to-one", 1) == 6);
  REQUIRE(least("interval", 1) == 6);
  REQUIRE(least("replicated", 2) == 3);
}

TEST_CASE("exhaustive says why it has no mapping") {
  const auto reason = [](const tpn::Document& problem, const heuristics::Settings& settings) {
    return reason_of(solve_checked("exhaustive", problem, settings));
  };
  const auto many = random_problem({5, 4}, 1);
  REQUIRE(reason(many, of_class("one-to-one", Model::kStrict)) ==
          "there are 5 stages and 4 processors, and one-to-one mappings need one processor per stage");
  auto cut = random_problem({2, 2}, 1);
  cut.platform.source->links = {{0, {}}};
  cut.platform.defaults = {};
  REQUIRE(reason(cut, of_class("interval", Model::kStrict)) ==
          "every interval mapping needs a link that the platform lacks");
  const auto large = random_problem({12, 12}, 1);
  REQUIRE(reason(large, of_class("replicated", Model::kStrict)) ==
          "limit: there are more than 20000000 replicated mappings, and no more are tried; a time limit gives the best "
          "of those "
          "seen");
  REQUIRE(reason(large, too_late(of_class("interval", Model::kStrict))) ==
          "limit: the time limit passed before it had a mapping");
}

TEST_CASE("exhaustive returns the best so far when time is up") {
  const auto problem = random_problem({14, 14}, 3);
  heuristics::Settings settings = of_class("replicated", Model::kOverlap);
  const support::CountedClock clock(std::chrono::milliseconds(1));
  settings.deadline = clock.at_question(20);
  const auto& solution = solve_checked("exhaustive", problem, settings);
  const auto& proposal = proposal_of(solution);
  REQUIRE(proposal.cut_short);
  REQUIRE(exact_period(problem, proposal.mapping, Model::kOverlap) == proposal.predicted_period);
}

TEST_CASE("exhaustive wants works and sizes that its mappings need") {
  auto problem = random_problem({2, 2}, 1);
  problem.application.stages[0].output.reset();
  REQUIRE_THROWS_AS(solve_checked("exhaustive", problem), tpn::InvalidInstance);
}

}  // namespace
}  // namespace takt::testing
