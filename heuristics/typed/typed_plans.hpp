// Plans of limited types, as named platforms have them.
#pragma once

#include <cstddef>
#include <optional>

#include "evaluators/evaluation.hpp"
#include "plan/catalogue.hpp"
#include "plan/program.hpp"

namespace takt::heuristics {

/// Types beyond which the planner's programs are not asked.
inline constexpr std::size_t kMostTypes = 8;

/// The cheapest plan that keeps to the counts, and a bound of all of them; `is_proved` where they meet or neither is.
struct LimitedPlan {
  std::optional<plan::TypedPlan> plan;
  std::optional<maxplus::Rational> lower_bound;  // nothing: no plan at any cost
};

LimitedPlan cheapest_limited(const plan::Catalogue& catalogue, const plan::Query& query,
                             const evaluators::Deadline& deadline);

}  // namespace takt::heuristics
