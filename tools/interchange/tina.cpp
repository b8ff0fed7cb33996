// TINA's text form of time Petri nets (.net): a transition fires its duration after it is enabled. [berthomieu2004tina]
//
// There a firing is what takt calls the end of an operation. A transition does not overlap itself; none here would, as
// the net is unfolded over the rows of the mapping.
#include <fmt/format.h>

#include <iterator>
#include <map>
#include <string>
#include <utility>

#include "tools/interchange/unfolded_net.hpp"
#include "tpn/visible.hpp"

namespace takt::tools {

namespace {

// A name in braces; those within would end it.
std::string braced(std::string_view name) {
  std::string text = "{" + tpn::visible(name) + "}";
  for (std::size_t k = 1; k + 1 < text.size(); ++k) {
    if (text[k] == '{') text[k] = '(';
    if (text[k] == '}') text[k] = ')';
    if (text[k] == '\\') text[k] = '/';
  }
  return text;
}

struct Neighbors {
  std::string inputs;
  std::string outputs;
};

}  // namespace

Exported write_tina(const ExportedNet& exported, std::uint64_t max_transitions) {
  const tpn::Pipeline& pipeline = exported.net.pipeline;
  if (auto unfit = unfit_time(pipeline)) return *std::move(unfit);
  const auto made = unfold_for(exported, Unfolding::mapping, max_transitions);
  if (const auto* reason = std::get_if<NotExported>(&made)) return *reason;
  const auto& unfolded = std::get<UnfoldedNet>(made);
  std::vector<Neighbors> neighbors(num_vertices(unfolded.graph));
  std::string places;
  for_each_place(unfolded, [&](std::size_t k, std::size_t from, std::size_t to, const tpn::Place& place) {
    neighbors[from].outputs += " " + place_id(k);
    neighbors[to].inputs += " " + place_id(k);
    if (place.tokens > 0) fmt::format_to(std::back_inserter(places), "pl {} ({})\n", place_id(k), place.tokens);
  });
  const std::string rule = period_rule(pipeline.scale, unfolded.rows);
  std::string text = fmt::format("# {}\nnet {}\n", rule, braced(exported.name));
  for (std::size_t v = 0; v < neighbors.size(); ++v) {
    const std::string time = unfolded.graph[v].firing_time.get_str();
    fmt::format_to(std::back_inserter(text), "tr {} : {} [{},{}]{} ->{}\n", transition_id(v),
                   braced(transition_name(exported, unfolded, v)), time, time, neighbors[v].inputs,
                   neighbors[v].outputs);
  }
  return InterchangeText{text + places, fmt::format("{} transitions and {} places; {}", neighbors.size(),
                                                    num_edges(unfolded.graph), rule)};
}

}  // namespace takt::tools
