// Inside rational_graph: potentials of lists of arcs in columns, without a graph of GMP's numbers.
#pragma once

#include <cstddef>
#include <optional>
#include <variant>
#include <vector>

#include "maxplus/arc_columns.hpp"
#include "maxplus/deadline.hpp"

namespace takt::maxplus {

/// Neither 64 nor 128 bits are known to suffice.
struct PotentialsTooWide {};
/// The deadline passed before.
struct PotentialsTimeout {};

/// The x of potentials.hpp for the integers `sign * arcs.numerator(a)`, sign 1 or -1, as weights: the least ones that
/// are at least 0. No cycle may exceed `ratio`, none be without tokens, and the arcs must be narrow.
std::variant<std::vector<Integer>, PotentialsTooWide, PotentialsTimeout> least_potentials(
    std::size_t vertices, const ArcColumns& arcs, int sign, const Rational& ratio, const Deadline& deadline);

}  // namespace takt::maxplus
