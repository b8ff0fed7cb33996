// Why there is no plan, in words.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tools/plan/plan_output.hpp"
#include "tools/plan/planning.hpp"

namespace takt::tools {

/// One reason, enough by itself.
struct PlanReason {
  std::string kind;                           // for programs: docs/formats.md lists them
  std::string text;                           // sentences, the first of which ends "No: "
  std::optional<maxplus::Rational> period{};  // that no mapping goes below, where that is the reason
};

/// Of findings without a plan that are not cut short: the first one that decides.
PlanReason reason_of(const PlanFindings& findings, const PlanWords& words);

/// "26 small, 1 small, 2 large": the machines of a plan's parts.
std::string part_machines_words(const plan::TypedPlan& parts, const PlanWords& words);

}  // namespace takt::tools
