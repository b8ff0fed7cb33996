// Plans for rates that change by a schedule, from phase to phase and over again.
//
// Problem. Phase k lasts d_k and needs rate r_k. Which plan in which phase, so that sum d_k price_k, and what setting
// up machines between phases costs, is least?
//
// Method. The cheapest plan of each phase, and those that are nearest to the plans of the phases beside it
// (plan/typed/program.hpp, `running`), are candidates; a plan for one phase is one for all that need no more. A
// shortest circuit chooses among them, and what it chooses gives new candidates.
//
// Invariant. No plans of the kind, one for each phase, cost less than sum d_k times the least price of phase k: where
// setting up costs nothing this is reached.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "evaluators/evaluation.hpp"
#include "plan/catalogue.hpp"
#include "tools/plan/planning.hpp"
#include "tpn/document.hpp"

namespace takt::tools {

/// For how long which rate is needed.
struct SchedulePhase {
  std::string written;         // the duration, as it was written
  maxplus::Rational duration;  // in the prices' time: hours where the document has units, else its time unit
  maxplus::Rational period;
};

inline constexpr const char* kScheduleForm = "phases of a duration and a rate, as in \"8h 120/s, 16h 40/s\"";
/// Reads "8h 120/s, 16h 40/s". Throws UsageError.
std::vector<SchedulePhase> read_schedule(const std::string& text, const tpn::Document& document);
/// The most phases of a schedule.
inline constexpr std::size_t kMostPhases = 100;

struct ScheduledPlan {
  FoundPlan plan;
  ChangeOver changes;  // from the phase before, which of the first is the last
};

struct ScheduleFindings {
  PlanWish wish;  // without a period
  std::vector<SchedulePhase> phases;
  std::optional<maxplus::Rational> setup;  // the price of setting up a machine
  std::vector<ScheduledPlan> plans;        // by phase; none if some phase has no plan
  std::optional<std::size_t> impossible;   // the phase that no plan of the kind serves
  maxplus::Rational duration;              // of all phases
  maxplus::Rational cost;                  // in all, set-ups included
  maxplus::Rational lower_bound;           // of every choice of plans of the kind
  maxplus::Rational any_bound;             // of mappings of any kind, one for each phase
  maxplus::Rational one_plan;              // what the cheapest plan for the greatest rate costs all the time
  bool is_cut_short = false;
};

/// The wish has no period of its own.
ScheduleFindings find_schedule(const plan::Catalogue& catalogue, const PlanWish& wish,
                               std::vector<SchedulePhase> phases, const std::optional<maxplus::Rational>& setup,
                               const evaluators::Deadline& deadline);

}  // namespace takt::tools
