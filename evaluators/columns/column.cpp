// The shapes of columns, a column as a net of its own, and as a token graph.
#include "evaluators/columns/column.hpp"

#include <algorithm>
#include <numeric>

#include "evaluators/sweep/sweep.hpp"
#include "evaluators/unfold.hpp"
#include "maxplus/none.hpp"
#include "maxplus/potentials.hpp"
#include "maxplus/solvers.hpp"
#include "tpn/clusters.hpp"
#include "tpn/models.hpp"

namespace takt::evaluators {

namespace {

using tpn::Column;
using tpn::ColumnKind;
using tpn::ConstraintKind;
using tpn::Dependence;
using tpn::FoldedNet;

// The offsets that tpn/folded_net.hpp gives a transfer between distinct entries: a block of u x v durations for each
// residue modulo g, senders and receivers in the order of their entries.
bool has_distinct_entries(const Column& column, std::size_t u, std::size_t v, std::size_t g) {
  if (column.table.size() != u * v * g) return false;
  for (std::size_t a = 0; a < column.sender_offset.size(); ++a) {
    if (column.sender_offset[a] != a % g * u * v + a / g * v) return false;
  }
  for (std::size_t b = 0; b < column.receiver_offset.size(); ++b) {
    if (column.receiver_offset[b] != b / g) return false;
  }
  return true;
}

bool is_full_circle(const Dependence& d, ConstraintKind kind, std::size_t part, std::size_t length) {
  return d.kind == kind && d.part == part && d.modulus == 1 && d.height == length;
}

ColumnShape shape_of(const FoldedNet& net, const LoneColumn& lone) {
  const Column& column = net.pipeline.columns[lone.column];
  const auto& here = net.pipeline.parts[column.part].sequence;
  if (lone.dependences.empty()) return ColumnShape::circuits;
  if (column.kind == ColumnKind::compute) {
    const bool distinct = lone.dependences.size() == 1 &&
                          is_full_circle(lone.dependences.front(), ConstraintKind::compute, column.part, here.size());
    return distinct && column.table.size() == here.size() ? ColumnShape::circuits : ColumnShape::general;
  }
  const auto& there = net.pipeline.parts[column.receiver].sequence;
  const auto has = [&](ConstraintKind kind, tpn::PartIndex part, std::size_t length) {
    return std::ranges::any_of(lone.dependences,
                               [&](const Dependence& d) { return is_full_circle(d, kind, part, length); });
  };
  if (lone.dependences.size() != 2 || !has(ConstraintKind::out_port, column.part, here.size()) ||
      !has(ConstraintKind::in_port, column.receiver, there.size())) {
    return ColumnShape::general;
  }
  const std::size_t g = std::gcd(here.size(), there.size());
  return has_distinct_entries(column, here.size() / g, there.size() / g, g) ? ColumnShape::tori : ColumnShape::general;
}

// A computation that takes no time.
Column idle_column(const tpn::NetPart& part, tpn::PartIndex number) {
  Column column;
  column.part = column.receiver = number;
  column.sender_offset.assign(part.sequence.size(), 0);
  column.receiver_offset = {0};
  column.table = tpn::DurationTable(std::vector<std::int64_t>{0});
  return column;
}

// What a column would need beyond what a solver's graph may have.
std::optional<tpn::TooLarge> beyond_limits(const LoneColumn& lone, const Options& options) {
  const std::uint64_t max_rows = std::min(options.max_rows.value_or(kUnfoldTransitions), kUnfoldPlaces);
  Integer arcs_needed = 0;
  for (const Dependence& d : lone.dependences) arcs_needed += lone.rows / d.modulus;
  if (lone.rows > max_rows) return tpn::TooLarge{tpn::LimitKind::column_rows, lone.rows, max_rows};
  if (arcs_needed > kUnfoldPlaces) return tpn::TooLarge{tpn::LimitKind::places, arcs_needed, kUnfoldPlaces};
  return std::nullopt;
}

// A dependence of one row: the arc of the same edge index.
struct ColumnArc {
  std::uint64_t row = 0;
  const Dependence* dependence = nullptr;
};

// A column unfolded over its own rows.
struct ColumnGraph {
  maxplus::TokenGraph graph;
  std::vector<ColumnArc> arcs;
};

ColumnGraph column_graph(const Column& column, const LoneColumn& lone) {
  const std::uint64_t rows = lone.rows.get_ui();
  ColumnGraph result;
  for (const Dependence& d : lone.dependences) {
    for (std::uint64_t row = d.residue; row < rows; row += d.modulus) result.arcs.push_back({row, &d});
  }
  // Edge indices count arcs in the order of their tails.
  std::ranges::stable_sort(result.arcs, {}, &ColumnArc::row);
  std::vector<maxplus::ListedArc> listed;
  listed.reserve(result.arcs.size());
  for (const auto& [row, dependence] : result.arcs) {
    const std::uint64_t beyond = row + dependence->height % rows;
    listed.push_back({row, beyond % rows, column.duration(row), dependence->height / rows + beyond / rows});
  }
  result.graph = maxplus::make_token_graph(rows, listed);
  return result;
}

// A cycle of a column's graph as a walk of the net, from its earliest row on.
CriticalCircuit circuit_of(const LoneColumn& lone, const ColumnGraph& unfolded, const std::vector<std::size_t>& cycle) {
  const auto row_of = [&](std::size_t arc) { return unfolded.arcs[arc].row; };
  const auto first = std::ranges::min_element(cycle, {}, row_of);
  CriticalCircuit circuit;
  circuit.data_set = row_of(*first);
  const auto add = [&](std::size_t arc) {
    circuit.steps.push_back({lone.column, unfolded.arcs[arc].dependence->height});
  };
  std::for_each(first, cycle.end(), add);
  std::for_each(cycle.begin(), first, add);
  return circuit;
}

// Each resource's clock: when its last operation before data set 0 ends, in a schedule that attains lambda.
void add_clocks(const FoldedNet& net, const LoneColumn& lone, const std::vector<Integer>& starts,
                const Rational& lambda, ColumnAnswer& answer) {
  const std::uint64_t rows = lone.rows.get_ui();
  const Column& column = net.pipeline.columns[lone.column];
  const ResourceIndex index(net);
  for (const Dependence& d : lone.dependences) {
    for (std::uint64_t back = d.modulus - d.residue; back <= d.height; back += d.modulus) {
      const std::uint64_t rounds = (back - 1) / rows + 1;
      const std::uint64_t row = rounds * rows - back;
      const Integer end = starts[row] + column.duration(row) * lambda.denominator() - lambda.numerator() * rounds;
      answer.clocks.emplace_back(index.at(d.kind, net.pipeline.owner(d, row)),
                                 Rational::fraction(end, lambda.denominator() * net.pipeline.scale));
    }
  }
}

}  // namespace

std::vector<ColumnCluster> clusters_of(const FoldedNet& net) {
  const std::vector<std::size_t> cluster_of = tpn::column_clusters(net);
  if (cluster_of.empty() || *std::ranges::max_element(cluster_of) + 1 == cluster_of.size()) return {};
  const auto columns = tpn::columns_by_cluster(cluster_of);
  std::vector<ColumnCluster> all(columns.size());
  for (const Dependence& d : net.dependences) {
    const std::size_t k = cluster_of[d.from];
    if (columns[k].size() < 2 || cluster_of[d.to] != k) continue;
    all[k].dependences.push_back(d);
    all[k].repetition = lcm(all[k].repetition, Integer(d.modulus));
  }
  std::vector<ColumnCluster> clusters;
  for (std::size_t k = 0; k < columns.size(); ++k) {
    if (columns[k].size() < 2) continue;
    all[k].columns = columns[k];
    for (const tpn::ColumnIndex c : columns[k])
      all[k].repetition = lcm(all[k].repetition, Integer(net.pipeline.columns[c].period));
    clusters.push_back(std::move(all[k]));
  }
  return clusters;
}

namespace {

// A cluster as a net: its columns, and the computations of their other parts, which take no time.
struct ClusterNet {
  FoldedNet net;
  std::vector<tpn::ColumnIndex> whole;  // by column of it, the column of the net it comes from
  std::vector<std::size_t> resources;   // likewise; kNone for those of idle computations
};

// Appends the parts whose columns are in the cluster, or whose computations come between; where each stands then.
std::vector<tpn::PartIndex> take_parts(const tpn::Pipeline& from, const std::vector<bool>& is_taken,
                                       tpn::Pipeline& pipeline) {
  std::vector<tpn::PartIndex> part_in(from.parts.size());
  for (const tpn::PartIndex part : from.all_parts()) {
    if (!is_taken[part]) continue;
    part_in[part] = tpn::PartIndex(pipeline.parts.size());
    pipeline.parts.push_back(from.parts[part]);
    pipeline.rows = lcm(pipeline.rows, Integer(from.parts[part].sequence.size()));
  }
  return part_in;
}

// The cluster's, in its net.
void add_dependences(const ColumnCluster& cluster, const std::vector<std::optional<tpn::ColumnIndex>>& column_in,
                     const std::vector<tpn::PartIndex>& part_in, std::vector<Dependence>& dependences) {
  for (Dependence d : cluster.dependences) {
    d.from = *column_in[d.from];
    d.to = *column_in[d.to];
    d.part = part_in[d.part];
    dependences.push_back(d);
  }
  std::ranges::sort(dependences);
}

// Those of idle computations; the net's own follow.
void add_resources(std::vector<tpn::Resource> resources, const std::vector<bool>& is_idle, ClusterNet& result) {
  for (tpn::Resource& resource : resources) {
    if (!is_idle[resource.first_column]) continue;
    result.net.resources.push_back(std::move(resource));
    result.resources.push_back(maxplus::kNone<std::size_t>);
  }
}

// Those of the net that handle operations of the cluster.
void add_resources(const FoldedNet& net, const ColumnCluster& cluster,
                   const std::vector<std::optional<tpn::ColumnIndex>>& column_in, ClusterNet& result) {
  for (std::size_t r = 0; r < net.resources.size(); ++r) {
    if (!std::ranges::binary_search(cluster.columns, net.resources[r].first_column)) continue;
    result.net.resources.push_back(net.resources[r]);
    result.net.resources.back().first_column = *column_in[net.resources[r].first_column];
    result.resources.push_back(r);
  }
}

std::variant<ClusterNet, tpn::TooLarge> cluster_net(const FoldedNet& net, const ColumnCluster& cluster,
                                                    const Deadline& deadline) {
  const tpn::Pipeline& from = net.pipeline;
  std::vector<bool> has_part(from.parts.size(), false);
  for (const tpn::ColumnIndex c : cluster.columns)
    has_part[from.columns[c].part] = has_part[from.columns[c].receiver] = true;
  ClusterNet result;
  result.net.model = net.model;
  tpn::Pipeline& pipeline = result.net.pipeline;
  pipeline.processors = from.processors;
  pipeline.ports = from.ports;
  pipeline.scale = from.scale;
  const std::vector<tpn::PartIndex> part_in = take_parts(from, has_part, pipeline);
  std::vector<std::optional<tpn::ColumnIndex>> column_in(from.columns.size());
  std::vector<bool> is_idle;
  for (const tpn::ColumnIndex c : from.all_columns()) {
    const bool is_own = std::ranges::binary_search(cluster.columns, c);
    const Column& column = from.columns[c];
    if (!is_own && (from.is_transfer(c) || !has_part[column.part])) continue;
    column_in[c] = tpn::ColumnIndex(pipeline.columns.size());
    pipeline.columns.push_back(is_own ? column : idle_column(from.parts[column.part], part_in[column.part]));
    pipeline.columns.back().part = part_in[column.part];
    pipeline.columns.back().receiver = part_in[column.receiver];
    result.whole.push_back(c);
    is_idle.push_back(!is_own);
  }
  tpn::connect(pipeline);
  tpn::DependenceList list(pipeline, tpn::kDefaultCircuitSteps, deadline);
  list.add_flow();
  list.add_circuits(ConstraintKind::compute);
  if (list.too_large()) return *list.too_large();
  std::vector<Dependence>& dependences = result.net.dependences;
  dependences = list.take_dependences();
  // Of the cluster's own columns all that stays among them is known.
  std::erase_if(dependences, [&](const Dependence& d) { return !is_idle[d.from] && !is_idle[d.to]; });
  add_dependences(cluster, column_in, part_in, dependences);
  add_resources(list.take_resources(), is_idle, result);
  add_resources(net, cluster, column_in, result);
  return result;
}

}  // namespace

ColumnAnswer sweep_cluster(const FoldedNet& net, const ColumnCluster& cluster, const Options& options) {
  ColumnAnswer answer;
  const auto made = cluster_net(net, cluster, options.deadline);
  if (const auto* too_large = std::get_if<tpn::TooLarge>(&made)) {
    answer.limit = *too_large;
    return answer;
  }
  const auto& alone = std::get<ClusterNet>(made);
  Options settings = options;
  settings.solver = nullptr;
  Evaluation evaluation = sweep(alone.net, settings);
  answer.limit = evaluation.limit;
  if (const auto* clocks = std::get_if<ResourceClocks>(&evaluation.witness)) {
    answer.upper = evaluation.upper;
    for (std::size_t r = 0; r < alone.resources.size(); ++r) {
      if (alone.resources[r] != maxplus::kNone<std::size_t>)
        answer.clocks.emplace_back(alone.resources[r], clocks->values[r]);
    }
  }
  if (!evaluation.exact() || evaluation.lower.sign() == 0) return answer;
  answer.lower = evaluation.lower;
  evaluation.circuit.resource.reset();
  for (CircuitStep& step : evaluation.circuit.steps) step.column = alone.whole[step.column];
  answer.circuit = std::move(evaluation.circuit);
  return answer;
}

std::vector<LoneColumn> lone_columns(const FoldedNet& net) {
  std::vector<LoneColumn> columns(net.pipeline.columns.size());
  for (const tpn::ColumnIndex c : net.pipeline.all_columns()) {
    columns[c].column = c;
    columns[c].repetition = net.pipeline.columns[c].period;
  }
  for (const Dependence& d : net.dependences) {
    if (d.from != d.to) continue;
    columns[d.from].dependences.push_back(d);
    if (d.modulus != 1) columns[d.from].repetition = lcm(columns[d.from].repetition, Integer(d.modulus));
  }
  for (LoneColumn& lone : columns) {
    const Column& column = net.pipeline.columns[lone.column];
    lone.rows = lcm(lone.repetition, Integer(net.pipeline.parts[column.part].sequence.size()));
    if (column.receiver != column.part)
      lone.rows = lcm(lone.rows, Integer(net.pipeline.parts[column.receiver].sequence.size()));
    lone.shape = shape_of(net, lone);
  }
  return columns;
}

bool is_slack(const FoldedNet& net, const LoneColumn& lone, const Rational& ratio) {
  if (lone.dependences.empty()) return true;
  const std::uint64_t least = std::ranges::min_element(lone.dependences, {}, &Dependence::height)->height;
  return net.pipeline.columns[lone.column].table.has_none_above(
      Rational(ratio * Rational(net.pipeline.scale * Integer(least))));
}

ColumnAnswer sweep_column(const FoldedNet& net, const LoneColumn& lone, const Options& options) {
  return sweep_cluster(net, {{lone.column}, lone.dependences, lone.repetition}, options);
}

bool solves_graphs(const Options& options) {
  return options.solver != nullptr && options.solver != &maxplus::default_solver();
}

ColumnAnswer solve_column_graph(const FoldedNet& net, const LoneColumn& lone, const Options& options) {
  ColumnAnswer answer;
  if (lone.dependences.empty()) {
    answer.upper = 0;
    return answer;
  }
  if (const auto too_large = beyond_limits(lone, options)) {
    answer.limit = *too_large;
    return answer;
  }
  if (has_passed(options.deadline)) {
    answer.limit = OutOfTime{};
    return answer;
  }
  const ColumnGraph unfolded = column_graph(net.pipeline.columns[lone.column], lone);
  const maxplus::CycleRatio solved = options.solver->solve(unfolded.graph, options.deadline);
  if (const auto* limit = std::get_if<maxplus::SolverLimit>(&solved)) {
    answer.limit = tpn::TooLarge{tpn::LimitKind::karp_entries, Integer(limit->needed), limit->limit};
    return answer;
  }
  if (std::holds_alternative<maxplus::SolverTimeout>(solved)) {
    answer.limit = OutOfTime{};
    return answer;
  }
  const auto* critical = std::get_if<maxplus::CriticalCycle>(&solved);
  maxplus::expects(critical != nullptr, "a column has circuits, and each holds a token");
  answer.lower = critical->ratio / Rational(net.pipeline.scale * lone.rows);
  answer.circuit = circuit_of(lone, unfolded, critical->arcs);
  const auto starts = maxplus::potentials(unfolded.graph, critical->ratio, options.deadline);
  if (!starts && has_passed(options.deadline)) {
    answer.limit = OutOfTime{};
    return answer;
  }
  maxplus::expects(starts.has_value(), "no circuit has a larger ratio than the critical one");
  answer.upper = answer.lower;
  add_clocks(net, lone, *starts, critical->ratio, answer);
  return answer;
}

ResourceIndex::ResourceIndex(const FoldedNet& net)
    : processors_(net.pipeline.processors.size()),
      index_(tpn::kConstraintKinds * processors_, maxplus::kNone<std::size_t>) {
  for (std::size_t r = 0; r < net.resources.size(); ++r) {
    index_[static_cast<std::size_t>(net.resources[r].kind) * processors_ + net.resources[r].processor] = r;
  }
}

std::size_t ResourceIndex::at(ConstraintKind kind, std::size_t processor) const {
  const std::size_t found = index_[static_cast<std::size_t>(kind) * processors_ + processor];
  maxplus::expects(found != maxplus::kNone<std::size_t>, "the net has the resource");
  return found;
}

}  // namespace takt::evaluators
