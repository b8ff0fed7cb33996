// Cost against period: the Pareto frontier of typed plans, and the fastest plan that some limit allows.
//
// Theorem. From the cheapest plan of all take, again and again, the cheapest plan strictly faster than the one before,
// and drop points of equal cost but the last: that is the frontier. (Let (C, P) be on it and i the last step whose
// bound is above P. Its cost is at most C, its period P_i <= P by choice of i, and P_i >= P since nothing of cost <= C
// is faster.) The fastest plan within a limit is found by bisection over periods instead, which visits few of the
// points; that nothing is faster is one more question, strictly below its period.
#pragma once

#include <cstddef>
#include <functional>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "maxplus/deadline.hpp"
#include "plan/catalogue.hpp"
#include "plan/plan.hpp"
#include "plan/typed/program.hpp"

namespace takt::plan {

/// A cheapest plan of a query; nothing if there is none, or, not proved, none was found.
struct PlanSolution {
  std::optional<TypedPlan> plan;
  bool is_proved = true;  // false if the time was up: there may be a cheaper one

  PlanSolution(std::optional<TypedPlan> found, bool proved = true)  // NOLINT(google-explicit-constructor)
      : plan(std::move(found)), is_proved(proved) {}
};

/// Answers a query.
using PlanSolver = std::function<PlanSolution(const Query& query)>;

/// `solve` without counts.
PlanSolver unlimited(const Catalogue& catalogue);

struct FrontierPoint {
  Rational cost;    // prices, not weights
  Rational period;  // after the failures that the query spares for
  TypedPlan plan;
};

struct Frontier {
  std::vector<FrontierPoint> points;  // cheapest first; costs rise, periods fall
  bool is_whole = false;              // nothing is faster than the last one
  bool cut_short = false;             // by the deadline
  bool is_last_fastest = false;       // nothing of the last one's cost is faster: as of all others
};

/// The frontier up to the first price that buys at most the period `until` (all of it where that is 0), but of no more
/// points than that. The query's period and strictness do not count. Ends only if some plan is as fast as that, or a
/// limit on all periods: counts, an end, a stage that is not replicable. Where machines are free and without number,
/// nothing is the fastest of its price: it ends with the first plan that is as fast as wanted.
Frontier frontier(const Catalogue& catalogue, Query query, const Rational& until, const PlanSolver& solver,
                  const maxplus::Deadline& deadline = {},
                  std::size_t most_points = std::numeric_limits<std::size_t>::max());

/// Whether there are as many machines of some type as one likes, for nothing.
bool has_free_machines(const Catalogue& catalogue);

/// A period that a plan of one machine per part keeps, whatever the plan.
Rational ample_period(const Catalogue& catalogue);

/// The fastest of the plans that `solver` answers for the query at any period and `accepts` takes, where to accept a
/// plan for a period is to accept one for every longer period; nothing if it accepts none. `is_proved` falls to
/// false if the deadline passed.
struct FastestPlan {
  std::optional<FrontierPoint> point;
  bool is_proved = true;
};
using AcceptsPlan = std::function<bool(const FrontierPoint&)>;
FastestPlan fastest(const Catalogue& catalogue, Query query, const PlanSolver& solver, const AcceptsPlan& accepts,
                    const maxplus::Deadline& deadline = {});

/// The same from a plan that is accepted; asks first whether any is strictly faster.
FastestPlan fastest_from(FrontierPoint point, const Catalogue& catalogue, Query query, const PlanSolver& solver,
                         const AcceptsPlan& accepts, const maxplus::Deadline& deadline = {});

}  // namespace takt::plan
