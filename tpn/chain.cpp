// Columns and files, held against those of a chain one by one.
#include "tpn/chain.hpp"

#include <fmt/format.h>

namespace takt::tpn {

namespace {

bool is_column_of_chain(const Pipeline& pipeline, std::size_t c) {
  const Column& column = pipeline.columns[c];
  const std::size_t part = c / 2;
  if (column.part != part || column.kind != (c % 2 == 0 ? ColumnKind::compute : ColumnKind::transfer)) return false;
  const std::size_t receivers = c % 2 == 0 ? 1 : pipeline.parts[part + 1].sequence.size();
  return column.sender_offset.size() == pipeline.parts[part].sequence.size() &&
         column.receiver_offset.size() == receivers;
}

bool is_file_of_chain(const Dependence& d) { return d.to == d.from + 1 && d.height == 0 && d.modulus == 1; }

}  // namespace

std::optional<std::string> why_no_chain(const FoldedNet& net) {
  const Pipeline& pipeline = net.pipeline;
  if (pipeline.parts.empty() || pipeline.columns.size() != 2 * pipeline.parts.size() - 1) {
    return fmt::format("{} parts have {} operations per data set, a chain of them has {}", pipeline.parts.size(),
                       pipeline.columns.size(), pipeline.parts.empty() ? 0 : 2 * pipeline.parts.size() - 1);
  }
  for (std::size_t c = 0; c < pipeline.columns.size(); ++c) {
    if (!is_column_of_chain(pipeline, c)) return fmt::format("operation {} is not that of a chain", c);
  }
  std::size_t files = 0;
  for (const Dependence& d : net.dependences) {
    if (d.kind != ConstraintKind::flow) continue;
    if (!is_file_of_chain(d)) return fmt::format("a file leads from operation {} to operation {}", d.from, d.to);
    ++files;
  }
  if (files + 1 == pipeline.columns.size()) return std::nullopt;
  return fmt::format("{} files lead from one operation to another, in a chain {} do", files,
                     pipeline.columns.size() - 1);
}

}  // namespace takt::tpn
