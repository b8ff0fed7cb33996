// The largest or smallest cycle ratio of a graph that comes as lists of its arcs.
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "maxplus/rational_graph.hpp"
#include "python/core/core.hpp"
#include "python/core/described.hpp"
#include "python/core/exact.hpp"
#include "python/core/interruptible.hpp"
#include "python/core/items.hpp"

namespace takt::python {

namespace py = pybind11;

namespace {

using maxplus::RationalArc;

// Of an array, a list, or any other sequence of integers.
std::vector<std::int64_t> integers_of(py::handle value, const char* name) {
  const auto array = py::array::ensure(value);
  if (!array || array.ndim() != 1) {
    PyErr_Clear();
    throw py::type_error(std::string(name) + ": found " + described(value) + ", expected a sequence of integers");
  }
  if (array.size() == 0) return {};
  const char kind = array.dtype().kind();
  const auto wide = py::array_t<std::int64_t, py::array::c_style | py::array::forcecast>::ensure(array);
  if ((kind != 'i' && kind != 'u') || !wide) {
    PyErr_Clear();
    throw py::type_error(std::string(name) + ": found values of type " + text_of(py::str(array.dtype())) +
                         ", expected integers of 64 bits");
  }
  return {wide.data(), wide.data() + wide.size()};
}

void require_length(std::size_t found, std::size_t arcs, const char* name) {
  if (found == arcs) return;
  throw py::value_error(std::string(name) + ": found " + std::to_string(found) + " values, expected one for each of " +
                        std::to_string(arcs) + " arcs");
}

void read_weights(py::handle weights, std::vector<RationalArc>& arcs) {
  const auto items = Items::of(weights);
  if (!items) throw py::type_error("weight: found " + described(weights) + ", expected a sequence of numbers");
  require_length(static_cast<std::size_t>(items->size()), arcs.size(), "weight");
  Py_ssize_t i = 0;
  const auto here = [&i](const std::exception& error) { return "arc " + std::to_string(i) + ": " + error.what(); };
  try {
    for (; i < items->size(); ++i) arcs[static_cast<std::size_t>(i)].weight = rational_of(items->hold(i), "weight");
  } catch (const py::type_error& error) {
    throw py::type_error(here(error));
  } catch (const py::value_error& error) {
    throw py::value_error(here(error));
  }
}

void read_tokens(py::handle tokens, std::vector<RationalArc>& arcs) {
  const std::vector<std::int64_t> counts = integers_of(tokens, "tokens");
  require_length(counts.size(), arcs.size(), "tokens");
  for (std::size_t i = 0; i < arcs.size(); ++i) {
    if (counts[i] < 0) {
      throw py::value_error("arc " + std::to_string(i) + ": tokens: found " + std::to_string(counts[i]) +
                            ", expected at least 0");
    }
    arcs[i].tokens = static_cast<std::uint64_t>(counts[i]);
  }
}

// The ends of arcs as numbers from 0 on, in place of any. How many there are.
std::size_t read_ends(py::handle from, py::handle to, std::vector<RationalArc>& arcs) {
  const std::vector<std::int64_t> tails = integers_of(from, "from_");
  const std::vector<std::int64_t> heads = integers_of(to, "to");
  require_length(heads.size(), tails.size(), "to");
  std::vector<std::int64_t> vertices = tails;
  vertices.insert(vertices.end(), heads.begin(), heads.end());
  std::ranges::sort(vertices);
  vertices.erase(std::unique(vertices.begin(), vertices.end()), vertices.end());
  const auto number_of = [&vertices](std::int64_t vertex) {
    return static_cast<std::size_t>(std::ranges::lower_bound(vertices, vertex) - vertices.begin());
  };
  arcs.resize(tails.size());
  for (std::size_t i = 0; i < arcs.size(); ++i) {
    arcs[i].from = number_of(tails[i]);
    arcs[i].to = number_of(heads[i]);
  }
  return vertices.size();
}

py::list list_of(const std::vector<std::size_t>& numbers) {
  py::list list;
  for (const std::size_t number : numbers) list.append(number);
  return list;
}

template <typename... Arguments>
[[noreturn]] void throw_error(const char* type, const Arguments&... arguments) {
  const py::object error = py::module_::import("takt._errors").attr(type);
  PyErr_SetObject(error.ptr(), error(arguments...).ptr());
  throw py::error_already_set();
}

py::tuple cycle_ratio_of(py::handle from, py::handle to, py::handle weight, py::handle tokens, bool minimum) {
  std::vector<RationalArc> arcs;
  const std::size_t vertices = read_ends(from, to, arcs);
  read_weights(weight, arcs);
  read_tokens(tokens, arcs);
  const auto extreme = minimum ? maxplus::RatioExtreme::smallest : maxplus::RatioExtreme::largest;
  const auto answer =
      interruptibly([&] { return maxplus::cycle_ratio(vertices, arcs, maxplus::default_solver(), extreme); });
  if (const auto* cycle = std::get_if<maxplus::RatioCycle>(&answer)) {
    return py::make_tuple(fraction_of(cycle->ratio), list_of(cycle->arcs));
  }
  if (const auto* deadlock = std::get_if<maxplus::DeadlockCycle>(&answer)) {
    throw_error("Deadlock", "a cycle of " + std::to_string(deadlock->arcs.size()) + " arcs has no token",
                list_of(deadlock->arcs));
  }
  if (std::holds_alternative<maxplus::NoCycle>(answer)) throw_error("NoCycle", "the graph has no cycle");
  throw_error("LimitReached", "the weights over one denominator would need too many digits");
}

}  // namespace

void define_cycle_ratio(py::module_& module) {
  module.def("cycle_ratio", cycle_ratio_of, py::arg("from_"), py::arg("to"), py::arg("weight"), py::arg("tokens"),
             py::arg("minimum") = false);
}

}  // namespace takt::python
