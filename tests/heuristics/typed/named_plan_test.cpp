// The cheapest mapping on a named platform: against all mappings, and by hand.
#include "heuristics/typed/named_plan.hpp"

#include <catch2/catch.hpp>
#include <chrono>

#include "heuristics/search/price_goal.hpp"
#include "heuristics/typed/by_cost.hpp"
#include "heuristics/typed/repair.hpp"
#include "tests/heuristics/problems.hpp"
#include "tests/heuristics/typed/named_checks.hpp"
#include "tests/support/seeds.hpp"
#include "tpn/errors.hpp"

namespace takt::testing {
namespace {

using heuristics::cheapest_on_platform;
using heuristics::NamedAnswer;
using heuristics::NamedClass;
using heuristics::NamedQuery;
using maxplus::Rational;

Rational q(long numerator, long denominator = 1) { return Rational::fraction(numerator, denominator); }

NamedQuery query_of(const Rational& period, const tpn::Model& model = tpn::Model::kOverlap) {
  NamedQuery query;
  query.model = model;
  query.period = period;
  return query;
}

TEST_CASE("plans of small platforms are the cheapest of all mappings, and their bounds hold") {
  NamedCounts counts;
  const std::uint64_t seeds = support::draws(14);
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    const std::size_t types = seed % 4 == 0 ? 4 : 1 + seed % 2;
    const NamedShape shape{1 + seed % 3, 4, types, seed % 3 == 0 ? 20 : 0, seed % 5 != 0};
    const tpn::Model model = seed % 7 == 0   ? tpn::bounded_model(1)
                             : seed % 2 == 0 ? tpn::Model::kStrict
                                             : tpn::Model::kOverlap;
    INFO("seed " << seed);
    REQUIRE(named_violation(shape, model, seed, counts).value_or("right") == "right");
  }
  REQUIRE(counts.feasible > seeds);
}

// One stage of work 40; four machines of speed 1 for 1, and two of speed 3 for 2.60.
tpn::Document small_and_big() {
  tpn::Document problem = free_problem({40}, {}, {1, 1, 1, 1, 3, 3});
  for (std::size_t p = 0; p < 6; ++p) problem.platform.processors[p].price = p < 4 ? q(1) : q(13, 5);
  return problem;
}

TEST_CASE("with several turns a big machine and a small one do what four small ones do") {
  const tpn::Document problem = small_and_big();
  const tpn::ProblemView view(problem);
  NamedQuery query = query_of(10);
  const NamedAnswer turns = cheapest_on_platform(view, query);
  REQUIRE(turns.plan);
  REQUIRE(turns.plan->cost == q(18, 5));
  REQUIRE(turns.plan->period == 10);
  query.widest = NamedClass::mixed;
  const NamedAnswer plain = cheapest_on_platform(view, query);
  REQUIRE(plain.plan);
  REQUIRE(plain.plan->cost == 4);
  REQUIRE(plain.optimal_in() == NamedClass::mixed);
  REQUIRE(plain.found_by == "types");
}

TEST_CASE("a bound of the work is enough where all fits") {
  tpn::Document problem = free_problem({40}, {}, {1, 1, 1, 1, 1});
  const NamedAnswer answer = cheapest_on_platform(tpn::ProblemView(problem), query_of(10));
  REQUIRE(answer.plan);
  REQUIRE(answer.plan->cost == 4);
  REQUIRE(answer.optimal_in() == NamedClass::any);
  REQUIRE(answer.bounds.size() == 1);
  REQUIRE(answer.bounds.front().proof == "work");
  REQUIRE_FALSE(answer.cut_short);
}

TEST_CASE("no mapping at all, or none of a class, keeps a period") {
  const tpn::Document fixed = free_problem({40, 1}, {0}, {2, 2});
  const NamedAnswer none = cheapest_on_platform(tpn::ProblemView(fixed), query_of(19));
  REQUIRE_FALSE(none.plan);
  REQUIRE(none.impossible_in() == NamedClass::any);
  REQUIRE(none.least_period == 20);
  // The work would fit, but not in turns: 40 / (1 + 3) is 10, in turn the small one makes it 20.
  const tpn::Document turns = free_problem({40}, {}, {1, 3});
  NamedQuery query = query_of(11);
  query.widest = NamedClass::mixed;
  const NamedAnswer mixed = cheapest_on_platform(tpn::ProblemView(turns), query);
  REQUIRE_FALSE(mixed.plan);
  REQUIRE(mixed.impossible_in() == NamedClass::mixed);
  query.widest = NamedClass::any;
  const NamedAnswer any = cheapest_on_platform(tpn::ProblemView(turns), query);
  REQUIRE(any.plan);
  REQUIRE(any.plan->cost == 2);
  REQUIRE(any.plan->mapping.front().processors.size() == 4);
}

TEST_CASE("the same seed gives the same plan, a deadline an answer in time") {
  const tpn::Document problem = named_problem({4, 9, 9, 20, true}, 3);
  const tpn::ProblemView view(problem);
  NamedQuery query = query_of(1, tpn::Model::kStrict);
  query.period = cheapest_on_platform(view, query).least_period * q(3, 2);
  query.moves = 3000;
  const NamedAnswer first = cheapest_on_platform(view, query);
  const NamedAnswer second = cheapest_on_platform(view, query);
  REQUIRE(first.plan);
  REQUIRE(second.plan);
  REQUIRE(first.plan->mapping == second.plan->mapping);
  REQUIRE(first.cut_short);  // by the moves
  query.deadline = std::chrono::steady_clock::time_point::min();
  const NamedAnswer late = cheapest_on_platform(view, query);
  REQUIRE(late.cut_short);
}

TEST_CASE("sets of processors cut short still bound the cost") {
  const tpn::Document problem = named_problem({3, 6, 6, 20, false}, 5);
  const tpn::ProblemView view(problem);
  heuristics::CostQuery query;
  query.model = tpn::Model::kStrict;
  query.period = heuristics::cheapest_on_platform(view, query_of(q(1, 1000))).least_period * 2;
  const auto whole = heuristics::cheapest_by_cost(view, query);
  REQUIRE(whole.best);
  REQUIRE_FALSE(whole.cut_short);
  REQUIRE(whole.lower_bound == whole.best->cost);
  Rational before;
  for (const std::uint64_t steps : {1U, 10U, 100U, 1000U}) {
    query.most_steps = steps;
    const auto part = heuristics::cheapest_by_cost(view, query);
    REQUIRE(part.lower_bound);
    REQUIRE(*part.lower_bound <= whole.best->cost);
    REQUIRE(before <= *part.lower_bound);
    before = *part.lower_bound;
  }
  query.below = whole.best->cost;
  query.most_steps = 5'000'000;
  const auto below = heuristics::cheapest_by_cost(view, query);
  REQUIRE_FALSE(below.best);
  REQUIRE_FALSE(below.lower_bound);
}

TEST_CASE("a plan that is too slow gets machines where its critical circuit passes") {
  const tpn::Document problem = free_problem({10, 40}, {}, {1, 1, 1, 1, 1, 1});
  const tpn::ProblemView view(problem);
  const auto classes = heuristics::machine_classes(view);
  const tpn::Mapping thin = {{0, 0, {0}}, {1, 1, {1}}};
  const auto repaired = heuristics::repaired(view, tpn::Model::kOverlap, classes, 10, thin, {});
  REQUIRE(repaired);
  REQUIRE(repaired->period == 10);
  REQUIRE(repaired->mapping[0].processors.size() == 1);
  REQUIRE(repaired->mapping[1].processors.size() == 4);
  const auto as_far = heuristics::repaired(view, tpn::Model::kOverlap, classes, 1, thin, {});
  REQUIRE(as_far);
  REQUIRE(as_far->period == 10);  // the first stage's machine is next, and only one is left
}

TEST_CASE("prices are counted once for a processor, and machines break ties") {
  tpn::Document problem = free_problem({1, 1}, {}, {1, 1, 1});
  problem.platform.processors[0].price = q(1, 2);
  problem.platform.processors[1].price = q(1, 3);
  problem.platform.processors[2].price = 0;
  heuristics::PriceGoal goal(problem, 10, 0);
  const tpn::Mapping both = {{0, 0, {0, 1, 0}}, {1, 1, {1}}};
  const tpn::Mapping more = {{0, 0, {0, 1}}, {1, 1, {2}}};
  REQUIRE(heuristics::price_of(problem, both) == q(5, 6));
  REQUIRE(goal.price_of(goal.cost_of(both)) == q(5, 6));
  REQUIRE(goal.price_of(goal.cost_of(more)) == q(5, 6));
  REQUIRE(goal.cost_of(both) < goal.cost_of(more));
  REQUIRE(heuristics::price_step(problem) == q(1, 6));
}

TEST_CASE("a missing size is said, not planned around") {
  tpn::Document problem = random_problem({2, 3}, 1);
  problem.application.stages[0].output.reset();
  REQUIRE_THROWS_AS(cheapest_on_platform(tpn::ProblemView(problem), query_of(10)), tpn::InvalidInstance);
}

}  // namespace
}  // namespace takt::testing
