// Plans within counts and a latency: known answers, and small problems against all plans there are.
#include "plan/counted.hpp"

#include <catch2/catch.hpp>

#include "tests/plan/counted_cases.hpp"
#include "tests/support/seeds.hpp"
#include "tpn/models.hpp"

namespace takt::plan {

TEST_CASE("nothing within counts and a latency is cheaper than the plan, by the nets of all plans") {
  const std::uint64_t seeds = support::seeds_or("TAKT_PLAN_SEEDS", 150);
  for (const tpn::Model& model : {tpn::Model::kOverlap, tpn::Model::kStrict, tpn::bounded_model(1)}) {
    std::uint64_t feasible = 0, bound = 0, searched = 0, excess = 0, judged = 0;
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
      CAPTURE(tpn::label_of(model), seed);
      const CountedCase tried = try_counted(model, seed);
      REQUIRE(tried.trouble == "");
      feasible += tried.is_feasible;
      bound += tried.is_bound;
      searched += tried.is_searched;
      excess += tried.is_excess;
      judged += tried.judged;
    }
    INFO(tpn::label_of(model) << ": " << seeds << " cases, " << feasible << " feasible, " << bound << " bound, "
                              << searched << " searched, " << excess << " by excess, " << judged << " plans judged");
    CHECK(feasible > seeds / 4);
    CHECK(bound > seeds / 10);
  }
}

TEST_CASE("best first finds what plain labels find") {
  const std::uint64_t seeds = support::seeds_or("TAKT_PLAN_SEEDS", 100);
  for (const tpn::Model& model : {tpn::Model::kOverlap, tpn::Model::kStrict, tpn::bounded_model(1)}) {
    std::uint64_t feasible = 0, searched = 0, labels = 0;
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
      CAPTURE(tpn::label_of(model), seed);
      const CountedCase tried = try_against_labels(model, seed);
      REQUIRE(tried.trouble == "");
      feasible += tried.is_feasible;
      searched += tried.is_searched;
      labels += tried.judged;
    }
    INFO(tpn::label_of(model) << ": " << seeds << " cases, " << feasible << " feasible, " << searched << " searched, "
                              << labels << " plain labels");
    CHECK(feasible > seeds / 4);
    CHECK(searched > seeds / 50);
  }
}

}  // namespace takt::plan
