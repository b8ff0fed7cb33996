// Potentials: the proof that no cycle of a token graph has more than a given ratio.
#pragma once

#include <optional>
#include <vector>

#include "maxplus/deadline.hpp"
#include "maxplus/token_graph.hpp"

namespace takt::maxplus {

/// Problem: integers x >= 0, one per vertex, with den w - num t + x(from) <= x(to) for every arc, where num / den is
/// `ratio` in lowest terms. They exist exactly if no cycle exceeds `ratio` (add up the inequalities around it) and none
/// is without tokens; nothing is returned otherwise.
///
/// Method: x(v) is the heaviest path that ends at v, each arc weighing den w - num t. Bellman-Ford, whose rounds visit
/// the vertices in a token-free order: a path without tokens costs one round, whatever its length.
///
/// Invariant: after r rounds x(v) is at least the heaviest path to v on r - 1 arcs with tokens, and is the weight of
/// some walk. So with K token arcs a round after K + 1 others raises nothing, unless a cycle is positive. That shows
/// earlier as a cycle of the arcs that raised their heads last: such a cycle is always positive.
///
/// Cost: O(R (n + e)) for R rounds, R <= min(K, n) + 2, few in practice.
///
/// References: bellman1958.
/// Nothing either if the deadline passes before, which the caller asks the deadline about.
std::optional<std::vector<Integer>> potentials(const TokenGraph& graph, const Rational& ratio,
                                               const Deadline& deadline = {});

}  // namespace takt::maxplus
