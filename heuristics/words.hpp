// How the logs of heuristics show numbers.
#pragma once

#include <string>

#include "maxplus/rational.hpp"

namespace takt::heuristics {

/// A number for reading: about six significant digits.
std::string decimal(const maxplus::Rational& value);

}  // namespace takt::heuristics
