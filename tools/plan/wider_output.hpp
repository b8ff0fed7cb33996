// Plans of wider classes as text and as JSON.
#pragma once

#include <iosfwd>
#include <string>

#include "tools/plan/plan_output.hpp"
#include "tools/plan/plan_words.hpp"
#include "tools/plan/wider_plans.hpp"
#include "tools/words/time_words.hpp"
#include "tpn/json_writer.hpp"

namespace takt::tools {

/// How the answers for one document are told.
struct WiderWords {
  TimeWords times;
  MoneyWords money;
  RateWords rates;
};

/// What the planner of one type per part says of the same wish, where no wider plan is possible either.
struct TypedNo {
  const PlanFindings& findings;
  const PlanWords& words;
};

/// The plan that was found, or why there is none; `typed` may be null. What other rates cost, if `with_rows`.
void write_plan(std::ostream& out, const WiderFindings& findings, const WiderWords& words, const std::string& file,
                const std::string& remark, const TypedNo* typed, bool with_rows);
void write_plan(tpn::JsonWriter& json, const WiderFindings& findings, const WiderWords& words, const std::string& file,
                const TypedNo* typed);

}  // namespace takt::tools
