// bsl: bisection on the period; intervals from the first stage on, the longest that fits.
//
// Problem. An interval mapping, one processor per interval, the largest cycle time small.
//
// Method, Invariant, Cost, References. heuristics/interval/fitting.hpp: what bsl and bsc share is all but the choice.
#include "heuristics/heuristic.hpp"
#include "heuristics/interval/fitting.hpp"

namespace takt::heuristics {

namespace {

Result map(const tpn::Document& problem, const Settings& settings, Log& log) {
  return fit_intervals(problem, settings, log, Fit::longest);
}

}  // namespace

Heuristic bsl() {
  return {.name = "bsl",
          .summary = "intervals from the first stage on, the longest that fit, by bisection on the period",
          .mapping_class = MappingClass::interval,
          .model = tpn::Model::strict,
          .model_use = ModelUse::cycle_times,
          .communication = "one-port, equal links",
          .optimality = "none; never worse than all stages on one processor where links are equal",
          .cost = "O(n^2 p log(n p))",
          .source = "benoit2007mapping, section 4",
          .map = map};
}

}  // namespace takt::heuristics
