// How heuristics write numbers into their tables.
#pragma once

#include <string>

#include "maxplus/rational.hpp"

namespace takt::heuristics {

using maxplus::Rational;

/// A decimal of six significant digits, for reading; the fraction itself where it is beyond a double.
std::string decimal(const Rational& value);

}  // namespace takt::heuristics
