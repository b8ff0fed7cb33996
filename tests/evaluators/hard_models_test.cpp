// What docs/complexity.md proves of BOUNDED, and of a fork and a join of two branches, on mappings whose period is
// known.
#include <catch2/catch.hpp>
#include <cstdint>

#include "evaluators/bounds.hpp"
#include "evaluators/evaluate.hpp"
#include "tests/support/bounded_family.hpp"
#include "tests/support/evaluations.hpp"
#include "tests/support/fork_join_family.hpp"
#include "tests/support/seeds.hpp"
#include "tpn/models.hpp"

namespace takt {
namespace {

using evaluators::Evaluation;
using maxplus::Rational;
using support::CountingInstance;
using support::ResidueSystem;
using tpn::FoldedNet;

// Every second system is of incongruences. Each of its constraints has two residues at least.
ResidueSystem system_of_seed(std::uint64_t seed) {
  return support::random_system(1 + seed % 4, 2 + seed % 5, seed % 2 == 0, seed);
}

FoldedNet net_with_period(const CountingInstance& instance, tpn::Model model, std::uint64_t count) {
  FoldedNet net = support::net_of(instance.document, model);
  const Evaluation evaluation = evaluators::evaluate(net);
  REQUIRE(evaluation.exact());
  REQUIRE(evaluation.upper == instance.candidate + Rational::fraction(maxplus::integer_of(count), instance.data_sets));
  if (tpn::repetition_of(net) <= 20'000) REQUIRE(support::proved(net, evaluation));
  return net;
}

TEST_CASE("the BOUNDED period with room for one file counts what solves a system of congruences") {
  std::size_t solved = 0;
  std::size_t unsolved = 0;
  for (std::uint64_t seed = 0; seed < support::draws(400); ++seed) {
    INFO("seed " << seed);
    const ResidueSystem system = system_of_seed(seed);
    const std::uint64_t count = support::solutions(system);
    const CountingInstance instance = support::bounded_instance(system);
    const FoldedNet net = net_with_period(instance, tpn::bounded_model(1), count);
    REQUIRE(evaluators::largest_cycle_time(net) < instance.candidate);
    ++(count == 0 ? unsolved : solved);
  }
  REQUIRE(solved > 0);
  REQUIRE(unsolved > 0);
}

TEST_CASE("the OVERLAP period of a fork and a join of two branches counts what solves a system of congruences") {
  std::size_t solved = 0;
  std::size_t unsolved = 0;
  for (std::uint64_t seed = 0; seed < support::draws(400); ++seed) {
    INFO("seed " << seed);
    const ResidueSystem system = system_of_seed(seed);
    const std::uint64_t count = support::solutions(support::multiples_of_three(system));
    const CountingInstance instance = support::fork_join_instance(system);
    const FoldedNet net = net_with_period(instance, tpn::Model::kOverlap, count);
    REQUIRE(evaluators::largest_cycle_time(net) == instance.candidate);
    ++(count == 0 ? unsolved : solved);
  }
  REQUIRE(solved > 0);
  REQUIRE(unsolved > 0);
}

}  // namespace
}  // namespace takt
