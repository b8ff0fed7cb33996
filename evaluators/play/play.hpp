// play: when every operation of the first data sets takes place if each starts as early as it may.
//
// Problem. The net starts empty: nothing that is before data set 0 holds anything back, and the source always has the
// next data set. Every operation starts as soon as all that it waits for has ended.
//
// Method. Operations are visited by data set, then column, the order in which they wait for each other; an end is the
// latest end among the predecessors plus the duration. Of each column, a ring holds the ends that may still be waited
// for.
//
// Cost. One comparison per dependence and one addition per operation; memory for the dependences and the rings, however
// many rows the net has. 64-bit numbers where the sum of all durations fits, GMP's otherwise.
//
// References. [baccelli1992synchronization]: the earliest, or maximal-speed, behavior of a timed event graph.
#pragma once

#include <cstdint>
#include <functional>

#include "evaluators/evaluation.hpp"

namespace takt::evaluators {

/// One operation of the play, in time units.
struct Firing {
  tpn::Operation operation;
  Rational start;
  Rational end;
};

/// The data sets that are played so that no batch is cut: at least these, and what fills the last batches. Throws
/// InvalidInstance if that takes more than a million more.
std::uint64_t played_data_sets(const tpn::FoldedNet& net, std::uint64_t data_sets);

/// Calls visit for every operation of the first `data_sets` data sets, by data set, then column, until it returns
/// false. In a net of rounds they come by round, and no data sets are behind these: a processor that would take up one
/// of them first does not wait for it. But for batches: the last ones are filled up by data sets that come behind, as
/// by played_data_sets, with its error.
void play(const tpn::FoldedNet& net, std::uint64_t data_sets, const std::function<bool(const Firing&)>& visit);

/// The same in ticks of 1 / Pipeline::scale time units; false, and nothing visited, where their ends do not fit 64
/// bits.
bool play_in_ticks(
    const tpn::FoldedNet& net, std::uint64_t data_sets,
    const std::function<bool(const tpn::Operation& operation, std::int64_t start, std::int64_t end)>& visit);

}  // namespace takt::evaluators
