// Bisection, then the least of those as fast.
#include "plan/fastest.hpp"

#include <cstdint>
#include <utility>
#include <vector>

namespace takt::plan {

namespace {

// Whatever is made of a plan that was not asked for by money costs its price.
FrontierPoint point_of(const Catalogue& catalogue, const Query& query, TypedPlan plan) {
  const PlanFacts facts(catalogue, query.model, plan);
  return {facts.cost(), *facts.period_after(query.spare), std::move(plan)};
}

void take_least(const Catalogue& catalogue, CountedQuery query, LeastOf least, GivenAnswer& answer) {
  query.query.period = answer.point->period;
  query.query.strictly = false;
  query.query.weights.clear();
  if (least == LeastOf::machines) query.query.weights.assign(catalogue.types.size(), 1);
  if (query.query.period.sign() == 0) return;
  CountedAnswer smaller = solve_within(catalogue, query);
  if (smaller.cut_short) answer.is_proved = false;
  if (smaller.plan) answer.point = point_of(catalogue, query.query, std::move(*smaller.plan));
}

// The fastest plan on so many machines, but for one type of which there are others.
PlanChange changed(const Catalogue& catalogue, const CountedQuery& query, const std::vector<std::uint64_t>& used,
                   std::size_t type, std::uint64_t count) {
  Catalogue given = catalogue;
  for (std::size_t t = 0; t < used.size(); ++t) given.types[t].count = t == type ? count : used[t];
  GivenAnswer answer = fastest_within(given, query, LeastOf::money);
  return {type, std::move(answer.point), answer.is_proved};
}

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
    if (!plan) answer.nothing_better = std::move(found);
    return plan;
  };
  const auto accept = [](const FrontierPoint&) { return true; };
  FastestPlan found = fastest(catalogue, query.query, solver, accept, query.deadline);
  answer.is_proved = answer.is_proved && found.is_proved;
  answer.point = std::move(found.point);
  if (answer.point) take_least(catalogue, query, least, answer);
  return answer;
}

std::vector<PlanChange> upgrades(const Catalogue& catalogue, const CountedQuery& query,
                                 const std::vector<std::uint64_t>& used) {
  std::vector<PlanChange> result;
  for (std::size_t t = 0; t < used.size(); ++t) {
    const auto& count = catalogue.types[t].count;
    result.push_back(count && *count <= used[t] ? PlanChange{t, {}, true}
                                                : changed(catalogue, query, used, t, used[t] + 1));
  }
  return result;
}

std::vector<PlanChange> replans(const Catalogue& catalogue, const CountedQuery& query,
                                const std::vector<std::uint64_t>& used) {
  std::vector<PlanChange> result;
  for (std::size_t t = 0; t < used.size(); ++t) {
    if (used[t] > 0) result.push_back(changed(catalogue, query, used, t, used[t] - 1));
  }
  return result;
}

}  // namespace takt::plan
