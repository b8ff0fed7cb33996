// The items of a Python sequence, of which code that runs meanwhile may change a list.
#pragma once

#include <pybind11/pybind11.h>

#include <optional>
#include <utility>

namespace takt::python {

/// A list or tuple itself, or a tuple of what another sequence holds. Its size is asked for at each item.
class Items {
 public:
  /// Nothing if the value is no sequence, or a text. Throws what Python raises where its items cannot be had.
  static std::optional<Items> of(pybind11::handle value) {
    PyObject* const object = value.ptr();
    if (PyList_CheckExact(object) || PyTuple_CheckExact(object)) {
      return Items(pybind11::reinterpret_borrow<pybind11::object>(value));
    }
    return of_other(value);
  }

  Py_ssize_t size() const { return PySequence_Fast_GET_SIZE(held_.ptr()); }
  /// Valid until code of Python runs; `i` is below the size that it has now.
  PyObject* operator[](Py_ssize_t i) const { return PySequence_Fast_GET_ITEM(held_.ptr(), i); }
  pybind11::object hold(Py_ssize_t i) const { return pybind11::reinterpret_borrow<pybind11::object>((*this)[i]); }

 private:
  explicit Items(pybind11::object held) : held_(std::move(held)) {}
  static std::optional<Items> of_other(pybind11::handle value);

  pybind11::object held_;
};

}  // namespace takt::python
