// clique-optimal: the order of the processors on which the pipeline has the least period, proved.
//
// Problem. The order of the processors on which the pipeline has the least period
// (heuristics/divided/clique_search.hpp); here the best of all.
//
// Method. By sets of processors in place of orders (heuristics/divided/best_order.hpp).
//
// Invariant. Before fractions are rounded, no order of the processors and no division on it has a shorter period.
//
// Cost. O(2^p p) for each of some tens of periods.
//
// References. [li2013data], Section V, for the problem; the search is our own.
#include "heuristics/divided/best_order.hpp"
#include "heuristics/divided/mapping.hpp"

namespace takt::heuristics {

namespace {

Result order_best(const tpn::ProblemView& problem, const Settings& settings, Log& log) {
  const auto read = pipeline_of(problem, log);
  if (const auto* infeasible = std::get_if<Infeasible>(&read)) return *infeasible;
  const auto& pipeline = std::get<DividedPipeline>(read);
  if (pipeline.work == 0) {
    const Chain chain = document_chain(pipeline);
    return map_division(problem, pipeline, divide(pipeline, chain, least_period(pipeline, chain)->ends), settings, log);
  }
  const auto answer = best_order(pipeline, settings.deadline, log);
  if (const auto* limit = std::get_if<LimitMet>(&answer)) return *limit;
  const auto& best = std::get<BestOrder>(answer);
  if (!best.cut_short) {
    log.notes.emplace_back("No order of the processors has a shorter period, nor any division on it.");
  }
  Proposal proposal = map_division(problem, pipeline, divide(pipeline, best.chain, best.least.ends), settings, log);
  proposal.cut_short = proposal.cut_short || best.cut_short;
  return proposal;
}

}  // namespace

Heuristic clique_optimal() {
  return {.name = "clique-optimal",
          .summary = "the best order of the processors, with replicable stages divided",
          .mapping_class = MappingClass::divided,
          .model = tpn::Model::kOverlap,
          .takes = {.shared_resources = true, .several_ends = true, .segments = true, .rates = true},
          .communication = "free, or hidden behind computation",
          .optimality = "optimal among all orders, but for rounded fractions",
          .cost = "O(2^p p) per period, some 15 periods; p of different speeds, at most 21 of them",
          .source = "takt",
          .is_quick = false,
          .options = {granularity_option()},
          .map = order_best};
}

}  // namespace takt::heuristics
