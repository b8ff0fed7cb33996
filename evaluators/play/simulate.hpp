// simulate: the net played from its empty state, its period measured over whole hyper-periods.
//
// Problem. In earliest firing, the times of successive hyper-periods are x(0) = 0, x(k+1) = A x(k), A the net's
// max-plus map of m rows. Measure how fast they grow, and say from which data set on the play repeats itself.
//
// Method. Play hyper-periods and keep the states x(k). Where the last states suggest that growth over p hyper-periods
// recurs, x(k+2p) - x(k+p) = x(k+p) - x(k), play three hyper-periods k, k+p and k+2p side by side from the start. A
// data set is calm if, for each of its operations, the growth from the first to the second play equals that from the
// second to the third and no predecessor grows more. After p m calm data sets in succession the play repeats for ever:
// the predecessor that an operation waited for longest grew as much as it did, so it does so again, and the others grow
// no more. Then the growth of the slowest operation is the period, and each column's transient ends behind its last
// operation that did not repeat. Columns that wait for no later one may keep a speed of their own.
//
// Bounds. Below, the largest cycle time. Above, for any p: let r be the largest growth from x(k) to x(k+p), then
// y = max of x(k+i) - i r/p over 0 <= i < p satisfies A y <= y + r/p; the clocks y are the witness. Where the play
// repeats every p hyper-periods, that bound is the measured period. A lower bound as good would take a critical
// circuit, which is not looked for: unless the two bounds meet the answer is an interval, and the measured period
// evidence.
//
// Cost. One comparison per dependence and one addition per operation and hyper-period; as much for each of the three
// plays, as often as growth seems to recur. Memory: rings of recent ends, and up to kSimulateStates numbers for states.
//
// References. [benoit2009throughput], [baccelli1992synchronization] (cyclicity, and columns of different speeds).
#pragma once

#include "evaluators/evaluation.hpp"

namespace takt::evaluators {

/// Operations that are played in search of repetition.
inline constexpr std::uint64_t kSimulateOperations = 100'000'000;
/// Numbers that the states of past hyper-periods may take.
inline constexpr std::uint64_t kSimulateStates = 2'000'000;
/// Hyper-periods that are played at most.
inline constexpr std::uint64_t kSimulateHyperPeriods = 100'000;

/// With a Measurement, unless the deadline leaves no time for any. Where the rows exceed Options::max_rows, or what can
/// be played, it plays that many data sets and measures over the later half of them.
Evaluation simulate(const tpn::FoldedNet& net, const Options& options);

}  // namespace takt::evaluators
