// The cycles of a graph in which each vertex has at most one predecessor, as passes over clocks leave it.
#pragma once

#include <span>

#include "maxplus/none.hpp"

namespace takt::evaluators {

/// Calls visit(v) once for each cycle, with one of its vertices, in the order of the lowest vertices that lead to them.
/// Vertices are 0 .. seen_from.size() - 1, and predecessor(v) is kNone if v has none; the entries of `seen_from`
/// must all be kNone, and are overwritten. Cost: linear in the vertices.
template <typename Vertex, typename Predecessor, typename Visit>
[[gnu::always_inline]] inline void for_each_cycle(std::span<Vertex> seen_from, Predecessor predecessor, Visit visit) {
  constexpr Vertex kNone = maxplus::kNone<Vertex>;
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
