// Bisection, then the least of those as fast.
#include "plan/counted/fastest.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "plan/bounds.hpp"

namespace takt::plan {

namespace {

// Whatever is made of a plan that was not asked for by money costs its price.
FrontierPoint point_of(const Catalogue& catalogue, const Query& query, TypedPlan plan) {
  const PlanFacts facts(catalogue, query.model, plan);
  return {facts.cost(), *facts.period_after(query.spare), std::move(plan)};
}

bool has_limits(const Catalogue& catalogue, const CountedQuery& query) {
  return query.latency || catalogue.limits_machines();
}

std::uint64_t machines_of(const TypedPlan& plan) {
  std::uint64_t machines = 0;
  for (const TypedPart& part : plan) machines += part.machines + part.standby;
  return machines;
}

void take_least(const Catalogue& catalogue, CountedQuery query, LeastOf least, GivenAnswer& answer) {
  query.query.period = answer.point->period;
  query.query.strictly = false;
  query.query.weights.clear();
  if (least == LeastOf::machines) query.query.weights.assign(catalogue.types.size(), 1);
  CountedAnswer smaller = solve_within(catalogue, query);
  if (smaller.cut_short) answer.is_proved = false;
  if (smaller.plan) answer.point = point_of(catalogue, query.query, std::move(*smaller.plan));
  if (least == LeastOf::money && !smaller.cut_short) take_fewest_machines(catalogue, query, *answer.point);
}

// Fastest plans on machines that are used, each with another number of one type.
class ChangingMachines {
 public:
  ChangingMachines(const Catalogue& catalogue, const CountedQuery& query, const std::vector<std::uint64_t>& used)
      : given_(catalogue), query_(query) {
    for (std::size_t t = 0; t < used.size(); ++t) given_.types[t].count = used[t];
  }

  PlanChange with(std::size_t type, std::uint64_t count) {
    if (query_.deadline.has_passed()) return {type, {}, false};
    const auto used = std::exchange(given_.types[type].count, count);
    GivenAnswer answer = fastest_within(given_, query_, LeastOf::money);
    given_.types[type].count = used;
    return {type, std::move(answer.point), answer.is_proved};
  }

 private:
  Catalogue given_;  // with the machines that are used
  const CountedQuery& query_;
};

}  // namespace

GivenAnswer fastest_within(const Catalogue& catalogue, CountedQuery query, LeastOf least) {
  query.query.weights.assign(catalogue.types.size(), 0);
  query.query.latency_weight = 0;
  GivenAnswer answer;
  const PlanSolver solver = [&](const Query& asked) {
    query.query = asked;
    CountedAnswer found = solve_within(catalogue, query);
    if (found.cut_short && !found.plan) answer.is_proved = false;
    std::optional<TypedPlan> plan = std::move(found.plan);
    const bool is_proved = !found.cut_short;
    if (!plan) answer.nothing_better = std::move(found);
    return PlanSolution{std::move(plan), is_proved};
  };
  const auto accept = [](const FrontierPoint&) { return true; };
  FastestPlan found = fastest(catalogue, query.query, solver, accept, query.deadline);
  answer.is_proved = answer.is_proved && found.is_proved;
  answer.point = std::move(found.point);
  if (answer.point) take_least(catalogue, query, least, answer);
  return answer;
}

void take_fewest_machines(const Catalogue& catalogue, CountedQuery query, FrontierPoint& point) {
  // Without limits the program has seen to it.
  if (!has_limits(catalogue, query)) return;
  const std::uint64_t machines = machines_of(point.plan);
  const std::optional<Rational> step = price_step(catalogue);
  // So little for a machine that all of them together are less than any difference of prices.
  const Rational each = step ? *step / Rational(machines + 1) : Rational(1);
  query.query.period = point.period;
  query.query.strictly = false;
  query.query.latency_weight = 0;
  query.query.weights.clear();
  for (const MachineType& type : catalogue.types) query.query.weights.push_back(type.price + each);
  query.most_cost = point.cost + each * Rational(machines - 1);
  query.has_potentials = false;
  CountedAnswer fewer = solve_within(catalogue, query);
  if (!fewer.plan || machines_of(*fewer.plan) >= machines) return;
  FrontierPoint found = point_of(catalogue, query.query, std::move(*fewer.plan));
  if (found.cost == point.cost && found.period == point.period) point = std::move(found);
}

SettledPlan cheapest_and_fastest(const Catalogue& catalogue, const CountedQuery& query) {
  SettledPlan result;
  result.answer = solve_within(catalogue, query);
  if (!result.answer.plan) return result;
  result.point = point_of(catalogue, query.query, *result.answer.plan);
  if (result.answer.cut_short || has_free_machines(catalogue)) return result;
  const PlanSolver solver = [&](const Query& asked) {
    CountedAnswer found = solve_within(catalogue, {.query = asked,
                                                   .latency = query.latency,
                                                   .deadline = query.deadline,
                                                   .has_potentials = false,
                                                   .most_cost = result.answer.cost});
    return PlanSolution{std::move(found.plan), !found.cut_short};
  };
  const auto is_as_cheap = [&](const FrontierPoint& point) { return point.cost <= result.answer.cost; };
  const Rational period = result.point->period;
  FastestPlan fastest = fastest_from(*result.point, catalogue, query.query, solver, is_as_cheap, query.deadline);
  result.point = std::move(fastest.point);
  result.is_fastest = fastest.is_proved;
  if (!result.is_fastest) return result;
  if (result.point->period < period) {
    // Of those as fast the program's has the fewest machines.
    Query asked = query.query;
    asked.period = result.point->period;
    asked.strictly = false;
    PlanSolution fewest = solver(asked);
    if (fewest.is_proved && fewest.plan) result.point = point_of(catalogue, asked, std::move(*fewest.plan));
  }
  take_fewest_machines(catalogue, query, *result.point);
  return result;
}

std::vector<PlanChange> upgrades(const Catalogue& catalogue, const CountedQuery& query,
                                 const std::vector<std::uint64_t>& used) {
  ChangingMachines machines(catalogue, query, used);
  std::vector<PlanChange> result;
  for (std::size_t t = 0; t < used.size(); ++t) {
    const auto& count = catalogue.types[t].count;
    result.push_back(count && *count <= used[t] ? PlanChange{t, {}, true} : machines.with(t, used[t] + 1));
  }
  return result;
}

std::vector<PlanChange> replans(const Catalogue& catalogue, const CountedQuery& query,
                                const std::vector<std::uint64_t>& used) {
  ChangingMachines machines(catalogue, query, used);
  std::vector<PlanChange> result;
  for (std::size_t t = 0; t < used.size(); ++t) {
    if (used[t] > 0) result.push_back(machines.with(t, used[t] - 1));
  }
  return result;
}

}  // namespace takt::plan
