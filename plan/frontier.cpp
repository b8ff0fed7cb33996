// Step by step from the cheapest plan, and by bisection.
#include "plan/frontier.hpp"

#include <algorithm>
#include <utility>

#include "plan/simplest.hpp"

namespace takt::plan {

namespace {

// Asks for the plans of one query at one period after another.
class Asking {
 public:
  Asking(const Catalogue& catalogue, Query query, const PlanSolver& solver)
      : catalogue_(catalogue), query_(std::move(query)), solver_(solver) {}

  std::optional<FrontierPoint> at_most(const Rational& period) { return ask(period, false); }
  std::optional<FrontierPoint> below(const Rational& period) {
    if (period.sign() == 0) return std::nullopt;
    return ask(period, true);
  }

 private:
  std::optional<FrontierPoint> ask(const Rational& period, bool strictly) {
    query_.period = period;
    query_.strictly = strictly;
    auto plan = solver_(query_);
    if (!plan) return std::nullopt;
    const PlanFacts facts(catalogue_, query_.model, *plan);
    return FrontierPoint{facts.cost(), *facts.period_after(query_.spare), std::move(*plan)};
  }

  const Catalogue& catalogue_;
  Query query_;
  const PlanSolver& solver_;
};

}  // namespace

PlanSolver unlimited(const Catalogue& catalogue) {
  return [&catalogue](const Query& query) { return solve(catalogue, query).plan; };
}

Rational ample_period(const Catalogue& catalogue) {
  Rational sum = 1;
  for (const auto* times : {&catalogue.stage_times, &catalogue.transfers, &catalogue.from_source, &catalogue.to_sink}) {
    for (const auto& time : *times) sum += time.value_or(0);
  }
  for (const MachineType& type : catalogue.types) sum += type.fixed_time.value_or(0);
  return sum;
}

Frontier frontier(const Catalogue& catalogue, Query query, const Rational& until, const PlanSolver& solver,
                  const maxplus::Deadline& deadline) {
  Asking asking(catalogue, std::move(query), solver);
  Frontier result;
  auto point = asking.at_most(ample_period(catalogue));
  while (point) {
    if (!result.points.empty() && result.points.back().cost == point->cost) result.points.pop_back();
    result.points.push_back(std::move(*point));
    const Rational& reached = result.points.back().period;
    if (reached <= until && until.sign() > 0) return result;
    if (deadline.has_passed()) {
      result.cut_short = true;
      return result;
    }
    point = asking.below(reached);
  }
  result.is_whole = true;
  return result;
}

FastestPlan fastest(const Catalogue& catalogue, Query query, const PlanSolver& solver,
                    const std::function<bool(const FrontierPoint&)>& accepts, const maxplus::Deadline& deadline) {
  constexpr int kFailuresInARow = 4;
  Asking asking(catalogue, std::move(query), solver);
  FastestPlan result;
  const auto take = [&](std::optional<FrontierPoint> point) {
    if (!point || !accepts(*point)) return false;
    result.point = std::move(point);
    return true;
  };
  if (!take(asking.at_most(ample_period(catalogue)))) return result;
  Rational low = 0;  // no plan that is accepted keeps it
  int failures = 0;
  while (!deadline.has_passed()) {
    const Rational& high = result.point->period;
    low = std::min(low, high);  // a solver that a limit cut short may have missed one
    if (failures == kFailuresInARow || low == high) {
      if (!take(asking.below(high))) return result;
      failures = 0;
      continue;
    }
    const Rational quarter = (high - low) / Rational(4);
    const Rational middle = simplest_between(low + quarter, high - quarter);
    if (take(asking.at_most(middle))) {
      failures = 0;
    } else {
      low = middle;
      ++failures;
    }
  }
  result.is_proved = false;
  return result;
}

}  // namespace takt::plan
