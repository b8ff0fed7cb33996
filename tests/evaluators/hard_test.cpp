// What docs/complexity.md proves, on mappings whose period is known by counting, and on random ones.
#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cstdint>
#include <numeric>
#include <vector>

#include "evaluators/bounds.hpp"
#include "evaluators/evaluate.hpp"
#include "tests/evaluators/judged_nets.hpp"
#include "tests/evaluators/oracles.hpp"
#include "tests/support/draw.hpp"
#include "tests/support/evaluations.hpp"
#include "tests/support/random_documents.hpp"
#include "tests/support/seeds.hpp"

namespace takt {
namespace {

using maxplus::integer_of;
using maxplus::Rational;
using support::CountingInstance;
using support::Draw;
using support::Formula;
using support::ResidueSystem;
using tpn::FoldedNet;
using tpn::Model;

// `count` solves what the instance was made of. No solver told that number.
void require_strict_count(const CountingInstance& instance, std::uint64_t count) {
  const FoldedNet net = support::require_counted(instance, Model::kStrict, count);
  REQUIRE(evaluators::largest_cycle_time(net) == instance.candidate);
}

TEST_CASE("the STRICT period counts the assignments that satisfy a formula") {
  support::require_some_and_none(support::draws(100), [](std::uint64_t seed) {
    const Formula formula = support::random_formula(2 + seed % 3, 2 + seed % 5, seed);
    const std::uint64_t count = support::satisfying_assignments(formula);
    const ResidueSystem system = support::system_of(formula);
    REQUIRE(support::solutions(system) == count);
    require_strict_count(support::equal_links_instance(system), count);
    require_strict_count(support::equal_processors_instance(system), count);
    return count;
  });
}

TEST_CASE("the STRICT period counts what solves a system of congruences") {
  support::require_some_and_none(support::draws(400), [](std::uint64_t seed) {
    const ResidueSystem system = support::random_system(1 + seed % 5, 2 + seed % 7, seed % 2 == 0, seed);
    const std::uint64_t count = support::solutions(system);
    require_strict_count(support::equal_links_instance(system), count);
    require_strict_count(support::equal_processors_instance(system), count);
    return count;
  });
}

// Gaps after which every operation of a net of these factors, without a common divisor, reaches every other.
std::uint64_t reaching_gap(const std::vector<std::size_t>& replication) {
  const std::uint64_t processors = std::accumulate(replication.begin(), replication.end(), std::uint64_t{0});
  if (replication.front() == 1) return processors;
  return 2 * processors + std::ranges::min(replication) * std::ranges::max(replication);
}

TEST_CASE("blocks of data sets hold the STRICT period from above, and from below when they are long") {
  std::size_t wider = 0;  // nets without a critical resource
  for (std::uint64_t seed = 0; seed < support::draws(400); ++seed) {
    INFO("seed " << seed);
    Draw draw(seed);
    std::vector<std::size_t> replication(2 + draw.index(3));
    for (std::size_t& replicas : replication) replicas = 1 + draw.index(4);
    if (std::accumulate(replication.begin(), replication.end(), std::size_t{0}, std::gcd<std::size_t, std::size_t>) > 1)
      replication.front() = 1;
    const FoldedNet net = support::net_of(support::uniform_document(replication, 1, 30, seed), Model::kStrict);
    const Rational period = support::period_of(net);
    if (evaluators::largest_cycle_time(net) < period) ++wider;
    const std::uint64_t rows = net.pipeline.rows.get_ui();
    const std::uint64_t length = draw.count(1, 40);
    maxplus::Integer total = 0;
    for (std::uint64_t first = 0; first < rows; ++first) total += support::time_of_block(net, first, length);
    const Rational mean = Rational::fraction(total, net.pipeline.scale * integer_of(rows) * integer_of(length));
    REQUIRE(period <= mean);
    REQUIRE(mean <= period * Rational::fraction(length + reaching_gap(replication), length));
  }
  REQUIRE(wider > 0);
}

TEST_CASE("two parts can take any multiple of the largest cycle time") {
  for (const std::size_t senders : {2U, 3U, 5U, 8U, 20U}) {
    INFO(senders << " senders");
    const std::array<std::size_t, 2> replication = {senders, senders + 1};
    const auto document = support::replicated_document(replication, [&](std::size_t, std::size_t from, std::size_t to) {
      if (from == to) return Rational(0);
      const std::size_t distance = (from + to - senders) % (senders + 1);
      const bool on_stair = distance == 0 || distance == senders || (from == 0 && to == senders + 1);
      return Rational(on_stair ? 1 : 0);
    });
    const FoldedNet net = support::net_of(document, Model::kStrict);
    const Rational bound = evaluators::largest_cycle_time(net);
    REQUIRE(support::period_of(net) >= bound * Rational::fraction(2 * senders + 1, 6));
  }
}

}  // namespace
}  // namespace takt
