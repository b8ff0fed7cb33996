// A plan in sentences and tables.
#pragma once

#include <iosfwd>
#include <string>

#include "plan/catalogue.hpp"
#include "tools/plan/plan_words.hpp"
#include "tools/plan/planning.hpp"
#include "tools/time_words.hpp"

namespace takt::tools {

/// How the answers for one catalogue are told.
struct PlanWords {
  const plan::Catalogue& catalogue;
  TimeWords times;
  MoneyWords money;
  RateWords rates;
};

/// What the text shows beyond the plan.
struct PlanShown {
  std::string file;  // for people
  bool losses = false;
  bool frontier = false;
};

/// The plan that was found, or why there is none.
void write_plan(std::ostream& out, const PlanFindings& findings, const PlanWords& words, const PlanShown& shown);

}  // namespace takt::tools
