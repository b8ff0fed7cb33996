// The cycles of a graph in which each vertex has at most one predecessor, as passes over clocks leave it.
#pragma once

#include <algorithm>
#include <limits>
#include <vector>

namespace takt::evaluators {

/// Where a vertex would name its predecessor and has none.
template <typename Vertex>
inline constexpr Vertex kNoVertex = std::numeric_limits<Vertex>::max();

/// Calls visit(v) once for each cycle, with one of its vertices, in the order of the lowest vertices that lead to them.
/// Vertices are 0 .. count - 1. `seen_from` is overwritten and grows to `count` where it is shorter.
/// Cost: linear in the vertices.
template <typename Vertex, typename Predecessor, typename Visit>
void for_each_cycle(Vertex count, std::vector<Vertex>& seen_from, Predecessor predecessor, Visit visit) {
  constexpr Vertex kNone = kNoVertex<Vertex>;
  if (seen_from.size() < count) seen_from.resize(count);
  std::fill_n(seen_from.begin(), count, kNone);
  for (Vertex start = 0; start < count; ++start) {
    Vertex v = start;
    while (v != kNone && seen_from[v] == kNone) {
      seen_from[v] = start;
      v = predecessor(v);
    }
    if (v != kNone && seen_from[v] == start) visit(v);
  }
}

}  // namespace takt::evaluators
