// A mapping for platforms on which HeDPM's matching meets a missing link.
#pragma once

#include "evaluators/evaluation.hpp"
#include "heuristics/hedpm/match.hpp"
#include "heuristics/hedpm/model.hpp"
#include "heuristics/heuristic.hpp"

namespace takt::heuristics::dynamic_mapping {

/// A mapping without replicas along a shortest chain of linked processors from source to sink: there is one wherever
/// any mapping exists, for the way of a data set through a mapping is such a chain or holds one. Among the cuts of the
/// stages the one of least production time, or the best one known when the deadline passes: some tens of passes of
/// O(parts n). A chain of one processor is the one that is fastest with all stages. Infeasible if there is none.
/// Says so in the log.
Result chain_proposal(const CostModel& model, const Order& order, const evaluators::Deadline& deadline, Log& log);

}  // namespace takt::heuristics::dynamic_mapping
