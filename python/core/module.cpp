// The module takt._core: for the package takt alone, whose sources say what each name is for.
#include "python/core/core.hpp"

PYBIND11_MODULE(_core, module) {
  namespace python = takt::python;
  module.attr("__version__") = TAKT_VERSION;
  python::define_exact();
  python::define_errors();
  python::define_program(module);
  python::define_documents(module);
  python::define_evaluation(module);
  python::define_firings(module);
  python::define_evaluator(module);
  python::define_experiments(module);
  python::define_cycle_ratio(module);
  python::define_varying(module);
}
