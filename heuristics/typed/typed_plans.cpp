// The planner without counts where these do not bind.
#include "heuristics/typed/typed_plans.hpp"

namespace takt::heuristics {

LimitedPlan cheapest_limited(const plan::Catalogue& catalogue, const plan::Query& query,
                             const evaluators::Deadline& /*deadline*/) {
  LimitedPlan result;
  const plan::ProgramAnswer answer = plan::solve(catalogue, query);
  if (!answer.plan) return result;
  result.lower_bound = answer.cost;
  const plan::PlanFacts facts(catalogue, query.model, *answer.plan);
  for (std::size_t t = 0; t < catalogue.types.size(); ++t)
    if (catalogue.types[t].count && facts.machines_by_type()[t] > *catalogue.types[t].count) return result;
  result.plan = answer.plan;
  return result;
}

}  // namespace takt::heuristics
