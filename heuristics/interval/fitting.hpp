// bsl and bsc: intervals from the first stage on, each on the free processor that fits a period best.
//
// Method. For a period P, from the first stage s not yet mapped: of all intervals [s, e] on all free processors whose
// cycle time is at most P, take
// - longest: the longest interval, among these the largest cycle time (the closest to P), then the first processor;
// - closest: the largest cycle time, among these the longest interval, then the first processor.
// There is no mapping for P if none fits. P comes from a bisection over the cycle times of all intervals on all
// processors, between the least and that of the whole chain on the one processor where it takes least: this mapping is
// at hand from the start.
// Where we depart: the paper asks for cycle times smaller than P; as P is a cycle time here, ours may be equal. It
// does not say where its bisection starts and ends. Unequal links count with their mean; a processor without a link
// from the part before does not fit.
//
// Invariant. In the mean view (with equal links: in truth) never worse than the whole chain on any one processor.
// Passing is not monotone in P: see heuristics/interval/search.hpp for what the bisection finds then.
//
// Cost. With processors of c kinds O(n^2 c log(n c)) to sort the cycle times, O(n^2 p) for each of the O(log(n c))
// tests.
//
// References. [benoit2007mapping], section 4.
#pragma once

#include "heuristics/heuristic.hpp"

namespace takt::heuristics {

enum class Fit { longest, closest };

/// The mapping, as Heuristic::map.
Result fit_intervals(const tpn::ProblemView& problem, const Settings& settings, Log& log, Fit fit);

/// What users are told of bsl or bsc.
Heuristic fitting_heuristic(std::string_view name, std::string_view summary, MapFunction* map);

}  // namespace takt::heuristics
