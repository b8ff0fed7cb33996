// The columns' searches, side by side, and what they say together.
#include "evaluators/columns/pattern.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <bitset>
#include <exception>
#include <numeric>
#include <utility>
#include <vector>

#include "evaluators/bounds.hpp"
#include "evaluators/columns/column.hpp"
#include "evaluators/columns/torus.hpp"

namespace takt::evaluators {

namespace {

using tpn::ConstraintKind;
using tpn::Dependence;
using tpn::FoldedNet;

// A column, one torus of it, or a cluster of several columns.
struct ColumnTask {
  std::size_t column = 0;
  std::optional<std::size_t> torus;
  const ColumnCluster* cluster = nullptr;
};

// Data sets below which a second thread costs more than it saves.
constexpr std::uint64_t kRowsForThreads = 50'000;

class Columns {
 public:
  Columns(const FoldedNet& net, const Options& options)
      : net_(net), options_(options), lone_(lone_columns(net)), clusters_(clusters_of(net)), index_(net) {}

  Evaluation run() {
    Evaluation evaluation = coarse_bounds(net_, Method::pattern);
    if (solves_graphs(options_)) evaluation.solver = options_.solver;
    if (evaluation.exact()) return evaluation;
    cycle_time_ = evaluation.lower;
    tell(options_.deadline, evaluation);
    if (const auto too_large = list_tasks()) {
      evaluation.limit = *too_large;
      return evaluation;
    }
    solve_tasks();
    combine(evaluation);
    return evaluation;
  }

 private:
  // Columns that must be searched; a limit where one has too many rows.
  std::optional<tpn::TooLarge> list_tasks() {
    const std::uint64_t max_rows = options_.max_rows.value_or(kPatternRows);
    std::vector<bool> is_in_cluster(lone_.size(), false);
    for (const ColumnCluster& cluster : clusters_) {
      for (const tpn::ColumnIndex c : cluster.columns) is_in_cluster[c] = true;
      if (cluster.repetition > max_rows)
        return tpn::TooLarge{tpn::LimitKind::column_rows, cluster.repetition, max_rows};
      rows_ += cluster.repetition * cluster.columns.size();
      tasks_.push_back({0, std::nullopt, &cluster});
    }
    for (const LoneColumn& lone : lone_) {
      if (is_in_cluster[lone.column] || lone.shape == ColumnShape::circuits) continue;
      if (!solves_graphs(options_) && is_slack(net_, lone, cycle_time_)) {
        slack_.push_back(lone.column);
        continue;
      }
      const Integer& rows = solves_graphs(options_) || is_torus(lone) ? lone.rows : lone.repetition;
      if (rows > max_rows) return tpn::TooLarge{tpn::LimitKind::column_rows, rows, max_rows};
      rows_ += rows;
      if (is_torus(lone)) {
        for (std::size_t torus = 0; torus < tori(lone); ++torus) tasks_.push_back({lone.column, torus, nullptr});
      } else {
        tasks_.push_back({lone.column, std::nullopt, nullptr});
      }
    }
    answers_.resize(tasks_.size());
    return std::nullopt;
  }

  bool is_torus(const LoneColumn& lone) const {
    return !solves_graphs(options_) && lone.shape == ColumnShape::tori &&
           net_.pipeline.columns[lone.column].table.narrow();
  }

  const std::vector<std::size_t>& sequence(tpn::PartIndex part) const { return net_.pipeline.parts[part].sequence; }

  std::size_t tori(const LoneColumn& lone) const {
    const tpn::Column& column = net_.pipeline.columns[lone.column];
    return std::gcd(sequence(column.part).size(), sequence(column.receiver).size());
  }

  // Each task has its own answer, whoever computes it.
  void solve_tasks() {
    const int threads = rows_ < kRowsForThreads || tasks_.size() < 2 ? 1
                        : options_.threads > 0                       ? options_.threads
                                                                     : omp_get_max_threads();
    std::vector<std::exception_ptr> failures(tasks_.size());
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads)
    for (std::size_t t = 0; t < tasks_.size(); ++t) {
      try {
        answers_[t] = solve(tasks_[t]);
        tell_task_done();
      } catch (...) {
        failures[t] = std::current_exception();
      }
    }
    for (const std::exception_ptr& failure : failures) {
      if (failure) std::rethrow_exception(failure);
    }
  }

  void tell_task_done() {
    if (options_.deadline.listener() == nullptr) return;
#pragma omp critical
    options_.deadline.listener()->on_share(static_cast<double>(++tasks_done_) / static_cast<double>(tasks_.size()));
  }

  ColumnAnswer solve(const ColumnTask& task) const {
    if (task.cluster != nullptr) return sweep_cluster(net_, *task.cluster, options_);
    const LoneColumn& lone = lone_[task.column];
    if (solves_graphs(options_)) return solve_column_graph(net_, lone, options_);
    if (!task.torus) return sweep_column(net_, lone, options_);
    return solve_torus_of(lone, *task.torus);
  }

  // The transfers of data sets residue + g k, k = 0, 1, 2, ...
  ColumnAnswer solve_torus_of(const LoneColumn& lone, std::size_t residue) const {
    const tpn::Column& column = net_.pipeline.columns[lone.column];
    const std::size_t g = tori(lone);
    Torus torus;
    torus.senders = sequence(column.part).size() / g;
    torus.receivers = sequence(column.receiver).size() / g;
    const std::size_t size = torus.senders * torus.receivers;
    torus.durations = column.table.narrow()->subspan(residue * size, size);
    const Rational unit = Rational(net_.pipeline.scale * lone.rows);
    const Rational known = cycle_time_ * unit;
    TorusOptions options;
    options.known = known.floor();
    options.deadline = options_.deadline;
    const auto solved = solve_torus(torus, options);
    if (std::holds_alternative<KeysTooLong>(solved)) return sweep_column(net_, lone, options_);

    ColumnAnswer answer;
    const auto* found = std::get_if<TorusAnswer>(&solved);
    if (found == nullptr || found->out_of_time) answer.limit = OutOfTime{};
    if (found == nullptr) return answer;
    answer.upper = found->upper / unit;
    add_clocks(lone, residue, *found, answer);
    if (found->circuit.moves.empty()) return answer;
    answer.lower = found->lower / unit;
    answer.circuit = circuit_of(lone, residue, found->circuit);
    return answer;
  }

  // Those of a torus's senders and receivers.
  void add_clocks(const LoneColumn& lone, std::size_t residue, const TorusAnswer& found, ColumnAnswer& answer) const {
    const tpn::Column& column = net_.pipeline.columns[lone.column];
    const std::size_t g = tori(lone);
    const Integer scale = found.factor * net_.pipeline.scale;
    const auto add = [&](ConstraintKind kind, const std::vector<std::size_t>& entries,
                         const std::vector<Integer>& clocks) {
      for (std::size_t k = 0; k < clocks.size(); ++k) {
        answer.clocks.emplace_back(index_.at(kind, net_.pipeline.owner(kind, entries[residue + g * k])),
                                   Rational::fraction(clocks[k], scale));
      }
    };
    add(ConstraintKind::out_port, sequence(column.part), found.sender_clocks);
    add(ConstraintKind::in_port, sequence(column.receiver), found.receiver_clocks);
  }

  // A torus's circuit as a walk of the net.
  CriticalCircuit circuit_of(const LoneColumn& lone, std::size_t residue, const TorusCircuit& found) const {
    const tpn::Column& column = net_.pipeline.columns[lone.column];
    CriticalCircuit circuit;
    circuit.data_set = residue + tori(lone) * found.first;
    circuit.steps.reserve(found.moves.size());
    for (const TorusMove move : found.moves) {
      const tpn::PartIndex to = move == TorusMove::same_sender ? column.part : column.receiver;
      circuit.steps.push_back({lone.column, sequence(to).size()});
    }
    return circuit;
  }

  // The first of the longest circuits, and clocks where every column has been proved.
  void combine(Evaluation& evaluation) {
    Rational upper = evaluation.lower;
    bool proved = true;
    ColumnClocks clocks;
    clocks.values.resize(net_.resources.size());
    clocks.slack_columns = slack_;
    for (ColumnAnswer& answer : answers_) {
      if (answer.circuit && answer.lower > evaluation.lower) {
        evaluation.lower = answer.lower;
        evaluation.circuit = std::move(*answer.circuit);
      }
      if (std::holds_alternative<std::monostate>(evaluation.limit)) evaluation.limit = answer.limit;
      if (!answer.upper) {
        proved = false;
        continue;
      }
      upper = std::max(upper, *answer.upper);
      for (auto& [resource, value] : answer.clocks) clocks.values[resource] = std::move(value);
    }
    if (proved && upper <= evaluation.upper) {
      evaluation.upper = upper;
      evaluation.witness = std::move(clocks);
    }
    if (evaluation.exact()) evaluation.limit = {};
  }

  const FoldedNet& net_;
  const Options& options_;
  std::vector<LoneColumn> lone_;
  std::vector<ColumnCluster> clusters_;
  ResourceIndex index_;
  Rational cycle_time_;             // M_ct
  Integer rows_ = 0;                // of all columns to be searched
  std::vector<std::size_t> slack_;  // columns to be answered without search
  std::vector<ColumnTask> tasks_;
  std::vector<ColumnAnswer> answers_;
  std::size_t tasks_done_ = 0;  // counted only where someone listens
};

std::string shared_reason(const tpn::Pipeline& pipeline, const tpn::SharedOwner& shared) {
  const auto part_of_mapping = [&](tpn::PartIndex part) { return pipeline.parts[part].mapping_part; };
  const bool is_host = pipeline.is_host(shared.owner);
  return fmt::format(
      "{} {} serves parts {} and {} of the mapping, so their columns have no separate periods; use sweep or residue, "
      "or give each part {} of its own",
      is_host ? "host" : "processor", pipeline.processors[shared.owner], part_of_mapping(shared.first_part),
      part_of_mapping(shared.second_part), is_host ? "hosts" : "processors");
}

// Files that no port handles have no clock in their column.
std::optional<std::string> free_transfers(const tpn::Pipeline& pipeline) {
  const auto has_unlimited = [&](tpn::PartIndex part) {
    return std::ranges::any_of(pipeline.parts[part].sequence, [&](std::size_t processor) {
      return pipeline.port_count(pipeline.port_owner(processor)) == tpn::kUnlimitedPorts;
    });
  };
  for (const tpn::ColumnIndex c : pipeline.all_columns()) {
    const tpn::Column& column = pipeline.columns[c];
    if (!pipeline.is_transfer(c) || !has_unlimited(column.part) || !has_unlimited(column.receiver)) continue;
    return fmt::format(
        "column {} has files between ports without a limit, which no resource handles; use sweep or residue",
        c.value());
  }
  return std::nullopt;
}

std::string reason_for_leaving(const FoldedNet& net, const Dependence& d) {
  if (d.kind == ConstraintKind::processor) {
    return "a processor that receives, computes and sends one at a time ties columns together, so columns have no "
           "separate periods; use sweep or residue";
  }
  if (d.kind == ConstraintKind::room) {
    return "files that wait for room tie computations to their transfers, so columns have no separate periods; use "
           "sweep or residue";
  }
  if (d.kind == ConstraintKind::window) {
    return "the window lets data sets in as others are delivered, so columns have no separate periods; use sweep or "
           "residue";
  }
  const auto shared = d.kind == ConstraintKind::flow ? std::nullopt : tpn::shared_owner(net.pipeline);
  if (!shared) {
    return fmt::format("column {} waits for column {}, so they have no separate periods; use sweep or residue",
                       d.to.value(), d.from.value());
  }
  return shared_reason(net.pipeline, *shared);
}

// What port or processor keeps the columns from having circuits of their own, if one does. `kinds` takes the
// resources'.
std::optional<std::string> unfit_resources(const FoldedNet& net, std::bitset<tpn::kConstraintKinds>& kinds) {
  // Some of the files between two parts of a host use its ports, some do not.
  if (!net.pipeline.ports.owner.empty()) {
    if (const auto shared = tpn::shared_owner(net.pipeline)) return shared_reason(net.pipeline, *shared);
    if (auto free = free_transfers(net.pipeline)) return free;
  }
  for (const tpn::Resource& resource : net.resources) {
    kinds.set(static_cast<std::size_t>(resource.kind));
    if (net.pipeline.port_count(resource.processor) == tpn::kOnePort || !tpn::is_port(resource.kind)) continue;
    return fmt::format("{} passes several files at once, so a column has no separate circuit; use sweep or residue",
                       name_of(resource, net.pipeline));
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> unfit_for_pattern(const FoldedNet& net) {
  std::bitset<tpn::kConstraintKinds> kinds;
  if (auto reason = unfit_resources(net, kinds)) return reason;
  const auto place = [](ConstraintKind kind) { return static_cast<std::size_t>(kind); };
  const bool is_chain = net.pipeline.is_chain();
  const bool may_cluster = !is_chain && !tpn::shared_owner(net.pipeline);
  // Tokens of a cluster are resources'.
  const auto is_of_ports = [&](const Dependence& d) {
    return kinds.test(place(d.kind)) && d.kind != ConstraintKind::processor && tpn::is_resource(d.kind);
  };
  for (const Dependence& d : net.dependences) {
    if (d.to < d.from) {
      if (may_cluster && is_of_ports(d)) continue;
      return reason_for_leaving(net, d);
    }
    if (d.to > d.from) {
      if (d.height > 0 && !is_chain && !is_of_ports(d)) return reason_for_leaving(net, d);
      continue;
    }
    const tpn::Column& column = net.pipeline.columns[d.from];
    const bool is_of_column = d.part == column.part || d.part == column.receiver;
    if (!kinds.test(place(d.kind)) || !is_of_column) {
      return fmt::format("column {} waits for itself without a processor or port as the reason; use sweep or residue",
                         d.from.value());
    }
  }
  return std::nullopt;
}

bool is_split_by_clusters(const FoldedNet& net) {
  constexpr unsigned kFewOperations = 1'000'000;
  constexpr unsigned kFewerRows = 4;
  if (net.pipeline.is_chain()) return true;
  const Integer rows = tpn::repetition_of(net);
  return std::ranges::all_of(clusters_of(net), [&](const ColumnCluster& cluster) {
    return cluster.repetition * cluster.columns.size() <= kFewOperations || cluster.repetition * kFewerRows <= rows;
  });
}

Evaluation pattern(const FoldedNet& net, const Options& options) { return Columns(net, options).run(); }

}  // namespace takt::evaluators
