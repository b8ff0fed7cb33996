// Lists a mapping's operations in ticks: parts, entries and the steps of transfer columns.
#include <algorithm>
#include <numeric>

#include "evaluators/mappings/solver.hpp"

namespace takt::evaluators {

MappingSolver::MappingSolver(const tpn::ProblemView& problem, const tpn::TickTimes& times, std::uint64_t max_operations)
    : problem_(problem.document()),
      timing_(problem.timing()),
      times_(times),
      max_operations_(std::min(max_operations, std::uint64_t{1} << 32)),
      has_source_(problem_.platform.source.has_value()),
      has_sink_(problem_.platform.sink.has_value()),
      ends_{problem_.platform.processors.size(), problem_.platform.processors.size() + 1},
      seen_(problem_.platform.processors.size() + 2) {}

void MappingSolver::list_parts(std::span<const tpn::Part> mapping) {
  parts_.clear();
  entries_.clear();
  columns_.clear();
  steps_.clear();
  nodes_ = 0;
  shared_ = false;
  ++evaluation_;
  std::size_t stage = 0;
  if (has_source_) add_part({ends_.data(), 1}, seen_.size(), 0, 0);
  for (const tpn::Part& part : mapping) {
    maxplus::expects(part.first_stage == stage && part.last_stage >= stage, "a mapping has its parts in stage order");
    stage = part.last_stage + 1;
    add_part(part.processors, problem_.platform.processors.size(), part.first_stage, part.last_stage);
  }
  maxplus::expects(stage == problem_.application.stages.size(), "a mapping holds every stage");
  if (has_sink_) add_part({&ends_[1], 1}, seen_.size(), 0, 0);
}

void MappingSolver::add_part(std::span<const std::size_t> processors, std::size_t limit, std::size_t first_stage,
                             std::size_t last_stage) {
  maxplus::expects(!processors.empty() && processors.size() < (std::size_t{1} << 31),
                   "a part has between 1 and 2^31 entries");
  const auto index = static_cast<std::uint32_t>(parts_.size());
  ListedPart part;
  part.processors = processors.data();
  part.first_stage = first_stage;
  part.last_stage = last_stage;
  part.length = static_cast<std::uint32_t>(processors.size());
  part.first_entry = static_cast<std::uint32_t>(entries_.size());
  part.first_node = nodes_;
  for (const std::size_t processor : processors) {
    maxplus::expects(processor < limit, "a mapping names processors of the platform");
    SeenProcessor& seen = seen_[processor];
    if (seen.evaluation != evaluation_) {
      seen = {evaluation_, nodes_++, index};
    } else if (seen.part != index) {
      shared_ = true;
    }
    entries_.push_back({seen.node, 0});
  }
  part.nodes = nodes_ - part.first_node;
  parts_.push_back(part);
}

void MappingSolver::list_computations() {
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    ListedPart& part = parts_[i];
    if (is_source(i) || is_sink(i)) continue;
    for (std::uint32_t entry = 0; entry < part.length; ++entry) {
      const std::size_t processor = part.processors[entry];
      const std::int64_t ticks = times_.computation(part.first_stage, part.last_stage, processor);
      if (ticks < 0) throw_for_computation(part, processor);
      entries_[part.first_entry + entry].computation = ticks;
      part.longest = std::max(part.longest, ticks);
    }
  }
}

// Timing says what is missing.
void MappingSolver::throw_for_computation(const ListedPart& part, std::size_t processor) const {
  timing_.computation(part.first_stage, part.last_stage, processor);
  maxplus::expects(false, "a computation without ticks has no time either");
}

void MappingSolver::throw_for_transfer(std::size_t part, std::size_t from, std::size_t to) const {
  if (is_source(part)) {
    timing_.from_source(to);
  } else if (is_sink(part + 1)) {
    timing_.to_sink(from);
  } else {
    timing_.transfer(parts_[part].last_stage, from, to);
  }
  maxplus::expects(false, "a transfer without ticks has no time either");
}

std::int64_t MappingSolver::transfer(std::size_t part, std::size_t from, std::size_t to) const {
  if (from == to) return 0;
  const std::int64_t ticks = is_source(part)     ? times_.from_source(to)
                             : is_sink(part + 1) ? times_.to_sink(from)
                                                 : times_.transfer(parts_[part].last_stage, from, to);
  if (ticks < 0) throw_for_transfer(part, from, to);
  return ticks;
}

bool MappingSolver::list_steps(std::size_t part, std::uint32_t sender_clocks, std::uint32_t receiver_clocks) {
  const ListedPart& senders = parts_[part];
  const ListedPart& receivers = parts_[part + 1];
  const std::uint64_t length = std::lcm(std::uint64_t{senders.length}, std::uint64_t{receivers.length});
  if (steps_.size() + length > max_operations_) return false;
  TransferColumn column;
  column.first_step = steps_.size();
  column.length = static_cast<std::uint32_t>(length);
  steps_.resize(steps_.size() + length);
  std::uint32_t a = 0;
  std::uint32_t b = 0;
  for (TransferStep& step : std::span(steps_).subspan(column.first_step)) {
    const EntryWork& from = entries_[senders.first_entry + a];
    const EntryWork& to = entries_[receivers.first_entry + b];
    step.transfer = transfer(part, senders.processors[a], receivers.processors[b]);
    step.both = step.transfer + to.computation;
    step.sender = from.node + sender_clocks;
    step.receiver = to.node + receiver_clocks;
    column.longest = std::max(column.longest, step.transfer);
    if (++a == senders.length) a = 0;
    if (++b == receivers.length) b = 0;
  }
  columns_.push_back(column);
  return true;
}

std::optional<std::uint64_t> MappingSolver::count_rows() const {
  const std::uint64_t limit = max_operations_ / parts_.size();
  std::uint64_t rows = 1;  // at most 2^32, and a length less than 2^31
  for (const ListedPart& part : parts_) {
    rows = std::lcm(rows, std::uint64_t{part.length});
    if (rows > limit) return std::nullopt;
  }
  return rows;
}

}  // namespace takt::evaluators
