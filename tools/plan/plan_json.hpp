// A plan as JSON, for programs: every number exactly, as text, and about how much it is beside it.
#pragma once

#include <string>

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

/// What is wished for, as member "target".
void write_target(tpn::JsonWriter& json, const PlanWish& wish);

/// The machines there are, of types with counts, as member "counts".
void write_counts(tpn::JsonWriter& json, const plan::Catalogue& catalogue);
/// What changes, as members.
void write_changes(tpn::JsonWriter& json, const ChangeOver& changes, const PlanWords& words);
/// Of findings without a plan, as members: a reason that holds for every mapping, and what to add.
void write_no(tpn::JsonWriter& json, const PlanFindings& findings, const PlanWords& words);

}  // namespace takt::tools
