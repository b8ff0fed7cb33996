// sweep: the unfolded net's period from a few passes over its rows, without building it.
//
// Problem. The unfolded net of m rows is a max-plus map A on the vector x of its tokens' times ("clocks":
// when the operation that holds a token ends). The period is lambda / m, lambda the largest ratio of
// weight to tokens over the circuits of A.
//
// Method. One pass over the operations in (data set, column) order computes y = A x and, for each clock,
// the clock its longest path came from (its origin). At a fixed lambda, clocks rise to y - lambda where
// that is larger and remember origin and weight as their parent: Bellman-Ford on the clocks. A cycle of
// parents, or of a pass's own origins, is a circuit of the net; the best one with a ratio above lambda
// becomes the new lambda, and the parents are forgotten. lambda starts at M_ct. A pass that raises no
// clock proves A x <= x + lambda.
//
// Invariant. lambda is the ratio of a circuit of the net and never falls. A cycle of parents has a ratio
// above lambda: each parent was set by a strict rise, and values along parents only rise since. Hence a
// fixed lambda sees at most as many passes as clocks, and lambda takes finitely many values.
//
// Numbers. Durations, lambda and clocks are integers, scaled by the denominator of lambda; a clock and its
// origin share one key, value * 2^bits + origin. Keys are 64 or 128 bits wide where the sum of all
// durations and the largest clock prove that none overflows, and GMP's otherwise.
//
// Cost. O(rows * dependences) time a pass, and one clock a token of memory; one to five passes on the 4200
// random nets of the tests. The circuit costs one more pass that remembers a byte an operation.
//
// References. [benoit2009throughput], [baccelli1992synchronization]; the parents are those of
// Bellman-Ford-Moore negative cycle detection [cherkassky1999negative].
#pragma once

#include "evaluators/evaluation.hpp"

namespace takt::evaluators {

/// Operations (rows times columns) a sweep visits in a pass unless Options::max_rows says otherwise.
inline constexpr std::uint64_t kSweepOperations = 100'000'000;
/// Operations that are never exceeded, whatever Options::max_rows says: the circuit takes a byte for each.
inline constexpr std::uint64_t kSweepMostOperations = 4'000'000'000;

/// Exact unless the rows exceed the limit or the deadline passes: then a certified interval.
Evaluation sweep(const tpn::FoldedNet& net, const Options& options);

}  // namespace takt::evaluators
