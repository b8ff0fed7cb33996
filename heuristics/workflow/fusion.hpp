// Which replicable stages become one part, so that a workflow has fewer and larger parts to deal out.
//
// Problem. A replicable stage may be dealt to all processors. Dealt out as one part, stages exchange no files, and need
// no fork and join of their own.
//
// Method. StreamIt's compiler fuses neighbors in a pipeline, as long as what comes out is stateless; a split-join whose
// filters all are becomes one filter, if it has such a neighbor. A workflow has no such brackets, so they are looked
// for: stages with the same senders and the same receivers are siblings (one alone, too). Siblings that are replicable
// become one with the replicable stage behind them, where that is the only one behind them and takes the files of
// nobody else; likewise with the one before them. A file that the siblings' other neighbor sends past them is an
// identity branch, and does not matter. Then again, with what came out, until nothing changes: stages in the order of
// the list, the fusion with what is behind them first.
//
// Invariant. Each group is convex, no path leaves it and comes back, so all groups can be intervals of one list: what
// leaves siblings goes to the stage behind them, what enters them comes from the one before. Each group has a
// processor that runs all of it and whose memory holds it. Where the list may not be in another order, each group is an
// interval of it, none of whose stages must be apart.
//
// Cost. A pass looks at the neighbors of each stage's neighbors; there are at most as many passes as stages.
//
// References. [gordon2006exploiting]; github.com/bthies/streamit, FusePipelines.fusePipelinesOfStatelessStreams.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "maxplus/deadline.hpp"
#include "tpn/problem_view.hpp"

namespace takt::heuristics {

/// By stage, its group: the first of its stages. Nothing if the deadline passes.
std::optional<std::vector<std::size_t>> fused_stages(const tpn::ProblemView& problem,
                                                     const maxplus::Deadline& deadline);

}  // namespace takt::heuristics
