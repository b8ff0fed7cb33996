// A period that no mapping of a problem can undercut.
#pragma once

#include <string>

#include "maxplus/deadline.hpp"
#include "tpn/problem_view.hpp"

namespace takt::heuristics {

/// The longest of
/// - what each data set takes anyway: the quickest links from the source and to the sink, the work over all speeds,
///   each stage on all that run it together or, if it is not replicable, on its fastest processor; and on segments
///   of the network the files that pass them in any case;
/// - the least that runs of stages which are not replicable take, transfers between them included, if their parts had
///   the best processors and links each;
/// - the cheapest way of a data set through the stages, each resource with a price per time, the prices of all
///   together 1 (docs/heuristics.md#lower-bounds); of a workflow the computations alone.
/// Exact, in time units; holds for mappings of every class under the model. Works must be there (require_amounts).
/// O(n p^2) some dozen times. What the deadline cuts short is left out: the bound holds, and is lower.
maxplus::Rational period_lower_bound(const tpn::ProblemView& problem, const tpn::Model& model,
                                     const maxplus::Deadline& deadline = {});

/// A sentence on how far a period is from a lower bound, both under the model.
std::string bound_note(const tpn::Document& problem, const tpn::Model& model, const maxplus::Rational& period,
                       const maxplus::Rational& lower_bound);

}  // namespace takt::heuristics
