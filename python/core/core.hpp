// What the module _core is made of: a function for each part, which defines its names.
#pragma once

#include <pybind11/pybind11.h>

namespace takt::python {

/// What crosses as exact numbers: before all others.
void define_exact();
/// From exceptions of takt to those of takt._errors.
void define_errors();
/// The program in-process: run, main.
void define_program(pybind11::module_& module);
/// Document: read, valid, shared by its users.
void define_documents(pybind11::module_& module);
/// evaluate, and Evaluated, what it gives.
void define_evaluation(pybind11::module_& module);
/// simulate: the operations of the first data sets as arrays.
void define_firings(pybind11::module_& module);
/// Evaluator: the periods of many mappings of one problem.
void define_evaluator(pybind11::module_& module);
/// run_experiment: experiments whose heuristics are functions.
void define_experiments(pybind11::module_& module);
/// cycle_ratio of arrays of arcs.
void define_cycle_ratio(pybind11::module_& module);
/// latencies: of data sets whose times vary, as arrays.
void define_varying(pybind11::module_& module);

}  // namespace takt::python
