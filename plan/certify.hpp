// From the planner's answers to their certificates.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "plan/catalogue.hpp"
#include "plan/counted/counted.hpp"
#include "plan/proof/plan_certificate.hpp"
#include "plan/typed/program.hpp"

namespace takt::plan {

/// What plans must keep beyond a query, and the multipliers that pay for it.
struct PlanLimits {
  std::vector<std::optional<std::uint64_t>> counts{};  // by type; those of the catalogue where empty
  std::optional<Rational> latency{};
  std::vector<Rational> multipliers{};        // by type, >= 0, 0 if there is no count; all 0 if empty
  Rational latency_multiplier{};              // >= 0; 0 if there is no limit
  std::vector<Rational> quota_multipliers{};  // >= 0, of the catalogue's quotas; all 0 if empty
};

/// The certificate of the best bound that these multipliers prove: of a cost, or that there is no plan where none leads
/// to the end. The query's weights do not count.
PlanCertificate certify_plan(const Catalogue& catalogue, const Query& query, const PlanLimits& limits = {});

/// The certificate that the limits allow no plan, machines having no other price than their multipliers; nothing if
/// these multipliers do not prove it.
std::optional<PlanCertificate> certify_impossible(const Catalogue& catalogue, const Query& query,
                                                  const PlanLimits& limits);

/// The certificate of an answer to that question within the counts of the catalogue: of its bound, which is less than
/// its cost where a search had to find it, or that there is no plan. Nothing if it was cut short without potentials.
std::optional<PlanCertificate> certify_answer(const Catalogue& catalogue, const CountedQuery& asked,
                                              const CountedAnswer& answer);

}  // namespace takt::plan
