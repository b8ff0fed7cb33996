// Step by step from the cheapest plan, and by bisection.
#include "plan/typed/frontier.hpp"

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
  /// Of the last answer.
  bool is_proved() const { return is_proved_; }

 private:
  std::optional<FrontierPoint> ask(const Rational& period, bool strictly) {
    query_.period = period;
    query_.strictly = strictly;
    PlanSolution solution = solver_(query_);
    is_proved_ = solution.is_proved;
    if (!solution.plan) return std::nullopt;
    const PlanFacts facts(catalogue_, query_.model, *solution.plan);
    return FrontierPoint{facts.cost(), *facts.period_after(query_.spare), std::move(*solution.plan)};
  }

  const Catalogue& catalogue_;
  Query query_;
  const PlanSolver& solver_;
  bool is_proved_ = true;
};

constexpr int kFailuresInARow = 4;

// Starts from an accepted plan. After `failures` failures in a row it asks whether any plan is strictly faster.
FastestPlan bisect(FastestPlan result, Asking& asking, const AcceptsPlan& accepts, const maxplus::Deadline& deadline,
                   int failures) {
  const auto take = [&](std::optional<FrontierPoint> point) {
    if (!point || !accepts(*point)) return false;
    result.point = std::move(point);
    return true;
  };
  Rational low = 0;  // no plan that is accepted keeps it
  while (!deadline.has_passed()) {
    const Rational& high = result.point->period;
    low = std::min(low, high);  // a solver that a limit cut short may have missed one
    if (failures == kFailuresInARow || low == high) {
      if (!take(asking.below(high))) {
        result.is_proved = asking.is_proved();
        return result;
      }
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

}  // namespace

PlanSolver unlimited(const Catalogue& catalogue) {
  return [&catalogue](const Query& query) {
    ProgramAnswer answer = solve(catalogue, query);
    return PlanSolution{std::move(answer.plan), !answer.cut_short};
  };
}

Rational ample_period(const Catalogue& catalogue) {
  // Row by row the largest: no part takes longer than all of them together.
  Rational sum = 1;
  const auto add = [&sum](const std::vector<std::optional<Rational>>& times, std::size_t row) {
    for (std::size_t begin = 0; begin < times.size(); begin += row) {
      const std::optional<Rational>* largest = nullptr;
      for (std::size_t k = begin; k < begin + row; ++k) {
        if (times[k] && (largest == nullptr || **largest < *times[k])) largest = &times[k];
      }
      if (largest != nullptr) sum += **largest;
    }
  };
  const std::size_t count = catalogue.types.size();
  add(catalogue.stage_times, count);
  add(catalogue.transfers, count * count);
  add(catalogue.from_source, count);
  add(catalogue.to_sink, count);
  Rational fixed;
  for (const MachineType& type : catalogue.types) fixed = std::max(fixed, type.fixed_time.value_or(0));
  return sum + fixed;
}

bool has_free_machines(const Catalogue& catalogue) {
  return std::ranges::any_of(catalogue.types,
                             [](const MachineType& type) { return !type.count && type.price.sign() == 0; });
}

Frontier frontier(const Catalogue& catalogue, Query query, const Rational& until, const PlanSolver& solver,
                  const maxplus::Deadline& deadline, std::size_t most_points) {
  Asking asking(catalogue, std::move(query), solver);
  Frontier result;
  auto& points = result.points;
  const bool has_fastest = !has_free_machines(catalogue);
  for (auto point = asking.at_most(ample_period(catalogue)); true; point = asking.below(points.back().period)) {
    if (!asking.is_proved()) {
      result.cut_short = true;
      return result;
    }
    result.is_last_fastest = !point || (!points.empty() && points.back().cost < point->cost);
    if (!point) {
      result.is_whole = true;
      return result;
    }
    const bool is_far = !points.empty() && until.sign() > 0 && points.back().period <= until;
    if ((is_far || points.size() >= most_points) && (result.is_last_fastest || !has_fastest)) return result;
    if (!points.empty() && points.back().cost == point->cost) points.pop_back();
    points.push_back(std::move(*point));
    result.is_last_fastest = points.back().period.sign() == 0;
    if (deadline.has_passed()) {
      result.cut_short = true;
      return result;
    }
  }
}

FastestPlan fastest(const Catalogue& catalogue, Query query, const PlanSolver& solver, const AcceptsPlan& accepts,
                    const maxplus::Deadline& deadline) {
  Asking asking(catalogue, std::move(query), solver);
  auto point = asking.at_most(ample_period(catalogue));
  if (!point || !accepts(*point)) return {std::nullopt, asking.is_proved()};
  return bisect({std::move(point), asking.is_proved()}, asking, accepts, deadline, 0);
}

FastestPlan fastest_from(FrontierPoint point, const Catalogue& catalogue, Query query, const PlanSolver& solver,
                         const AcceptsPlan& accepts, const maxplus::Deadline& deadline) {
  Asking asking(catalogue, std::move(query), solver);
  return bisect({std::move(point), true}, asking, accepts, deadline, kFailuresInARow);
}

}  // namespace takt::plan
