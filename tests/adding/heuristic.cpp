// even: intervals of as equal numbers of stages as there can be, on the first processors. A baseline.
//
// Problem. An interval mapping, one processor per interval; nothing is made small.
//
// Method. min(n, p) intervals, whose lengths differ by one stage at most, the longer ones last; interval i runs on
// processor i.
//
// Cost. O(n + p).
#include <algorithm>

#include "heuristics/heuristic.hpp"
#include "heuristics/interval/costs.hpp"
#include "tpn/links.hpp"

namespace takt::heuristics {

namespace {

Result map(const tpn::ProblemView& problem, const Settings& settings, Log&) {
  const IntervalCosts costs(problem, *settings.model);
  const std::size_t parts = std::min(costs.stages(), costs.processors());
  tpn::Mapping mapping;
  for (std::size_t i = 0; i < parts; ++i) {
    mapping.push_back({costs.stages() * i / parts, costs.stages() * (i + 1) / parts - 1, {i}});
  }
  if (tpn::missing_link(problem, mapping)) {
    return Infeasible{"the first processors lack the links to follow one another"};
  }
  return Proposal{mapping, costs.period(mapping)};
}

}  // namespace

Heuristic even() {
  return {.name = "even",
          .summary = "as many stages for each of the first processors",
          .mapping_class = MappingClass::interval,
          .model = tpn::Model::kStrict,
          .model_use = ModelUse::cycle_times,
          .communication = "none counts in the mapping, one-port in the prediction",
          .optimality = "none, a baseline",
          .cost = "O(n + p)",
          .source = "takt",
          .map = map};
}

}  // namespace takt::heuristics
