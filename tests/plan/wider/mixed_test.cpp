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
    const CountedSums sums = try_seeds(try_mixed, model, 1, seeds);
    CAPTURE(tpn::label_of(model), seeds, sums.feasible, sums.searched, sums.judged, sums.bound);
    REQUIRE(sums.trouble == "");
    CHECK(sums.feasible > seeds / 8);
    cheaper += sums.bound;
  }
  CHECK(cheaper > 0);
}

TEST_CASE("no weighted plan is below its bound, by the nets of short sequences") {
  std::uint64_t met = 0;
  for (const tpn::Model& model : {tpn::Model::kOverlap, tpn::Model::kStrict, tpn::bounded_model(1)}) {
    // Of 28 one is cheaper than mixed.
    const CountedSums sums = try_seeds(try_weighted, model, support::makes_all_draws() ? 1 : 6, 200, support::step());
    CAPTURE(tpn::label_of(model), sums.feasible, sums.bound, sums.searched, sums.bound_and_searched, sums.judged);
    REQUIRE(sums.trouble == "");
    CHECK(sums.feasible > support::draws(200) / 8);
    met += sums.bound_and_searched;
  }
  CHECK(met > 0);
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
