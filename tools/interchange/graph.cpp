// The event graph as arcs with weights and tokens, in JSON: what takt cycle-ratio reads.
#include <fmt/format.h>

#include <string>

#include "tools/interchange/unfolded_net.hpp"
#include "tpn/json_writer.hpp"

namespace takt::tools {

namespace {

using tpn::JsonLayout;
using tpn::JsonWriter;

// Transitions that do the same for the same row stand for no two: their numbers tell them apart.
std::string vertex_name(const ExportedNet& exported, const UnfoldedNet& unfolded, std::size_t vertex) {
  return transition_id(vertex) + " " + transition_name(exported, unfolded, vertex);
}

}  // namespace

Exported write_graph(const ExportedNet& exported, std::uint64_t max_transitions) {
  const auto made = unfold_for(exported, Unfolding::repetition, max_transitions);
  if (const auto* reason = std::get_if<NotExported>(&made)) return *reason;
  const auto& unfolded = std::get<UnfoldedNet>(made);
  std::string text;
  JsonWriter json(text, tpn::IllFormed::replaced);
  json.begin_object(JsonLayout::block);
  json.member("name", exported.name);
  json.member("data_sets", unfolded.rows);
  if (exported.has_seconds) json.member("time_unit", "s");
  json.key("arcs");
  json.begin_array(JsonLayout::block);
  for_each_place(unfolded, [&](std::size_t, std::size_t from, std::size_t to, const tpn::Place& place) {
    const tpn::Transition& transition = unfolded.graph[from];
    json.begin_object(JsonLayout::line);
    json.member("from", vertex_name(exported, unfolded, from));
    json.member("to", vertex_name(exported, unfolded, to));
    json.member("weight", exported.net.pipeline.duration({transition.row, transition.column}).to_string());
    json.member("tokens", place.tokens);
    json.end();
  });
  json.end();
  json.end();
  text += '\n';
  return InterchangeText{std::move(text),
                         fmt::format("{} vertices and {} arcs; its cycle ratio is the period of {} data sets",
                                     num_vertices(unfolded.graph), num_edges(unfolded.graph), unfolded.rows)};
}

}  // namespace takt::tools
