// A plan that keeps a percentile of the latency as well, if times vary.
//
// Method. From the cheapest plan of the rate machines are added, each where it shortens the percentile most for its
// price, until the whole interval of the percentile is within the limit; then those are taken away that are not needed.
// Where even a lone data set is slower, the cheapest plan of a shorter latency takes its place; where more machines do
// not help, as before a stage that is not replicable, the cheapest plan with more headroom. Of two that keep the limit
// the cheaper one is taken.
//
// What is proved and what is not. Any plan with more machines keeps the rate. The percentile is an estimate with its
// interval; it counts as kept where the whole interval is within the limit. That nothing cheaper keeps it is not known.
#pragma once

#include <optional>
#include <string>

#include "tools/plan/plan_output.hpp"
#include "tools/plan/planning.hpp"
#include "tools/vary/kept_rates.hpp"
#include "tpn/json_writer.hpp"

namespace takt::tools {

struct LatencyPlan {
  KeptRateQuestion question;
  std::string reason;                  // why nothing of this is known; then nothing else counts
  vary::Figure alone;                  // the percentile of a data set that meets no other, on the plan's machines
  std::optional<vary::Figure> before;  // at the rate; nothing if it was not looked for
  std::optional<FoundPlan> plan;       // with machines added: what keeps the limit, or the best that was found
  std::optional<vary::Figure> after;   // of that plan
  bool is_kept = false;
  bool is_cut_short = false;                     // by the deadline
  std::optional<maxplus::Rational> tightened{};  // the latency that faster machines were looked for with

  /// Even a lone data set is slower, whatever the number of machines.
  bool is_alone_slower() const { return alone.low() > question.limit.limit.latency; }
};

/// For findings with a plan for a wanted period. Where its machines are too slow for a lone data set, or more of them
/// do not help, plans of shorter latency or with headroom take its place, each the cheapest of its kind.
LatencyPlan plan_for_latency(const tpn::Document& document, const plan::Catalogue& catalogue, PlanFindings& findings,
                             const KeptRateQuestion& question, const PlanQuestions& questions);

/// What was found, as sentences.
std::string latency_sentences(const LatencyPlan& latency, const PlanWish& wish, const FoundPlan& found,
                              const PlanWords& words);

/// The member "latency_plan".
void write_latency_plan(tpn::JsonWriter& json, const LatencyPlan& latency, const PlanWish& wish,
                        const PlanWords& words);

}  // namespace takt::tools
