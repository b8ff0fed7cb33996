// Crossings of touching lines, from left to right.
#include "evaluators/insight/convex_curve.hpp"

#include "maxplus/contract.hpp"

namespace takt::evaluators {

namespace {

using Point = std::pair<Rational, Rational>;

// Adds a point behind the others; one between two others on a line does not stay.
void append(Polyline& points, const Point& next) {
  if (points.size() >= 2) {
    const Point& first = points[points.size() - 2];
    const Point& middle = points.back();
    if ((middle.second - first.second) * (next.first - first.first) ==
        (next.second - first.second) * (middle.first - first.first)) {
      points.pop_back();
    }
  }
  points.push_back(next);
}

}  // namespace

std::optional<Polyline> convex_curve(const TouchingLine& left, const TouchingLine& right, const LineFinder& find) {
  maxplus::expects(left.at < right.at, "a curve goes from left to right");
  Polyline points{{left.at, left.value}};
  TouchingLine here = left;
  std::vector<TouchingLine> later{right};  // the nearest last
  while (!later.empty()) {
    const TouchingLine& next = later.back();
    const bool is_straight = here.value_at(next.at) == next.value || next.value_at(here.at) == here.value;
    if (!is_straight) {
      const Rational x = (next.value_at(Rational()) - here.value_at(Rational())) / (here.slope - next.slope);
      const auto found = find(x);
      if (!found) return std::nullopt;
      if (found->value != here.value_at(x)) {
        later.push_back(*found);
        continue;
      }
      append(points, {x, found->value});
    }
    here = next;
    append(points, {here.at, here.value});
    later.pop_back();
  }
  return points;
}

}  // namespace takt::evaluators
