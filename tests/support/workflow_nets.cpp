// Column by column, dependence by dependence: `tpn::fold` is held against these nets.
#include "tests/support/workflow_nets.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <string>

namespace takt::support {

using maxplus::Rational;
using tpn::ConstraintKind;
using tpn::FoldedNet;
using tpn::Model;

namespace {

class WorkflowNet {
 public:
  WorkflowNet(const Workflow& workflow, Model model, Draw& draw) : workflow_(workflow), draw_(draw) {
    net_.model = model;
    operations_.resize(workflow.lengths.size());
    for (std::size_t part = 0; part < workflow.lengths.size(); ++part) add_part(part);
    for (std::size_t part = 0; part < workflow.lengths.size(); ++part) add_columns(part);
    for (std::size_t part = 0; part < workflow.lengths.size(); ++part) add_resources(part);
    std::ranges::sort(net_.dependences);
    net_.dependences.erase(std::unique(net_.dependences.begin(), net_.dependences.end()), net_.dependences.end());
  }

  FoldedNet take() {
    tpn::connect(net_.pipeline);
    return std::move(net_);
  }

 private:
  struct Operations {
    std::vector<std::size_t> receptions;
    std::size_t computation = 0;
    std::vector<std::size_t> sendings;
  };

  void add_part(std::size_t part) {
    tpn::NetPart added;
    added.first_stage = added.last_stage = added.mapping_part = part;
    for (std::size_t k = 0; k < workflow_.lengths[part]; ++k) {
      added.sequence.push_back(net_.pipeline.processors.size());
      net_.pipeline.processors.push_back("P" + std::to_string(net_.pipeline.processors.size()));
    }
    net_.pipeline.rows = lcm(net_.pipeline.rows, tpn::Integer(added.sequence.size()));
    net_.pipeline.parts.push_back(std::move(added));
  }

  std::vector<std::int64_t> times(std::size_t count) {
    std::vector<std::int64_t> result(count);
    for (std::int64_t& time : result) time = draw_.between(20, 80);
    return result;
  }

  void add_columns(std::size_t part) {
    const std::size_t length = workflow_.lengths[part];
    tpn::Column computation;
    computation.part = computation.receiver = tpn::PartIndex(part);
    computation.period = length;
    computation.sender_offset.resize(length);
    std::iota(computation.sender_offset.begin(), computation.sender_offset.end(), std::size_t{0});
    computation.receiver_offset = {0};
    computation.table = tpn::DurationTable(times(length));
    operations_[part].computation = net_.pipeline.columns.size();
    for (const std::size_t reception : operations_[part].receptions) add_file(reception, operations_[part].computation);
    net_.pipeline.columns.push_back(std::move(computation));
    for (const auto& [from, to] : workflow_.edges) {
      if (from == part) add_transfer(from, to);
    }
  }

  // A time for each pair of entries, whether they meet or not.
  void add_transfer(std::size_t from, std::size_t to) {
    const std::size_t senders = workflow_.lengths[from];
    const std::size_t receivers = workflow_.lengths[to];
    tpn::Column transfer;
    transfer.kind = tpn::ColumnKind::transfer;
    transfer.part = tpn::PartIndex(from);
    transfer.receiver = tpn::PartIndex(to);
    transfer.period = std::lcm(senders, receivers);
    for (std::size_t k = 0; k < senders; ++k) transfer.sender_offset.push_back(k * receivers);
    for (std::size_t k = 0; k < receivers; ++k) transfer.receiver_offset.push_back(k);
    transfer.table = tpn::DurationTable(times(senders * receivers));
    const std::size_t column = net_.pipeline.columns.size();
    operations_[from].sendings.push_back(column);
    operations_[to].receptions.push_back(column);
    add_file(operations_[from].computation, column);
    net_.pipeline.columns.push_back(std::move(transfer));
  }

  void add_file(std::size_t from, std::size_t to) {
    net_.dependences.push_back(
        {.from = tpn::ColumnIndex(from), .to = tpn::ColumnIndex(to), .kind = ConstraintKind::flow});
  }

  // One after the other on a data set, and the first of the next turn behind the last.
  void add_circuit(ConstraintKind kind, std::size_t of, const std::vector<std::size_t>& numbers) {
    if (numbers.empty()) return;
    const tpn::PartIndex part(of);
    std::vector<tpn::ColumnIndex> columns;
    for (const std::size_t number : numbers) columns.emplace_back(number);
    for (std::size_t k = 0; k + 1 < columns.size(); ++k)
      net_.dependences.push_back({.from = columns[k], .to = columns[k + 1], .kind = kind, .part = part});
    const std::uint64_t length = workflow_.lengths[part];
    net_.dependences.push_back(
        {.from = columns.back(), .to = columns.front(), .height = length, .kind = kind, .part = part});
    const std::uint64_t rows = net_.pipeline.rows.get_ui();
    for (std::uint64_t k = 0; k < length; ++k) {
      tpn::Integer sum = 0;
      for (std::uint64_t row = k; row < rows; row += length)
        for (const tpn::ColumnIndex column : columns) sum += net_.pipeline.columns[column].duration(row);
      net_.resources.push_back({.kind = kind,
                                .processor = net_.pipeline.parts[part].sequence[k],
                                .first_column = columns.front(),
                                .cycle_time = Rational::fraction(sum, tpn::Integer(rows))});
    }
  }

  void add_resources(std::size_t part) {
    const auto& [receptions, computation, sendings] = operations_[part];
    if (net_.model != Model::kStrict) {
      add_circuit(ConstraintKind::in_port, part, receptions);
      add_circuit(ConstraintKind::compute, part, {computation});
      add_circuit(ConstraintKind::out_port, part, sendings);
      return;
    }
    std::vector<std::size_t> all = receptions;
    all.push_back(computation);
    all.insert(all.end(), sendings.begin(), sendings.end());
    add_circuit(ConstraintKind::processor, part, all);
  }

  const Workflow& workflow_;
  Draw& draw_;
  FoldedNet net_;
  std::vector<Operations> operations_;  // by part
};

}  // namespace

Workflow random_workflow(Draw& draw) {
  Workflow workflow;
  workflow.lengths.resize(draw.count(3, 5));
  for (std::size_t& length : workflow.lengths) length = draw.count(1, 5);
  for (std::size_t from = 0; from < workflow.lengths.size(); ++from) {
    for (std::size_t to = from + 1; to < workflow.lengths.size(); ++to) {
      if (to == from + 1 ? !draw.one_in(3) : draw.one_in(3)) workflow.edges.emplace_back(from, to);
    }
  }
  return workflow;
}

bool is_path(const Workflow& workflow) {
  if (workflow.edges.size() + 1 != workflow.lengths.size()) return false;
  return std::ranges::all_of(workflow.edges, [](const auto& edge) { return edge.second == edge.first + 1; });
}

FoldedNet workflow_net(const Workflow& workflow, const Model& model, Draw& draw) {
  return WorkflowNet(workflow, model, draw).take();
}

FoldedNet with_shared_port(FoldedNet net, std::size_t one, std::size_t other, ConstraintKind kind) {
  const tpn::Pipeline& pipeline = net.pipeline;
  std::vector<tpn::Operation> operations;
  const std::uint64_t turn = std::lcm(pipeline.parts[one].sequence.size(), pipeline.parts[other].sequence.size());
  for (std::uint64_t j = 0; j < turn; ++j) {
    for (const std::size_t part : {one, other}) {
      if (j % pipeline.parts[part].sequence.size() == 0)
        operations.push_back({j, pipeline.parts[part].receptions.front()});
    }
  }
  std::ranges::sort(operations);
  for (std::size_t k = 0; k < operations.size(); ++k) {
    const tpn::Operation& here = operations[k];
    const bool wraps = k + 1 == operations.size();
    const tpn::Operation& next = operations[wraps ? 0 : k + 1];
    net.dependences.push_back({.from = here.column,
                               .to = next.column,
                               .height = next.data_set + (wraps ? turn : 0) - here.data_set,
                               .modulus = turn,
                               .residue = here.data_set,
                               .kind = kind,
                               .part = pipeline.columns[here.column].receiver});
  }
  std::ranges::sort(net.dependences);
  net.dependences.erase(std::unique(net.dependences.begin(), net.dependences.end()), net.dependences.end());
  return net;
}

}  // namespace takt::support
