// The cheapest plan whose parts may be on machines of several types, in plain round robin, on equal links.
//
// Problem. As plan/counted/counted.hpp, without a latency, which is no sum over parts here. In plain round robin the
// slowest machine of a part sets its pace: all of a part's m machines, which have equally many cores, must have a
// demand of at most m P. Named processors on equal links are types of count 1.
//
// Method. Where counts do not bind, a typed plan is optimal (docs/planner.md). Otherwise multipliers and labels as for
// typed plans, on plan/wider/share_graph.hpp.
//
// Invariant. Exact, unless cut short, as where a plan of unlimited counts has more than kMostSequenced cores.
#pragma once

#include <optional>

#include "plan/catalogue.hpp"
#include "plan/counted/counted.hpp"
#include "plan/sequences.hpp"

namespace takt::plan {

struct MixedAnswer {
  std::optional<SequencePlan> plan;   // nothing: there is none, or, cut short, none was found
  Rational cost;                      // of the plan
  Rational period;                    // of the plan, exactly, with all its machines
  Rational lower_bound;               // no mixed plan costs less; the cost itself unless cut short
  PlanProof proof = PlanProof::none;  // `potentials` and `excess` of multipliers, without a certificate
  bool cut_short = false;
};

/// The least cost of all mixed plans within the counts. The catalogue has equal links and equal cores; the query no
/// latency, nor a weight of it.
MixedAnswer solve_mixed(const Catalogue& catalogue, const CountedQuery& query);

/// The period of a plan in plain round robin on equal links.
Rational mixed_period(const Catalogue& catalogue, const tpn::Model& model, const SequencePlan& plan);

}  // namespace takt::plan
