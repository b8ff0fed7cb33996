// Numbers of 64 bits cross as machine integers, others as hexadecimal text, whose length Python does not limit.
//
// A Fraction whose terms share no factor need not be normalized, which is most of what its construction costs. Python
// has changed the private way to say so, but not the two attributes that it sets; whether they are there, and do it, is
// tried when the module is loaded, and the public way taken where not.
#include "python/core/exact.hpp"

#include <limits>
#include <memory>
#include <numeric>
#include <string>
#include <string_view>
#include <variant>

#include "python/core/core.hpp"
#include "python/core/described.hpp"

namespace takt::python {

namespace py = pybind11;

namespace {

using maxplus::Integer;
using maxplus::Rational;

// Never given back: Python may be gone before this module's memory is.
struct FractionClass {
  PyTypeObject* type = nullptr;
  PyObject* numerator = nullptr;  // descriptors of the attributes, null if there are none such
  PyObject* denominator = nullptr;
};
FractionClass fraction_class;

py::object descriptor(py::handle type, const char* name) {
  const py::object found = py::getattr(type, name, py::none());
  const bool sets = Py_TYPE(found.ptr()) == &PyMemberDescr_Type && Py_TYPE(found.ptr())->tp_descr_set != nullptr;
  return sets ? found : py::object();
}

void set(PyObject* attribute, const py::object& of, const py::object& value) {
  if (PyMemberDescr_Type.tp_descr_set(attribute, of.ptr(), value.ptr()) != 0) throw py::error_already_set();
}

// Of integers that share no factor, the second positive.
py::object coprime_fraction(const py::object& numerator, const py::object& denominator) {
  const FractionClass& made = fraction_class;
  if (made.numerator == nullptr) {
    return py::handle(reinterpret_cast<PyObject*>(made.type))(numerator, denominator);
  }
  auto fraction = py::reinterpret_steal<py::object>(made.type->tp_alloc(made.type, 0));
  if (!fraction) throw py::error_already_set();
  set(made.numerator, fraction, numerator);
  set(made.denominator, fraction, denominator);
  return fraction;
}

py::object fraction_of_reduced(const evaluators::NarrowFraction& value) {
  return coprime_fraction(py::reinterpret_steal<py::object>(PyLong_FromLong(value.numerator)),
                          py::reinterpret_steal<py::object>(PyLong_FromLong(value.denominator)));
}

// "p/q", a decimal, or what a float prints.
Rational rational_of_text(const std::string& text, const char* what) {
  const auto number = maxplus::parse_number(text);
  if (const auto* expectation = std::get_if<maxplus::NumberExpectation>(&number)) {
    throw py::value_error(std::string(what) + ": found " + described(py::str(text)) + ", expected " +
                          expectation->expected);
  }
  return std::get<Rational>(number);
}

std::string shortest_decimal(double value) {
  const std::unique_ptr<char, void (*)(void*)> text(PyOS_double_to_string(value, 'r', 0, 0, nullptr), PyMem_Free);
  if (!text) throw py::error_already_set();
  return text.get();
}

[[noreturn]] void fail_as_no_number(py::handle value, const char* what) {
  throw py::type_error(std::string(what) + ": found " + described(value) + ", expected a number");
}

// Of an int, or what stands for one.
Integer whole(py::handle value, const char* what) {
  if (!PyIndex_Check(value.ptr())) fail_as_no_number(value, what);
  const auto number = py::reinterpret_steal<py::object>(PyNumber_Index(value.ptr()));
  if (number) return integer_of_int(number);
  if (!PyErr_ExceptionMatches(PyExc_TypeError)) throw py::error_already_set();
  PyErr_Clear();
  fail_as_no_number(value, what);
}

}  // namespace

void define_exact() {
  FractionClass& made = fraction_class;
  const py::object type = py::module_::import("fractions").attr("Fraction");
  made.type = reinterpret_cast<PyTypeObject*>(py::object(type).release().ptr());
  py::object numerator = descriptor(type, "_numerator");
  py::object denominator = descriptor(type, "_denominator");
  if (!numerator || !denominator) return;
  made.numerator = numerator.release().ptr();
  made.denominator = denominator.release().ptr();
  const py::object usual = type(6, 8);
  const py::object quick = coprime_fraction(py::int_(3), py::int_(4));
  if (quick.equal(usual) && py::hash(quick) == py::hash(usual) && py::repr(quick).equal(py::repr(usual))) return;
  made.numerator = nullptr;
}

bool is_fraction(py::handle value) { return Py_TYPE(value.ptr()) == fraction_class.type; }

py::int_ int_of(const Integer& value) {
  if (value.fits_slong_p()) return value.get_si();
  auto number = py::reinterpret_steal<py::int_>(PyLong_FromString(value.get_str(16).c_str(), nullptr, 16));
  if (!number) throw py::error_already_set();
  return number;
}

Integer integer_of_int(py::handle value) {
  int overflow = 0;
  const long narrow = PyLong_AsLongAndOverflow(value.ptr(), &overflow);
  if (overflow == 0) {
    if (narrow == -1 && PyErr_Occurred() != nullptr) throw py::error_already_set();
    return narrow;
  }
  // "0x1f" or "-0x1f", which GMP reads as Python writes it.
  const auto digits = py::reinterpret_steal<py::object>(PyNumber_ToBase(value.ptr(), 16));
  if (!digits) throw py::error_already_set();
  return Integer(text_of(digits), 0);
}

py::object fraction_of(const Rational& value) {
  return coprime_fraction(int_of(value.numerator()), int_of(value.denominator()));
}

py::object fraction_of(const evaluators::Period& value) {
  const evaluators::NarrowFraction* narrow = value.narrow();
  if (narrow == nullptr) return fraction_of(value.rational());
  const std::int64_t common = std::gcd(narrow->numerator, narrow->denominator);
  return fraction_of_reduced({narrow->numerator / common, narrow->denominator / common});
}

double double_of(const evaluators::Period& value) {
  // Integers that doubles hold: the quotient is rounded once.
  constexpr std::int64_t kLargest = std::int64_t{1} << 53;
  const evaluators::NarrowFraction* narrow = value.narrow();
  if (narrow != nullptr && narrow->numerator <= kLargest && narrow->numerator >= -kLargest &&
      narrow->denominator <= kLargest) {
    return static_cast<double>(narrow->numerator) / static_cast<double>(narrow->denominator);
  }
  const auto nearest = value.rational().to_double();
  return nearest ? *nearest : std::numeric_limits<double>::infinity();
}

Rational rational_of(py::handle value, const char* what) {
  PyObject* const object = value.ptr();
  if (PyUnicode_Check(object)) return rational_of_text(text_of(value), what);
  if (PyFloat_Check(object)) return rational_of_text(shortest_decimal(PyFloat_AS_DOUBLE(object)), what);
  if (is_truth_value(value) || PyType_Check(object)) fail_as_no_number(value, what);
  if (PyIndex_Check(object)) return whole(value, what);
  if (py::hasattr(value, "numerator") && py::hasattr(value, "denominator")) {
    const Integer below = whole(value.attr("denominator"), what);
    if (below != 0) return Rational::fraction(whole(value.attr("numerator"), what), below);
    throw py::value_error(std::string(what) + ": found a denominator of 0, expected a number");
  }
  // Decimals, and floats of NumPy with fewer digits.
  if (!py::hasattr(value, "as_integer_ratio")) fail_as_no_number(value, what);
  return rational_of_text(text_of(py::str(value)), what);
}

}  // namespace takt::python
