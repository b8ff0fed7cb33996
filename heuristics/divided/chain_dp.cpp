// chain-dp: the least period of a chain of processors of any speeds.
//
// Problem. Divide the pipeline among the processors, in the document's order, in the least period.
//
// Method. Ours: a search by greedy passes that raise a lower bound until it is the least period
// (heuristics/divided/chain_search.hpp, with the proof). It is exact and takes thousands of operations where the
// paper's dynamic program takes n^3 p^3. That program is there as well (heuristics/divided/chain_recurrence.hpp):
// `--recurrence corrected` gives the same period, `--recurrence printed` what the paper's recurrence gives, which can
// be worse.
//
// Invariant. Every bound is at most the least period; the last one is attained.
//
// Cost. O(n + p) per pass, some twenty passes; O(n^3 p^3) for the recurrences.
//
// References. [li2013data], Section IV.
#include <fmt/format.h>

#include "heuristics/divided/chain_recurrence.hpp"
#include "heuristics/divided/chain_search.hpp"
#include "heuristics/divided/mapping.hpp"

namespace takt::heuristics {

namespace {

Result divide_best(const tpn::ProblemView& problem, const Settings& settings, Log& log) {
  const auto read = pipeline_of(problem, log);
  if (const auto* infeasible = std::get_if<Infeasible>(&read)) return *infeasible;
  const auto& pipeline = std::get<DividedPipeline>(read);
  const Chain chain = document_chain(pipeline);
  const std::string& recurrence = settings.text("recurrence");
  std::optional<ChainPeriod> least;
  if (recurrence == "none") {
    LogTable tried = tried_periods();
    least = least_period(pipeline, chain, settings.deadline, &tried);
    log.tables.push_back(std::move(tried));
  } else {
    const RecurrenceSize size = recurrence_size(pipeline, chain);
    if (size.states > kMaxStates || size.splits > kMaxSplits) {
      return LimitMet{
          fmt::format("the recurrence has {} states and {} splits here, and at most {} and {} are tried; "
                      "--recurrence none has no such limit",
                      size.states.get_str(), size.splits.get_str(), kMaxStates, kMaxSplits)};
    }
    least = recurrence_period(pipeline, chain, recurrence == "printed" ? Recurrence::printed : Recurrence::corrected,
                              settings.deadline);
  }
  if (!least) return out_of_time();
  return map_division(problem, pipeline, divide(pipeline, chain, least->ends), settings, log);
}

}  // namespace

Heuristic chain_dp() {
  return {.name = "chain-dp",
          .summary = "intervals of the processors in their order, replicable stages divided, in the least period",
          .mapping_class = MappingClass::divided,
          .model = tpn::Model::kOverlap,
          .takes = {.shared_resources = true, .several_ends = true, .segments = true, .rates = true},
          .communication = "free, or hidden behind computation",
          .optimality = "optimal on the chain, but for rounded fractions",
          .cost = "O(n + p) per pass, some 20 passes; O(n^3 p^3) with a recurrence",
          .source = "li2013data, Section IV",
          .options = {{"recurrence",
                       "use the dynamic program of the paper, corrected or as printed, not the search",
                       std::string("none"),
                       {"none", "corrected", "printed"}},
                      granularity_option()},
          .map = divide_best};
}

}  // namespace takt::heuristics
