// Inside component_ratios: a list of arcs cut into strongly connected components, each renumbered for its search.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "maxplus/arc_columns.hpp"

namespace takt::maxplus {

/// Arcs by the vertex that they leave, those of one in the order of the list.
struct ArcsByTail {
  std::vector<std::uint32_t> first;  // of vertex v: arcs[first[v]] .. arcs[first[v + 1] - 1]
  std::vector<std::uint32_t> arcs;   // indices into the list

  std::span<const std::uint32_t> leaving(std::uint32_t vertex) const {
    return std::span(arcs).subspan(first[vertex], first[vertex + 1] - first[vertex]);
  }
};

/// Where vertices stand in a graph: component after component. Within one, an arc without tokens leads to a lower
/// position; where all arcs have tokens, the arcs of a depth-first search do.
struct ComponentPositions {
  std::vector<std::uint32_t> component_of;  // of each vertex; kNone if it lies on no cycle
  std::vector<std::uint32_t> first;         // position of each component, by their first vertices, and the end
  std::vector<std::uint32_t> vertices;      // by position
  bool follows_tokens = false;              // some arc has none
};

ArcsByTail arcs_by_tail(std::size_t vertices, const ArcColumns& arcs);

/// All vertices, heads of arcs without tokens before tails; or the first cycle without tokens that a depth-first search
/// meets, in `deadlock`.
std::vector<std::uint32_t> token_free_finish(const ArcColumns& arcs, const ArcsByTail& by_tail,
                                             std::vector<std::size_t>& deadlock);

/// Nothing if there is a deadlock. Linear, without recursion.
std::optional<ComponentPositions> component_positions(std::size_t vertices, const ArcColumns& arcs,
                                                      const ArcsByTail& by_tail, std::vector<std::size_t>& deadlock);

}  // namespace takt::maxplus
