// Plans of mixed parts: small problems against all mappings there are.
#include "plan/wider/mixed.hpp"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "plan/wider/weighted.hpp"
#include "tests/plan/mixed_cases.hpp"
#include "tests/support/seeds.hpp"
#include "tpn/models.hpp"

namespace takt::plan {

TEST_CASE("no mixed plan on equal links is cheaper, by the nets of all of them") {
  const std::uint64_t seeds = support::draws(240);
  std::uint64_t cheaper = 0;
  for (const tpn::Model& model : {tpn::Model::kOverlap, tpn::Model::kStrict, tpn::bounded_model(1)}) {
    std::uint64_t feasible = 0, judged = 0, searched = 0;
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
      CAPTURE(tpn::label_of(model), seed);
      const CountedCase tried = try_mixed(model, seed);
      REQUIRE(tried.trouble == "");
      feasible += tried.is_feasible;
      cheaper += tried.is_bound;
      searched += tried.is_searched;
      judged += tried.judged;
    }
    INFO(tpn::label_of(model) << ": " << seeds << " cases, " << feasible << " feasible, " << searched << " searched, "
                              << judged << " judged, cheaper than typed so far " << cheaper);
    CHECK(feasible > seeds / 8);
  }
  CHECK(cheaper > 0);
}

TEST_CASE("no weighted plan is below its bound, by the nets of short sequences") {
  std::uint64_t met_of_all = 0;
  for (const tpn::Model& model : {tpn::Model::kOverlap, tpn::Model::kStrict, tpn::bounded_model(1)}) {
    std::uint64_t feasible = 0, judged = 0, cheaper = 0, met = 0, missed = 0;
    // Of 28 one is cheaper than mixed.
    for (std::uint64_t seed = support::makes_all_draws() ? 1 : 6; seed <= 200; seed += support::step()) {
      CAPTURE(tpn::label_of(model), seed);
      const CountedCase tried = try_weighted(model, seed);
      REQUIRE(tried.trouble == "");
      feasible += tried.is_feasible;
      cheaper += tried.is_bound;
      met += tried.is_bound && tried.is_searched;
      missed += tried.is_feasible && !tried.is_searched;
      judged += tried.judged;
    }
    INFO(tpn::label_of(model) << ": " << feasible << " feasible, " << cheaper << " cheaper than mixed, " << met
                              << " of them at the bound, " << missed << " above the bound, " << judged << " judged");
    CHECK(feasible > support::draws(200) / 8);
    met_of_all += met;
  }
  CHECK(met_of_all > 0);
}

TEST_CASE("a fast machine takes three turns of four where four slow ones would be dearer") {
  tpn::Document problem;
  auto& stages = problem.application.stages;
  for (const int work : {40, 1}) {
    auto& stage = stages.emplace_back();
    stage.name = "S" + std::to_string(stages.size());
    stage.work = work;
    stage.output = 1;
  }
  stages[1].apart = true;
  problem.platform.defaults.bandwidth = 1000;
  problem.platform.types = {{.name = "small", .speed = 1, .price = 1},
                            {.name = "big", .speed = 3, .price = Rational::fraction(13, 5)}};
  const Catalogue catalogue = catalogue_of(problem);
  CountedQuery asked;
  asked.query.period = 10;
  const WeightedAnswer answer = solve_weighted(problem, catalogue, asked);
  REQUIRE(answer.plan);
  CHECK(solve(catalogue, asked.query).cost == 5);
  CHECK(answer.cost == Rational::fraction(23, 5));
  CHECK(answer.lower_bound == answer.cost);
  CHECK(answer.period == 10);
  CHECK(answer.plan->front().sequence == std::vector<std::size_t>{1, 0, 1, 1});
  const tpn::Document mapped = mapped_document(problem, catalogue, tpn::Model::kOverlap, *answer.plan, answer.period);
  CHECK(mapped.platform.processors.size() == 3);
  CHECK(mapped.mapping->front().processors.size() == 4);
}

}  // namespace takt::plan
