// The least period of a divided pipeline on a chain, exactly or within a factor.
//
// Problem. The processors of a chain take intervals of the pipeline's axis in their order
// (heuristics/divided/divided.hpp); the period is the largest length/speed. Which is the least?
//
// Verification. Whether a period T is possible, a greedy pass tells: every processor takes work up to T x speed, back
// to the start of the stage where that falls inside one that is not divisible ([li2013data], Algorithm 2). No division
// within T reaches further with the first k processors, whatever k.
//
// Approximation. As in the paper: from T = work / speeds, a lower bound, double until the pass succeeds, then halve the
// gap between success and failure until it is at most epsilon times that bound. All periods are the bound times a
// short dyadic number.
//
// Exact search (ours; the paper has a dynamic program of O(n^3 p^3) steps). Where the pass fails at T, call the
// processors since the last retreat to a stage's start a, up to one that retreats from a stage with end e (or up to the
// end of the chain, e the end of the axis), a block, of total speed s. Let T' be the least (e - a) / s of all blocks.
// - T' > T, as e was not reached.
// - Nothing below T' is possible: by induction on the chain, a pass at t in [T, T') ends every processor's interval at
//   most where its block's line a + t s is, and before e, thus again at the stage's start, where its block ends.
//   The whole work is not reached.
// So T' is a better lower bound, and the pass at T' either succeeds, which proves T' the least period, or gives the
// next. Each T' is a ratio of the work of an interval of whole stages to the speed of a part of the chain, of which
// there are finitely many. A bisection first brings T so close that one or two of these steps remain.
//
// Invariant. Every period that failed is below the least one, every bound T' at most that.
//
// Cost. O(n + p) operations per pass; some twenty passes for the bisection, then the steps: at most as many as there
// are ratios, O(n^2 p^2), in practice one to three.
//
// References. [li2013data], Section IV.
#pragma once

#include <optional>
#include <vector>

#include "heuristics/divided/divided.hpp"

namespace takt::heuristics {

/// Where a greedy pass with a period ends each interval of the chain.
struct ChainPass {
  std::vector<Rational> ends;
  bool complete = false;  // all work is taken
  Rational next_bound;    // where not complete: no lesser period is possible, and it is more than the one tried
};

/// A pass with a period in the pipeline's units (work / speed).
ChainPass verify_period(const DividedPipeline& pipeline, const Chain& chain, const Rational& period);

/// A period, in the pipeline's units, and the intervals of its pass.
struct ChainPeriod {
  Rational period;
  std::vector<Rational> ends;
};

/// The least period of the chain, or nothing if the deadline passed before. `tried` gets one row per pass.
std::optional<ChainPeriod> least_period(const DividedPipeline& pipeline, const Chain& chain,
                                        const evaluators::Deadline& deadline = {}, LogTable* tried = nullptr);

/// At most the least period plus epsilon times work / speeds, thus within 1 + epsilon of it; epsilon > 0.
std::optional<ChainPeriod> approximate_period(const DividedPipeline& pipeline, const Chain& chain,
                                              const Rational& epsilon, const evaluators::Deadline& deadline = {},
                                              LogTable* tried = nullptr);

/// The table that the two searches above fill.
LogTable tried_periods();

}  // namespace takt::heuristics
