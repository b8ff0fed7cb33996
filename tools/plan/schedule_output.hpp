// Plans by a schedule, in sentences, as a table and as JSON.
#pragma once

#include <iosfwd>
#include <string>

#include "tools/plan/plan_output.hpp"
#include "tools/plan/schedule.hpp"
#include "tpn/json_writer.hpp"

namespace takt::tools {

void write_schedule(std::ostream& out, const ScheduleFindings& findings, const PlanWords& words,
                    const PlanShown& shown);
/// One object, whose member "plan_schedule" has the phases.
void write_schedule(tpn::JsonWriter& json, const ScheduleFindings& findings, const PlanWords& words,
                    const std::string& file);

}  // namespace takt::tools
