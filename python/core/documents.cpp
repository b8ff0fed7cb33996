// Documents, read and found valid once.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "python/core/core.hpp"
#include "python/core/interruptible.hpp"
#include "python/core/raised.hpp"
#include "python/core/shared_document.hpp"
#include "tpn/models.hpp"
#include "tpn/reader.hpp"
#include "tpn/writer.hpp"

namespace takt::python {

namespace py = pybind11;

namespace {

SharedDocument read(const py::bytes& bytes, const std::string& name) {
  const std::string text(bytes);
  auto document = interruptibly([&] {
    return std::make_shared<const tpn::Document>(
        tpn::read_document(text, name, std::nullopt, tpn::Catalogues::accepted));
  });
  return {std::move(document), name};
}

std::optional<std::string> model_of(const SharedDocument& shared) {
  if (!shared.document->model) return std::nullopt;
  return std::string(tpn::name_of(*shared.document->model));
}

void need_model(const SharedDocument& shared) {
  if (!shared.document->model) raise_model_missing("instance");
}

}  // namespace

void define_documents(py::module_& module) {
  py::class_<SharedDocument>(module, "Document")
      .def(py::init(&read), py::arg("text"), py::arg("name"))
      .def_readonly("name", &SharedDocument::name)
      .def_property_readonly("model", model_of)
      .def("need_model", need_model)
      .def_property_readonly("has_units",
                             [](const SharedDocument& s) { return s.document->time_unit == tpn::TimeUnit::second; })
      .def_property_readonly("has_mapping", [](const SharedDocument& s) { return s.document->mapping.has_value(); })
      .def_property_readonly("stages",
                             [](const SharedDocument& s) { return names_of_items(s.document->application.stages); })
      .def_property_readonly("processors",
                             [](const SharedDocument& s) { return names_of_items(s.document->platform.processors); })
      .def("text", [](const SharedDocument& s) { return tpn::write_document(*s.document); });
}

}  // namespace takt::python
