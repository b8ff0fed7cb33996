// The planner's claims on small random problems; plan_oracle_check tries many more.
#include "tests/plan/oracles.hpp"

#include <catch2/catch.hpp>

#include <string>

#include "tests/support/evaluations.hpp"
#include "tests/support/seeds.hpp"
#include "tpn/models.hpp"

namespace takt::plan {

TEST_CASE("what is claimed of plans holds by the nets of all mappings of small problems") {
  const std::uint64_t seeds = support::seeds_or("TAKT_PLAN_SEEDS", 25);
  for (const Oracle& oracle : oracles()) {
    for (const tpn::Model& model : support::all_models()) {
      std::uint64_t telling = 0;
      for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
        CAPTURE(std::string(oracle.claim), tpn::label_of(model), seed);
        const OracleCase tried = oracle.try_case(model, seed);
        REQUIRE(tried.trouble == "");
        telling += tried.is_telling ? 1 : 0;
      }
      INFO(std::string(oracle.claim) << ", " << tpn::label_of(model));
      CHECK(telling * oracle.telling >= seeds);
    }
  }
}

}  // namespace takt::plan
