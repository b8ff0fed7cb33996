// Exact numbers of takt as those of Python.
#pragma once

#include <pybind11/pybind11.h>

#include "maxplus/rational.hpp"

namespace takt::python {

/// A fractions.Fraction.
pybind11::object fraction_of(const maxplus::Rational& value);

}  // namespace takt::python
