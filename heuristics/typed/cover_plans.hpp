// Covers as mappings: turns for the machines of each part, the net as the judge.
//
// Problem. Covers (plan/wider/covers.hpp) say which machines serve a part, not in what order. Turns are whole numbers,
// and files that meet unequal links wait: is there a sequence that keeps the period?
//
// Method. For a length L a machine may have floor(L P / demand) turns; the first length at which these are enough for a
// part is taken, they are spread evenly (plan/wider/weighted_round_robin.hpp), and the net of the mapping is evaluated.
// Where nothing keeps the period, covers with a little more than is needed have more room: 1/400 more, 1/150, 1/60,
// 1/30, 1/12.
//
// Invariant. Every plan's period is exact, and at most the one asked for; the bound is that of the covers.
//
// Cost. Covers, and some evaluations for each of the cheapest candidates.
#pragma once

#include <vector>

#include "evaluators/mappings/evaluator.hpp"
#include "heuristics/search/start.hpp"
#include "heuristics/typed/machine_classes.hpp"

namespace takt::heuristics {

struct CoverPlans {
  std::vector<SearchStart> plans;  // each cheaper than the one before
  Rational lower_bound;            // of all plans in which each machine serves one part
  bool is_impossible = false;      // proved of these
};

/// The classes are those of machines that compute alike and cost the same, at most plan::kMostCovered; the problem has
/// works, times and sizes, and no shared or several ports.
CoverPlans plans_by_covers(const tpn::ProblemView& problem, evaluators::MappingEvaluator& evaluator,
                           const MachineClasses& classes, const tpn::Model& model, const Rational& period,
                           const evaluators::Deadline& deadline);

}  // namespace takt::heuristics
