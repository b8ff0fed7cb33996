// residue: the period of a net of any number of rows, by classes of data sets instead of rows.
//
// Problem. The unfolded net has as many rows as the least common multiple of all replications. Find the period
// without them, and a proof of it, or at least bounds with proofs.
//
// Method. Each column c has a modulus K, and one start for each residue class of data sets modulo K: the operation on
// data set j starts at candidate * j + start(c, j mod K). If that keeps every dependence between all classes it joins
// (p + height = p' modulo the gcd of both moduli), the period is at most the candidate period. The starts are raised
// until they keep all, or until what forces them up closes a circuit of classes whose durations exceed its candidate
// periods. The precedences of such a circuit, followed lap after lap through the real data sets, are a circuit of the
// net; its mean durations give a lower bound in closed form. Where that exceeds the candidate period, it becomes the
// candidate period. Where not, the circuit joins classes that no data set has in common: two of its steps contradict
// each other modulo some prime power, and the columns between them learn it (K becomes lcm(K, power)). All starts are
// kept, children inherit, and the search goes on.
//
// Starts rise in two ways. Rolling visits rows of the net in order, as `sweep` does, but writes classes: paths of real
// data sets, a chunk of rows in vectors. Closing holds every precedence against all classes it joins, through the
// largest end of each residue modulo the gcd: linear in the classes, and the proof when it raises nothing.
//
// States. One attempt raises starts at one candidate period (`raising.hpp`). It begins ROLLING:
//
//   ROLLING --- starts rose ---> hunt for circuits ---+--- better lower bound: new candidate period ---> ROLLING
//      |                           ^              |   '--- classes split ------------------> ROLLING, half the rows
//      | nothing rose              |              |
//      v                           |              | no circuit (after CLOSING: back to ROLLING)
//   all rows rolled? <-------------+--------------'
//      |        '--- no, or yes three times of four that starts rose ---------------------> ROLLING
//      | yes                       |
//      v                           |
//   CLOSING -----------------------'
//      |      starts rose, in closing or in the last roll
//      | nothing rose
//      v
//   PROVED
//
// It is STOPPED when visits, time or memory run out. Where the sums may leave the numbers it is TOO WIDE, and another
// attempt begins in wider ones, from starts of 0 but with all moduli learnt.
//
// Order. The candidate period is first the best lower bound, so that success is the exact answer. If that does not end
// soon, candidate periods above the lower bound, nearer each time, bring the upper bound down; what was refined stays
// refined.
//
// Invariant. The lower bound is the ratio of a circuit of the net, the upper one a candidate period that starts proved.
// Moduli divide the least common multiple of all sequences' lengths, so refinement ends, at the latest with the
// unfolded net.
//
// Cost. Linear in the classes, per step; how many classes it takes depends on how tight the net is: none beyond the
// durations' own where a resource with slack separates the columns, all of the rows where none has any.
//
// References. [benoit2009throughput] leaves the question open. [bodin2016kiter] refines periodic schedules of dataflow
// graphs by whole circuits, with exact circuit ratios in between; here moduli grow by prime powers, at a fixed
// candidate period.
#pragma once

#include <limits>

#include "evaluators/evaluation.hpp"

namespace takt::evaluators {

/// Classes a search visits, in all its steps together, unless a deadline is given: a minute or two.
inline constexpr double kResidueVisits = 4e10;

/// Those of the attempt to be exact at once.
inline constexpr double kResidueFirstVisits = 4e8;

/// Exact unless time, memory or visits run out: then a certified interval. Options::max_rows means nothing to it.
Evaluation residue(const tpn::FoldedNet& net, const Options& options);

/// What an attempt may visit.
struct VisitLimits {
  double all = kResidueVisits;
  double once_split = std::numeric_limits<double>::infinity();  // all of them, once classes were split
};

/// The same with limits on visits of its own; refused before anything is made where it would begin with more numbers.
Evaluation residue(const tpn::FoldedNet& net, const Options& options, const VisitLimits& limits);

}  // namespace takt::evaluators
