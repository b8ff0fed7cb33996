// What a prediction is worth: against the exact period, or an interval that holds it.
#pragma once

#include <optional>
#include <string_view>

#include "maxplus/rational.hpp"

namespace takt::heuristics {

/// Of a predicted period to the exact one: optimistic is less, pessimistic is more.
enum class Relation { equal, optimistic, pessimistic, undecided };

std::string_view name_of(Relation relation);

/// An interval that holds a period, in time units per data set; lower == upper where it is known exactly.
struct PeriodBounds {
  maxplus::Rational lower;
  maxplus::Rational upper;
};

/// Undecided where the prediction lies within an interval that is not a point.
Relation relation_of(const maxplus::Rational& predicted, const PeriodBounds& period);

enum class Holds { yes, no, undecided };

/// Whether |predicted - period| <= tolerance * period, tolerance >= 0; undecided where not all of the interval agrees.
Holds holds_within(const maxplus::Rational& predicted, const PeriodBounds& period, const maxplus::Rational& tolerance);

/// (predicted - period) / period, negative where optimistic; nothing if the period is 0 and the prediction is not.
std::optional<maxplus::Rational> gap(const maxplus::Rational& predicted, const maxplus::Rational& period);

}  // namespace takt::heuristics
