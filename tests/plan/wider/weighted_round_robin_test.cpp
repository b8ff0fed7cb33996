// Smooth weighted round robin: how evenly turns are spread, and the plain way to say who takes them.
#include "plan/wider/weighted_round_robin.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <cstdlib>
#include <vector>

namespace takt::plan {

TEST_CASE("smooth weighted round robin spreads the turns evenly") {
  using Sequence = std::vector<std::size_t>;
  using Weights = std::vector<std::uint64_t>;
  REQUIRE(weighted_round_robin(Weights{1, 3}) == Sequence{1, 0, 1, 1});
  REQUIRE(weighted_round_robin(Weights{5, 1, 1}) == Sequence{0, 0, 1, 0, 2, 0, 0});
  REQUIRE(weighted_round_robin(Weights{0, 2}) == Sequence{1, 1});
  const Weights weights = {7, 1, 12, 3};
  const Sequence sequence = weighted_round_robin(weights);
  REQUIRE(sequence.size() == 23);
  for (std::size_t k = 0; k < weights.size(); ++k) {
    // After t turns, nobody is two or more turns away from its fair share.
    std::int64_t taken = 0;
    for (std::size_t t = 1; t <= sequence.size(); ++t) {
      if (sequence[t - 1] == k) ++taken;
      const auto off = taken * 23 - static_cast<std::int64_t>(weights[k] * t);
      REQUIRE(std::abs(off) < 2 * 23);
    }
    REQUIRE(taken == static_cast<std::int64_t>(weights[k]));
  }
}

TEST_CASE("each turn is taken by the first of the richest, whose credits all are counted anew") {
  std::uint64_t state = 1;
  const auto draw = [&state](std::uint64_t below) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    return (state >> 33) % below;
  };
  for (int i = 0; i < 500; ++i) {
    std::vector<std::uint64_t> weights(1 + draw(40));
    const std::uint64_t largest = 1 + draw(30);
    for (std::uint64_t& weight : weights) weight = draw(4) == 0 ? 0 : draw(largest + 1);
    std::int64_t turns = 0;
    for (const std::uint64_t weight : weights) turns += static_cast<std::int64_t>(weight);
    std::vector<std::int64_t> credits(weights.size());
    std::vector<std::size_t> sequence;
    for (std::int64_t turn = 0; turn < turns; ++turn) {
      for (std::size_t k = 0; k < weights.size(); ++k) credits[k] += static_cast<std::int64_t>(weights[k]);
      const auto richest = std::ranges::max_element(credits);
      *richest -= turns;
      sequence.push_back(static_cast<std::size_t>(richest - credits.begin()));
    }
    REQUIRE(weighted_round_robin(weights) == sequence);
  }
}

}  // namespace takt::plan
