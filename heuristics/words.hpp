<<<<<<< HEAD
<<<<<<< HEAD
// How heuristics write numbers into their tables.
=======
// How the logs of heuristics show numbers.
>>>>>>> hedpm
=======
// How the logs of heuristics show numbers.
>>>>>>> divided
#pragma once

#include <string>

#include "maxplus/rational.hpp"

namespace takt::heuristics {

<<<<<<< HEAD
<<<<<<< HEAD
using maxplus::Rational;

/// A decimal of six significant digits, for reading; the fraction itself where it is beyond a double.
std::string decimal(const Rational& value);
=======
/// A number for reading: about six significant digits.
std::string decimal(const maxplus::Rational& value);
>>>>>>> hedpm
=======
/// A number for reading: about six significant digits.
std::string decimal(const maxplus::Rational& value);
>>>>>>> divided

}  // namespace takt::heuristics
