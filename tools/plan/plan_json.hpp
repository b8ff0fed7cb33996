// A plan as JSON, for programs: every number exactly, as text, and about how much it is beside it.
#pragma once

#include <string>
#include <string_view>

#include "plan/claims.hpp"
#include "tools/plan/plan_output.hpp"
#include "tools/plan/planning.hpp"
#include "tpn/json_writer.hpp"

namespace takt::tools {

struct LatencyPlan;

/// One object; docs/formats.md has its members. `latency`: null if no percentile is asked for.
void write_plan(tpn::JsonWriter& json, const PlanFindings& findings, const PlanWords& words, const std::string& file,
                const LatencyPlan* latency = nullptr);

/// A plan beside the one asked for, as an object.
void write_point(tpn::JsonWriter& json, const FoundPlan& point, const PlanWish& wish, const PlanWords& words);

/// What `loads` prove of the "cost", or "period", of all mappings: "any_mapping_cost_lower_bound", or
/// "varied_cost_lower_bound" where not every freedom of the problem was varied.
void write_loads_bound(tpn::JsonWriter& json, std::string_view of, const maxplus::Rational& bound,
                       const plan::Freedoms& usable);

/// What is wished for, as member "target".
void write_target(tpn::JsonWriter& json, const PlanWish& wish);

/// The machines there are, of types with counts, as member "counts".
void write_counts(tpn::JsonWriter& json, const plan::Catalogue& catalogue);
/// What changes, as members.
void write_changes(tpn::JsonWriter& json, const ChangeOver& changes, const PlanWords& words);
/// Of findings without a plan, as members: a reason that holds for every mapping, and what to add; whether there is
/// such a reason.
bool write_no(tpn::JsonWriter& json, const PlanFindings& findings, const PlanWords& words);

}  // namespace takt::tools
