// The cycles of a graph in which each vertex has at most one predecessor, as passes over clocks leave it.
#pragma once

#include <limits>
#include <span>

namespace takt::evaluators {

/// Where a vertex would name its predecessor and has none.
template <typename Vertex>
inline constexpr Vertex kNoVertex = std::numeric_limits<Vertex>::max();

/// Calls visit(v) once for each cycle, with one of its vertices, in the order of the lowest vertices that lead to them.
/// Vertices are 0 .. seen_from.size() - 1; the entries of `seen_from` must all be kNoVertex, and are overwritten.
/// Cost: linear in the vertices.
template <typename Vertex, typename Predecessor, typename Visit>
[[gnu::always_inline]] inline void for_each_cycle(std::span<Vertex> seen_from, Predecessor predecessor, Visit visit) {
  constexpr Vertex kNone = kNoVertex<Vertex>;
  for (Vertex start = 0; start < seen_from.size(); ++start) {
    Vertex v = start;
    while (v != kNone && seen_from[v] == kNone) {
      seen_from[v] = start;
      v = predecessor(v);
    }
    if (v != kNone && seen_from[v] == start) visit(v);
  }
}

}  // namespace takt::evaluators
