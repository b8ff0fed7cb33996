// The largest or smallest cycle ratio of a graph that comes as lists of its arcs, and what proves it.
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <sstream>
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
#include "python/core/raised.hpp"
#include "tools/answers/evaluate_options.hpp"
#include "tools/answers/limit_words.hpp"
#include "tools/cycle_ratio/ratio_certificate.hpp"
#include "tools/frame/command_line.hpp"
#include "tools/frame/limited_search.hpp"
#include "tools/frame/options.hpp"
#include "tpn/limits.hpp"

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
  const bool is_whole = kind == 'i' || kind == 'u';
  const auto wide = is_whole ? py::array_t<std::int64_t, py::array::c_style | py::array::forcecast>::ensure(array)
                             : py::array_t<std::int64_t, py::array::c_style | py::array::forcecast>(0);
  if (!is_whole || !wide) {
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

// The ends of arcs as numbers from 0 on, in place of any, which are returned in their order.
std::vector<std::int64_t> read_ends(py::handle from, py::handle to, std::vector<RationalArc>& arcs) {
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
  return vertices;
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

struct RatioOptions {
  std::string solver{maxplus::default_solver().name};
  std::optional<double> time_limit;
  bool smallest = false;

  maxplus::RatioExtreme extreme() const {
    return smallest ? maxplus::RatioExtreme::smallest : maxplus::RatioExtreme::largest;
  }
};

RatioOptions options_of(const std::vector<std::string>& arguments) {
  RatioOptions options;
  const auto define = [&options](tools::CommandLine& line) {
    line.option("--solver", options.solver, "").check(tools::one_of(tools::solver_names()));
    line.flag("--min", options.smallest, "");
    tools::add_time_limit(line, options.time_limit, "", "");
  };
  tools::read_arguments(define, arguments);
  return options;
}

std::string why_unanswered(const maxplus::RationalCycleRatio& answer) {
  if (const auto* limit = std::get_if<maxplus::SolverLimit>(&answer)) {
    return tools::too_large_text({tpn::LimitKind::karp_entries, maxplus::Integer(limit->needed), limit->limit}) +
           " (solver=\"howard\" has none)";
  }
  if (std::holds_alternative<maxplus::WeightLimit>(answer)) {
    return "the weights over one denominator would need too many digits";
  }
  return std::string(tools::why_ended()) + " before the ratio was known";
}

// A graph, which answers are asked of.
class RatioArcs {
 public:
  RatioArcs(py::handle from, py::handle to, py::handle weight, py::handle tokens)
      : vertices_(read_ends(from, to, arcs_)) {
    read_weights(weight, arcs_);
    read_tokens(tokens, arcs_);
  }

  // The ratio, and the arcs of a cycle that has it.
  py::tuple cycle_ratio(const std::vector<std::string>& arguments) const {
    const RatioOptions options = options_of(arguments);
    const auto answer = interruptibly([&] {
      const tools::LimitedSearch search(options.time_limit);
      return maxplus::cycle_ratio(vertices_.size(), arcs_, *maxplus::find_solver(options.solver), options.extreme(),
                                  maxplus::kMostWeightWords, search.deadline());
    });
    if (const auto* cycle = std::get_if<maxplus::RatioCycle>(&answer)) {
      return py::make_tuple(fraction_of(cycle->ratio), list_of(cycle->arcs));
    }
    if (const auto* deadlock = std::get_if<maxplus::DeadlockCycle>(&answer)) {
      throw_error("Deadlock", "a cycle of " + std::to_string(deadlock->arcs.size()) + " arcs has no token",
                  list_of(deadlock->arcs));
    }
    if (std::holds_alternative<maxplus::NoCycle>(answer)) throw_error("NoCycle", "the graph has no cycle");
    raise_limit(why_unanswered(answer));
  }

  // Of a ratio and its cycle: a number for each vertex.
  py::list potentials(py::handle ratio, const std::vector<std::size_t>& cycle, bool smallest) const {
    const maxplus::RatioProof proof = proof_of(ratio, cycle, smallest);
    py::list values;
    for (const maxplus::Integer& value : proof.values) {
      values.append(fraction_of(maxplus::Rational::fraction(value, proof.denominator)));
    }
    return values;
  }

  // The same as the text of a certificate, with a name for each vertex.
  std::string certificate(py::handle ratio, const std::vector<std::size_t>& cycle, bool smallest,
                          const std::vector<std::string>& names) const {
    const maxplus::CycleRatioProof proof = proof_of(ratio, cycle, smallest);
    if (std::set<std::string>(names.begin(), names.end()).size() != vertices_.size() ||
        names.size() != vertices_.size())
      throw py::value_error("found too few or too many names, expected one a vertex, all different");
    if (!tools::fits_ratio_certificate(proof)) {
      raise_limit("no certificate: its numbers would have more than " + std::to_string(tools::kRatioDigits) +
                  " digits");
    }
    return interruptibly([&] {
      tools::RatioGraph graph;
      for (const std::string& name : names) graph.vertices.add(name);
      graph.arcs = arcs_;
      std::ostringstream out;
      tools::write_ratio_certificate(out, graph, proof);
      return std::move(out).str();
    });
  }

  const std::vector<std::int64_t>& vertices() const { return vertices_; }

  // (from, to, weight, tokens) of each, ends as numbers from 0 on.
  py::list arcs() const {
    py::list list;
    for (const RationalArc& arc : arcs_) {
      list.append(py::make_tuple(arc.from, arc.to, fraction_of(arc.weight), arc.tokens));
    }
    return list;
  }

 private:
  maxplus::RatioProof proof_of(py::handle ratio, const std::vector<std::size_t>& cycle, bool smallest) const {
    const maxplus::RationalCycleRatio answer = maxplus::RatioCycle{rational_of(ratio, "ratio"), cycle};
    const auto extreme = smallest ? maxplus::RatioExtreme::smallest : maxplus::RatioExtreme::largest;
    auto proof = interruptibly([&] {
      const tools::LimitedSearch search(std::nullopt);
      return maxplus::prove_cycle_ratio(vertices_.size(), arcs_, answer, extreme, search.deadline());
    });
    if (!proof) raise_limit(std::string(tools::why_ended()) + " before the proof was found");
    return std::get<maxplus::RatioProof>(*std::move(proof));
  }

  std::vector<RationalArc> arcs_;
  std::vector<std::int64_t> vertices_;
};

}  // namespace

void define_cycle_ratio(py::module_& module) {
  py::class_<RatioArcs>(module, "RatioArcs")
      .def(py::init<py::handle, py::handle, py::handle, py::handle>(), py::arg("from_"), py::arg("to"),
           py::arg("weight"), py::arg("tokens"))
      .def("cycle_ratio", &RatioArcs::cycle_ratio, py::arg("arguments"))
      .def("potentials", &RatioArcs::potentials, py::arg("ratio"), py::arg("cycle"), py::arg("smallest"))
      .def("certificate", &RatioArcs::certificate, py::arg("ratio"), py::arg("cycle"), py::arg("smallest"),
           py::arg("names"))
      .def_property_readonly("vertices", &RatioArcs::vertices)
      .def("arcs", &RatioArcs::arcs);
}

}  // namespace takt::python
