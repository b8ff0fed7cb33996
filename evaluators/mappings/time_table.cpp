// Lays out tables, and converts them to pipelines and back.
#include "evaluators/mappings/time_table.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <string>
#include <utility>
#include <variant>

#include "evaluators/mappings/table_times.hpp"
#include "evaluators/mappings/tick_lists.hpp"
#include "maxplus/contract.hpp"
#include "tpn/chain.hpp"
#include "tpn/column_period.hpp"

namespace takt::evaluators {

using maxplus::Integer;
using maxplus::Rational;

namespace {

constexpr std::size_t kProcessorsEnd = std::size_t{1} << 31;

}  // namespace

void TimeTable::add_place(std::size_t length) {
  maxplus::expects(length > 0 && length <= kMostEntries, "a part of a table has between 1 and 2^26 entries");
  Place place;
  place.length = static_cast<std::uint32_t>(length);
  if (!places_.empty()) {
    Place& before = places_.back();
    place.first_entry = before.first_entry + before.length;
    place.first_transfer = before.first_transfer + std::size_t{before.length} * length;
  }
  maxplus::expects(place.first_entry + length <= kMostEntries && place.first_transfer <= kMostTransfers,
                   "a table has room for 2^26 entries and 20,000,000 transfers");
  places_.push_back(place);
}

void TimeTable::begin(std::span<const std::size_t> lengths, OuterEnds ends) {
  maxplus::expects(!lengths.empty(), "a table has at least one part");
  places_.clear();
  processors_.clear();
  ends_ = ends;
  if (ends.source) add_place(1);
  for (const std::size_t length : lengths) add_place(length);
  if (ends.sink) add_place(1);
  const Place& last = places_.back();
  computations_.assign(last.first_entry + last.length, 0);
  transfers_.assign(last.first_transfer, 0);
}

void TimeTable::begin(std::span<const std::size_t> lengths, std::span<const std::size_t> processors, OuterEnds ends) {
  begin(lengths, ends);
  maxplus::expects(processors.size() + (ends.source ? 1 : 0) + (ends.sink ? 1 : 0) == computations_.size(),
                   "a table has a processor for each entry");
  const std::size_t end = *std::ranges::max_element(processors) + 1;
  maxplus::expects(end <= kProcessorsEnd, "a table has processors below 2^31");
  processors_end_ = static_cast<std::uint32_t>(end);
  if (ends.source) processors_.push_back(processors_end_++);
  for (const std::size_t processor : processors) processors_.push_back(static_cast<std::uint32_t>(processor));
  if (ends.sink) processors_.push_back(processors_end_++);
}

namespace {

// Ticks times this are durations over Pipeline::scale.
tpn::DurationTable durations_of(std::span<const std::int64_t> ticks, const Integer& factor) {
  std::vector<Integer> durations;
  durations.reserve(ticks.size());
  for (const std::int64_t time : ticks) {
    maxplus::expects(time >= 0, "no time of a table is below 0");
    durations.emplace_back(Integer(long{time}) * factor);
  }
  return tpn::DurationTable(std::move(durations));
}

tpn::Column compute_column(const TimeTable& table, std::size_t place, const Integer& factor) {
  const TimeTable::Place& here = table.places()[place];
  tpn::Column column;
  column.kind = tpn::ColumnKind::compute;
  column.part = column.receiver = tpn::PartIndex(place);
  column.sender_offset.resize(here.length);
  std::iota(column.sender_offset.begin(), column.sender_offset.end(), std::size_t{0});
  column.receiver_offset = {0};
  column.table = durations_of(table.computations_of(here), factor);
  column.period = tpn::minimal_period(column);
  return column;
}

tpn::Column transfer_column(const TimeTable& table, const tpn::PartEdge& edge, const Integer& factor) {
  const std::uint32_t senders = table.places()[edge.sender].length;
  const std::uint32_t receivers = table.places()[edge.receiver].length;
  const std::uint32_t g = std::gcd(senders, receivers);
  tpn::Column column;
  column.kind = tpn::ColumnKind::transfer;
  column.part = edge.sender;
  column.receiver = edge.receiver;
  column.sender_offset.resize(senders);
  column.receiver_offset.resize(receivers);
  std::vector<std::int64_t> ticks;
  for (std::uint32_t residue = 0; residue < g; ++residue) {
    for (std::uint32_t b = residue; b < receivers; b += g) column.receiver_offset[b] = b / g;
    for (std::uint32_t a = residue; a < senders; a += g) {
      column.sender_offset[a] = ticks.size();
      for (std::uint32_t b = residue; b < receivers; b += g) ticks.push_back(table.transfer(edge.sender, a, b));
    }
  }
  column.table = durations_of(ticks, factor);
  column.period = tpn::minimal_period(column);
  return column;
}

void add_parts(const TimeTable& table, tpn::Pipeline& pipeline) {
  TickLists lists;
  TableTimes().list_parts(table, lists);
  for (std::uint32_t node = 0; node < lists.nodes; ++node) pipeline.processors.push_back("P" + std::to_string(node));
  for (const ListedPart& listed : lists.parts) {
    tpn::NetPart part;
    part.mapping_part = pipeline.parts.size() - (table.ends().source && !pipeline.parts.empty() ? 1 : 0);
    part.first_stage = part.last_stage = part.mapping_part;
    for (const EntryWork& entry : lists.entries_of(listed)) part.sequence.push_back(entry.node);
    pipeline.rows = lcm(pipeline.rows, Integer(part.sequence.size()));
    pipeline.parts.push_back(std::move(part));
  }
  const auto make_end = [&](tpn::NetPart& part, tpn::PartRole role, const char* name) {
    part = {.role = role, .sequence = part.sequence};
    pipeline.processors[part.sequence.front()] = name;
  };
  if (table.ends().source) make_end(pipeline.parts.front(), tpn::PartRole::source, "source");
  if (table.ends().sink) make_end(pipeline.parts.back(), tpn::PartRole::sink, "sink");
}

}  // namespace

tpn::Pipeline pipeline_of(const TimeTable& table) {
  tpn::Pipeline pipeline;
  add_parts(table, pipeline);
  pipeline.scale = table.scale().ticks_per_unit().numerator();
  const Integer& factor = table.scale().ticks_per_unit().denominator();
  const std::vector<tpn::PartEdge> edges = tpn::chain_edges(pipeline.parts.size());
  for (const tpn::PartIndex part : pipeline.all_parts()) {
    pipeline.columns.push_back(compute_column(table, part, factor));
    for (const tpn::PartEdge& edge : tpn::edges_from(edges, part))
      pipeline.columns.push_back(transfer_column(table, edge, factor));
  }
  tpn::connect(pipeline);
  return pipeline;
}

namespace {

struct TableShape {
  OuterEnds ends;
  std::vector<std::size_t> lengths;
  std::vector<std::size_t> processors;
  bool is_distinct = true;
};

// Nothing if a table has no room for it.
std::optional<TableShape> shape_of(const tpn::Pipeline& pipeline) {
  TableShape shape;
  std::vector<bool> seen(pipeline.processors.size());
  std::size_t transfers = 0;
  std::size_t before = 0;
  for (const tpn::NetPart& part : pipeline.parts) {
    const std::size_t length = part.sequence.size();
    if (length > TimeTable::kMostTransfers || before * length > TimeTable::kMostTransfers - transfers) {
      return std::nullopt;
    }
    transfers += before * length;
    before = length;
    if (part.role == tpn::PartRole::source) shape.ends.source = true;
    if (part.role == tpn::PartRole::sink) shape.ends.sink = true;
    if (part.role != tpn::PartRole::mapped) {
      if (length > 1) return std::nullopt;  // several that take turns
      continue;
    }
    shape.lengths.push_back(length);
    for (const std::size_t processor : part.sequence) {
      shape.processors.push_back(processor);
      shape.is_distinct &= !seen[processor];
      seen[processor] = true;
    }
  }
  if (shape.processors.size() + 2 > TimeTable::kMostEntries) return std::nullopt;
  return shape;
}

std::span<std::int64_t> transfers_of(TimeTable& table, const tpn::Pipeline& pipeline, const tpn::Column& transfer) {
  const tpn::NetPart& sender = pipeline.parts[transfer.part];
  if (sender.role == tpn::PartRole::source) return table.from_source();
  if (pipeline.parts[transfer.receiver].role == tpn::PartRole::sink) return table.to_sink();
  return table.transfers(sender.mapping_part);
}

bool add_column(const tpn::Pipeline& pipeline, const tpn::Column& column, TimeTable& table) {
  const auto ticks = column.table.narrow();
  if (!ticks) return false;
  const tpn::NetPart& part = pipeline.parts[column.part];
  const std::size_t senders = column.sender_offset.size();
  const std::size_t receivers = column.receiver_offset.size();
  if (column.kind == tpn::ColumnKind::compute) {
    if (part.role != tpn::PartRole::mapped) return true;
    const std::span<std::int64_t> times = table.computations(part.mapping_part);
    for (std::size_t a = 0; a < senders; ++a) times[a] = (*ticks)[column.sender_offset[a]];
    return true;
  }
  const std::span<std::int64_t> times = transfers_of(table, pipeline, column);
  const std::size_t g = std::gcd(senders, receivers);
  for (std::size_t a = 0; a < senders; ++a) {
    for (std::size_t b = a % g; b < receivers; b += g) {
      times[a * receivers + b] = (*ticks)[column.sender_offset[a] + column.receiver_offset[b]];
    }
  }
  return true;
}

}  // namespace

std::optional<TimeTable> table_of(const tpn::Pipeline& pipeline) {
  // Tables have one port for each processor.
  if (!pipeline.ports.owner.empty()) return std::nullopt;
  const std::optional<TableShape> shape = shape_of(pipeline);
  if (!shape) return std::nullopt;
  TimeTable table{Rational(pipeline.scale)};
  if (shape->is_distinct) {
    table.begin(shape->lengths, shape->ends);
  } else {
    table.begin(shape->lengths, shape->processors, shape->ends);
  }
  for (const tpn::Column& column : pipeline.columns) {
    if (!add_column(pipeline, column, table)) return std::nullopt;
  }
  return table;
}

std::optional<TimeTable> table_of(const tpn::Document& instance) {
  const auto pipeline = tpn::make_pipeline(instance);
  if (std::holds_alternative<tpn::TooLarge>(pipeline)) return std::nullopt;
  return table_of(std::get<tpn::Pipeline>(pipeline));
}

}  // namespace takt::evaluators
