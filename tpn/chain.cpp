// Columns and files, held against those of a chain one by one.
#include "tpn/chain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

#include "maxplus/contract.hpp"

namespace takt::tpn {

namespace {

bool is_column_of_chain(const Pipeline& pipeline, ColumnIndex c) {
  const Column& column = pipeline.columns[c];
  const std::size_t part = chain_part(c);
  const bool computes = c == chain_computation(part);
  const std::size_t receiver = computes ? part : part + 1;
  if (column.part.value() != part || column.receiver.value() != receiver ||
      column.kind != (computes ? ColumnKind::compute : ColumnKind::transfer)) {
    return false;
  }
  const std::size_t receivers = computes ? 1 : pipeline.parts[receiver].sequence.size();
  return column.sender_offset.size() == pipeline.parts[part].sequence.size() &&
         column.receiver_offset.size() == receivers;
}

bool is_file_of_chain(const Dependence& d) {
  return d.to.value() == d.from.value() + 1 && d.height == 0 && d.modulus == 1;
}

bool takes_part(const Pipeline& pipeline, const Operation& operation, std::size_t processor) {
  return pipeline.sender_of(operation) == processor || pipeline.receiver_of(operation) == processor;
}

bool is_of_part(const Column& column, PartIndex part) { return column.part == part || column.receiver == part; }

// Whether a resource's dependence joins operations of its part's processors, each with one of its own.
bool joins_own(const Pipeline& pipeline, const Dependence& d) {
  const NetPart& part = pipeline.parts[d.part];
  const Column& from = pipeline.columns[d.from];
  const Column& to = pipeline.columns[d.to];
  const std::uint64_t length = part.sequence.size();
  const std::uint64_t data_sets_on = (d.height + from.shift % length + length - to.shift % length) % length;
  if (is_of_part(from, d.part) && is_of_part(to, d.part) && data_sets_on == 0) return true;
  constexpr std::uint64_t kMostDataSets = 1'000'000;
  Integer all = d.modulus;
  for (const PartIndex index : {d.part, from.part, from.receiver, to.part, to.receiver})
    all = lcm(all, Integer(pipeline.parts[index].sequence.size()));
  if (all / d.modulus > kMostDataSets) return false;
  for (std::uint64_t j = d.residue; j < all; j += d.modulus) {
    const std::size_t processor = pipeline.processor_at(d.part, {j, d.from});
    if (!takes_part(pipeline, {j, d.from}, processor) || !takes_part(pipeline, {j + d.height, d.to}, processor))
      return false;
  }
  return true;
}

}  // namespace

std::optional<std::string> why_shared(const FoldedNet& net) {
  for (const Dependence& d : net.dependences) {
    if (!is_resource(d.kind)) continue;
    if (d.kind != ConstraintKind::segment && joins_own(net.pipeline, d)) continue;
    return fmt::format("a {} handles operations of several processors", name_of(d.kind));
  }
  return std::nullopt;
}

std::vector<PartEdge> chain_edges(std::size_t parts) {
  std::vector<PartEdge> edges;
  for (std::size_t i = 0; i + 1 < parts; ++i) edges.push_back({PartIndex(i), PartIndex(i + 1), {}});
  return edges;
}

std::span<const PartEdge> edges_from(std::span<const PartEdge> edges, PartIndex sender) {
  const auto first = std::ranges::lower_bound(edges, sender, {}, &PartEdge::sender);
  const auto last = std::ranges::upper_bound(edges, sender, {}, &PartEdge::sender);
  return {first, last};
}

Pipeline sub_chain(const Pipeline& chain, PartIndex first, PartIndex last) {
  maxplus::expects(chain.is_chain(), "a sub-chain is one of a chain");
  maxplus::expects(first <= last && last < chain.parts.size(), "a sub-chain is one of the chain's parts");
  const auto position = [](std::size_t index) { return static_cast<std::ptrdiff_t>(index); };
  Pipeline pipeline;
  pipeline.processors = chain.processors;
  pipeline.ports = chain.ports;
  pipeline.parts.assign(chain.parts.begin() + position(first), chain.parts.begin() + position(last) + 1);
  pipeline.columns.assign(chain.columns.begin() + position(chain_computation(first)),
                          chain.columns.begin() + position(chain_computation(last)) + 1);
  for (Column& column : pipeline.columns) {
    column.part = PartIndex(column.part.value() - first.value());
    column.receiver = PartIndex(column.receiver.value() - first.value());
  }
  pipeline.scale = chain.scale;
  for (const NetPart& part : pipeline.parts) pipeline.rows = lcm(pipeline.rows, Integer(part.sequence.size()));
  connect(pipeline);
  return pipeline;
}

ColumnIndex in_whole_chain(ColumnIndex of_sub_chain, PartIndex first) {
  return ColumnIndex(of_sub_chain.value() + chain_computation(first).value());
}

Dependence in_whole_chain(Dependence of_sub_chain, PartIndex first) {
  of_sub_chain.from = in_whole_chain(of_sub_chain.from, first);
  of_sub_chain.to = in_whole_chain(of_sub_chain.to, first);
  of_sub_chain.part = PartIndex(of_sub_chain.part.value() + first.value());
  return of_sub_chain;
}

bool Pipeline::is_chain() const {
  return !parts.empty() && columns.size() == chain_columns(parts.size()) &&
         std::ranges::all_of(all_columns(), [&](ColumnIndex c) { return is_column_of_chain(*this, c); });
}

std::optional<std::string> why_no_chain(const FoldedNet& net) {
  const Pipeline& pipeline = net.pipeline;
  if (pipeline.parts.empty() || pipeline.columns.size() != chain_columns(pipeline.parts.size())) {
    return fmt::format("{} parts have {} operations per data set, a chain of them has {}", pipeline.parts.size(),
                       pipeline.columns.size(), pipeline.parts.empty() ? 0 : chain_columns(pipeline.parts.size()));
  }
  for (const ColumnIndex c : pipeline.all_columns()) {
    if (!is_column_of_chain(pipeline, c)) return fmt::format("operation {} is not that of a chain", c.value());
  }
  std::size_t files = 0;
  for (const Dependence& d : net.dependences) {
    if (d.kind != ConstraintKind::flow) continue;
    if (!is_file_of_chain(d))
      return fmt::format("a file leads from operation {} to operation {}", d.from.value(), d.to.value());
    ++files;
  }
  if (files + 1 == pipeline.columns.size()) return std::nullopt;
  return fmt::format("{} files lead from one operation to another, in a chain {} do", files,
                     pipeline.columns.size() - 1);
}

}  // namespace takt::tpn
