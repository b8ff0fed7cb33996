// What several parts of _core raise.
#pragma once

#include <pybind11/pybind11.h>

#include <string>

namespace takt::python {

/// takt.LimitReached, with what is proved of the period, Fractions or None.
[[noreturn]] void raise_limit(const std::string& text, const pybind11::object& lower = pybind11::none(),
                              const pybind11::object& upper = pybind11::none());

/// takt.UsageError: a call without a model for an "instance", or a "problem", that names none.
[[noreturn]] void raise_model_missing(const std::string& of_what);

}  // namespace takt::python
