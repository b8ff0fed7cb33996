// Whether a problem says all the works, times and sizes that some mapping could need.
#pragma once

#include "tpn/problem_view.hpp"

namespace takt::heuristics {

/// Throws tpn::InvalidInstance if a work is absent that a speed needs, or a stage's time on a processor that has
/// neither speed nor time.
void require_works(const tpn::ProblemView& problem);
/// The same, and where the size of a file is absent that a bandwidth needs: between any processors, or with an end.
void require_amounts(const tpn::ProblemView& problem);

}  // namespace takt::heuristics
