// floors: upper bounds on the period of large STRICT pipelines, by a floor and exceptions above it.
//
// Problem. Where m, the least common multiple of all parts' sizes, is astronomically large and no slack separates the
// parts, `residue` has to split its classes until there is no memory left. Deciding the period is hard in general
// (docs/complexity.md). Find an upper bound within some percent, with a proof.
//
// Method. Let s_t(j) be the start of transfer t on data set j, less beat * j. What a plain STRICT pipeline asks is
//
//   up      s_(t+1)(j)      >= s_t(j) + d_t(j) + c_(t+1)(j)
//   down    s_(t-1)(j + m_t) >= s_t(j) + d_t(j) - beat m_t
//
// with m_t processors in part t, transfers d and computations c; the first part's line leads from transfer 0 to itself,
// with c_0 for what is received, and the last part's likewise. Give each class of data sets at t, three neighbouring
// parts' residues, any number, its floor, and let
//
//   s_t(j) = the floor of j's class, or the highest exception whose residues j has
//
// where an exception (t, K, value) holds for all data sets with the residues K, of a set of parts around t. They follow
// from the floor: an up or a down that leads above the floor of its class makes an exception, once the residues that
// the class needs are known, all that the known ones allow tried; and exceptions lead to others in the same way. What
// an exception knows grows by a part each time it moves on, so it forgets parts that are far away, light ones first:
// then it holds for more data sets than it has to. When nothing follows any more, s keeps everything.
//
// Theorem. Then the period is at most the beat. *Proof.* Take any j and any step from s_t(j). The floor or an exception
// with residues that j has attains s_t(j). What followed from that has residues of the step's end, or less, so s there
// is high enough. As s is bounded, beat * j + s is a schedule. [] Nothing depends on the floor, on what is forgotten,
// on rounding durations up and beat * m_t down, or on the order.
//
// The floor decides how many exceptions there are. It is the middle between the potential from a hub, the line of the
// processor with the largest cycle time, and that to it, both by value iteration in which unknown residues count by
// their mean and deviation (`soft_field.hpp`): fluctuations are then absorbed on the way out and on the way back.
//
// Ladder. Beats come down from some percent above the lower bound, each a proved upper bound when its exceptions end.
// How many there are grows as gap ^ -p, p from 3 on, learned from the attempts; the next beat is chosen by that and by
// what is left of time, memory or their number, and an attempt that grows too dear is given up for a wider gap. An
// exception that rises high, or many that are reached again and again, are a runaway: the beat may be below the period,
// or too much is forgotten. Then more is kept; so it is at cheap attempts where that makes hardly more of them.
//
// References. Those of `stretches` and docs/complexity.md; the method is takt's own.
#pragma once

#include <optional>
#include <string>

#include "evaluators/evaluation.hpp"
#include "tpn/capabilities.hpp"

namespace takt::evaluators {

/// Exceptions that a search reaches, in all its attempts together, unless a deadline is given: a minute or two.
inline constexpr double kReachedExceptions = 2e8;

inline constexpr tpn::Capabilities kFloorsTake{.repeated_processors = false, .ends = false};

/// Why the method cannot answer for a net that has these capabilities, if it cannot.
std::optional<std::string> unfit_for_floors(const tpn::FoldedNet& net);

/// An interval: as lower bound the best of the stretches, as upper bound the lowest beat whose exceptions end.
Evaluation floors(const tpn::FoldedNet& net, const Options& options);

/// The same from bounds that are known.
Evaluation floors(const tpn::FoldedNet& net, const Options& options, Evaluation known);

}  // namespace takt::evaluators
