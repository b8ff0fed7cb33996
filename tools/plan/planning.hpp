// What a plan is asked for, and all that was found: the plan, its bounds, its neighbors, the judge's word.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "evaluators/evaluation.hpp"
#include "plan/catalogue.hpp"
#include "plan/counted/counted.hpp"
#include "plan/counted/price_ranges.hpp"
#include "plan/plan.hpp"
#include "plan/typed/frontier.hpp"
#include "plan/typed/program.hpp"
#include "tpn/document.hpp"

namespace takt::tools {

/// What is given; the rest is then to be as little as can be. With `none` no plan is chosen: there is the frontier.
enum class PlanAim { period, budget, machines, none };

/// What runs already, and what a machine costs that is set up for another part.
struct RunningPlan {
  plan::TypedPlan parts;                // each type of a part with several is one
  std::vector<std::uint64_t> machines;  // by type, those without a part included
  /// In the prices' unit; nothing: as few as can be are set up, whatever the machines cost.
  std::optional<maxplus::Rational> setup;
};

/// What is asked of a plan, within the counts of the catalogue that it is asked of.
struct PlanWish {
  tpn::Model model = tpn::Model::kOverlap;
  PlanAim aim = PlanAim::period;
  maxplus::Rational period;    // of aim `period`: what the plan keeps, headroom not yet taken off
  maxplus::Rational budget;    // of aim `budget`
  maxplus::Rational headroom;  // a share of the period, at least 0, below 1
  std::uint64_t survive = 0;
  std::optional<maxplus::Rational> latency;
  bool all_apart = false;
  bool is_class_named = false;  // what is proved of a class of plans is told where one is asked for by its name
  /// By type, the machines that are there; empty: none are asked about. Of aim `period`: then the plan costs as little
  /// as can be beyond these.
  std::vector<std::uint64_t> have{};
  /// Of aim `period`, without `have`: then machines that serve other stages than now are to be set up.
  std::optional<RunningPlan> from{};
  /// Of aim `period`, of a catalogue at spot prices: the rate that machines on demand keep alone, 0: none.
  std::optional<maxplus::Rational> on_demand{};

  /// The period to plan for.
  maxplus::Rational planned_period() const { return period * (maxplus::Rational(1) - headroom); }
  /// The period at which a plan's machines are said to be busy: the one asked for, where one was.
  maxplus::Rational busy_period(const plan::PlanFacts& facts) const {
    return aim == PlanAim::period ? period : facts.period();
  }
  plan::Query query(const maxplus::Rational& at_most) const;
};

/// What to look for beside the plan.
struct PlanQuestions {
  bool frontier = false;
  std::optional<maxplus::Rational> until;  // how far the frontier goes: to this period
  bool losses = false;                     // what is left, all placed anew, of one machine less of each type
  bool prices = false;                     // between which prices of each type the plan stays a cheapest one
  bool upgrade = false;                    // one machine more of each type; the next plans that are cheaper, and faster
  evaluators::Deadline deadline;
};

/// A plan with its closed forms.
struct FoundPlan {
  plan::TypedPlan parts;
  plan::PlanFacts facts;
  maxplus::Rational kept;  // the period after the failures that the plan survives
};

/// The fastest plan with one machine more of a type.
struct FoundUpgrade {
  std::size_t type = 0;
  std::optional<FoundPlan> faster;  // nothing: it does not help
};

/// The fastest plan with one machine less of a type, whatever has to move.
struct FoundReplan {
  std::size_t type = 0;
  std::optional<FoundPlan> left;  // nothing: no plan is possible
};

/// A plan of a wider class on the machines that there are.
struct WiderAnswer {
  std::string among;  // "mixed", "weighted"
  maxplus::Rational period;
  maxplus::Rational cost;
  std::vector<std::uint64_t> machines;  // by type
};

/// If there is no plan: how far it goes, and what would have to change.
struct PlanReach {
  std::optional<FoundPlan> fastest;  // within counts and latency, whatever it costs
  bool is_fastest = false;           // proved: nothing of the kind is faster
  /// Without counts and latency; nothing if these do not matter, or that has no fastest.
  std::optional<FoundPlan> unlimited;
  bool is_unlimited_fastest = false;
  std::optional<WiderAnswer> wider;
  /// Where machines are short: the least to add, by type, and the plan then.
  std::optional<FoundPlan> with_more;
  std::vector<std::uint64_t> added;
  maxplus::Rational added_cost;
  bool is_least_added = false;  // proved
};

/// What changes from the machines that run to a plan.
struct ChangeOver {
  std::vector<std::uint64_t> staying;   // by part of the plan: machines that do what they do now
  std::vector<std::uint64_t> moved;     // by type: that leave another part
  std::vector<std::uint64_t> rented;    // by type: that are new
  std::vector<std::uint64_t> returned;  // by type: that are left over
  std::uint64_t all_staying = 0;
  std::uint64_t set_up = 0;  // moved and rented ones

  ChangeOver(const plan::TypedPlan& parts, const RunningPlan& from);
};

/// What was found.
struct PlanFindings {
  PlanWish wish;
  std::optional<FoundPlan> found;
  bool is_cut_short = false;   // by the deadline, or a limit of memory
  bool is_undecided = false;   // without a plan: there may be one
  bool is_price_open = false;  // of aim `period`: whether something as cheap is faster was not found out in time
  /// The plan's proof; if there is no plan that of its absence.
  plan::PlanProof proof = plan::PlanProof::none;
  bool is_optimal = false;                         // nothing of the class is cheaper; or faster, where that is wanted
  std::optional<maxplus::Rational> lower_bound;    // of the cost within the class; of aim `period`
  std::optional<maxplus::Rational> any_bound;      // of the cost, or the period, of any mapping
  std::optional<maxplus::Rational> cost_together;  // where keeping stages apart costs something: what it would be
  std::optional<plan::Frontier> frontier;
  std::optional<FoundPlan> cheaper;  // the fastest of those
  std::optional<FoundPlan> faster;   // the cheapest of those
  std::vector<FoundUpgrade> upgrades;
  std::vector<plan::PriceRange> price_ranges;
  std::vector<FoundReplan> replans;           // after a failure; the next one may stop it
  std::optional<PlanReach> reach;             // if there is no plan
  std::optional<FoundPlan> unlimited;         // if there is none within counts and latency: the one without these
  std::optional<plan::CountedAnswer> answer;  // of aim `period`: what a certificate is made of
  std::vector<std::uint64_t> added;           // by type, to the machines that are there, where the wish has some
  maxplus::Rational added_cost;               // then the bounds are of this
  /// Where something runs: what changes; and the cheapest plan without regard to it, where that is proved.
  std::optional<ChangeOver> changes;
  std::optional<FoundPlan> cheapest;
  /// Whether takt chose these limits of the wish, for a percentile of the latency; what is proved holds within them.
  bool has_chosen_latency = false;
  bool has_chosen_headroom = false;
};

/// Rows of a frontier of which no end is asked for.
inline constexpr std::size_t kMostRows = 60;

/// Looks for all of it, but for plans of wider classes.
PlanFindings find_plan(const plan::Catalogue& catalogue, const PlanWish& wish, const PlanQuestions& questions);

/// A plan with its closed forms.
FoundPlan found_plan(const plan::Catalogue& catalogue, const PlanWish& wish, plan::TypedPlan parts);

/// Machines beyond which no document is made of a plan, nor is it evaluated.
inline constexpr std::uint64_t kMostMachinesMade = 100'000;

/// Why no mapped document is made of a plan, where it is too large for that.
std::optional<std::string> too_large_to_map(const tpn::Document& problem, const FoundPlan& found);

/// The mapped document of a plan that is not, with the record of what was asked for.
tpn::Document planned_document(const tpn::Document& problem, const plan::Catalogue& catalogue, const PlanWish& wish,
                               const FoundPlan& found);

/// The period of a mapped document; nothing if a limit was met.
std::optional<maxplus::Rational> exact_period(const tpn::Document& mapped, const evaluators::Deadline& deadline);

/// Evaluates a plan's mapped document; why it was not, where a limit was met. Throws std::logic_error if the exact
/// period is another one than the plan's.
std::optional<std::string> judge(const tpn::Document& mapped, const evaluators::Deadline& deadline);

}  // namespace takt::tools
