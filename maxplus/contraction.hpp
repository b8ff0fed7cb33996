// Contraction of a token graph to its tokens: ratios become means.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "maxplus/components.hpp"
#include "maxplus/token_graph.hpp"

namespace takt::maxplus {

/// A graph of one vertex per token, every arc of which holds exactly one token. Its cycles are those of the contracted
/// graph, save that only the heaviest path without tokens between two token arcs is kept: the largest ratio is the
/// same, and is the largest mean weight of an arc over the cycles.
struct Contraction {
  TokenGraph graph;
  std::vector<std::size_t> token_arc;  // of each vertex: the edge index of the arc that holds this token
  std::vector<std::size_t> first;      // the vertices of component c: first[c] .. first[c + 1] - 1
};

/// Contracts the components of a graph, whose members stand in a token-free order of it.
///
/// Method: a token arc a of k tokens becomes k vertices in a row, joined by arcs of weight 0. The last one has an arc
/// to the first one of every token arc b that a path without tokens leads to from a's head; it weighs the heaviest such
/// path plus b's weight. The paths are found along the order, from each token arc.
///
/// Cost: with P token arcs in a component of n vertices and e arcs, O(P (n + e)) time, and up to P^2 arcs.
Contraction contract(const TokenGraph& graph, const Components& components);

/// The arcs of `graph` that a cycle of its contraction stands for: a cycle of the same weight and tokens.
/// Cost: O(n + e) for each arc of the cycle.
std::vector<std::size_t> expand(const TokenGraph& graph, const Components& components, const Contraction& contraction,
                                std::span<const std::size_t> cycle);

/// Tokens in each component, capped at 2^64 - 1: the vertices that a contraction would have. Cost: linear.
std::vector<std::uint64_t> tokens_by_component(const TokenGraph& graph, const Components& components);

}  // namespace takt::maxplus
