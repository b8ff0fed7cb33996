// Periods of nets as tests require them: of Boost's solver, of every method, and proved.
#pragma once

#include <catch2/catch.hpp>
#include <cstdint>

#include "evaluators/evaluation.hpp"
#include "tests/support/hard_families.hpp"
#include "tpn/folded_net.hpp"

namespace takt::support {

/// By Boost's solver on the unfolded net, of whose answer nothing is longer.
maxplus::Rational boosts_period(const tpn::FoldedNet& net);

/// The checker accepts what is made of the evaluation as its certificate, written and read unless the
/// model is one of the tests.
void require_proof(const tpn::FoldedNet& net, const evaluators::Evaluation& evaluation);

/// Every exact way finds that period, a resource's circuit just if its cycle time is the period, and proves it.
void require_every_way(const tpn::FoldedNet& net, const maxplus::Rational& period);

/// The net of an instance, whose period is the candidate and `gain` over the data sets more. Proved where it has at
/// most that many distinct rows.
tpn::FoldedNet require_counted(const CountingInstance& instance, const tpn::Model& model, const maxplus::Rational& gain,
                               std::uint64_t most_proved = 20'000);

/// solutions(seed) for so many seeds: some have solutions, some none.
template <typename Solutions>
void require_some_and_none(std::uint64_t seeds, Solutions solutions) {
  std::uint64_t solved = 0;
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    INFO("seed " << seed);
    solved += solutions(seed) > 0 ? 1 : 0;
  }
  REQUIRE(solved > 0);
  REQUIRE(solved < seeds);
}

}  // namespace takt::support
