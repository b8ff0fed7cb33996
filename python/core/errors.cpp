// What goes wrong in takt, as the exceptions of takt._errors.
#include <pybind11/pybind11.h>

#include <exception>
#include <new>
#include <regex>
#include <string>

#include "maxplus/contract.hpp"
#include "python/core/core.hpp"
#include "python/core/interruptible.hpp"
#include "python/core/raised.hpp"
#include "tools/command.hpp"
#include "tpn/errors.hpp"

namespace takt::python {

namespace py = pybind11;

namespace {

void set_error(const char* type, const py::tuple& arguments) {
  const py::object error = py::module_::import("takt._errors").attr(type);
  PyErr_SetObject(error.ptr(), error(*arguments).ptr());
}

// "FILE:LINE:COLUMN", which files may have colons in; nothing of other places.
struct ErrorPlace {
  py::object file = py::none();
  py::object line = py::none();
  py::object column = py::none();
};

ErrorPlace place_of(const std::string& text) {
  static const std::regex kWithNumbers("(.*):([0-9]{1,18}):([0-9]{1,18})", std::regex::extended);
  std::smatch match;
  if (!std::regex_match(text, match, kWithNumbers)) return {};
  return {py::str(match[1].str()), py::int_(std::stoull(match[2])), py::int_(std::stoull(match[3]))};
}

void translate(std::exception_ptr thrown) {  // NOLINT(performance-unnecessary-value-param): as pybind11 wants it
  if (!thrown) return;
  try {
    std::rethrow_exception(thrown);
  } catch (const tpn::ParseError& error) {
    set_error("InvalidDocument",
              py::make_tuple(error.what(), error.file, error.line, error.column, error.pointer, error.detail));
  } catch (const tpn::InvalidInstance& error) {
    const ErrorPlace place = place_of(error.place);
    set_error("InvalidDocument",
              py::make_tuple(error.what(), place.file, place.line, place.column, error.pointer, error.detail));
  } catch (const tools::UsageError& error) {
    set_error("UsageError", py::make_tuple(error.what()));
  } catch (const tools::FileError& error) {
    set_error("FileError", py::make_tuple(error.what()));
  } catch (const maxplus::ContractViolation& error) {
    PyErr_SetString(PyExc_RuntimeError, error.what());
  }
}

}  // namespace

void define_errors() { py::register_exception_translator(translate); }

void raise_limit(const std::string& text, const py::object& lower, const py::object& upper) {
  set_error("LimitReached", py::make_tuple(text, lower, upper));
  throw py::error_already_set();
}

void raise_model_missing(const std::string& of_what) {
  throw tools::UsageError("the " + of_what +
                          " names no communication model: say model=\"overlap\" or model=\"strict\"");
}

bool has_signal() { return PyErr_CheckSignals() != 0; }

}  // namespace takt::python
