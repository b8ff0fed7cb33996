// Chains that run a program, as docs/complexity.md makes them: the STRICT period is the program's best mean reward.
#include <catch2/catch.hpp>
#include <cstdint>

#include "evaluators/bounds.hpp"
#include "tests/evaluators/judged_nets.hpp"
#include "tests/support/program_family.hpp"
#include "tests/support/seeds.hpp"

namespace takt {
namespace {

using maxplus::Rational;

TEST_CASE("the STRICT walk of a chain runs a program, and the period is the program's best mean reward") {
  std::size_t rewarded = 0;
  for (std::uint64_t seed = 0; seed < support::draws(20); ++seed) {
    INFO("seed " << seed);
    const support::WindowProgram program = support::random_program(seed + 4);  // the first ones are larger
    const support::CountingInstance instance = support::program_instance(program);
    const Rational reward = support::best_mean_reward(program);
    const tpn::FoldedNet net = support::require_counted(instance, tpn::Model::kStrict, reward, 5'000);
    REQUIRE(evaluators::largest_cycle_time(net) == instance.candidate);
    if (reward > 0) ++rewarded;
  }
  REQUIRE(rewarded > 0);
}

}  // namespace
}  // namespace takt
