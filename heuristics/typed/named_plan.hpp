// Which machines of a platform keep a period at least cost, and how the stages sit on them.
//
// Problem. The planner's closed forms need machines of few types; a platform has machines with names, speeds and links
// of their own. Which of them, for a period of at most P, if each costs its price?
//
// Method. From sure to unsure:
// 1. Bounds of all mappings: of the period (heuristics/search/period_lower_bound.hpp), of the cost (plan/bounds.hpp).
// 2. Types (heuristics/typed/machine_classes.hpp): processors that compute alike and cost the same. With the least
//    transfers between two types the planner bounds the cost of every mapping whose parts are of one type each; with
//    the largest it finds a plan that keeps P, for longer durations never make a period shorter. Where both cost the
//    same, that is the best of these mappings. Twins are types too, whose links need no bounds. If there are too
//    many types, classes of similar machines, each as its worst, still give a plan.
// 3. Repair: the plan of the least transfers, where its exact period is above P, gets one more machine in a part on its
//    critical circuit, whichever shortens the period most, and so on.
// 4. Covers (heuristics/typed/cover_plans.hpp): machines whose shares of the data sets are enough for each part, in as
//    many turns each as its share says; with prices on scarce machines they bound the cost of all plans in which each
//    machine serves one part. Skipped if reading the transfers between types would take too long.
// 5. On small platforms, all sets of processors in order of cost (heuristics/typed/by_cost.hpp); not where processors
//    share a machine, transfers a segment, or where ports are several.
// 6. Local search from what was found, with the price as its aim (heuristics/search/price_goal.hpp).
//
// Segments of the network are resources more: no mapping is faster for them. So bounds that do not know them hold, and
// what a plan takes with them is evaluated.
//
// Invariant. The plan's period is exact and at most P. A bound holds for the mappings that it names, and for those of
// narrower classes.
//
// Cost. Some solutions of the planner, the sets, the search; each in a share of the time until the deadline.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "heuristics/heuristic.hpp"
#include "heuristics/typed/by_cost.hpp"
#include "tpn/problem_view.hpp"

namespace takt::heuristics {

/// Mappings, from narrow to wide: parts of machines that compute alike, each machine in one part with one turn; the
/// same with any machines in a part; each machine in one part with any turns; all mappings.
enum class NamedClass { typed, mixed, weighted, any };

struct NamedQuery {
  tpn::Model model = tpn::Model::kOverlap;  // one that tpn::follows_cycle_times
  Rational period;                          // at most this
  NamedClass widest = NamedClass::any;      // of the mappings to choose from
  std::uint64_t seed = kDefaultSeed;
  std::uint64_t restarts = 100;     // of the local search, in vain
  std::uint64_t moves = 300'000;    // that it may try if there is no deadline; at most 30,000 of shared ports
  std::uint64_t steps = 2'000'000;  // in sets of processors, likewise
  evaluators::Deadline deadline{};
};

/// What is proved of a class.
struct NamedBound {
  NamedClass of = NamedClass::any;
  /// No mapping of the class that keeps the period costs less; nothing: none keeps it.
  std::optional<Rational> cost;
  std::string_view proof;  // "work", "types", "covers", "sets", or "period" where a bound of all periods is above it
};

struct NamedAnswer {
  std::optional<CheapestMapping> plan;
  std::string found_by;            // "types", "repair", "covers", "sets" or "search"
  std::vector<NamedBound> bounds;  // the best of each class of which something is proved, the widest last
  Rational least_period;           // no mapping has a shorter one, whatever it costs
  bool cut_short = false;          // by the deadline or a limit: more time might find more
  Log log;

  /// The widest class of which the plan is proved to be a cheapest; nothing if it is proved of none.
  std::optional<NamedClass> optimal_in() const;
  /// The widest class of which it is proved that no mapping keeps the period.
  std::optional<NamedClass> impossible_in() const;
};

std::string_view name_of(NamedClass named_class);

/// The cheapest mapping that is found, and what is proved. The problem is one that tpn::validate accepts, its own
/// mapping does not count. The cores of a machine have its price once. Throws tpn::InvalidInstance if a work, a time
/// or a size is absent.
NamedAnswer cheapest_on_platform(const tpn::ProblemView& problem, const NamedQuery& query);

}  // namespace takt::heuristics
