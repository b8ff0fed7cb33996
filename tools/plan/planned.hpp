// A mapped document that takt plan wrote, seen as a plan again.
#pragma once

#include <optional>

#include "evaluators/evaluation.hpp"
#include "plan/catalogue.hpp"
#include "tools/plan/planning.hpp"
#include "tools/plan/wider_plans.hpp"
#include "tpn/document.hpp"

namespace takt::tools {

/// What a document's plan is among all plans.
struct PlannedDocument {
  plan::Catalogue catalogue;
  PlanFindings findings;  // `found` is the document's own plan, with the frontier and the neighbors around it
};

/// Nothing if the document is no plan: its heuristic is not "plan", or its mapping not a typed one. Asks the planner
/// again what is cheaper, up to the deadline.
std::optional<PlannedDocument> planned(const tpn::Document& mapped, const evaluators::Deadline& deadline);

/// The same of plans without closed forms, on a chain: what they cost, what no mapping on a catalogue costs less than,
/// and what is left once a machine fails. Nothing if the document is no such plan.
std::optional<WiderFindings> planned_wider(const tpn::Document& mapped, const evaluators::Deadline& deadline);

}  // namespace takt::tools
