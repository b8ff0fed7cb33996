// Measured numbers, rounded to significant digits.
#pragma once

#include "maxplus/rational.hpp"

namespace takt::live {

using maxplus::Rational;

/// Digits of what is fitted to measured times, which are seldom worth more than three.
constexpr int kSignificantDigits = 6;

/// The nearest number with `digits` >= 1 significant decimal digits, half away from 0: 0.0123457 of
/// 0.01234567 and six.
Rational significant(const Rational& number, int digits = kSignificantDigits);

}  // namespace takt::live
