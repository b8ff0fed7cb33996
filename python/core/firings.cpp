// The operations of the first data sets, played as early as they may, as NumPy arrays of ticks.
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "evaluators/play/play.hpp"
#include "python/core/core.hpp"
#include "python/core/interruptible.hpp"
#include "python/core/raised.hpp"
#include "python/core/shared_document.hpp"
#include "tools/answers/limit_words.hpp"
#include "tools/files/files.hpp"
#include "tools/frame/options.hpp"
#include "tpn/folded_net.hpp"

namespace takt::python {

namespace py = pybind11;

namespace {

// Entries of the arrays; four of 64 bits for each operation.
constexpr std::uint64_t kMostFirings = 100'000'000;

struct FiringArrays {
  py::array_t<std::int64_t> data_set;
  py::array_t<std::int64_t> column;
  py::array_t<std::int64_t> start;
  py::array_t<std::int64_t> end;
};

tpn::FoldedNet folded(const SharedDocument& source, const std::string& model, std::optional<std::uint64_t> rooms) {
  tools::require_mapping(*source.document, source.name);
  const auto models = tools::models_of(*source.document, {model, rooms});
  if (models.size() != 1) {
    raise_model_missing("instance");
  }
  auto net = interruptibly([&] { return tpn::fold(*source.document, models.front()); });
  if (const auto* too_large = std::get_if<tpn::TooLarge>(&net)) {
    raise_limit(tools::too_large_text(*too_large));
  }
  return std::get<tpn::FoldedNet>(std::move(net));
}

FiringArrays room_for(std::uint64_t firings) {
  const auto size = static_cast<py::ssize_t>(firings);
  return {py::array_t<std::int64_t>(size), py::array_t<std::int64_t>(size), py::array_t<std::int64_t>(size),
          py::array_t<std::int64_t>(size)};
}

// Whether all ends fit 64 bits.
bool play_into(const FiringArrays& arrays, const tpn::FoldedNet& net, std::uint64_t data_sets) {
  py::array_t<std::int64_t> data_set = arrays.data_set;
  py::array_t<std::int64_t> column = arrays.column;
  py::array_t<std::int64_t> start = arrays.start;
  py::array_t<std::int64_t> end = arrays.end;
  std::int64_t* const to_data_set = data_set.mutable_data();
  std::int64_t* const to_column = column.mutable_data();
  std::int64_t* const to_start = start.mutable_data();
  std::int64_t* const to_end = end.mutable_data();
  return interruptibly([&] {
    std::size_t at = 0;
    return evaluators::play_in_ticks(net, data_sets,
                                     [&](const tpn::Operation& operation, std::int64_t from, std::int64_t to) {
                                       to_data_set[at] = static_cast<std::int64_t>(net.pipeline.data_set_of(operation));
                                       to_column[at] = static_cast<std::int64_t>(operation.column);
                                       to_start[at] = from;
                                       to_end[at++] = to;
                                       return !tools::interruption();
                                     });
  });
}

py::list columns_of(const tpn::Pipeline& pipeline) {
  py::list columns;
  for (const tpn::Column& column : pipeline.columns) {
    const tpn::NetPart& part = pipeline.parts[column.part];
    columns.append(py::make_tuple(column.kind == tpn::ColumnKind::compute ? "compute" : "transfer", column.part.value(),
                                  part.first_stage, part.last_stage));
  }
  return columns;
}

py::dict simulate(const SharedDocument& source, const std::string& model, std::optional<std::uint64_t> rooms,
                  std::uint64_t data_sets) {
  const tpn::FoldedNet net = folded(source, model, rooms);
  const std::uint64_t columns = net.pipeline.columns.size();
  if (data_sets > kMostFirings / columns) {
    raise_limit(tools::too_large_text(
        {tpn::LimitKind::played_operations, maxplus::Integer(data_sets) * columns, kMostFirings}));
  }
  const FiringArrays arrays = room_for(data_sets * columns);
  if (!play_into(arrays, net, data_sets)) raise_limit("the times need more than 64 bits");
  py::dict result;
  result["data_set"] = arrays.data_set;
  result["column"] = arrays.column;
  result["start_ticks"] = arrays.start;
  result["end_ticks"] = arrays.end;
  result["scale"] = py::int_(py::str(net.pipeline.scale.get_str()));
  result["columns"] = columns_of(net.pipeline);
  return result;
}

}  // namespace

void define_firings(py::module_& module) {
  module.def("simulate", simulate, py::arg("document"), py::arg("model"), py::arg("rooms"), py::arg("data_sets"));
}

}  // namespace takt::python
