// From a division with any fractions to a mapping whose sequences are short.
//
// Problem. A share of 5/12 of a segment's data sets is 5 entries out of 12 in its cyclic sequence. The optimal
// fractions of a division are ratios of large numbers, and the net repeats only after the least common multiple of all
// sequences' lengths. Find a mapping that repeats within `granularity` data sets and whose largest load is as small as
// can be.
//
// Method. Where the fractions' common denominator is within the granularity, the mapping is the division itself. Where
// not, every segment that is shared gets G entries. For given G and period T, a pass along the chain gives every
// processor as many entries of its segment as T allows, its other loads counted: the last processor of a segment, the
// one which may also serve the next, is left with the fewest, so the pass succeeds if any choice of entries does. The
// least T for a G is found as in heuristics/divided/chain_search.hpp: a failed pass tells the next T at which some
// processor can take one entry more. G is first one of a few round numbers, if one costs nothing, and then the best of
// all in (granularity / 2, granularity] (or the largest of them, as many as take a second): every smaller one has a
// multiple there, which can do as well. Which processor takes which segments, whole or shared, stays as in the
// division; so does its period, where the entries can keep to it. The entries are spread by smooth weighted round robin
// (plan/wider/weighted_round_robin.hpp).
//
// A processor in two neighboring segments has its turns in one piece. Ports work in the order of data sets, so
// the last processor P of a shared segment, which also takes the segment behind, receives data set j + 1 of the first
// only when it has received data set j of the second: when the processor of j is done. Until then the sender waits for
// P, and those between wait for the sender. The same happens where the first processor sends both its own results to
// the segment behind and files to those between. With k processors between, spread turns make all k wait for the
// slowest at each; in one piece, P's first and the other's last, they wait once in all turns, when each of them has at
// most turns x T of computation behind it. With one or none between there is nobody to wait for, and turns are spread.
// So does a segment that is the first of all, without a source, or, for its first processor, the last of all, without a
// sink: no processor that sends to those between, or receives from them, can be held up. Everywhere else a run of turns
// means that data sets wait for all of it; the shorter runs are, the sooner they leave. So the order of entries does
// matter, for the period, even if communication is free: works 1, 5 (divisible), 1 on speeds 1, 1, 2, 3 have the period
// 1 with the sequence P4 P4 P3 P2 P3, and 3/2 with smooth turns.
//
// Invariant. Loads never exceed T x speed. With free communication, the mapping's exact OVERLAP period is its largest
// load / speed: a circuit of the net that leaves a processor's own computations passes through the ports around one
// shared segment only, as parts lead forward along the chain, and there it has at most turns x T between two waits.
//
// Cost. O(p) operations on numbers of any size per pass, granularity / 2 passes and some tens for each improvement. The
// sequences take some O(log p) operations per entry.
//
// References. [li2013data], Section VI.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "heuristics/divided/divided.hpp"

namespace takt::heuristics {

/// Data sets after which a mapping of a division repeats by default.
inline constexpr std::uint64_t kGranularity = 5040;
/// The largest `granularity`: sequences of that length are in memory.
inline constexpr std::uint64_t kMostGranularity = 1'000'000;
/// Entries of all sequences of a division together, some 80 megabytes: many shared segments have a smaller granularity.
inline constexpr std::uint64_t kMostEntries = 10'000'000;

/// The option `granularity` of all heuristics that divide.
Option granularity_option();

/// The option `epsilon` of those that approximate the least period of a chain.
Option epsilon_option();

/// The mapping of a division within the granularity of the settings, and the largest load / speed of its own. Logs
/// what each processor does, and how much the rounding of fractions costs.
Proposal map_division(const tpn::ProblemView& problem, const DividedPipeline& pipeline, const Division& division,
                      const Settings& settings, Log& log);

/// The largest load / speed of a mapping's processors, in time units per data set.
Rational computation_period(const tpn::ProblemView& problem, std::span<const tpn::Part> mapping);

}  // namespace takt::heuristics
