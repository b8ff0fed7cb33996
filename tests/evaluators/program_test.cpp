// Chains that run a program, as docs/complexity.md describes them: the STRICT period is the program's best mean reward.
#include <catch2/catch.hpp>
#include <cstdint>
#include <optional>

#include "evaluators/bounds.hpp"
#include "evaluators/evaluate.hpp"
#include "tests/support/evaluations.hpp"
#include "tests/support/program_family.hpp"
#include "tests/support/seeds.hpp"

namespace takt {
namespace {

using maxplus::Rational;

TEST_CASE("a program is run in each window of data sets, and the STRICT period is its best mean reward") {
  std::size_t laid_out = 0;
  std::size_t rewarded = 0;
  for (std::uint64_t seed = 0; seed < support::seeds_or("TAKT_COMPLEXITY_SEEDS", 3); ++seed) {
    INFO("seed " << seed);
    const support::WindowProgram program = support::random_program(seed);
    const std::optional<support::CountingInstance> instance = support::program_instance(program, seed);
    if (!instance) continue;
    const tpn::FoldedNet net = support::net_of(instance->document, tpn::Model::kStrict);
    REQUIRE(evaluators::largest_cycle_time(net) == instance->candidate);
    const evaluators::Evaluation evaluation = evaluators::evaluate(net);
    REQUIRE(evaluation.exact());
    const Rational reward = support::best_mean_reward(program);
    REQUIRE(evaluation.upper == instance->candidate + reward / Rational(instance->data_sets));
    if (tpn::repetition_of(net) <= 8'000) REQUIRE(support::proved(net, evaluation));
    ++laid_out;
    if (reward > 0) ++rewarded;
  }
  REQUIRE(laid_out > 0);
  REQUIRE(rewarded > 0);
}

}  // namespace
}  // namespace takt
