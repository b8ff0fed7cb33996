// Exact numbers as decimals that people read at a glance.
#pragma once

#include <string>

#include "maxplus/rational.hpp"

namespace takt::maxplus {

/// A number to six significant digits, rounded from its nearest double: "3.70901", "1e+20"; numbers beyond doubles, or
/// nearly, from 128 bits. For reading only: nothing may be decided by it.
std::string decimal(const Rational& number);

}  // namespace takt::maxplus
