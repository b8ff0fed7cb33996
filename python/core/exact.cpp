// Numbers of any size cross as text.
#include "python/core/exact.hpp"

namespace takt::python {

namespace py = pybind11;

py::object fraction_of(const maxplus::Rational& value) {
  const py::object fraction = py::module_::import("fractions").attr("Fraction");
  return fraction(value.to_string());
}

}  // namespace takt::python
