// The dynamic program of the paper for a chain of processors of any speeds, as printed and as it should be.
//
// Problem. The least period of a divided pipeline on a chain (heuristics/divided/divided.hpp), by the paper's
// recurrence over intervals of stages i..j and of processors p..q.
//
// Method. Where i..j has a perfectly divided mapping on p..q, everybody as long busy as everybody else, that is the
// optimum. Where not, some optimal mapping has a boundary at an end of a stage that is not divisible: all such
// boundaries and all ways to give the two sides processors are tried. As printed, every processor works: the proof
// moves work across a boundary from a processor that is late to its neighbor, which fails where the neighbor stands
// at an end of the chain, idle, and next to a stage that is not divisible and too much for it. So the optimum may
// leave p or q idle, and the corrected recurrence tries p+1..q and p..q-1 as well. Works 4 (not divisible) and 3
// (divisible) on speeds 2, 2, 4, 2: 3/2 as printed, 7/6 in truth. Base cases: a stage that is not divisible goes to the
// fastest processor, a divisible one to all in proportion to their speeds.
// All values are ratios of the work of an interval to the speed of an interval. They are sorted once, and the program
// works with their ranks: exact, and as quick as with machine numbers.
//
// Cost. O(n^2 p^2) states, O(n p) splits each.
//
// References. [li2013data], Section IV.
#pragma once

#include <optional>

#include "heuristics/divided/chain_search.hpp"

namespace takt::heuristics {

/// Whether a processor at an end of the chain may be left idle.
enum class Recurrence { printed, corrected };

/// What a run would take.
struct RecurrenceSize {
  Integer states;
  Integer splits;
};

RecurrenceSize recurrence_size(const DividedPipeline& pipeline, const Chain& chain);

/// The limits beyond which `recurrence_period` is not to be called: a few seconds and some hundred megabytes.
inline constexpr unsigned long kMaxStates = 1'000'000;
inline constexpr unsigned long kMaxSplits = 2'000'000'000;

/// The value of the recurrence, in the pipeline's units, with the intervals that attain it; nothing if the deadline
/// passed before.
std::optional<ChainPeriod> recurrence_period(const DividedPipeline& pipeline, const Chain& chain, Recurrence recurrence,
                                             const evaluators::Deadline& deadline);

}  // namespace takt::heuristics
