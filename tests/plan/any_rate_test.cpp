// A period of 0: whatever takes no time keeps it.
#include <catch2/catch.hpp>
#include <optional>
#include <utility>

#include "plan/bounds.hpp"
#include "plan/counted/fastest.hpp"
#include "plan/wider/covers.hpp"
#include "plan/wider/mixed.hpp"
#include "plan/wider/weighted.hpp"
#include "tests/plan/random_catalogues.hpp"
#include "tests/support/draw.hpp"
#include "tests/support/seeds.hpp"
#include "tpn/models.hpp"

namespace takt::plan {
namespace {

// Most works are 0, few files have a size, and of each type there are some machines.
tpn::Document mostly_free(std::uint64_t seed) {
  tpn::Document problem = random_catalogue({.equal_links = true, .equal_cores = true}, seed);
  support::Draw draw(seed);
  if (!draw.one_in(4)) problem.application.input = 0;
  for (tpn::Stage& stage : problem.application.stages) {
    if (stage.work && !draw.one_in(4)) stage.work = 0;
    for (tpn::TypeTime& own : stage.type_times)
      if (!draw.one_in(4)) own.time = 0;
    if (!draw.one_in(4)) stage.output = 0;
  }
  for (tpn::ProcessorType& type : problem.platform.types)
    if (!type.count) type.count = 3;
  return problem;
}

// Costs of the cheapest plans of each kind for a period; nothing where there is none.
struct Answers {
  std::optional<Rational> typed;
  std::optional<Rational> mixed;
  std::optional<Rational> weighted;
  bool has_covers = false;

  friend bool operator==(const Answers&, const Answers&) = default;
};

Answers answers_for(const tpn::Document& problem, const Catalogue& catalogue, const tpn::Model& model,
                    const Rational& period) {
  CountedQuery asked;
  asked.query.model = model;
  asked.query.period = period;
  Answers answers;
  const SettledPlan typed = cheapest_and_fastest(catalogue, asked);
  if (typed.point) {
    CHECK(typed.point->period <= period);
    answers.typed = typed.point->cost;
    CHECK(cost_bound(catalogue, model, period) <= typed.point->cost);
  }
  const MixedAnswer mixed = solve_mixed(catalogue, asked);
  if (mixed.plan) {
    CHECK(mixed.period <= period);
    answers.mixed = mixed.cost;
  }
  const WeightedAnswer weighted = solve_weighted(problem, catalogue, asked);
  if (weighted.plan) {
    CHECK(weighted.period <= period);
    CHECK(weighted.lower_bound <= weighted.cost);
    answers.weighted = weighted.cost;
  }
  answers.has_covers = !solve_covers(catalogue, {.model = model, .period = period}).is_impossible;
  return answers;
}

}  // namespace

TEST_CASE("any rate is kept by what keeps the highest of rates") {
  const std::uint64_t seeds = support::draws(400);
  std::uint64_t kept = 0;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    const tpn::Document problem = mostly_free(seed);
    const Catalogue catalogue = catalogue_of(problem);
    for (const tpn::Model& model : {tpn::Model::kOverlap, tpn::Model::kStrict}) {
      CAPTURE(seed, tpn::label_of(model));
      const Answers any_rate = answers_for(problem, catalogue, model, 0);
      // Shorter than anything that takes time, on all machines that there are.
      CHECK(any_rate == answers_for(problem, catalogue, model, Rational::fraction(1, 1000)));
      kept += any_rate.typed ? 1 : 0;
    }
  }
  CHECK(kept > seeds / 8);
  CHECK(kept < 2 * seeds - seeds / 8);
}

}  // namespace takt::plan
