// The cheapest plan of the video example, whose answers are known.
#include "plan/typed/program.hpp"

#include <catch2/catch.hpp>

#include <algorithm>

#include "plan/bounds.hpp"
#include "plan/plan.hpp"
#include "plan/simplest.hpp"
#include "plan/typed/frontier.hpp"
#include "tests/plan/random_catalogues.hpp"
#include "tests/support/draw.hpp"
#include "tests/support/evaluations.hpp"
#include "tpn/models.hpp"

namespace takt::plan {

namespace {

using tpn::Rational;

Rational fraction(long a, long b = 1) { return Rational::fraction(a, b); }

Catalogue video_catalogue() { return catalogue_of(support::document_of("examples/catalogue.json")); }

std::optional<TypedPlan> planned(Query query, const Catalogue& catalogue) { return solve(catalogue, query).plan; }

}  // namespace

TEST_CASE("the video example is planned as published") {
  const Catalogue catalogue = video_catalogue();
  const Rational period = fraction(1, 200);
  const auto answer = solve(catalogue, {.period = period});
  REQUIRE(answer.plan);
  CHECK(answer.cost == fraction(157, 100));
  CHECK(*answer.plan == TypedPlan{{0, 1, 0, 26}, {2, 2, 0, 1}, {3, 3, 1, 2}});
  const PlanFacts facts(catalogue, tpn::Model::kOverlap, *answer.plan);
  CHECK(facts.cost() == fraction(157, 100));
  CHECK(facts.machines() == 29);
  CHECK(facts.period() == period);
  CHECK(facts.latency() == fraction(148, 1000));
  CHECK(facts.window() == 30);
  CHECK(facts.period_without(0) == fraction(128, 25'000));
  CHECK(facts.period_without(1) == std::nullopt);
  CHECK(facts.period_without(2) == fraction(7, 1000));
  CHECK(facts.busy(0) == fraction(64, 65));
  CHECK(facts.busy(2) == fraction(7, 10));

  const auto apart = planned({.period = period, .all_apart = true}, catalogue);
  REQUIRE(apart);
  CHECK(PlanFacts(catalogue, tpn::Model::kOverlap, *apart).cost() == fraction(170, 100));
  const auto safe = planned({.period = period, .spare = 1}, catalogue);
  REQUIRE(safe);
  CHECK(PlanFacts(catalogue, tpn::Model::kOverlap, *safe).cost() == fraction(178, 100));
  CHECK(PlanFacts(catalogue, tpn::Model::kOverlap, *safe).machines() == 32);
  const auto strict = planned({.model = tpn::Model::kStrict, .period = period}, catalogue);
  REQUIRE(strict);
  const PlanFacts strict_facts(catalogue, tpn::Model::kStrict, *strict);
  CHECK(strict_facts.cost() == fraction(168, 100));
  CHECK(strict_facts.machines() == 30);
  CHECK(!planned({.period = fraction(1, 500)}, catalogue));
}

TEST_CASE("bounds of every class: of the video example") {
  const Catalogue catalogue = video_catalogue();
  // Shares of machines alone say 1.35.
  CHECK(cost_bound(catalogue, tpn::Model::kOverlap, fraction(1, 200)) == fraction(140, 100));
  const auto bounds = period_bounds(catalogue, tpn::Model::kOverlap);
  REQUIRE(bounds.size() == 3);  // and the ends
  CHECK(bounds[0].kind == PeriodBound::Kind::not_replicable);
  CHECK(bounds[0].stage == 2);
  CHECK(bounds[0].type == 1);
  CHECK(bounds[0].period == fraction(1, 400));
}

TEST_CASE("the frontier of the video example has the neighbors that are published") {
  const Catalogue catalogue = video_catalogue();
  const Frontier all = frontier(catalogue, {}, fraction(1, 210), unlimited(catalogue));
  const auto at = std::ranges::find(all.points, fraction(157, 100), &FrontierPoint::cost);
  REQUIRE(at != all.points.end());
  REQUIRE(at != all.points.begin());
  REQUIRE(at + 1 != all.points.end());
  CHECK((at - 1)->cost == fraction(152, 100));
  CHECK((at - 1)->period == fraction(128, 25'000));
  CHECK((at + 1)->cost == fraction(163, 100));
  for (auto point = all.points.begin() + 1; point != all.points.end(); ++point) {
    CHECK((point - 1)->cost < point->cost);
    CHECK(point->period < (point - 1)->period);
    const auto within = fastest(catalogue, {}, unlimited(catalogue),
                                [&](const FrontierPoint& other) { return other.cost <= point->cost; });
    REQUIRE(within.point);
    CHECK(within.is_proved);
    CHECK(within.point->period == point->period);
    CHECK(within.point->cost == point->cost);
  }
}

TEST_CASE("the simplest fraction of an interval has the least denominator") {
  for (long a = 0; a <= 30; ++a) {
    for (long b = 1; b <= 12; ++b) {
      const Rational low = fraction(a, b);
      for (long c = 1; c <= 9; ++c) {
        const Rational high = low + fraction(1, c * 7);
        const Rational found = simplest_between(low, high);
        CHECK((low <= found && found <= high));
        for (Integer d = 1; d < found.denominator(); ++d) {
          Integer above;
          const Rational scaled = low * Rational(d);
          mpz_cdiv_q(above.get_mpz_t(), scaled.numerator().get_mpz_t(), scaled.denominator().get_mpz_t());
          CHECK(Rational(above) > high * Rational(d));
        }
      }
    }
  }
}

// All times, and the period, by a number of so many digits that 128 bits do not hold them.
TEST_CASE("long numbers have the plans of short ones, by a grid of 64 bits and what it leaves open") {
  Rational factor = Rational::fraction(1'000'000'007, 998'244'353);
  for (int k = 0; k < 2; ++k) factor *= factor;  // 120 bits over 120
  std::size_t planned_count = 0;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    support::Draw draw(seed);
    const Catalogue catalogue = catalogue_of(random_catalogue({.stages = 6, .types = 4}, seed));
    Catalogue longer = catalogue;
    slow_down(longer, factor);
    for (const tpn::Model& model : {tpn::Model::kOverlap, tpn::Model::kStrict, tpn::bounded_model(1)}) {
      Query query;
      query.model = model;
      query.period = random_period(draw);
      query.strictly = draw.coin();
      query.spare = draw.index(3);
      query.all_apart = draw.one_in(5);
      Query scaled = query;
      scaled.period *= factor;
      CAPTURE(seed, tpn::label_of(model));
      const ProgramAnswer wanted = solve(catalogue, query, true);
      const ProgramAnswer found = solve(longer, scaled, true);
      REQUIRE(found.plan == wanted.plan);
      if (!wanted.plan) continue;
      ++planned_count;
      REQUIRE(found.cost == wanted.cost);
      const ProgramAnswer bare = solve(longer, scaled);
      REQUIRE(bare.plan == wanted.plan);
      // The potentials' least end is the cost.
      REQUIRE(potential_of_end(catalogue, *found.potentials) == wanted.cost);
    }
  }
  CHECK(planned_count > 400);
}

}  // namespace takt::plan
