// Potentials with names in place of indices, and the bound that they prove.
#include "plan/certify.hpp"

#include <algorithm>
#include <cstddef>

#include "maxplus/contract.hpp"
#include "plan/bounds.hpp"

namespace takt::plan {

namespace {

const std::optional<std::uint64_t>& count_of(const Catalogue& catalogue, const PlanLimits& limits, std::size_t t) {
  return limits.counts.empty() ? catalogue.types[t].count : limits.counts[t];
}

Rational multiplier_of(const PlanLimits& limits, std::size_t t) {
  return limits.multipliers.empty() ? Rational(0) : limits.multipliers[t];
}

// What the multipliers pay for all that there may be.
Rational paid_for(const Catalogue& catalogue, const PlanLimits& limits) {
  Rational paid;
  for (std::size_t t = 0; t < catalogue.types.size(); ++t) {
    const auto& count = count_of(catalogue, limits, t);
    const Rational multiplier = multiplier_of(limits, t);
    maxplus::expects(count || multiplier.sign() == 0, "what is unlimited has no multiplier");
    if (count) paid += multiplier * Rational(*count);
  }
  for (std::size_t q = 0; q < limits.quota_multipliers.size(); ++q)
    paid += limits.quota_multipliers[q] * catalogue.quotas[q].most;
  maxplus::expects(limits.latency || limits.latency_multiplier.sign() == 0, "what is unlimited has no multiplier");
  if (limits.latency) paid += limits.latency_multiplier * *limits.latency;
  return paid;
}

Query weighted(const Catalogue& catalogue, const Query& query, const PlanLimits& limits, bool with_prices) {
  Query result = query;
  result.latency_weight = limits.latency_multiplier;
  if (!with_prices) result.on_demand.reset();
  result.weights.clear();
  for (std::size_t t = 0; t < catalogue.types.size(); ++t) {
    Rational& weight = result.weights.emplace_back(multiplier_of(limits, t));
    if (with_prices) weight += catalogue.types[t].price;
    for (std::size_t q = 0; q < limits.quota_multipliers.size(); ++q)
      weight += limits.quota_multipliers[q] * catalogue.quotas[q].uses[t];
  }
  return result;
}

PlanTarget target_of(const Catalogue& catalogue, const Query& query, const PlanLimits& limits) {
  PlanTarget target{query.model, query.period, query.strictly, query.spare, query.all_apart, limits.latency};
  target.at_spot_prices =
      std::ranges::any_of(catalogue.types, [](const MachineType& type) { return type.premium.sign() > 0; });
  if (target.at_spot_prices) target.on_demand = query.on_demand;
  for (std::size_t t = 0; t < limits.counts.size(); ++t) {
    if (limits.counts[t]) target.counts.emplace(catalogue.types[t].name, *limits.counts[t]);
  }
  return target;
}

PlanCertificate certificate_of(const Catalogue& catalogue, const Query& query, const PlanLimits& limits,
                               const Potentials& potentials) {
  PlanCertificate result;
  result.target = target_of(catalogue, query, limits);
  const std::size_t types = catalogue.types.size();
  for (std::size_t t = 0; t < types; ++t) {
    const Rational multiplier = multiplier_of(limits, t);
    if (multiplier.sign() != 0) result.multipliers.emplace(catalogue.types[t].name, multiplier);
  }
  result.latency_multiplier = limits.latency_multiplier;
  const auto is_charged = [](const Rational& multiplier) { return multiplier.sign() != 0; };
  if (std::ranges::any_of(limits.quota_multipliers, is_charged)) result.quota_multipliers = limits.quota_multipliers;
  const std::size_t stages = catalogue.stages.size();
  for (std::size_t k = types * types; k < potentials.values.size(); ++k) {
    if (!potentials.values[k]) continue;
    const std::size_t b = k / (types * types);
    PlanPotential& made = result.potentials.emplace_back();
    made.stage = b;
    made.type = catalogue.types[k / types % types].name;
    if (b < stages) made.next = catalogue.types[k % types].name;
    made.value = Rational(*potentials.values[k]) * potentials.unit;
  }
  return result;
}

}  // namespace

PlanCertificate certify_plan(const Catalogue& catalogue, const Query& query, const PlanLimits& limits) {
  const ProgramAnswer answer = solve(catalogue, weighted(catalogue, query, limits, true), true);
  if (!answer.plan) return *certify_impossible(catalogue, query, PlanLimits{limits.counts, limits.latency});
  PlanCertificate result = certificate_of(catalogue, query, limits, *answer.potentials);
  result.bound = std::max(Rational(0), rounded_up(answer.cost - paid_for(catalogue, limits), price_step(catalogue)));
  return result;
}

std::optional<PlanCertificate> certify_impossible(const Catalogue& catalogue, const Query& query,
                                                  const PlanLimits& limits) {
  const ProgramAnswer answer = solve(catalogue, weighted(catalogue, query, limits, false), true);
  if (answer.cut_short) return std::nullopt;
  if (answer.plan && answer.cost - paid_for(catalogue, limits) <= Rational(0)) return std::nullopt;
  return certificate_of(catalogue, query, limits, *answer.potentials);
}

std::optional<PlanCertificate> certify_answer(const Catalogue& catalogue, const CountedQuery& asked,
                                              const CountedAnswer& answer) {
  PlanLimits limits;
  limits.latency = asked.latency;
  // Without prices all potentials are 0: shorter than those of the answer.
  if (answer.proof == PlanProof::no_path) return certify_impossible(catalogue, asked.query, limits);
  if (!answer.potentials) return std::nullopt;
  limits.multipliers = answer.multipliers;
  limits.latency_multiplier = answer.latency_multiplier;
  limits.quota_multipliers = answer.quota_multipliers;
  PlanCertificate result = certificate_of(catalogue, asked.query, limits, *answer.potentials);
  if (answer.proof != PlanProof::excess) result.bound = std::max(Rational(0), answer.potentials_bound);
  return result;
}

}  // namespace takt::plan
