// Mappings of one problem as Python has them: sequences of parts.
#pragma once

#include <pybind11/pybind11.h>

#include <cstdint>
#include <functional>
#include <map>
#include <string>

#include "python/core/checked_mapping.hpp"
#include "python/core/items.hpp"
#include "tpn/hosts.hpp"

namespace takt::python {

/// Reads sequences of (number of stages, sequence of processors) or of dicts with "stages" and "processors", as
/// documents have them; a processor is a number or a name. Needs the interpreter's lock.
class MappingReader {
 public:
  /// Keeps a reference to the rules.
  explicit MappingReader(const MappingRules& rules);

  /// Throws pybind11::type_error and value_error, which name the part.
  void read(pybind11::handle mapping, CheckedMapping& into) const;
  /// The number of the processor of that name; throws pybind11::value_error if there is none.
  std::int64_t processor_named(pybind11::handle name, std::size_t part) const;

 private:
  void read_part(pybind11::handle part, CheckedMapping& into) const;
  void read_named_part(pybind11::handle part, CheckedMapping& into) const;
  void read_stages(pybind11::handle names, CheckedMapping& into) const;
  void read_processors(pybind11::handle processors, CheckedMapping& into) const;
  std::int64_t processor(PyObject* value, const CheckedMapping& into) const {
    if (PyLong_CheckExact(value)) {
      int overflow = 0;
      const long number = PyLong_AsLongAndOverflow(value, &overflow);
      if (overflow == 0) return number;
    }
    return other_processor(pybind11::reinterpret_borrow<pybind11::object>(value), into);
  }
  std::int64_t other_processor(const pybind11::object& value, const CheckedMapping& into) const;
  // Where names may be those of several cores.
  void read_cores(const Items& items, CheckedMapping& into) const;

  const MappingRules& rules_;
  std::map<std::string, tpn::ProcessorGroup, std::less<>> cores_;  // by what names several at once
  pybind11::dict processors_;                                      // numbers by name
};

}  // namespace takt::python
