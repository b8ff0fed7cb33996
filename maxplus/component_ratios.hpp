// The extreme cycle ratio of each strongly connected component of a list of arcs, and potentials within it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <variant>
#include <vector>

#include "maxplus/arc_columns.hpp"
#include "maxplus/deadline.hpp"
#include "maxplus/solvers.hpp"

namespace takt::maxplus {

/// A strongly connected component that holds an arc.
struct ComponentRatio {
  RatioCycle best;             // of its cycles
  std::uint32_t vertices = 0;  // that lie in it
  std::uint32_t arcs = 0;      // that join two of them
  std::uint32_t first_vertex = 0;
};

struct ComponentRatios {
  std::vector<ComponentRatio> components;   // in the order of their first vertices
  std::vector<std::uint32_t> component_of;  // each vertex's; kNone if it lies on no cycle
  /// Where they are asked for, v of each vertex on a cycle: v(from) is the largest (the smallest, where that ratio is
  /// looked for) of weight - ratio tokens + v(to) over the arcs of its component that leave it. That is an eigenvector
  /// of the component's max-plus matrix, the ratio its eigenvalue; it is 0 at the component's first vertex.
  std::vector<Rational> potentials;
};

struct ComponentSearch {
  RatioExtreme extreme = RatioExtreme::largest;
  bool with_potentials = false;
  Deadline deadline;
};

/// Which numbers a search took at most: all but the last are native.
enum class SearchWidth { bits_64, bits_128, any };

/// A deadlock comes before everything else. No components: there is no cycle.
using ComponentAnswer = std::variant<ComponentRatios, DeadlockCycle, SolverTimeout>;

/// All ends of arcs must be below `vertices`, which is below 2^32 - 1, as is their number.
/// Cost: rounds of linear time, few in practice; memory linear. Components are searched on several threads, to the same
/// answer. `width`, if it is not null, is told the widest numbers that were needed.
ComponentAnswer component_ratios(std::size_t vertices, const ArcColumns& arcs, const ComponentSearch& search = {},
                                 SearchWidth* width = nullptr);

}  // namespace takt::maxplus
