// The largest cycle ratio of a torus of transfers: every one of u senders meets every one of v receivers.
//
// Problem. Data sets k = 0, 1, 2, ... go from sender k mod u to receiver k mod v, u and v coprime; senders and
// receivers handle one transfer at a time, in the order of k. The constraint graph over Z/(uv) has the arcs
// k -> k + u (same sender) and k -> k + v (same receiver). lambda = the largest ratio, over its circuits, of
// durations to rounds of uv data sets. An OVERLAP transfer of a senders and b receivers falls apart into gcd(a, b)
// such tori; the period of its column is the largest lambda / lcm(a, b).
//
// Method. k = (i v + j u) mod uv makes it a grid of u rows, one per sender, and v columns, one per receiver: the
// receiver's next transfer is one row down, the sender's one column on, and a token waits where the grid wraps. With a
// clock per row and column, one pass over the grid, end = max(row's clock, column's clock) + duration in both clocks,
// applies the max-plus map A of the torus: u + v clocks for uv numbers. Then as in evaluators/sweep/sweep.hpp: every
// clock carries its origin, the arcs (origin -> clock, weight) that a pass finds let clocks rise above lambda, until
// nothing rises, and their circuits raise lambda. Two things save passes: the arcs of one pass are followed until they
// raise nothing more (policy evaluation, so a long path needs no pass for each of its laps), and the clocks start on a
// slope that estimates lambda from a sample of durations. Both only guess; the last pass proves.
//
// A pass takes sixteen rows at once, each one column behind the row above, so that all are independent: AVX-512, AVX2
// or plain registers, chosen at run time, with the same results. The durations are copied once, into that order, in 16
// or 32 bits each. Longer ones, keys beyond 64 bits and grids of fewer than sixteen rows or columns take a plain pass,
// in 64 or 128 bits.
//
// Invariant. lambda is `known` or the ratio of a circuit found, and never falls. At a fixed lambda a clock rises only
// to what a path to it yields, and a cycle of parents has a ratio above lambda (evaluators/sweep/sweep.hpp): so at most
// as many passes as clocks.
//
// Cost. O(uv) per pass; 3 to 8 passes on random durations, hardly more for larger tori; one further pass for the clocks
// and the circuit. Memory: 2 or 4 bytes per pair, and 1 more for the circuit; nothing for plain passes.
//
// References. [benoit2009throughput] Theorem 1, [cochet1998howard], [cherkassky1999negative].
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <variant>
#include <vector>

#include "evaluators/evaluation.hpp"
#include "evaluators/kernel/instructions.hpp"

namespace takt::evaluators {

/// The durations of a torus, not negative: that of sender s and receiver r is durations[s * receivers + r]. Senders and
/// receivers, at least one of each, are coprime, and numbered by the data sets: k mod senders, k mod receivers.
struct Torus {
  std::size_t senders = 1;
  std::size_t receivers = 1;
  std::span<const std::int64_t> durations;
};

struct TorusOptions {
  /// A ratio that something else is known to have: circuits of no larger ratio are of no interest.
  Integer known = 0;
  Deadline deadline;
  /// The best by default; the machine must support them.
  std::optional<Instructions> instructions;
};

/// From one transfer of a circuit to the next one of the same sender, or of the same receiver.
enum class TorusMove : std::uint8_t { same_sender, same_receiver };

/// A circuit: starts on data set `first`, and each move leads `senders` or `receivers` data sets on.
struct TorusCircuit {
  std::uint64_t first = 0;  // below senders * receivers
  std::vector<TorusMove> moves;
};

/// lambda <= upper, as the clocks prove: if sender s is free before data set 0 at sender_clocks[s] / factor, and so
/// on, then each is free again `upper` later after senders * receivers data sets.
struct TorusAnswer {
  Rational lower;  // the ratio of the circuit, or 0 without one
  Rational upper;
  TorusCircuit circuit;  // without moves where no circuit of a ratio above `known` was found
  std::vector<Integer> sender_clocks;
  std::vector<Integer> receiver_clocks;
  Integer factor = 1;
  std::size_t passes = 0;    // over the durations, in the search
  bool out_of_time = false;  // else upper == lower or upper <= known
};

/// 128 bits would not hold the keys of a pass.
struct KeysTooLong {};

/// OutOfTime where not a single pass ended before the deadline.
std::variant<TorusAnswer, OutOfTime, KeysTooLong> solve_torus(const Torus& torus, const TorusOptions& options = {});

}  // namespace takt::evaluators
