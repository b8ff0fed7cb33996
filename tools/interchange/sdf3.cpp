// Homogeneous synchronous dataflow: an actor for each transition, a channel for each place. An actor overlaps itself
// unless its channels forbid it, as transitions do.
#include <fmt/format.h>

#include <utility>

#include "tools/interchange/dataflow.hpp"
#include "tools/interchange/unfolded_net.hpp"

namespace takt::tools {

Exported write_sdf3(const ExportedNet& exported, std::uint64_t max_transitions) {
  const tpn::Pipeline& pipeline = exported.net.pipeline;
  if (auto unfit = unfit_time(pipeline)) return *std::move(unfit);
  const auto made = unfold_for(exported, Unfolding::repetition, max_transitions);
  if (const auto* reason = std::get_if<NotExported>(&made)) return *reason;
  const auto& unfolded = std::get<UnfoldedNet>(made);
  const std::string rule = period_rule(pipeline.scale, unfolded.rows);
  DataflowGraph graph;
  graph.name = exported.name;
  graph.comment = rule;
  for (std::size_t v = 0; v < num_vertices(unfolded.graph); ++v) {
    graph.actors.push_back({transition_id(v), unfolded.graph[v].firing_time});
  }
  for_each_place(unfolded, [&](std::size_t, std::size_t from, std::size_t to, const tpn::Place& place) {
    graph.channels.push_back({.from = from, .to = to, .tokens = place.tokens});
  });
  return InterchangeText{
      sdf3_text(graph), fmt::format("{} actors and {} channels; {}", graph.actors.size(), graph.channels.size(), rule)};
}

}  // namespace takt::tools
