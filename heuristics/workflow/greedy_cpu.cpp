// greedy-cpu: each stage, in topological order, on the processor that has least to compute.
//
// Problem. A general mapping of a workflow: each stage on one processor, each processor with any stages; the largest
// load small, computations, receptions and sendings being loads of their own.
//
// Method. GREEDYCPU of Gallet, Jacquelin and Marchal: the stages in topological order, each on the processor of least
// computation load among those whose memory holds it. The order is that of the document's list. Of two with the same
// load the one that has less with the stage comes first, then the one of the smaller index: the paper does not say. A
// load is one before the stage is added, as the paper's words are read, so a slow processor without any is the next one
// even where a fast one would be done with this stage, too. Each stage is a part of its own, and sends a file of its
// own to each that takes it, as in the paper; memory is that which a document gives stages, where the paper counts
// buffers. A processor without the links that the stages before and the outside world need is no candidate.
//
// Prediction. The period of the paper's model: the largest load, of a computation or of a port, which is the largest
// cycle time under OVERLAP. The paper's ports have a bandwidth that all files under way share, takt's pass one file at
// a time, over links that may differ; where all have the same bandwidth the loads are the same.
//
// Invariant. The prediction is never above the exact OVERLAP period: the net has a circuit for each load. The paper
// attains it with files buffered over many periods; takt's processors serve a data set in all of its parts before
// the next one, unless transfers are ahead (docs/model.md, "Ahead"), so the period may be longer.
//
// Cost. O(n p), and for each file a look-up for each processor.
//
// References. [gallet2010scheduling], the section on reference heuristics.
#include <fmt/format.h>

#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "evaluators/bounds.hpp"
#include "heuristics/common/amounts.hpp"
#include "heuristics/common/computation_times.hpp"
#include "heuristics/common/mapping_words.hpp"
#include "heuristics/heuristic.hpp"
#include "heuristics/workflow/placed_turns.hpp"
#include "tpn/folded_net.hpp"

namespace takt::heuristics {

namespace {

tpn::Mapping single_stages(std::size_t stages) {
  tpn::Mapping parts;
  for (std::size_t k = 0; k < stages; ++k) parts.push_back({k, k, {}});
  return parts;
}

LimitMet too_large(const tpn::TooLarge& limit) {
  if (limit.kind == tpn::LimitKind::building_time) return out_of_time();
  return {"the loads of its mapping are too large to be added up"};
}

// The largest cycle time under OVERLAP.
std::variant<Rational, LimitMet> largest_load(const tpn::ProblemView& problem, const tpn::Mapping& mapping,
                                              const evaluators::Deadline& deadline) {
  auto pipeline = tpn::make_pipeline(problem, mapping, tpn::kDefaultMeetings, deadline);
  if (const auto* limit = std::get_if<tpn::TooLarge>(&pipeline)) return too_large(*limit);
  const auto net = tpn::fold(std::get<tpn::Pipeline>(std::move(pipeline)), tpn::Model::kOverlap,
                             tpn::kDefaultCircuitSteps, deadline);
  if (const auto* limit = std::get_if<tpn::TooLarge>(&net)) return too_large(*limit);
  return evaluators::largest_cycle_time(std::get<tpn::FoldedNet>(net));
}

Result map_by_load(const tpn::ProblemView& problem, const Settings& settings, Log& log) {
  require_works(problem);
  const ComputationTimes times(problem);
  PlacedTurns turns(problem, single_stages(times.stages()));
  std::vector<Rational> loads(times.processors());
  LogTable table{"Stages placed", {"stage", "processor", "load before", "load behind"}, {}};
  for (std::size_t k = 0; k < times.stages(); ++k) {
    if (evaluators::has_passed(settings.deadline)) return out_of_time();
    std::optional<std::size_t> best;
    Rational behind;
    for (std::size_t u = 0; u < times.processors(); ++u) {
      if ((best && loads[u] > loads[*best]) || !turns.may_have(k, u)) continue;
      const Rational with_it = loads[u] + times.of(k, k, u);
      if (best && loads[u] == loads[*best] && with_it >= behind) continue;
      best = u;
      behind = with_it;
    }
    const std::string& name = problem.document().application.stages[k].name;
    if (!best) return Infeasible{nobody_left_for(tpn::json::quote(name))};
    table.rows.push_back({name, processor_name(problem.document(), *best),
                          time_in_words(problem.document(), loads[*best]), time_in_words(problem.document(), behind)});
    turns.give(k, *best);
    loads[*best] = behind;
  }
  log.tables.push_back(std::move(table));
  const auto load = largest_load(problem, turns.mapping(), settings.deadline);
  if (const auto* limit = std::get_if<LimitMet>(&load)) return *limit;
  return Proposal{turns.mapping(), std::get<Rational>(load)};
}

}  // namespace

Heuristic greedy_cpu() {
  return {.name = "greedy-cpu",
          .summary = "each stage of a workflow on the processor with the least work so far, in topological order",
          .mapping_class = MappingClass::general,
          .model = tpn::Model::kOverlap,
          .takes = {.workflows = true, .shared_resources = true, .several_ends = true, .segments = true},
          .communication = "none counts in the mapping, the load of each port in the prediction",
          .optimality = "none; its prediction is a lower bound of the exact period",
          .cost = "O(n p)",
          .source = "gallet2010scheduling, GREEDYCPU",
          .map = map_by_load};
}

}  // namespace takt::heuristics
