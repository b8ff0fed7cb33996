// A plan in sentences and tables.
#pragma once

#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "plan/catalogue.hpp"
#include "plan/claims.hpp"
#include "tools/plan/plan_words.hpp"
#include "tools/plan/planning.hpp"
#include "tools/words/table.hpp"
#include "tools/words/time_words.hpp"

namespace takt::tools {

/// How the answers for one catalogue are told.
struct PlanWords {
  const plan::Catalogue& catalogue;
  TimeWords times;
  MoneyWords money;
  RateWords rates;
  plan::Freedoms usable;  // of the problem
  /// By boundary between stages, from the input to the output: the size of the file of a data set; empty if a stage
  /// takes or makes several at a time.
  std::vector<std::optional<maxplus::Rational>> files{};
};

/// Such sizes.
std::vector<std::optional<maxplus::Rational>> file_sizes(const tpn::Document& document);

/// What the text shows beyond the plan.
struct PlanShown {
  std::string file;    // for people
  std::string remark;  // behind the model: that it is the default, and the other's option
  bool losses = false;
  bool frontier = false;
  bool is_no_answer = true;  // if there is no plan for the period that was asked for
};

// Of findings with a plan.

/// "200/s for 1.57, with 29 machines." and, where the plan does more, what was asked for.
std::string plan_headline(const PlanFindings& findings, const PlanWords& words);
/// What is proved of it.
std::string plan_claims(const PlanFindings& findings, const PlanWords& words);
Table part_table(const PlanFindings& findings, const PlanWords& words, bool losses);
/// How long a data set stays, and how many are under way.
std::string stay_sentence(const PlanFindings& findings, const PlanWords& words);
/// What machines at spot prices save, and what is left without them; empty if none are asked for.
std::string spot_sentence(const PlanFindings& findings, const PlanWords& words);
/// "Quotas: 60 of 64 cores in all; 2.1 of 5 EUR/h of small."; empty without quotas.
std::string quota_sentence(const PlanFindings& findings, const PlanWords& words);
/// The gain of one more machine of each type.
Table upgrade_table(const PlanFindings& findings, const PlanWords& words);
/// Between which prices of each type the plan stays a cheapest one.
Table price_table(const PlanFindings& findings, const PlanWords& words);
/// The next plans that are cheaper and faster; empty if there are none.
std::string neighbor_sentences(const PlanFindings& findings, const PlanWords& words);

/// The plan that was found, or why there is none.
void write_plan(std::ostream& out, const PlanFindings& findings, const PlanWords& words, const PlanShown& shown);

}  // namespace takt::tools
