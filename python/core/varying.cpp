// Latencies of instances whose times vary, as NumPy arrays: by copy, then data set.
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "python/core/core.hpp"
#include "python/core/interruptible.hpp"
#include "python/core/raised.hpp"
#include "python/core/shared_document.hpp"
#include "tools/answers/limit_words.hpp"
#include "tools/files/files.hpp"
#include "tools/files/signals.hpp"
#include "tools/frame/options.hpp"
#include "tools/vary/law_options.hpp"
#include "tpn/folded_net.hpp"
#include "vary/net_times.hpp"
#include "vary/vary.hpp"

namespace takt::python {

namespace py = pybind11;

namespace {

// By gap, all copies' latencies one after the other.
std::vector<vary::ScenarioFigures> played(const SharedDocument& source, const tpn::Model& model, const std::string& law,
                                          const std::vector<double>& gaps, vary::VarySettings settings) {
  auto folded = tpn::fold(*source.document, model);
  if (const auto* too_large = std::get_if<tpn::TooLarge>(&folded)) raise_limit(tools::too_large_text(*too_large));
  const auto& net = std::get<tpn::FoldedNet>(folded);
  const auto of_all = law.empty() ? std::nullopt : std::optional(tools::law_of_text(law));
  auto times = vary::times_of(*source.document, net, of_all, {});
  const vary::PlayedNet ready(net, *std::move(times));
  std::vector<vary::Scenario> scenarios;
  scenarios.reserve(gaps.size());
  for (const double gap : gaps) scenarios.push_back({gap});
  settings.deadline = maxplus::Deadline().or_on(tools::interruption());
  auto figures = vary::figures_of(ready, scenarios, {}, settings, true);
  // Nothing after Ctrl-C, whose exception comes in place of it.
  return figures ? std::move(figures->scenarios) : std::vector<vary::ScenarioFigures>();
}

py::list latencies(const SharedDocument& source, const std::string& model, std::optional<std::uint64_t> rooms,
                   const std::string& law, const std::vector<double>& gaps, bool is_poisson, std::uint64_t copies,
                   std::uint64_t data_sets, std::uint64_t skipped, std::uint64_t seed) {
  tools::require_mapping(*source.document, source.name);
  const auto models = tools::models_of(*source.document, {model, rooms});
  vary::VarySettings settings;
  settings.seed = seed;
  settings.copies = copies;
  settings.data_sets = data_sets;
  settings.skipped = skipped;
  settings.arrivals = {is_poisson ? vary::ArrivalKind::poisson : vary::ArrivalKind::periodic};
  const auto scenarios = interruptibly([&] { return played(source, models.front(), law, gaps, settings); });
  py::list arrays;
  for (const vary::ScenarioFigures& scenario : scenarios) {
    const auto rows = static_cast<py::ssize_t>(scenario.copies);
    const auto columns = static_cast<py::ssize_t>(scenario.latencies.size()) / rows;
    py::array_t<double> array({rows, columns});
    std::ranges::copy(scenario.latencies, array.mutable_data());
    arrays.append(array);
  }
  return arrays;
}

}  // namespace

void define_varying(py::module_& module) {
  module.def("latencies", latencies, py::arg("document"), py::arg("model"), py::arg("rooms"), py::arg("law"),
             py::arg("gaps"), py::arg("is_poisson"), py::arg("copies"), py::arg("data_sets"), py::arg("skipped"),
             py::arg("seed"));
}

}  // namespace takt::python
