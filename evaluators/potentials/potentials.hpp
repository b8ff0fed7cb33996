// potentials: upper bounds on the period of large STRICT pipelines, by start times per residue class that follow a
// candidate period.
//
// Problem. Where m, the least common multiple of all parts' sizes, is astronomically large and no slack separates the
// parts, `residue` has to split its classes until there is no memory left. Deciding the period is hard in general
// (docs/complexity.md). Find an upper bound within some percent, with a proof.
//
// Method. Let P be the candidate period and s_t(j) the start of transfer t on data set j, less P j. What a plain STRICT
// pipeline asks is
//
//   up      s_(t+1)(j)       >= s_t(j) + d_t(j) + c_(t+1)(j)
//   down    s_(t-1)(j + m_t) >= s_t(j) + d_t(j) - P m_t
//
// with m_t processors in part t, transfers d and computations c; the circuit of the first part's processor leads from
// transfer 0 to itself, with c_0 for what is received, and the last part's likewise. Give each class of data sets at t
// (the residues of three neighboring parts) any number, its potential, and let
//
//   s_t(j) = the potential of j's class, or the highest residue-specific bound whose residues j has
//
// where a residue-specific bound (t, K, value) holds for all data sets with the residues K, of a set of parts around t.
// Bounds follow from the potentials: an up or a down that leads above the potential of its class makes a bound, once
// the residues that the class needs are known, all that the known ones allow tried; and bounds lead to others in the
// same way. The residues of a bound grow by a part each time it moves on, so it forgets parts that are far away, those
// of little load first: then it holds for more data sets than it has to. At the fixpoint, where nothing follows any
// more, s keeps every dependence.
//
// Theorem. Then the period is at most P. *Proof.* Take any j and any step from s_t(j). The potential or a bound with
// residues that j has attains s_t(j). What followed from that has residues of the step's end, or fewer, so s there is
// high enough. As s is bounded, P j + s is a schedule. [] Nothing depends on the potentials, on what is forgotten, on
// rounding durations up and P m_t down, or on the order.
//
// The potentials decide how many bounds there are. They are the middle between the longest walks from a reference
// circuit, that of the processor with the largest cycle time, and those to it, both by value iteration in which unknown
// residues count by their mean and deviation (`potential_estimate.hpp`): fluctuations are then absorbed on the way out
// and on the way back.
//
// Step control. Candidate periods come down from some percent above the lower bound, each a proved upper bound when its
// fixpoint is found. The number of bounds grows as gap ^ -p, p from 3 on, learned from the attempts; the next candidate
// is chosen by that and by what is left of time, memory or their number, and an attempt over budget is given up for a
// wider gap. A bound that rises high, or many that are reached again and again, are taken for divergence: the candidate
// may be below the period, or too much is forgotten. Then bounds keep more residues; so they do at cheap attempts where
// that makes hardly more of them.
//
// References. Those of `sub_pipelines` and docs/complexity.md; the method is takt's own.
#pragma once

#include <optional>
#include <string>

#include "evaluators/evaluation.hpp"
#include "tpn/capabilities.hpp"

namespace takt::evaluators {

/// Residue-specific bounds that a search reaches, in all its attempts together, unless a deadline is given: a minute or
/// two.
inline constexpr double kReachedBounds = 2e8;

inline constexpr tpn::Capabilities kPotentialsTake{.repeated_processors = false, .ends = false};

/// Why the method cannot answer for a net that has these capabilities, if it cannot.
std::optional<std::string> unfit_for_potentials(const tpn::FoldedNet& net);

/// An interval: as lower bound the best of the sub-pipelines, as upper bound the lowest candidate period whose bounds
/// end.
Evaluation potentials(const tpn::FoldedNet& net, const Options& options);

/// The same from bounds that are known.
Evaluation potentials(const tpn::FoldedNet& net, const Options& options, Evaluation known);

}  // namespace takt::evaluators
