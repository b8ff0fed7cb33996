// The plan of a pipeline that both peers carry out, as simgrid_test.py writes it. Nothing of takt is in it.
//
//     strict 50             the model, and how many data sets
//     7 3                   processors, columns
//     2                     operations of a column, on data sets 0, 1, ..., from which on they repeat; for each
//     0 0 22                who does it or sends, who receives (the same in computations), ticks
//
// Column 2i computes part i, column 2i + 1 sends its file on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace takt::peers {

struct PlanOperation {
  std::size_t from = 0;
  std::size_t to = 0;
  std::uint64_t ticks = 0;
};

struct PlanColumn {
  bool computes = false;
  std::vector<PlanOperation> operations;

  const PlanOperation& on(std::uint64_t data_set) const { return operations[data_set % operations.size()]; }
  bool is_transfer_on(std::uint64_t data_set) const { return !computes && on(data_set).from != on(data_set).to; }
};

struct Plan {
  bool strict = false;
  std::uint64_t data_sets = 0;
  std::size_t processors = 0;
  std::vector<PlanColumn> columns;
};

inline Plan read_plan(const std::string& path) {
  std::ifstream file(path);
  Plan plan;
  std::string model;
  std::size_t columns = 0;
  file >> model >> plan.data_sets >> plan.processors >> columns;
  plan.strict = model == "strict";
  plan.columns.resize(file ? columns : 0);
  for (std::size_t c = 0; c < plan.columns.size(); ++c) {
    std::size_t count = 0;
    file >> count;
    plan.columns[c] = {c % 2 == 0, std::vector<PlanOperation>(file ? count : 0)};
    for (PlanOperation& each : plan.columns[c].operations) {
      file >> each.from >> each.to >> each.ticks;
      if (each.from >= plan.processors || each.to >= plan.processors) file.setstate(std::ios::failbit);
    }
  }
  if (!file || plan.columns.empty()) throw std::runtime_error(path + " is no plan");
  return plan;
}

}  // namespace takt::peers
