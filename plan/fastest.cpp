// Bisection, then the least of those as fast.
#include "plan/fastest.hpp"

#include <utility>

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

std::vector<PlanUpgrade> upgrades(const Catalogue& catalogue, const CountedQuery& query,
                                  const std::vector<std::uint64_t>& used) {
  std::vector<PlanUpgrade> result;
  Catalogue more = catalogue;
  for (std::size_t t = 0; t < used.size(); ++t) more.types[t].count = used[t];
  for (std::size_t t = 0; t < used.size(); ++t) {
    PlanUpgrade& upgrade = result.emplace_back(PlanUpgrade{t, {}, true});
    if (catalogue.types[t].count && *catalogue.types[t].count <= used[t]) continue;
    more.types[t].count = used[t] + 1;
    GivenAnswer answer = fastest_within(more, query, LeastOf::money);
    upgrade.point = std::move(answer.point);
    upgrade.is_proved = answer.is_proved;
    more.types[t].count = used[t];
  }
  return result;
}

}  // namespace takt::plan
