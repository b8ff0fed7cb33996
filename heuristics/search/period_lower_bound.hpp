// A period that no mapping of a problem can undercut.
#pragma once

#include "tpn/problem_view.hpp"

namespace takt::heuristics {

/// The longest of what each data set takes anyway: the quickest links from the source and to the sink, the work over
/// all speeds, each stage that is not replicable on its fastest processor. Exact, in time units; holds for mappings of
/// every class, under both models. Works must be there (require_amounts).
maxplus::Rational period_lower_bound(const tpn::ProblemView& problem, const tpn::Model& model);

}  // namespace takt::heuristics
