// chain-approx: within 1 + epsilon of the least period of a chain.
//
// Problem. Divide the pipeline among the processors, in the document's order, in a period at most 1 + epsilon times
// the least one.
//
// Method. The paper's: greedy passes, doubling, bisection (heuristics/divided/chain_search.hpp). The division is that
// of the last pass that succeeded; its period is the largest load / speed, which may be less than the period tried.
// Rounding its fractions to short sequences (heuristics/divided/mapping.hpp) uses what is left below that; where this
// is not enough, the log says what it costs.
//
// Invariant. As in heuristics/divided/chain_search.hpp. All periods are exact: no test depends on rounding.
//
// Cost. O((n + p) log(p / epsilon)).
//
// References. [li2013data], Section IV, Algorithm 2.
#include "heuristics/divided/chain_search.hpp"
#include "heuristics/divided/mapping.hpp"

namespace takt::heuristics {

namespace {

Result approximate(const tpn::ProblemView& problem, const Settings& settings, Log& log) {
  const auto read = pipeline_of(problem, log);
  if (const auto* infeasible = std::get_if<Infeasible>(&read)) return *infeasible;
  const auto& pipeline = std::get<DividedPipeline>(read);
  const Chain chain = document_chain(pipeline);
  LogTable tried = tried_periods();
  const auto found = approximate_period(pipeline, chain, settings.number("epsilon"), settings.deadline, &tried);
  log.tables.push_back(std::move(tried));
  if (!found) return out_of_time();
  return map_division(problem, pipeline, divide(pipeline, chain, found->ends), settings, log);
}

}  // namespace

Heuristic chain_approx() {
  return {.name = "chain-approx",
          .summary = "intervals of the processors in their order, replicable stages divided, by trying periods",
          .mapping_class = MappingClass::divided,
          .model = tpn::Model::kOverlap,
          .takes = {.shared_resources = true, .several_ends = true, .segments = true, .rates = true},
          .communication = "free, or hidden behind computation",
          .optimality = "within 1 + epsilon of the optimum on the chain, but for rounded fractions",
          .cost = "O((n + p) log(p / epsilon))",
          .source = "li2013data, Algorithm 2",
          .options = {epsilon_option(), granularity_option()},
          .map = approximate};
}

}  // namespace takt::heuristics
