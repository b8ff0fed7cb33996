// Numbers and names of the common types are read at once; what may run code of Python is held meanwhile.
#include "python/core/mapping_reader.hpp"

#include <optional>
#include <vector>

#include "python/core/described.hpp"
#include "python/core/items.hpp"
#include "tpn/json.hpp"

namespace takt::python {

namespace py = pybind11;

namespace {

using tpn::json::quote;

[[noreturn]] void fail_for_type(std::size_t part, py::handle found, const std::string& expected) {
  throw py::type_error("part " + std::to_string(part) + ": found " + described(found) + ", expected " + expected);
}

// What stands for a whole number, as those of NumPy do, but truth values; null if the value does not.
py::object whole_number(const py::object& value) {
  if (is_truth_value(value) || !PyIndex_Check(value.ptr())) return {};
  auto number = py::reinterpret_steal<py::object>(PyNumber_Index(value.ptr()));
  if (!number) {
    if (!PyErr_ExceptionMatches(PyExc_TypeError)) throw py::error_already_set();
    PyErr_Clear();
  }
  return number;
}

// Nothing if 64 bits do not hold it.
std::optional<std::int64_t> narrow(const py::object& number) {
  int overflow = 0;
  const long value = PyLong_AsLongAndOverflow(number.ptr(), &overflow);
  if (overflow != 0) return std::nullopt;
  return value;
}

std::int64_t stage_count(const py::object& value, std::size_t part) {
  if (PyLong_CheckExact(value.ptr())) {
    if (const auto count = narrow(value)) return *count;
  }
  const py::object number = whole_number(value);
  if (!number) fail_for_type(part, value, "a number of stages");
  const auto count = narrow(number);
  if (!count) fail_in_part(part, "found " + described(number) + ", expected a number of stages");
  return *count;
}

// Of a dict of the document's form.
py::object member(py::handle part, const char* key, std::size_t number) {
  auto found = py::reinterpret_borrow<py::object>(PyDict_GetItemWithError(part.ptr(), py::str(key).ptr()));
  if (!found && PyErr_Occurred() != nullptr) throw py::error_already_set();
  if (!found) fail_in_part(number, "found no " + quote(key) + ", expected \"stages\" and \"processors\"");
  return found;
}

// Documents may have remarks beside the two.
void refuse_other_keys(py::handle part, std::size_t number) {
  Py_ssize_t at = 0;
  PyObject* key = nullptr;
  PyObject* value = nullptr;
  while (PyDict_Next(part.ptr(), &at, &key, &value) != 0) {
    if (!PyUnicode_Check(key)) fail_for_type(number, key, "the key \"stages\" or \"processors\"");
    const std::string text = text_of(key);
    if (text == "stages" || text == "processors" || text == "//" || text == "$schema") continue;
    fail_in_part(number, "found the unknown key " + quote(text) + ", expected \"stages\" and \"processors\"");
  }
}

// The sequence of processors of a part, where it is a tuple; null otherwise.
PyObject* processors_of_tuple(PyObject* part) {
  return PyTuple_CheckExact(part) && PyTuple_GET_SIZE(part) == 2 ? PyTuple_GET_ITEM(part, 1) : nullptr;
}

// The objects of a mapping are all over the memory, and of many mappings few are in a cache: asked for together, those
// of all parts come in the time that one of them takes.
void prefetch(const Items& parts) {
  for (Py_ssize_t i = 0; i < parts.size(); ++i) __builtin_prefetch(parts[i], 1);
  for (Py_ssize_t i = 0; i < parts.size(); ++i) __builtin_prefetch(processors_of_tuple(parts[i]), 1);
  for (Py_ssize_t i = 0; i < parts.size(); ++i) {
    PyObject* const processors = processors_of_tuple(parts[i]);
    if (processors != nullptr && PyList_CheckExact(processors)) __builtin_prefetch(PySequence_Fast_ITEMS(processors));
  }
}

}  // namespace

MappingReader::MappingReader(const MappingRules& rules) : rules_(rules) {
  const auto& processors = rules.problem().platform.processors;
  for (std::size_t i = 0; i < processors.size(); ++i) processors_[py::str(processors[i].name)] = py::int_(i);
  for (const tpn::ProcessorGroup& group : tpn::processor_groups(rules.problem().platform))
    if (group.is_of_cores()) cores_.emplace(group.name, group);
}

void MappingReader::read(py::handle mapping, CheckedMapping& into) const {
  const auto parts = PyDict_Check(mapping.ptr()) ? std::nullopt : Items::of(mapping);
  if (!parts) throw py::type_error("found " + described(mapping) + ", expected a mapping: a sequence of parts");
  prefetch(*parts);
  into.begin();
  for (Py_ssize_t i = 0; i < parts->size(); ++i) read_part(parts->hold(i), into);
  into.end();
}

void MappingReader::read_part(py::handle part, CheckedMapping& into) const {
  if (PyDict_Check(part.ptr())) return read_named_part(part, into);
  constexpr const char* kExpected = "(number of stages, sequence of processors)";
  const auto items = Items::of(part);
  if (!items) fail_for_type(into.part(), part, kExpected);
  if (items->size() != 2) {
    fail_in_part(into.part(), "found " + std::to_string(items->size()) + " items, expected " + kExpected);
  }
  const py::object stages = items->hold(0);
  const py::object processors = items->hold(1);
  into.begin_part(stage_count(stages, into.part()));
  read_processors(processors, into);
}

void MappingReader::read_named_part(py::handle part, CheckedMapping& into) const {
  const py::object stages = member(part, "stages", into.part());
  const py::object processors = member(part, "processors", into.part());
  refuse_other_keys(part, into.part());
  read_stages(stages, into);
  read_processors(processors, into);
}

void MappingReader::read_stages(py::handle names, CheckedMapping& into) const {
  const auto items = Items::of(names);
  if (!items) fail_for_type(into.part(), names, "a sequence of stages' names");
  const auto& stages = rules_.problem().application.stages;
  const std::size_t first = into.stages();
  Py_ssize_t count = 0;
  for (; count < items->size(); ++count) {
    const py::object name = items->hold(count);
    if (!PyUnicode_Check(name.ptr())) fail_for_type(into.part(), name, "the name of a stage");
    const std::size_t at = first + static_cast<std::size_t>(count);
    if (at >= stages.size()) into.fail_for_stages(items->size());
    if (const std::string text = text_of(name); text != stages[at].name) {
      fail_in_part(into.part(), "found stage " + quote(text) + ", expected " + quote(stages[at].name));
    }
  }
  into.begin_part(count);
}

void MappingReader::read_processors(py::handle processors, CheckedMapping& into) const {
  const auto items = PyDict_Check(processors.ptr()) ? std::nullopt : Items::of(processors);
  if (!items) fail_for_type(into.part(), processors, "a sequence of processors");
  if (!cores_.empty()) {
    read_cores(*items, into);
  } else {
    for (Py_ssize_t i = 0; i < items->size(); ++i) into.add_processor(processor((*items)[i], into));
  }
  into.end_part();
}

// Dealt as in documents. A number may be none of a processor, which the mapping says as it is added.
void MappingReader::read_cores(const Items& items, CheckedMapping& into) const {
  std::vector<std::vector<std::size_t>> lists;
  for (Py_ssize_t i = 0; i < items.size(); ++i) {
    const bool is_name = PyUnicode_Check(items[i]) != 0;
    const auto found = is_name ? cores_.find(text_of(items[i])) : cores_.end();
    if (found != cores_.end()) {
      lists.push_back(tpn::members_of(found->second));
    } else {
      lists.push_back({static_cast<std::size_t>(processor(items[i], into))});
    }
  }
  for (const std::size_t p : tpn::dealt_in_turn(lists)) into.add_processor(static_cast<std::int64_t>(p));
}

std::int64_t MappingReader::other_processor(const py::object& value, const CheckedMapping& into) const {
  if (PyUnicode_Check(value.ptr())) return processor_named(value, into.part());
  const py::object number = whole_number(value);
  if (!number) fail_for_type(into.part(), value, "the number or the name of a processor");
  const auto narrow_number = narrow(number);
  if (!narrow_number) into.fail_for_processor("number of more than 64 bits");
  return *narrow_number;
}

std::int64_t MappingReader::processor_named(py::handle name, std::size_t part) const {
  PyObject* const found = PyDict_GetItemWithError(processors_.ptr(), name.ptr());
  if (found != nullptr) return PyLong_AsLong(found);
  if (PyErr_Occurred() != nullptr) throw py::error_already_set();
  fail_in_part(part, "found the unknown processor " + quote(text_of(name)) +
                         ", expected the name of a processor of the platform");
}

}  // namespace takt::python
