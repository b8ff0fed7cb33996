// unfold: the paper's timed Petri net, built in full and solved for its largest cycle ratio.
//
// Problem. lambda = the largest ratio of firing times to tokens over the circuits of the timed event
// graph of m rows; the period is lambda / m.
//
// Method. Build the event graph, take its critical cycle by a solver of maxplus/solvers.hpp, then longest
// paths at that ratio for a schedule that attains it. The plain version that the others are held against.
//
// Cost. Memory and time at least linear in m * columns; see maxplus/solvers.hpp.
//
// References. [benoit2009throughput] section 4, [cochet1998howard], [karp1978].
#pragma once

#include "evaluators/evaluation.hpp"

namespace takt::evaluators {

/// Transitions (rows times columns) that are unfolded unless Options::max_rows says otherwise.
inline constexpr std::uint64_t kUnfoldTransitions = 2'000'000;
/// Places that are never exceeded, whatever Options::max_rows says: some 20 GB.
inline constexpr std::uint64_t kUnfoldPlaces = 100'000'000;

/// Exact unless the rows, the places or the solver's table exceed the limit: then the interval of coarse_bounds. The
/// deadline is looked at before the solver and before the schedule.
Evaluation unfold(const tpn::FoldedNet& net, const Options& options);

}  // namespace takt::evaluators
