// Exact numbers of takt as those of Python, and back.
#pragma once

#include <pybind11/pybind11.h>

#include "evaluators/kernel/period.hpp"
#include "maxplus/rational.hpp"

namespace takt::python {

/// A fractions.Fraction.
pybind11::object fraction_of(const maxplus::Rational& value);
/// The same, in a tenth of the time where two 64-bit integers hold the number.
pybind11::object fraction_of(const evaluators::Period& value);

/// Whether the value is of that class and of no other derived from it: a number that does not change.
bool is_fraction(pybind11::handle value);

/// The nearest double.
double double_of(const evaluators::Period& value);

/// A Fraction or whatever else has a numerator and a denominator, an int, a Decimal, the text of a number, or a float,
/// which is its shortest decimal as in documents. Throws pybind11::type_error and value_error; `what` begins the
/// message.
maxplus::Rational rational_of(pybind11::handle value, const char* what);

/// An int of any size.
pybind11::int_ int_of(const maxplus::Integer& value);
maxplus::Integer integer_of_int(pybind11::handle value);

}  // namespace takt::python
