// From event graph to token graph, and from its critical cycle back to operations.
#include "evaluators/unfold.hpp"

#include <algorithm>
#include <boost/iterator/transform_iterator.hpp>
#include <utility>

#include "evaluators/bounds.hpp"
#include "maxplus/potentials.hpp"
#include "maxplus/solvers.hpp"
#include "tpn/event_graph.hpp"

namespace takt::evaluators {

namespace {

using maxplus::TokenGraph;
using tpn::EventGraph;
using tpn::FoldedNet;

// Each place weighs the firing time of its input transition. Edges keep their numbers.
TokenGraph token_graph(const EventGraph& graph) {
  const auto [begin, end] = edges(graph);
  const auto ends = [&](const auto& place) { return std::pair(source(place, graph), target(place, graph)); };
  const auto content = [&](const auto& place) {
    return maxplus::TokenArc{graph[source(place, graph)].firing_time, graph[place].tokens};
  };
  return {boost::edges_are_sorted,
          boost::make_transform_iterator(begin, ends),
          boost::make_transform_iterator(end, ends),
          boost::make_transform_iterator(begin, content),
          num_vertices(graph),
          num_edges(graph)};
}

// The cycle as a walk of the folded net.
CriticalCircuit walk(const FoldedNet& net, const EventGraph& graph, const std::vector<std::size_t>& cycle) {
  CriticalCircuit circuit;
  circuit.data_set = graph[source(edge_from_index(cycle.front(), graph), graph)].row;
  for (const std::size_t arc : cycle) {
    const auto place = edge_from_index(arc, graph);
    circuit.steps.push_back({graph[source(place, graph)].column, net.dependences[graph[place].dependence].height});
  }
  return circuit;
}

// The schedule that the potentials are, or the clocks it leaves its resources' tokens with.
UpperWitness witness(const FoldedNet& net, const std::vector<Integer>& starts, const Rational& lambda) {
  const auto& pipeline = net.pipeline;
  const Integer& factor = lambda.denominator();
  const Rational unit = Rational::fraction(1, factor * pipeline.scale);
  constexpr std::size_t kSmallSchedule = 2'000;
  if (starts.size() <= kSmallSchedule || !tokens_belong_to_resources(net)) {
    return RowSchedule{tpn::DurationTable(starts), unit};
  }
  ResourceClocks clocks;
  for (const ResourceToken& held : resource_tokens(net)) {
    const std::uint64_t row = pipeline.rows.get_ui() - held.back;
    const Integer end = starts[row * pipeline.columns.size() + held.column] +
                        pipeline.columns[held.column].duration(row) * factor - lambda.numerator();
    clocks.values.push_back(Rational(end) * unit);
  }
  return clocks;
}

// The event graph, where rows, places and the numbers of vertices and edges allow it.
std::variant<EventGraph, tpn::TooLarge> event_graph(const FoldedNet& net, const Options& options) {
  const std::uint64_t max_rows = options.max_rows.value_or(kUnfoldTransitions / net.pipeline.columns.size());
  Integer places = 0;
  for (const tpn::Dependence& d : net.dependences) places += net.pipeline.rows / d.modulus;
  if (net.pipeline.rows <= max_rows && places > kUnfoldPlaces)
    return tpn::TooLarge{tpn::LimitKind::places, places, kUnfoldPlaces};
  return tpn::unfold(net, max_rows);
}

// From the coarse bounds to what a solver and its schedule say.
void solve(const FoldedNet& net, const EventGraph& graph, const Options& options, Evaluation& evaluation) {
  const TokenGraph tokens = token_graph(graph);
  if (has_passed(options.deadline)) {
    evaluation.limit = OutOfTime{};
    return;
  }
  const maxplus::CycleRatio solved = evaluation.solver->solve(tokens, options.deadline);
  if (const auto* limit = std::get_if<maxplus::SolverLimit>(&solved)) {
    evaluation.limit = tpn::TooLarge{tpn::LimitKind::karp_entries, Integer(limit->needed), limit->limit};
    return;
  }
  if (std::holds_alternative<maxplus::SolverTimeout>(solved)) {
    evaluation.limit = OutOfTime{};
    return;
  }
  const auto* critical = std::get_if<maxplus::CriticalCycle>(&solved);
  maxplus::expects(critical != nullptr, "the net of a mapping has circuits, and each holds a token");
  evaluation.lower = critical->ratio / Rational(net.pipeline.scale * net.pipeline.rows);
  evaluation.circuit = walk(net, graph, critical->arcs);
  const auto starts = maxplus::potentials(tokens, critical->ratio, options.deadline);
  if (!starts && has_passed(options.deadline)) {
    evaluation.limit = OutOfTime{};
    return;
  }
  maxplus::expects(starts.has_value(), "no circuit has a larger ratio than the critical one");
  evaluation.upper = evaluation.lower;
  evaluation.witness = witness(net, *starts, critical->ratio);
}

}  // namespace

Evaluation unfold(const FoldedNet& net, const Options& options) {
  Evaluation evaluation = coarse_bounds(net, Method::unfold);
  evaluation.solver = options.solver == nullptr ? &maxplus::default_solver() : options.solver;
  const auto unfolded = event_graph(net, options);
  if (const auto* too_large = std::get_if<tpn::TooLarge>(&unfolded)) {
    if (!evaluation.exact()) evaluation.limit = *too_large;
    return evaluation;
  }
  solve(net, std::get<EventGraph>(unfolded), options, evaluation);
  return evaluation;
}

}  // namespace takt::evaluators
