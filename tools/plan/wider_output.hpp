// Plans of wider classes as text and as JSON.
#pragma once

#include <cstddef>
#include <iosfwd>
#include <string>

#include "tools/plan/plan_output.hpp"
#include "tools/plan/plan_words.hpp"
#include "tools/plan/wider_plans.hpp"
#include "tools/words/table.hpp"
#include "tools/words/time_words.hpp"
#include "tpn/json_writer.hpp"

namespace takt::tools {

/// How the answers for one document are told.
struct WiderWords {
  TimeWords times;
  MoneyWords money;
  RateWords rates;
  plan::Freedoms usable;  // of the problem
};

/// What the planner of one type per part says of the same wish, where no wider plan is possible either.
struct TypedNo {
  const PlanFindings& findings;
  const PlanWords& words;
};

// Of findings with a plan.

/// "250/s for 2.009 EUR/h, with 14 machines." and, where the plan does more, what was asked for.
std::string plan_headline(const WiderFindings& findings, const WiderWords& words);
/// What is proved of it.
std::string plan_claims(const WiderFindings& findings, const WiderWords& words);
Table part_table(const WiderFindings& findings);
/// What is left once a machine fails, the worst first; no more than `most` rows.
Table loss_table(const WiderFindings& findings, const WiderWords& words, std::size_t most);

/// The plan that was found, or why there is none; `typed` may be null. What other rates cost, if `with_rows`.
void write_plan(std::ostream& out, const WiderFindings& findings, const WiderWords& words, const std::string& file,
                const std::string& remark, const TypedNo* typed, bool with_rows);
void write_plan(tpn::JsonWriter& json, const WiderFindings& findings, const WiderWords& words, const std::string& file,
                const TypedNo* typed);

}  // namespace takt::tools
