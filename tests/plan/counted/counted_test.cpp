// Plans within counts and a latency: known answers, and small problems against all plans there are.
#include "plan/counted/counted.hpp"

#include <catch2/catch.hpp>
#include <utility>
#include <vector>

#include "plan/counted/fastest.hpp"
#include "tests/plan/counted_cases.hpp"
#include "tests/plan/random_catalogues.hpp"
#include "tests/support/evaluations.hpp"
#include "tests/support/seeds.hpp"
#include "tpn/models.hpp"

namespace takt::plan {

namespace {

const std::vector<tpn::Model> kThreeModels = {tpn::Model::kOverlap, tpn::Model::kStrict, tpn::bounded_model(1)};

Rational q(long a, long b = 1) { return Rational::fraction(a, b); }

Catalogue video() { return catalogue_of(support::document_of("examples/catalogue.json")); }

CountedQuery asked_of(const Rational& period, std::optional<Rational> latency = {}) {
  CountedQuery asked;
  asked.query.period = period;
  asked.latency = std::move(latency);
  return asked;
}

// The least cost; more than anything if there is no plan.
Rational least_cost(const Catalogue& catalogue, const CountedQuery& asked) {
  const CountedAnswer answer = solve_within(catalogue, asked);
  REQUIRE(!answer.cut_short);
  return answer.plan ? answer.cost : Rational(1'000'000);
}

}  // namespace

TEST_CASE("the video example within a latency, as published") {
  const Catalogue catalogue = video();
  const auto paced = solve_within(catalogue, asked_of(q(1, 200), q(80, 1000)));
  REQUIRE(paced.plan);
  CHECK(paced.cost == q(176, 100));
  CHECK(*paced.plan == TypedPlan{{0, 1, 1, 13}, {2, 2, 1, 1}, {3, 3, 1, 2}});
  CHECK(PlanFacts(catalogue, tpn::Model::kOverlap, *paced.plan).latency() <= q(80, 1000));
  const auto quick = solve_within(catalogue, asked_of(q(1, 200), q(40, 1000)));
  REQUIRE(quick.plan);
  CHECK(quick.cost == q(207, 100));
  CHECK(*quick.plan == TypedPlan{{0, 1, 2, 2}, {2, 2, 0, 1}, {3, 3, 1, 2}});
  const auto hopeless = solve_within(catalogue, asked_of(q(1, 200), q(15, 1000)));
  CHECK(!hopeless.plan);
  CHECK(hopeless.proof == PlanProof::excess);
}

TEST_CASE("one machine more of the video example's plan: nothing for a small one, 5.5 % for a large one or a gpu") {
  const Catalogue catalogue = video();
  const auto advice = upgrades(catalogue, asked_of(1), {27, 2, 0});
  REQUIRE(advice.size() == 3);
  CHECK(advice[0].point->period == q(1, 200));
  CHECK(advice[1].point->period == q(128, 27'000));
  CHECK(advice[1].point->cost == q(168, 100));
  CHECK(advice[2].point->period == q(128, 27'000));
  CHECK(advice[2].point->cost == q(247, 100));
}

TEST_CASE("one machine less of the video example's plan: what the others reach, all placed anew") {
  const Catalogue catalogue = video();
  const auto left = replans(catalogue, asked_of(1), {27, 2, 0});
  REQUIRE(left.size() == 2);
  CHECK(left[0].type == 0);
  CHECK(left[0].point->period == q(128, 25'000));
  CHECK(left[1].point->period == q(7, 1000));
  CHECK(left[1].point->plan == TypedPlan{{0, 1, 0, 19}, {2, 2, 0, 1}, {3, 3, 1, 1}});
  // Alone a machine leaves nothing behind.
  const auto last = replans(catalogue, asked_of(1), {0, 0, 1});
  REQUIRE(last.size() == 1);
  CHECK((!last[0].point && last[0].is_proved));
}

TEST_CASE("a plan costs no less for a shorter period, a limit on the latency, fewer machines or dearer ones") {
  const std::uint64_t seeds = support::draws(1000);
  std::uint64_t feasible = 0, shorter = 0, limited = 0, fewer = 0;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    CAPTURE(seed);
    support::Draw draw(seed);
    Catalogue catalogue = catalogue_of(random_catalogue({.stages = 6}, seed));
    CountedQuery asked = asked_of(random_period(draw), q(draw.whole(8, 50)));
    asked.query.model = draw.coin() ? tpn::Model::kOverlap : tpn::Model::kStrict;
    const Rational cost = least_cost(catalogue, asked);
    CountedQuery easier = asked;
    easier.query.period *= q(5, 4);
    const Rational slower = least_cost(catalogue, easier);
    CHECK(slower <= cost);
    easier = asked;
    easier.latency.reset();
    const Rational unhurried = least_cost(catalogue, easier);
    CHECK(unhurried <= cost);
    Catalogue other = catalogue;
    for (MachineType& type : other.types) type.count = type.count ? *type.count + 1 : type.count;
    const Rational crowded = least_cost(other, asked);
    CHECK(crowded <= cost);
    const auto answer = solve_within(catalogue, asked);
    if (!answer.plan) continue;
    const Rational own = PlanFacts(catalogue, asked.query.model, *answer.plan).period();
    if (own.sign() > 0) {
      easier = asked;
      easier.query.period = own;
      CHECK(least_cost(catalogue, easier) == cost);
    }
    other = catalogue;
    for (MachineType& type : other.types) type.price *= 2;
    CHECK(least_cost(other, asked) == cost * 2);
    ++feasible;
    shorter += slower < cost;
    limited += unhurried < cost;
    fewer += crowded < cost;
  }
  CHECK(feasible > seeds / 4);
  CHECK(shorter > seeds / 50);
  CHECK(limited > seeds / 100);
  CHECK(fewer > seeds / 100);
}

TEST_CASE("nothing within counts and a latency is cheaper than the plan, by the nets of all plans") {
  const std::uint64_t seeds = support::draws(1500);
  for (const tpn::Model& model : kThreeModels) {
    const CountedSums sums = try_seeds(try_counted, model, 1, seeds);
    CAPTURE(tpn::label_of(model), seeds, sums.feasible, sums.bound, sums.searched, sums.judged);
    REQUIRE(sums.trouble == "");
    CHECK(sums.feasible > seeds / 4);
    CHECK(sums.bound > seeds / 10);
  }
}

namespace {

// Multiplies all times by `times` and all prices by `prices`.
void scale(Catalogue& catalogue, CountedQuery& asked, const Rational& times, const Rational& prices) {
  slow_down(catalogue, times);
  for (MachineType& type : catalogue.types) type.price *= prices;
  asked.query.period *= times;
  if (asked.latency) *asked.latency *= times;
}

Rational power_of_ten(unsigned exponent) {
  Integer power;
  mpz_ui_pow_ui(power.get_mpz_t(), 10, exponent);
  return power;
}

}  // namespace

TEST_CASE("numbers beyond 64 and beyond 128 bits change nothing but the unit") {
  const std::uint64_t seeds = support::draws(250);
  std::uint64_t searched = 0;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    support::Draw draw(seed);
    const Catalogue catalogue = catalogue_of(random_catalogue({.stages = 6}, seed));
    CountedQuery asked = asked_of(random_period(draw) / Rational(2));
    if (draw.coin()) asked.latency = q(draw.whole(8, 50));
    const CountedAnswer own = solve_within(catalogue, asked);
    const GivenAnswer fastest = fastest_within(catalogue, asked_of(1, asked.latency));
    for (const unsigned exponent : {16U, 22U, 45U}) {
      CAPTURE(seed, exponent);
      // No power of ten is a multiple of it, so the ticks are as short as they can be.
      const Rational times = power_of_ten(exponent) / Rational(1'000'003);
      const Rational prices = power_of_ten(exponent / 2) / Rational(97);
      Catalogue scaled = catalogue;
      CountedQuery question = asked;
      scale(scaled, question, times, prices);
      const CountedAnswer other = solve_within(scaled, question);
      REQUIRE(other.plan.has_value() == own.plan.has_value());
      CHECK(other.cost == own.cost * prices);
      CHECK(!other.cut_short);
      const GivenAnswer scaled_fastest = fastest_within(scaled, question);
      REQUIRE(scaled_fastest.point.has_value() == fastest.point.has_value());
      CHECK(scaled_fastest.is_proved == fastest.is_proved);
      // Where machines are free there may be no fastest, and each search ends somewhere.
      if (fastest.point && fastest.is_proved) CHECK(scaled_fastest.point->period == fastest.point->period * times);
    }
    searched += own.proof == PlanProof::search;
  }
  if (seeds >= 25) CHECK(searched > 0);
}

TEST_CASE("the cheapest and fastest plan of long numbers is that of short ones, on demand and within limits") {
  const std::uint64_t seeds = support::draws(600);
  const Rational times = power_of_ten(45) / Rational(1'000'003);
  const Rational prices = power_of_ten(9) / Rational(97);
  std::size_t limited = 0;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    CAPTURE(seed);
    support::Draw draw(seed);
    Catalogue catalogue = catalogue_of(random_catalogue({.stages = 6}, seed));
    for (MachineType& type : catalogue.types) {
      if (draw.coin()) type.premium = type.price * Rational::fraction(draw.whole(0, 4), 2);
    }
    CountedQuery asked = asked_of(random_period(draw) / Rational(2));
    if (draw.coin()) asked.latency = q(draw.whole(8, 50));
    if (draw.coin()) asked.query.on_demand = asked.query.period * Rational::fraction(draw.whole(4, 12), 4);
    Catalogue scaled = catalogue;
    CountedQuery question = asked;
    scale(scaled, question, times, prices);
    for (MachineType& type : scaled.types) type.premium *= prices;
    if (question.query.on_demand) *question.query.on_demand *= times;
    const SettledPlan own = cheapest_and_fastest(catalogue, asked);
    const SettledPlan other = cheapest_and_fastest(scaled, question);
    REQUIRE(other.point.has_value() == own.point.has_value());
    CHECK(!other.answer.cut_short);
    if (!own.point) continue;
    CHECK(other.is_fastest == own.is_fastest);
    CHECK(other.point->cost == own.point->cost * prices);
    CHECK(other.answer.lower_bound == own.answer.lower_bound * prices);
    if (own.is_fastest) CHECK(other.point->period == own.point->period * times);
    const PlanFacts facts(catalogue, asked.query.model, own.point->plan);
    const PlanFacts long_facts(scaled, question.query.model, other.point->plan);
    if (own.is_fastest) CHECK(long_facts.machines() == facts.machines());
    if (asked.latency || catalogue.limits_machines()) ++limited;
  }
  CHECK(limited > seeds / 8);
}

TEST_CASE("a deadline that has passed leaves bounds that hold") {
  std::uint64_t cut_short = 0;
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    CAPTURE(seed);
    support::Draw draw(seed);
    const Catalogue catalogue = catalogue_of(random_catalogue({.stages = 8}, seed));
    CountedQuery asked = asked_of(random_period(draw) / Rational(2));
    const CountedAnswer whole = solve_within(catalogue, asked);
    asked.deadline = maxplus::Deadline::Clock::time_point::min();
    const CountedAnswer cut = solve_within(catalogue, asked);
    if (!cut.cut_short) {
      CHECK(cut.plan.has_value() == whole.plan.has_value());
      CHECK(cut.cost == whole.cost);
      continue;
    }
    ++cut_short;
    CHECK(cut.proof == PlanProof::none);
    if (whole.plan) CHECK(cut.lower_bound <= whole.cost);
    if (cut.plan) CHECK(whole.cost <= cut.cost);
  }
  CHECK(cut_short > 10);
}

TEST_CASE("best first finds what plain labels find") {
  const std::uint64_t seeds = support::draws(1000);
  for (const tpn::Model& model : kThreeModels) {
    const CountedSums sums = try_seeds(try_against_labels, model, 1, seeds);
    CAPTURE(tpn::label_of(model), seeds, sums.feasible, sums.searched, sums.judged);
    REQUIRE(sums.trouble == "");
    CHECK(sums.feasible > seeds / 8);
    CHECK(sums.searched > seeds / 50);
  }
}

TEST_CASE("nothing on given machines is faster than the plan, by the nets of all plans") {
  const std::uint64_t seeds = support::draws(60);
  for (const tpn::Model& model : kThreeModels) {
    const CountedSums sums = try_seeds(try_fastest, model, 1, seeds);
    CAPTURE(tpn::label_of(model), seeds, sums.feasible, sums.judged);
    REQUIRE(sums.trouble == "");
    CHECK(sums.feasible > seeds / 4);
  }
}

}  // namespace takt::plan
