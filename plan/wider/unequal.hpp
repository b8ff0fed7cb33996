// Plans of mixed parts, and of unequal turns, where transfers or numbers of cores depend on the types.
//
// Problem. The closed forms of plan/wider/mixed.hpp and the search of plan/wider/weighted.hpp are for equal links and
// cores. A real catalogue has ports of several speeds.
//
// Method. Longer transfers never make a period shorter. So with each boundary's least transfer everywhere, mixed plans
// are bounded from below, and with its longest everywhere a mixed plan that keeps the period keeps it on the real
// links. Covers (plan/wider/covers.hpp) bound plans of any turns, mixed ones included, each type with its own least
// transfers; their candidates get turns, and are evaluated. A typed plan, exact on all links, is a plan of both
// classes.
//
// Invariant. The plan keeps the period by its net, or by its closed form where it is typed; nothing in the class costs
// less than the bound. Between the two nothing is known.
#pragma once

#include "plan/catalogue.hpp"
#include "plan/counted/counted.hpp"
#include "plan/wider/mixed.hpp"
#include "plan/wider/weighted.hpp"

namespace takt::plan {

/// As solve_mixed, for all links and cores; the problem is the catalogue's. If there is no plan and the answer is
/// not cut short there is none. At most kMostCovered types.
MixedAnswer mixed_on_all_links(const tpn::Document& problem, const Catalogue& catalogue, const CountedQuery& query);

/// As solve_weighted, likewise.
WeightedAnswer weighted_on_all_links(const tpn::Document& problem, const Catalogue& catalogue,
                                     const CountedQuery& query);

}  // namespace takt::plan
