// pdm: the perfectly divided mapping of a chain, if there is one.
//
// Problem. On the chain of processors in the document's order, find the mapping in which everybody is busy all the
// time, or say that there is none.
//
// Method. Its period can only be all work / all speeds, so its boundaries are known, and it exists if and only if none
// of them falls inside a stage that is not replicable: then a greedy pass with that period
// (heuristics/divided/chain_search.hpp) never retreats and takes all work. Where processors are of one speed, every
// chain is alike; on others another order may have such a mapping where this one has none.
//
// Invariant. A perfectly divided mapping has the least period of all mappings, contiguous or not.
//
// Cost. O(n + p).
//
// References. [li2013data], Definition 3.
#include <fmt/format.h>

#include <algorithm>

#include "heuristics/common/mapping_words.hpp"
#include "heuristics/divided/chain_search.hpp"
#include "heuristics/divided/mapping.hpp"

namespace takt::heuristics {

namespace {

// Where a pass with the perfect period first stays behind it.
std::string obstacle(const tpn::Document& problem, const DividedPipeline& pipeline, const Rational& period,
                     const ChainPass& pass) {
  std::size_t k = 0;
  Rational position;
  for (; k < pass.ends.size(); ++k) {
    position += period * pipeline.speeds[k];
    if (pass.ends[k] != position) break;
  }
  const auto inside = [&](const Segment& segment) { return segment.start < position && position < segment.end; };
  const auto segment = std::ranges::find_if(pipeline.segments, inside);
  const auto name = [&](std::size_t p) { return tpn::json::quote(problem.platform.processors[p].name); };
  return fmt::format(
      "at the period {}, where all processors are always busy, the boundary between {} and {} falls inside stage {}, "
      "which is not replicable",
      time_in_words(problem, period * pipeline.unit), name(k), name(k + 1),
      tpn::json::quote(problem.application.stages[segment->first_stage].name));
}

Result map_perfectly(const tpn::ProblemView& problem, const Settings& settings, Log& log) {
  const auto read = pipeline_of(problem, log);
  if (const auto* infeasible = std::get_if<Infeasible>(&read)) return *infeasible;
  const auto& pipeline = std::get<DividedPipeline>(read);
  const Chain chain = document_chain(pipeline);
  const Rational period = Rational::fraction(pipeline.work, speed_of(pipeline, chain));
  const ChainPass pass = verify_period(pipeline, chain, period);
  if (!pass.complete) return Infeasible{obstacle(problem.document(), pipeline, period, pass)};
  return map_division(problem, pipeline, divide(pipeline, chain, pass.ends), settings, log);
}

}  // namespace

Heuristic pdm() {
  return {.name = "pdm",
          .summary = "the mapping that keeps every processor always busy, if the chain has one",
          .mapping_class = MappingClass::divided,
          .model = tpn::Model::kOverlap,
          .takes = {.shared_resources = true, .several_ends = true, .segments = true, .rates = true},
          .communication = "free, or hidden behind computation",
          .optimality = "optimal where it exists",
          .cost = "O(n + p)",
          .source = "li2013data, Definition 3",
          .options = {granularity_option()},
          .map = map_perfectly};
}

}  // namespace takt::heuristics
