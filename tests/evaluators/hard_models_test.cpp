// What docs/complexity.md proves of BOUNDED, and of a fork and a join of two branches, on mappings whose period is
// known.
#include <catch2/catch.hpp>
#include <cstdint>

#include "evaluators/bounds.hpp"
#include "tests/evaluators/judged_nets.hpp"
#include "tests/support/bounded_family.hpp"
#include "tests/support/fork_join_family.hpp"
#include "tests/support/seeds.hpp"
#include "tpn/models.hpp"

namespace takt {
namespace {

using support::CountingInstance;
using support::ResidueSystem;
using tpn::FoldedNet;

// Every second system is of incongruences. Each of its constraints has two residues at least.
ResidueSystem system_of_seed(std::uint64_t seed) {
  return support::random_system(1 + seed % 4, 2 + seed % 5, seed % 2 == 0, seed);
}

TEST_CASE("the BOUNDED period with room for one file counts what solves a system of congruences") {
  support::require_some_and_none(support::draws(400), [](std::uint64_t seed) {
    const ResidueSystem system = system_of_seed(seed);
    const std::uint64_t count = support::solutions(system);
    const CountingInstance instance = support::bounded_instance(system);
    const FoldedNet net = support::require_counted(instance, tpn::bounded_model(1), count);
    REQUIRE(evaluators::largest_cycle_time(net) < instance.candidate);
    return count;
  });
}

TEST_CASE("the OVERLAP period of a fork and a join of two branches counts what solves a system of congruences") {
  support::require_some_and_none(support::draws(400), [](std::uint64_t seed) {
    const ResidueSystem system = system_of_seed(seed);
    const std::uint64_t count = support::solutions(support::multiples_of_three(system));
    const CountingInstance instance = support::fork_join_instance(system);
    const FoldedNet net = support::require_counted(instance, tpn::Model::kOverlap, count);
    REQUIRE(evaluators::largest_cycle_time(net) == instance.candidate);
    return count;
  });
}

}  // namespace
}  // namespace takt
