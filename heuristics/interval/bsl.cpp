// bsl: bisection on the period; intervals from the first stage on, the longest that fits.
//
// Problem. An interval mapping, one processor per interval, the largest cycle time small.
//
// Method, Invariant, Cost, References. heuristics/interval/fitting.hpp: what bsl and bsc share is all but the choice.
#include "heuristics/heuristic.hpp"
#include "heuristics/interval/fitting.hpp"

namespace takt::heuristics {

namespace {

Result map_by_bsl(const tpn::ProblemView& problem, const Settings& settings, Log& log) {
  return fit_intervals(problem, settings, log, Fit::longest);
}

}  // namespace

Heuristic bsl() {
  return fitting_heuristic("bsl", "intervals from the first stage on, the longest that fit, by bisection on the period",
                           map_by_bsl);
}

}  // namespace takt::heuristics
