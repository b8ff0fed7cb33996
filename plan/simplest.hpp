// The fraction of the smallest denominator in an interval: so that bisection keeps its numbers short.
#pragma once

#include "maxplus/rational.hpp"

namespace takt::plan {

/// Of all numbers in [low, high], 0 <= low <= high, the one of the least denominator, and of those the least numerator.
/// (The Stern-Brocot tree.)
maxplus::Rational simplest_between(const maxplus::Rational& low, const maxplus::Rational& high);

}  // namespace takt::plan
