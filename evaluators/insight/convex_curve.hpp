// The vertices of a convex, piecewise linear function that answers with a line at each point.
#pragma once

#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "maxplus/rational.hpp"

namespace takt::evaluators {

using maxplus::Rational;

/// A line that touches a convex function at `at`, and is nowhere above it.
struct TouchingLine {
  Rational at;
  Rational value;
  Rational slope;

  Rational value_at(const Rational& x) const { return value + slope * (x - at); }
};

/// A function's line at a point, or nothing if the search must end.
using LineFinder = std::function<std::optional<TouchingLine>(const Rational& x)>;

/// Points of a polyline, by x.
using Polyline = std::vector<std::pair<Rational, Rational>>;

/// The function between two points where its lines are known, left.at < right.at: the ends and all points where the
/// slope changes; nothing if `find` gave nothing. Looks where the two lines cross, then on both sides, unless the
/// function is no higher there. [eisner1976mathematical]
/// Points looked at are the vertices, never crossings alone: on a vertex, `find` returns one of several lines.
std::optional<Polyline> convex_curve(const TouchingLine& left, const TouchingLine& right, const LineFinder& find);

}  // namespace takt::evaluators
