// Descriptions run no code of the values: they may be of any class.
#include "python/core/described.hpp"

#include <string_view>

#include "tpn/json.hpp"
#include "tpn/visible.hpp"

namespace takt::python {

namespace py = pybind11;

std::string text_of(py::handle text) {
  const auto bytes =
      py::reinterpret_steal<py::object>(PyUnicode_AsEncodedString(text.ptr(), "utf-8", "backslashreplace"));
  if (!bytes) throw py::error_already_set();
  return {PyBytes_AS_STRING(bytes.ptr()), static_cast<std::size_t>(PyBytes_GET_SIZE(bytes.ptr()))};
}

bool is_truth_value(py::handle value) {
  const std::string_view type = Py_TYPE(value.ptr())->tp_name;
  return PyBool_Check(value.ptr()) || type == "numpy.bool_" || type == "numpy.bool";
}

std::string described(py::handle value) {
  PyObject* const object = value.ptr();
  if (object == Py_None) return "None";
  if (object == Py_True) return "True";
  if (object == Py_False) return "False";
  if (PyUnicode_Check(object)) return "the text " + tpn::json::quote(text_of(value));
  if (PyLong_CheckExact(object)) {
    int overflow = 0;
    const long long number = PyLong_AsLongLongAndOverflow(object, &overflow);
    if (overflow != 0) return "a number of more than 64 bits";
    return "the number " + std::to_string(number);
  }
  return "a value of type " + tpn::visible(Py_TYPE(object)->tp_name, 60);
}

}  // namespace takt::python
