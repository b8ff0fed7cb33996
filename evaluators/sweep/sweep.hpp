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
// becomes the new lambda, and the parents are forgotten. lambda starts at M_ct. A pass after which
// A x <= x + lambda holds is the proof. The search itself is kernel/ratio_search.hpp: tori and the evaluator of many
// mappings bring passes of their own to it.
//
// Segments. A pass is a chain: a row waits for the one before. So the rows are cut into 8, 16 or 32 segments of
// equal length that are played at the same time, one per lane of a vector, each from clocks of its own. The
// clocks of all segments together are the nodes of the search; those of segment s + 1 have their paths from
// segment s, those of segment 0 from the last one, at the price of a token. If segment s takes x_s to at
// most x_(s+1) + r_s for every s, then A x_0 <= x_0 + sum of r_s, for a segment that starts later by r ends
// later by r: that sum is the upper bound of every pass. Between two passes clocks rise along the arcs just
// found until none asks for more, which costs nothing beside a pass.
//
// Starts. Any x may start a search, for the proof asks only what A does to it. A pipeline forgets: after
// some dozen times its longest sequence, its clocks differ from any others' by a constant. So each
// segment's clocks are guessed by playing the rows before it from zero, and the first pass usually proves
// lambda. If it does not, or lambda rises, the other segments' clocks are foreseen from those of the
// first along the arcs of the pass.
//
// Passes. Of a plain net, without guards, in 64 bits: lanes.hpp, over tables of durations in the
// order of the rows and windows of recent ends, so that the inner loop has neither division nor index nor
// branch. Columns are played some rows at a time, as many as need nothing of one another. All others:
// rows.hpp, row by row in one segment.
//
// Invariant. lambda is the ratio of a circuit of the net and never falls. A cycle of parents has a ratio
// above lambda: each parent was set by a strict rise, and values along parents only rise since. Hence a
// fixed lambda sees at most as many passes as clocks, and lambda takes finitely many values; clocks are
// replaced by a guess only before the first pass and once a value of lambda.
//
// Numbers. Durations, lambda and clocks are integers, scaled by the denominator of lambda; a clock and its
// origin share one key, value * 2^bits + origin. Keys are 64 or 128 bits wide where a bound on the longest
// path and the spread of the clocks proves that none overflows, and GMP's otherwise: a search that meets
// too large a number ends, and the next wider kind starts anew.
//
// Circuit. One more pass from the proven clocks notes which predecessor each operation waited for. Among
// paths of equal length those win that start at a clock of the circuit, marked by the low bit of its key: a
// tight circuit's clock has such a path, so the predecessors followed back from one close a circuit of
// ratio lambda.
//
// Cost. O(rows * dependences) time per pass, the rows those after which the net repeats; memory: one clock per token
// and segment, and one number for each data set of a column's period. One or two passes on nearly all nets of the
// tests; nets whose columns do not wait for later ones (OVERLAP) may need about one per segment. The circuit takes one
// pass more, and a bit (general passes: a byte) for each choice.
//
// References. [benoit2009throughput], [baccelli1992synchronization]; the parents are those of
// Bellman-Ford-Moore negative cycle detection [cherkassky1999negative].
#pragma once

#include "evaluators/evaluation.hpp"

namespace takt::evaluators {

/// Operations (rows times columns) of a pass that are never exceeded, whatever Options::max_rows says.
inline constexpr std::uint64_t kSweepMostOperations = 40'000'000'000;

/// What a sweep is expected to take.
struct SweepCost {
  Integer rows = 1;        // of the net: tpn::repetition_of
  Integer operations = 1;  // of a pass
  double nanoseconds = 0;  // of all passes, by measurements on the benchmark's nets; twice as many are no surprise
  double bytes = 0;        // of tables, of the choices that the circuit is read from, and about as much as that has
};

/// Cost: linear in the dependences.
SweepCost sweep_cost(const tpn::FoldedNet& net);

/// Exact unless the rows, the memory or the deadline forbid it: then a certified interval.
Evaluation sweep(const tpn::FoldedNet& net, const Options& options);

}  // namespace takt::evaluators
