// The last touch: finer shares, and the same period with shorter sequences, whose turns are spread more evenly.
//
// Problem. A division of stages into exact shares may have sequences of thousands of entries, and long runs of turns of
// one processor; data sets then wait for thousands of others. Often shorter sequences have the same period.
//
// Method. Neighboring parts of one sequence are joined. Some longer sequences are tried, whose shares are finer than a
// search can afford, and taken where the period falls. For the longest sequence first, lengths are tried in ascending
// order, with the turns dealt anew (heuristics/search/rebuilds.hpp): those for which everybody's share of the period
// leaves turns enough; the first whose exact period is not longer is taken. Then the same after two processors have
// changed places everywhere, which may give shares with smaller denominators. What remains has its turns spread by
// smooth weighted round robin, where the period allows and runs get shorter.
//
// Invariant. The exact period never rises; it falls wherever there are more entries than there were.
//
// Cost. O(p) per length, and some hundred evaluations at most.
#pragma once

#include "heuristics/search/local_search.hpp"

namespace takt::heuristics {

/// Entries of all sequences together.
std::size_t entries_of(const tpn::Mapping& mapping);

/// The mapping after that, and its exact period: as it is where times do not fit the search's ticks. Finer shares only
/// where processors may be repeated. Stops at the deadline.
EvaluatedMapping tidied(const tpn::ProblemView& problem, const tpn::Model& model, const EvaluatedMapping& start,
                        RepeatedProcessors repetition, const evaluators::Deadline& deadline);

}  // namespace takt::heuristics
