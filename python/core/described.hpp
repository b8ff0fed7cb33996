// Values of Python in the words of messages.
#pragma once

#include <pybind11/pybind11.h>

#include <string>

namespace takt::python {

/// For the "found" of a message: "None", "the number 7", "the text \"P0\"", "a value of type dict". Long ones are cut
/// short. No exception of Python is set afterwards that was not before.
std::string described(pybind11::handle value);

/// The UTF-8 of a str, whatever stands in it: lone surrogates are escaped.
std::string text_of(pybind11::handle text);

/// Python's, or NumPy's, which stand for numbers as well.
bool is_truth_value(pybind11::handle value);

}  // namespace takt::python
