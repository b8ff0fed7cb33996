// Sequences that are neither list nor tuple.
#include "python/core/items.hpp"

namespace takt::python {

namespace py = pybind11;

std::optional<Items> Items::of_other(py::handle value) {
  PyObject* const object = value.ptr();
  if (PyList_Check(object) || PyTuple_Check(object)) return Items(py::reinterpret_borrow<py::object>(value));
  const bool is_text = PyUnicode_Check(object) || PyBytes_Check(object) || PyByteArray_Check(object);
  if (is_text || !PySequence_Check(object)) return std::nullopt;
  auto items = py::reinterpret_steal<py::object>(PySequence_Tuple(object));
  if (items) return Items(std::move(items));
  // Of a type that looks like a sequence, as an array without dimensions does.
  if (!PyErr_ExceptionMatches(PyExc_TypeError)) throw py::error_already_set();
  PyErr_Clear();
  return std::nullopt;
}

}  // namespace takt::python
