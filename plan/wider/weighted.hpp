// Plans in whose parts a fast machine takes more turns than a slow one, on equal links.
//
// Problem. As plan/wider/mixed.hpp, but a sequence may repeat a machine, so that its slowest no longer sets a part's
// pace.
//
// Method. A machine of demand x can take the share min(1, P / x) of a part's data sets, and a part needs shares of 1.
// The cheapest covers of all parts, found by the search within limits on plan/wider/share_graph.hpp, bound the cost of
// the class from below. For their machines sequences are built, of smoothly spread turns, and evaluated exactly; uneven
// gaps may make them late. Where all lengths that are tried are late, the part of the least slack is held to plain
// turns, and the search begins anew; with plain turns alone it finds the cheapest mixed plan, which is on time.
//
// Invariant. Nothing in the class costs less than the bound; the plan keeps the period by its net. Between the two
// nothing is known.
#pragma once

#include <optional>

#include "plan/catalogue.hpp"
#include "plan/counted/counted.hpp"
#include "plan/sequences.hpp"
#include "tpn/document.hpp"

namespace takt::plan {

struct WeightedAnswer {
  std::optional<SequencePlan> plan;  // nothing: none was found
  Rational cost;                     // of the plan
  Rational period;                   // of the plan, exactly
  Rational lower_bound;              // no weighted plan costs less
  bool is_impossible = false;        // proved: no weighted plan keeps the period
  bool cut_short = false;            // by the deadline, or as there are too many machines: bound and plan stand
};

/// A cheap weighted plan within the counts, and what none costs less than. The problem is the catalogue's; it has equal
/// links and equal cores; the query has no latency, nor a weight of it, and spares for no failure, after which a
/// sequence would be another one.
WeightedAnswer solve_weighted(const tpn::Document& problem, const Catalogue& catalogue, const CountedQuery& query);

}  // namespace takt::plan
