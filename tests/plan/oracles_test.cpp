// The planner's claims on small random problems; plan_oracle_check tries many more.
#include "tests/plan/oracles.hpp"

#include <catch2/catch.hpp>

#include <span>
#include <string>

#include "plan/catalogue.hpp"
#include "plan/counted/additions.hpp"
#include "plan/counted/counted.hpp"
#include "plan/counted/fastest.hpp"
#include "plan/typed/frontier.hpp"
#include "tests/plan/answer_oracles.hpp"
#include "tests/support/evaluations.hpp"
#include "tests/support/seeds.hpp"
#include "tpn/models.hpp"

namespace takt::plan {

namespace {

// As many seeds as draws(all), and on until a case is telling.
void hold_claims(std::span<const Oracle> oracles, std::uint64_t all) {
  for (const Oracle& oracle : oracles) {
    for (const tpn::Model& model : support::all_models()) {
      std::uint64_t telling = 0;
      std::uint64_t seed = 1;
      for (; seed <= support::draws(all) || (telling == 0 && seed <= all); ++seed) {
        CAPTURE(std::string(oracle.claim), tpn::label_of(model), seed);
        const OracleCase tried = oracle.try_case(model, seed);
        REQUIRE(tried.trouble == "");
        telling += tried.is_telling ? 1 : 0;
      }
      INFO(std::string(oracle.claim) << ", " << tpn::label_of(model));
      CHECK(telling * oracle.telling >= (support::makes_all_draws() ? all : 1));
    }
  }
}

}  // namespace

TEST_CASE("what is claimed of plans holds by the nets of all mappings of small problems") {
  hold_claims(oracles(), 25);
}

TEST_CASE("answers about plans hold against all plans of few machines") { hold_claims(answer_oracles(), 40); }

TEST_CASE("nothing is proved where a part might need more machines than are looked at") {
  tpn::Document document;
  document.application.stages.push_back({.name = "a", .work = {}, .output = {}, .type_times = {{0, 1}}});
  document.platform.types.push_back({.name = "s"});
  const Catalogue catalogue = catalogue_of(document);
  CountedQuery asked;
  asked.query.period = Rational::fraction(1, Integer("100000000000000000000"));
  const CountedAnswer none = solve_within(catalogue, asked);
  CHECK_FALSE(none.plan);
  CHECK(none.cut_short);
  CHECK(none.proof == PlanProof::none);
  asked.query.period = Rational::fraction(1, Integer("100000000000000"));
  const CountedAnswer many = solve_within(catalogue, asked);
  CHECK(many.cost == Rational(Integer("100000000000000")));
  CHECK(many.proof == PlanProof::potentials);
}

TEST_CASE("a search whose time is up claims nothing that it has not proved") {
  // Too many types to be looked at before the deadline is.
  constexpr int kTypes = 60;
  constexpr int kStages = 8;
  tpn::Document document;
  for (int k = 0; k < kStages; ++k) {
    tpn::Stage& stage = document.application.stages.emplace_back(
        tpn::Stage{.name = "s" + std::to_string(k), .work = 10 + k, .output = 1 + k % 3});
    stage.replicable = k != 3;
  }
  for (int t = 0; t < kTypes; ++t) {
    tpn::ProcessorType& type =
        document.platform.types.emplace_back(tpn::ProcessorType{.name = "t" + std::to_string(t)});
    type.speed = 1 + t % 7;
    type.bandwidth = 1 + t % 5;
    type.price = 2 + t % 7;
  }
  const Catalogue catalogue = catalogue_of(document);
  CountedQuery asked;
  asked.query.period = 20;
  const SettledPlan proved = cheapest_and_fastest(catalogue, asked);
  REQUIRE(proved.is_fastest);
  asked.deadline = maxplus::Deadline::Clock::now();
  asked.query.deadline = asked.deadline;
  const ProgramAnswer program = solve(catalogue, asked.query);
  CHECK(program.cut_short);
  CHECK_FALSE(program.plan);
  const CountedAnswer answer = solve_within(catalogue, asked);
  CHECK(answer.cut_short);
  CHECK(answer.proof == PlanProof::none);
  CHECK(answer.lower_bound <= proved.answer.cost);
  if (answer.plan) CHECK(answer.cost >= proved.answer.cost);
  CHECK_FALSE(cheapest_and_fastest(catalogue, asked).is_fastest);
  CHECK_FALSE(fastest_within(catalogue, asked).is_proved);
  CHECK(least_additions(catalogue, asked).cut_short);
  const Frontier rows = frontier(catalogue, asked.query, 20, unlimited(catalogue), asked.deadline);
  CHECK(rows.cut_short);
  CHECK_FALSE(rows.is_whole);
  CHECK_FALSE(catalogue_within(document, asked.deadline));
}

}  // namespace takt::plan
