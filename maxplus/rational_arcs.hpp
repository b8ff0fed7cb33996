// Arcs whose weights are fractions, their largest or smallest cycle ratio, and what proves it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <variant>
#include <vector>

#include "maxplus/rational.hpp"

namespace takt::maxplus {

/// One arc of a list: a weight of any sign, and the tokens it is spread over. Parallel arcs and self loops are allowed;
/// an arc is named by its index in the list.
struct RationalArc {
  std::size_t from = 0;
  std::size_t to = 0;
  Rational weight;
  std::uint64_t tokens = 0;
};

/// Which of all cycle ratios is looked for.
enum class RatioExtreme { largest, smallest };

/// The extreme of (sum of weights) / (sum of tokens) over all cycles, and a cycle that attains it.
struct RatioCycle {
  Rational ratio;
  std::vector<std::size_t> arcs;  // indices into the list, in order along the cycle
};

/// A cycle without a token.
struct DeadlockCycle {
  std::vector<std::size_t> arcs;  // indices into the list, in order along the cycle
};

/// The proof of a ratio: the cycle, and v = values / denominator for each vertex, with
/// v(to) >= v(from) + weight - ratio tokens on every arc; <= where the ratio is the smallest. Added up around a cycle,
/// that says that none has a better ratio.
struct RatioProof {
  RatioCycle cycle;
  RatioExtreme extreme = RatioExtreme::largest;
  std::vector<Integer> values;
  Integer denominator = 1;  // > 0
};

/// The proof that there is no cycle: all vertices, ordered so that every arc leads forward.
struct AcyclicOrder {
  std::vector<std::size_t> vertices;
};

/// What a list of arcs may be proved to have.
using CycleRatioProof = std::variant<RatioProof, DeadlockCycle, AcyclicOrder>;

}  // namespace takt::maxplus
