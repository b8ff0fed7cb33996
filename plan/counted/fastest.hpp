// The fastest typed plan on given machines.
//
// Method. Whether a period can be kept with counted machines is a question of plan/counted/counted.hpp at price 0;
// bisection over periods (plan/typed/frontier.hpp) ends with the question whether anything is strictly faster. Of plans
// of that period the one that uses least is asked for last.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "plan/catalogue.hpp"
#include "plan/counted/counted.hpp"
#include "plan/plan.hpp"
#include "plan/typed/frontier.hpp"

namespace takt::plan {

/// What a fastest plan is to use least of.
enum class LeastOf { machines, money };

struct GivenAnswer {
  std::optional<FrontierPoint> point;  // nothing: no plan fits, or, not proved, none was found
  bool is_proved = true;               // false if the deadline passed
  /// Of the question that has no answer: a plan strictly faster than the point, or, without one, any plan at all.
  std::optional<CountedAnswer> nothing_better;
};

/// The shortest period, after the failures that the query spares for, of all typed plans within the catalogue's counts
/// and the latency, on the fewest machines or at least cost. The query's period, strictness and weights do not count.
/// Every type has a count, or some bound on all periods exists: a stage that is not replicable, or an end that takes
/// time.
GivenAnswer fastest_within(const Catalogue& catalogue, CountedQuery query, LeastOf least = LeastOf::machines);

/// Of plans of the point's cost and period within the limits the one of fewest machines, where it is found.
void take_fewest_machines(const Catalogue& catalogue, CountedQuery query, FrontierPoint& point);

/// A cheapest plan that keeps a period: of those the fastest, after the failures that the query spares for, and of
/// those one on the fewest machines.
struct SettledPlan {
  CountedAnswer answer;                // of the query, which the point's cost is the least of
  std::optional<FrontierPoint> point;  // nothing: there is no plan, or, cut short, none was found
  /// Proved: nothing of the point's cost is faster. False if the time was up, and where machines are free and
  /// without number: then nothing is the fastest.
  bool is_fastest = false;
};
SettledPlan cheapest_and_fastest(const Catalogue& catalogue, const CountedQuery& query);

/// What becomes of a plan with one machine more, or less, of a type.
struct PlanChange {
  std::size_t type = 0;
  std::optional<FrontierPoint> point;  // nothing if there is no more of the type, or no plan with one less
  bool is_proved = true;
};

/// For each type the fastest plan, at least cost, with one machine more of it than a plan uses, and of the other types
/// as many as that uses.
std::vector<PlanChange> upgrades(const Catalogue& catalogue, const CountedQuery& query,
                                 const std::vector<std::uint64_t>& used);

/// For each type that a plan uses the fastest plan, at least cost, on its machines but one of that type.
std::vector<PlanChange> replans(const Catalogue& catalogue, const CountedQuery& query,
                                const std::vector<std::uint64_t>& used);

}  // namespace takt::plan
