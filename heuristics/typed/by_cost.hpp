// The cheapest mapping of plain round robin that keeps a period, by trying sets of processors in order of their prices.
//
// Problem. On an unequal platform no closed form says how many machines a rate needs, nor which.
//
// Method. Sets of processors, cheapest first, of equally cheap ones the smallest: the first on which some mapping keeps
// the period is the answer, and sets behind it are never looked at. A set is passed over where its speeds cannot do the
// work. Its mappings are built from the first stage on, every processor in one part with one turn, and left as soon as
// the cycle times of the parts whose neighbors are known are beyond the period; whole ones are evaluated up to the
// period. Twins (heuristics/typed/machine_classes.hpp) enter in one order only, and of the rotations of a sequence that
// renumber data sets one is tried, as in heuristics/search/exhaustive.cpp. Both at once are safe where the foremost
// entry is the first of the lowest class: twins renamed in the order in which they come leave it there.
//
// Invariant. Every set before the present one has no mapping that keeps the period, but for those too large to
// evaluate: so its cost bounds the class from below, whenever the search ends.
//
// Cost. Exponential in the processors, of which there are at most kMostSetProcessors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "heuristics/heuristic.hpp"
#include "heuristics/typed/machine_classes.hpp"
#include "tpn/problem_view.hpp"

namespace takt::heuristics {

/// Processors of which all sets are listed.
inline constexpr std::size_t kMostSetProcessors = 16;

struct CostQuery {
  tpn::Model model = tpn::Model::kOverlap;
  Rational period;                       // at most this
  std::optional<Rational> below;         // sets that cost as much are not tried
  std::uint64_t most_steps = 5'000'000;  // parts begun and entries tried
  evaluators::Deadline deadline{};
};

struct CheapestMapping {
  tpn::Mapping mapping;
  Rational cost;
  Rational period;  // exact
};

struct CostAnswer {
  std::optional<CheapestMapping> best;
  /// No mapping of the class that keeps the period costs less; nothing: none keeps it at any cost, or at any below
  /// CostQuery::below.
  std::optional<Rational> lower_bound;
  bool cut_short = false;  // by the deadline or the steps
  std::uint64_t evaluated = 0;
};

/// For at most kMostSetProcessors processors; works, times and sizes must be there (require_amounts).
CostAnswer cheapest_by_cost(const tpn::ProblemView& problem, const CostQuery& query);

}  // namespace takt::heuristics
