// An instance evaluated, and kept: its certificate and its table are made when they are asked for.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "evaluators/proof/certificate.hpp"
#include "python/core/core.hpp"
#include "python/core/exact.hpp"
#include "python/core/interruptible.hpp"
#include "python/core/raised.hpp"
#include "python/core/shared_document.hpp"
#include "tools/answers/evaluate_options.hpp"
#include "tools/answers/evaluating.hpp"
#include "tools/answers/evaluation_output.hpp"
#include "tools/answers/limit_words.hpp"
#include "tools/files/files.hpp"
#include "tools/files/model_choice.hpp"
#include "tools/frame/command_line.hpp"
#include "tools/words/json_results.hpp"

namespace takt::python {

namespace py = pybind11;

namespace {

struct KeptEvaluation {
  SharedDocument source;
  tools::EvaluateOptions options;
  tools::EvaluatedInstance instance;
  std::string latency_limit;  // "" where none was met
};

tools::EvaluateOptions options_of(const SharedDocument& source, std::vector<std::string> arguments) {
  auto options = std::make_shared<tools::EvaluateOptions>();
  arguments.push_back(source.name);
  tools::read_arguments([&](tools::CommandLine& line) { tools::add_evaluate_options(line, *options); }, arguments);
  options->json = true;
  tools::require_consistent(*options);
  return *options;
}

tpn::Model only_model(const SharedDocument& source, const tools::EvaluateOptions& options) {
  const auto models = tools::models_of(*source.document, options.model);
  if (models.size() == 1) return models.front();
  raise_model_missing("instance");
}

KeptEvaluation evaluate(const SharedDocument& source, const std::vector<std::string>& arguments) {
  const tools::EvaluateOptions options = options_of(source, arguments);
  tools::require_mapping(*source.document, source.name);
  const tpn::Model model = only_model(source, options);
  std::string latency_limit;
  auto found = interruptibly([&] {
    std::istringstream in;
    std::ostringstream out;
    tools::Streams streams{in, out, out};
    auto evaluated = tools::evaluate_instance(source.name, *source.document, model, options, streams);
    if (auto* instance = std::get_if<tools::EvaluatedInstance>(&evaluated)) {
      if (const auto limit = tools::add_latency_as_asked(*instance, options)) latency_limit = tools::limit_text(*limit);
      tools::add_estimate_as_asked(*instance, options);
    }
    return evaluated;
  });
  if (const auto* too_large = std::get_if<tpn::TooLarge>(&found)) raise_limit(tools::too_large_text(*too_large));
  return {source, options, std::get<tools::EvaluatedInstance>(std::move(found)), latency_limit};
}

std::string json_of(const KeptEvaluation& kept) {
  const py::gil_scoped_release others_go_on;
  std::ostringstream out;
  tools::JsonResults results(tools::JsonResults::Form::object, out);
  tools::write_json(results.next(), kept.instance, kept.options.circuit_length());
  results.finish();
  return std::move(out).str();
}

std::string table_of(const KeptEvaluation& kept) {
  return interruptibly([&] {
    std::ostringstream out;
    tools::EvaluatedInstance instance = kept.instance;
    tools::EvaluateOptions options = kept.options;
    options.json = false;
    if (!instance.latency) tools::add_latency_as_asked(instance, options);
    tools::write_table(out, instance, options.circuit_length());
    return std::move(out).str();
  });
}

std::string certificate_of(const KeptEvaluation& kept) {
  const auto certificate = interruptibly([&] { return tools::certificate_of(kept.instance); });
  if (const auto* why = std::get_if<std::string>(&certificate)) raise_limit(*why);
  return evaluators::write_certificate(std::get<evaluators::Certificate>(certificate));
}

}  // namespace

void define_evaluation(py::module_& module) {
  py::class_<KeptEvaluation>(module, "Evaluated")
      .def_property_readonly("lower", [](const KeptEvaluation& k) { return fraction_of(k.instance.evaluation.lower); })
      .def_property_readonly("upper", [](const KeptEvaluation& k) { return fraction_of(k.instance.evaluation.upper); })
      .def_property_readonly("is_exact", [](const KeptEvaluation& k) { return k.instance.evaluation.exact(); })
      .def_property_readonly("limit", [](const KeptEvaluation& k) { return tools::limit_text(k.instance.evaluation); })
      .def_readonly("latency_limit", &KeptEvaluation::latency_limit)
      .def("json", json_of)
      .def("table", table_of)
      .def("certificate", certificate_of);
  module.def("evaluate", evaluate, py::arg("document"), py::arg("arguments"));
}

}  // namespace takt::python
