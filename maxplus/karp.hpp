// Karp's algorithm: the largest cycle ratio of a token graph, exactly, by way of a cycle mean.
#pragma once

#include <cstdint>

#include "maxplus/token_graph.hpp"

namespace takt::maxplus {

/// Entries that Karp's tables may have unless said otherwise: a component of nearly 5,000 tokens.
inline constexpr std::uint64_t kDefaultTableEntries = 25'000'000;

/// Problem: the largest ratio of weights to tokens over the cycles of a graph, and a cycle that attains it.
///
/// Method: the graph is contracted to its tokens, which makes the ratio a mean weight an arc. In each component of P
/// tokens, D(k, v) is the heaviest walk of exactly k arcs to v, from any vertex. The largest mean is
///   max over v of min over k < P of (D(P, v) - D(k, v)) / (P - k).
///
/// Invariant: D(k, v) = max over arcs u -> v of D(k - 1, u) + w, with D(0, v) = 0; every vertex has an in-arc, so all
/// are finite. Subtract the largest mean from all weights, so that no cycle is positive. At the v that attains the
/// formula, D(P, v) >= D(k, v) for all k < P. Every cycle on the walk of P arcs behind D(P, v) then weighs 0, that is,
/// is critical: were it negative, the walk without it would be a heavier one of fewer arcs.
///
/// Cost: O(P^2) table entries of 8 bytes (more where GMP is needed) and, for A contracted arcs, O(P A) time and about
/// 100 bytes an arc; A is at most P^2. P (P + 1), summed over components, is held against `max_table_entries` before
/// anything is contracted.
///
/// References: karp1978, benoit2009throughput.
CycleRatio karp(const TokenGraph& graph, std::uint64_t max_table_entries = kDefaultTableEntries);

}  // namespace takt::maxplus
