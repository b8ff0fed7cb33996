// bsc: bisection on the period; intervals from the first stage on, the one whose cycle time comes closest.
//
// Problem. An interval mapping, one processor per interval, the largest cycle time small.
//
// Method, Invariant, Cost, References. heuristics/interval/fitting.hpp: what bsl and bsc share is all but the choice.
#include "heuristics/heuristic.hpp"
#include "heuristics/interval/fitting.hpp"

namespace takt::heuristics {

namespace {

Result map_by_bsc(const tpn::ProblemView& problem, const Settings& settings, Log& log) {
  return fit_intervals(problem, settings, log, Fit::closest);
}

}  // namespace

Heuristic bsc() {
  return fitting_heuristic(
      "bsc", "intervals from the first stage on, those closest to the period, by bisection on the period", map_by_bsc);
}

}  // namespace takt::heuristics
