// The program takt, called in-process.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <unistd.h>

#include <iostream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "experiments/draws/generator.hpp"
#include "heuristics/registry.hpp"
#include "python/core/core.hpp"
#include "python/core/interruptible.hpp"
#include "tools/command.hpp"
#include "tools/files/signals.hpp"

namespace takt::python {

namespace py = pybind11;

namespace {

struct ProgramOutput {
  int status = 0;
  std::string out;
  std::string err;
};

// What the command prints when it reads `input`; throws what stops it.
ProgramOutput run_program_on(const std::vector<std::string>& arguments, const std::string& input) {
  return interruptibly([&] {
    std::istringstream in(input);
    std::ostringstream out;
    std::ostringstream err;
    ProgramOutput result;
    result.status = tools::run_or_throw(arguments, {in, out, err});
    result.out = std::move(out).str();
    result.err = std::move(err).str();
    return result;
  });
}

// As `main` of the program, GMP's allocators aside: they are the process's, and others may use GMP in it.
int be_the_program(const std::vector<std::string>& arguments) {
  const py::gil_scoped_release released;
  tools::handle_ending_signals();
  return tools::run(arguments, {std::cin, std::cout, std::cerr, isatty(STDERR_FILENO) != 0});
}

}  // namespace

void define_program(py::module_& module) {
  module.def(
      "run",
      [](const std::vector<std::string>& arguments, const py::bytes& input) {
        const ProgramOutput output = run_program_on(arguments, std::string(input));
        return py::make_tuple(output.status, py::bytes(output.out), py::bytes(output.err));
      },
      py::arg("arguments"), py::arg("input"));
  module.def("heuristic_names", [] {
    std::vector<std::string> names;
    for (const heuristics::Heuristic& heuristic : heuristics::heuristics()) names.emplace_back(heuristic.name);
    return names;
  });
  module.def("generator_names", [] {
    std::vector<std::string> names;
    for (const experiments::Generator& generator : experiments::generators()) names.emplace_back(generator.name);
    return names;
  });
  module.def("main", be_the_program, py::arg("arguments"));
}

}  // namespace takt::python
