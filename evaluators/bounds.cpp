// M_ct and the sequential schedule, resources' own circuits and tokens.
#include "evaluators/bounds.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <span>
#include <unordered_map>
#include <utility>
#include <variant>

#include "evaluators/kernel/mean_lap.hpp"
#include "maxplus/potentials.hpp"
#include "maxplus/solvers.hpp"
#include "tpn/circuits.hpp"

namespace takt::evaluators {

using tpn::ConstraintKind;
using tpn::Dependence;
using tpn::FoldedNet;
using tpn::Resource;

std::size_t busiest_resource(const FoldedNet& net) {
  maxplus::expects(!net.resources.empty(), "a net has resources");
  const auto busiest = std::ranges::max_element(net.resources, {}, &Resource::cycle_time);
  return static_cast<std::size_t>(busiest - net.resources.begin());
}

const Rational& largest_cycle_time(const FoldedNet& net) { return net.resources[busiest_resource(net)].cycle_time; }

Rational least_of_any_order(const FoldedNet& net) {
  Rational least;
  std::map<ConstraintKind, std::vector<Rational>> means;  // by owner
  for (const Resource& resource : net.resources) {
    const bool are_several =
        tpn::can_be_several(resource.kind) && net.pipeline.port_count(resource.processor) != tpn::kOnePort;
    if (are_several && !means.contains(resource.kind))
      means[resource.kind] = tpn::cycle_times_of(net.pipeline, resource.kind, tpn::OfPorts::mean);
    least = std::max(least, are_several ? means[resource.kind][resource.processor] : resource.cycle_time);
  }
  return least;
}

Rational sequential_period(const FoldedNet& net) {
  Integer total = 0;
  for (const tpn::Column& column : net.pipeline.columns) total += column.table.longest();
  return Rational::fraction(total, net.pipeline.scale);
}

CriticalCircuit circuit_through(std::span<const tpn::Operation> operations, std::uint64_t height) {
  CriticalCircuit circuit;
  circuit.data_set = operations.front().data_set;
  circuit.steps.reserve(operations.size());
  for (std::size_t k = 0; k < operations.size(); ++k) {
    const bool last = k + 1 == operations.size();
    const std::uint64_t next = last ? operations.front().data_set + height : operations[k + 1].data_set;
    circuit.steps.push_back({operations[k].column, next - operations[k].data_set});
  }
  return circuit;
}

namespace {

// The circuit of the operations that the busiest port of the owner handles; `all` if it has one port.
tpn::Circuit circuit_of_busiest_port(const tpn::Pipeline& pipeline, const Resource& owner, tpn::Circuit all) {
  const std::uint64_t ports = pipeline.port_count(owner.processor);
  const std::uint64_t size = all.operations.size();
  if (ports == tpn::kOnePort || size == 0) return all;
  const std::uint64_t first = tpn::busiest_port(pipeline, all, ports, tpn::kDefaultCircuitSteps).first;
  const std::uint64_t classes = std::gcd(ports, size);
  tpn::Circuit own;
  own.height = ports / classes * all.height;
  for (std::uint64_t n = 0; n < size / classes; ++n) {
    const std::uint64_t k = first + n * ports;
    tpn::Operation operation = all.operations[k % size];
    operation.data_set += k / size * all.height;
    own.operations.push_back(operation);
  }
  return own;
}

}  // namespace

CriticalCircuit own_circuit(const FoldedNet& net, std::size_t resource) {
  const Resource& owner = net.resources[resource];
  auto circuit = std::get<tpn::Circuit>(tpn::circuit_of(net.pipeline, owner.kind, owner.processor));
  if (tpn::can_be_several(owner.kind)) circuit = circuit_of_busiest_port(net.pipeline, owner, std::move(circuit));
  CriticalCircuit result = circuit_through(circuit.operations, circuit.height);
  result.resource = resource;
  const Integer height = circuit.height;
  Integer repetition = height;
  for (const CircuitStep& step : result.steps) {
    repetition = lcm(repetition, Integer(net.pipeline.columns[step.column].period));
  }
  result.laps = repetition / height;
  return result;
}

std::optional<Rational> ratio_of(const FoldedNet& net, CriticalCircuit& circuit, const Deadline& deadline) {
  maxplus::DeadlineWatch watch(deadline, 4096);
  const std::vector<tpn::Column>& columns = net.pipeline.columns;
  std::uint64_t height = 0;
  for (const CircuitStep& step : circuit.steps) height += step.height;
  MeanLap lap(height);
  std::vector<std::uint64_t> residues;
  residues.reserve(columns.size());
  for (const tpn::Column& column : columns) residues.push_back(lap.residues(column.period));
  std::vector<std::unordered_map<std::uint64_t, std::uint64_t>> visits(columns.size());  // by residue
  std::uint64_t data_set = circuit.data_set;
  for (const CircuitStep& step : circuit.steps) {
    if (watch.has_passed()) return std::nullopt;
    ++visits[step.column][data_set % residues[step.column]];
    data_set += step.height;
  }
  for (std::size_t c = 0; c < columns.size(); ++c) {
    const auto duration_at = [&](std::uint64_t j) { return columns[c].duration(j); };
    for (const auto& [residue, count] : visits[c]) {
      if (!lap.add(columns[c].period, residue, count, duration_at, watch)) return std::nullopt;
    }
  }
  circuit.laps = lap.laps();
  return lap.ratio() / Rational(net.pipeline.scale);
}

Evaluation coarse_bounds(const FoldedNet& net, Method method) {
  Evaluation evaluation;
  evaluation.busiest = busiest_resource(net);
  evaluation.lower = net.resources[evaluation.busiest].cycle_time;
  evaluation.upper = sequential_period(net);
  evaluation.circuit = own_circuit(net, evaluation.busiest);
  evaluation.witness = SequentialSchedule{};
  evaluation.method = method;
  return evaluation;
}

UniformSchedule uniform_schedule(const FoldedNet& net) {
  // Of the dependences between two columns the one of the least height asks for most.
  std::map<std::pair<std::size_t, std::size_t>, std::uint64_t> least_heights;
  for (const Dependence& d : net.dependences) {
    const auto [height, is_new] = least_heights.try_emplace({d.from, d.to}, d.height);
    if (!is_new) height->second = std::min(height->second, d.height);
  }
  std::vector<Integer> longest;
  longest.reserve(net.pipeline.columns.size());
  for (const tpn::Column& column : net.pipeline.columns) longest.push_back(column.table.longest());
  std::vector<maxplus::ListedArc> arcs;
  arcs.reserve(least_heights.size());
  for (const auto& [columns, height] : least_heights) {
    arcs.push_back({columns.first, columns.second, longest[columns.first], height});
  }
  const maxplus::TokenGraph graph = maxplus::make_token_graph(longest.size(), arcs);
  const maxplus::CycleRatio solved = maxplus::howard(graph);
  const auto* critical = std::get_if<maxplus::CriticalCycle>(&solved);
  maxplus::expects(critical != nullptr, "a net has circuits, and each holds a token");
  auto starts = maxplus::potentials(graph, critical->ratio);
  maxplus::expects(starts.has_value(), "no circuit has a larger ratio than the critical one");
  return {critical->ratio / Rational(net.pipeline.scale), std::move(*starts),
          critical->ratio.denominator() * net.pipeline.scale};
}

Evaluation uniform_bounds(const FoldedNet& net, Method method) {
  Evaluation evaluation = coarse_bounds(net, method);
  if (evaluation.exact()) return evaluation;
  UniformSchedule uniform = uniform_schedule(net);
  const Rational upper = std::max(uniform.period, evaluation.lower);
  if (upper > evaluation.upper) return evaluation;
  evaluation.upper = upper;
  ClassSchedule schedule;
  for (Integer& start : uniform.starts) schedule.starts.emplace_back(std::vector<Integer>{std::move(start)});
  schedule.unit = uniform.unit;
  evaluation.witness = std::move(schedule);
  return evaluation;
}

void tell(const Deadline& deadline, const Evaluation& bounds) {
  maxplus::SearchListener* const listener = deadline.listener();
  if (listener == nullptr) return;
  listener->on_method(name_of(bounds.method));
  listener->on_bounds(bounds.lower, bounds.upper);
}

namespace {

// One token for each resource; nothing if some token is none's, or a resource has none or several, as a port that
// processors share.
std::optional<std::vector<ResourceToken>> one_token_each(const FoldedNet& net) {
  // By kind and processor.
  const std::size_t processors = net.pipeline.processors.size();
  std::vector<std::size_t> index(tpn::kConstraintKinds * processors, net.resources.size());
  const auto place = [&](ConstraintKind kind, std::size_t processor) {
    return static_cast<std::size_t>(kind) * processors + processor;
  };
  for (std::size_t r = 0; r < net.resources.size(); ++r) {
    index[place(net.resources[r].kind, net.resources[r].processor)] = r;
  }
  std::vector<ResourceToken> tokens(net.resources.size());
  for (const Dependence& d : net.dependences) {
    // Data sets -back with -back = residue (mod modulus) and back <= height.
    for (std::uint64_t back = d.modulus - d.residue; back <= d.height; back += d.modulus) {
      const auto& sequence = net.pipeline.parts[d.part].sequence;
      const std::size_t entry = (sequence.size() - back % sequence.size()) % sequence.size();
      const std::size_t resource = index[place(d.kind, net.pipeline.owner_by(d, sequence[entry]))];
      if (resource == tokens.size() || tokens[resource].back != 0) return std::nullopt;
      tokens[resource] = {resource, d.from, back};
    }
  }
  if (std::ranges::any_of(tokens, [](const ResourceToken& t) { return t.back == 0; })) return std::nullopt;
  return tokens;
}

}  // namespace

bool tokens_belong_to_resources(const FoldedNet& net) {
  // One bit per kind: mostly they say so already.
  const auto bit = [](ConstraintKind kind) { return 1U << static_cast<unsigned>(kind); };
  unsigned kinds = 0;
  for (const Resource& resource : net.resources) kinds |= bit(resource.kind);
  const bool is_of_kind = std::ranges::all_of(
      net.dependences, [&](const Dependence& d) { return d.height == 0 || (kinds & bit(d.kind)) != 0; });
  return is_of_kind && one_token_each(net).has_value();
}

std::vector<ResourceToken> resource_tokens(const FoldedNet& net) {
  auto tokens = one_token_each(net);
  maxplus::expects(tokens.has_value(), "every token belongs to a resource, and every resource has one");
  return *std::move(tokens);
}

}  // namespace takt::evaluators
