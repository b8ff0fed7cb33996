// Token graphs: arcs with a weight and tokens, and the largest ratio of the two over a graph's cycles.
#pragma once

#include <boost/graph/compressed_sparse_row_graph.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <variant>
#include <vector>

#include "maxplus/rational.hpp"

namespace takt::maxplus {

/// A weight of any sign and size, and the tokens it is spread over.
struct TokenArc {
  Integer weight;
  std::uint64_t tokens = 0;
};

/// A directed graph, parallel arcs and self loops allowed. An arc is named by its edge index, which counts the arcs in
/// the order of their tails.
using TokenGraph = boost::compressed_sparse_row_graph<boost::directedS, boost::no_property, TokenArc>;

/// One arc of a list that a graph is made of.
struct ListedArc {
  std::size_t from = 0;
  std::size_t to = 0;
  Integer weight;
  std::uint64_t tokens = 0;
};

/// A graph of `vertices` vertices with the listed arcs, in any order; arcs of one tail keep theirs. Every end of an arc
/// must be below `vertices`. Cost: linear.
TokenGraph make_token_graph(std::size_t vertices, std::span<const ListedArc> arcs);

/// No cycle, hence no ratio.
struct NoCycle {};

/// A cycle without a token: nothing on it can ever fire, whatever its weight.
struct Deadlock {
  std::vector<std::size_t> arcs;  // edge indices in order along the cycle
};

/// The largest of (sum of weights) / (sum of tokens) over all cycles, and a cycle that attains it.
struct CriticalCycle {
  Rational ratio;
  std::vector<std::size_t> arcs;  // edge indices in order along the cycle
};

/// A solver would need a larger table than it was allowed; `needed` is capped at 2^64 - 1.
struct SolverLimit {
  std::uint64_t needed = 0;
  std::uint64_t limit = 0;
};

/// The deadline passed before a solver had its answer.
struct SolverTimeout {};

/// What a solver answers. A deadlock comes before everything else.
using CycleRatio = std::variant<CriticalCycle, NoCycle, Deadlock, SolverLimit, SolverTimeout>;

/// The critical cycle made of these arcs; they must close a cycle that holds a token.
CriticalCycle critical_cycle(const TokenGraph& graph, std::vector<std::size_t> arcs);

}  // namespace takt::maxplus
