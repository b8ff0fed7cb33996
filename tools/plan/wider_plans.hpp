// Plans beyond those of one type per part: of several types in a part, of unequal turns, of machines with names.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "evaluators/evaluation.hpp"
#include "plan/catalogue.hpp"
#include "plan/claims.hpp"
#include "tools/plan/planning.hpp"
#include "tpn/document.hpp"

namespace takt::tools {

/// Kinds of mappings, from narrow to wide: of the same parts with one type each; of one type per part; and wider ones.
enum class PlanClass { parts, typed, mixed, weighted, any };

std::string name_of(PlanClass kind);
/// Of that name; nothing for another text.
std::optional<PlanClass> plan_class_named(std::string_view name);
/// What is proved of a class, of a problem of machines with names or of types.
plan::MappingClaim claim_of(PlanClass kind, bool is_named, const plan::Freedoms& usable);

/// What is proved of a class: no mapping of it costs less; or, without a cost, that none keeps the period.
struct ClassBound {
  PlanClass of = PlanClass::any;
  std::optional<maxplus::Rational> cost;
};

/// How far mappings of a class go where none does what is wanted.
struct WiderReach {
  maxplus::Rational period;       // of the fastest that was found: exact, or, after failures, kept
  std::size_t machines = 0;       // of that one, stand-bys included
  maxplus::Rational lower_bound;  // none of the class has a shorter period: proved
};

/// What a rate costs.
struct WiderRow {
  maxplus::Rational period;  // of the plan
  maxplus::Rational cost;
  std::size_t machines = 0;
  std::optional<maxplus::Rational> bound;  // no mapping of any kind that keeps the period costs less: proved
};

/// What is left once a machine has failed, the others going on with their turns.
struct MachineLoss {
  std::string name;                         // the machine's, or its type's
  std::vector<std::size_t> parts;           // that it serves
  std::optional<maxplus::Rational> period;  // nothing: a part stops
};

/// What the order in which parts of a workflow take files costs a plan, and what was done about it.
struct OrderCost {
  struct More {
    std::size_t part = 0;
    std::size_t type = 0;
    std::uint64_t machines = 0;
  };
  /// The same parts with as few machines as cycle times ask for.
  struct Fewer {
    maxplus::Rational cost;
    maxplus::Rational period;
    bool is_busy = false;     // whether a resource of theirs is busy all the time
    std::vector<More> added;  // to these
  };
  std::optional<maxplus::Rational> without_ahead;  // the period, where the plan has transfers that are ahead
  std::optional<Fewer> without_more;
};

/// What was found.
struct WiderFindings {
  PlanWish wish;
  PlanClass among = PlanClass::mixed;   // that was searched
  std::optional<tpn::Document> mapped;  // with the plan's period, but for the record of who made it
  maxplus::Rational cost;
  std::vector<ClassBound> bounds;  // from narrow to wide
  bool is_cut_short = false;
  std::optional<WiderReach> reach;                // if there is no plan
  OrderCost order;                                // of a workflow
  std::optional<maxplus::Rational> period_bound;  // of every mapping for the budget, where the wish has one
  std::vector<WiderRow> rows;
  /// The period of the row behind the last, where no plan for it was found, and whether it is proved that there is
  /// none.
  std::optional<maxplus::Rational> end_of_rows;
  bool is_end_proved = false;
  std::vector<MachineLoss> losses;
  bool is_named = false;  // of machines with names, not of types
  /// Where the wish asks for them: how long a data set may stay in some schedule of the period asked for; the period
  /// after the failures; by part, the machines that stand by.
  std::optional<maxplus::Rational> latency;
  std::optional<maxplus::Rational> kept_period;
  std::vector<std::vector<std::string>> standing_by;
  /// Why nothing keeps these, if nothing does: a data set stays at least so long; all machines may fail.
  std::optional<maxplus::Rational> least_stay;
  bool all_may_fail = false;
  bool are_limits_missed = false;  // there are plans for the period, of which none that was found keeps these

  /// Of the plan, stand-bys included.
  std::size_t machines() const;
  /// The widest class of which the plan is proved to be a cheapest.
  std::optional<PlanClass> optimal_in() const;
  /// The widest class of which it is proved that there is none.
  std::optional<PlanClass> impossible_in() const;
  /// Nothing in the class is cheaper, or there is nothing in it.
  bool is_settled() const;
};

/// Why there are no mixed or weighted plans of a catalogue, if there are none.
std::optional<std::string> why_not_wider(const plan::Catalogue& catalogue);

/// The cheapest plan of that class, mixed or weighted, for a catalogue that has such plans. The wish has a period and
/// no latency; of `weighted`, no failures to survive either.
WiderFindings find_wider_plan(const tpn::Document& problem, const plan::Catalogue& catalogue, const PlanWish& wish,
                              PlanClass among, const evaluators::Deadline& deadline);

/// Of findings without a plan whose class is proved to have none: the fastest of the class, searched by halves until
/// nothing is faster by more than 0.1 %, or time is up, from the fastest of the typed findings on, which are of the
/// same wish. Adds nothing if nothing was found.
void add_reach(WiderFindings& findings, const PlanFindings& typed, const tpn::Document& problem,
               const plan::Catalogue& catalogue, const evaluators::Deadline& deadline);

/// For a wish that no typed plan meets on the machines there are: a plan of the narrowest wider class that does, where
/// the catalogue and the wish have such plans and one is found.
std::optional<WiderAnswer> wider_answer(const tpn::Document& problem, const plan::Catalogue& catalogue,
                                        const PlanWish& wish, const evaluators::Deadline& deadline);

/// The cheapest mapping of a class on a platform of processors with names. The wish's period counts alone. Where none
/// is found, how fast mappings are, if `with_reach`.
WiderFindings find_named_plan(const tpn::Document& problem, const PlanWish& wish, PlanClass among,
                              const evaluators::Deadline& deadline, bool with_reach = true);
/// The period of the fastest mapping there that local search finds; nothing if it finds none.
std::optional<maxplus::Rational> fastest_named_period(const tpn::Document& problem, const PlanWish& wish,
                                                      const evaluators::Deadline& deadline);

}  // namespace takt::tools
