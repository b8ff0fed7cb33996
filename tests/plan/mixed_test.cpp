// Plans of mixed parts: small problems against all mappings there are.
#include "plan/mixed.hpp"

#include <catch2/catch.hpp>

#include "tests/plan/mixed_cases.hpp"
#include "tests/support/seeds.hpp"
#include "tpn/models.hpp"

namespace takt::plan {

TEST_CASE("no mixed plan on equal links is cheaper, by the nets of all of them") {
  const std::uint64_t seeds = support::seeds_or("TAKT_PLAN_SEEDS", 80);
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

}  // namespace takt::plan
