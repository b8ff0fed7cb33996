#include "tests/evaluators/oracles.hpp"

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/howard_cycle_ratio.hpp>
#include <boost/graph/strong_components.hpp>
#include <boost/range/iterator_range.hpp>
#include <limits>
#include <map>
#include <utility>
#include <variant>
#include <vector>

namespace takt::support {

namespace {

using maxplus::Integer;
using maxplus::Rational;

struct PlaceWeights {
  double time = 0;
  double tokens = 0;
  std::size_t original = 0;
};

// Reduced costs that are not 0 are at least 1 / (tokens of a circuit), far above this; Boost's own
// tolerance is absolute as well, and far too small for sums of this size.
struct Doubles {
  using value_type = double;
  static constexpr double infinity() { return std::numeric_limits<double>::max(); }
  static constexpr double epsilon() { return 1e-6; }
};

using Component =
    boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS, boost::no_property, PlaceWeights>;

}  // namespace

Rational boost_period(const tpn::FoldedNet& net) {
  const auto graph = std::get<tpn::EventGraph>(tpn::unfold(net, 1'000'000));
  std::vector<std::size_t> component(num_vertices(graph));
  const auto index = get(boost::vertex_index, graph);
  const std::size_t count = boost::strong_components(
      graph, boost::make_iterator_property_map(component.begin(), index));

  // Vertices without an arc inside their component cannot be handed to Boost.
  std::vector<Component> parts(count);
  std::vector<std::map<std::size_t, std::size_t>> local(count);
  std::size_t place_number = 0;
  std::vector<std::pair<Integer, std::uint64_t>> weights;
  for (const auto& place : boost::make_iterator_range(edges(graph))) {
    const std::size_t from = source(place, graph);
    const std::size_t to = target(place, graph);
    weights.emplace_back(graph[from].firing_time, graph[place].tokens);
    if (component[from] == component[to]) {
      auto& names = local[component[from]];
      const std::size_t a = names.try_emplace(from, names.size()).first->second;
      const std::size_t b = names.try_emplace(to, names.size()).first->second;
      Component& part = parts[component[from]];
      while (num_vertices(part) < names.size()) add_vertex(part);
      add_edge(a, b, {graph[from].firing_time.get_d(), static_cast<double>(graph[place].tokens), place_number}, part);
    }
    ++place_number;
  }

  Rational best;
  for (const Component& part : parts) {
    if (num_edges(part) == 0) continue;
    std::vector<boost::graph_traits<Component>::edge_descriptor> circuit;
    boost::maximum_cycle_ratio(part, get(boost::vertex_index, part), get(&PlaceWeights::time, part),
                               get(&PlaceWeights::tokens, part), &circuit, Doubles());
    Integer time = 0;
    Integer tokens = 0;
    for (const auto& arc : circuit) {
      time += weights[part[arc].original].first;
      tokens += weights[part[arc].original].second;
    }
    best = std::max(best, Rational::fraction(time, tokens));
  }
  return best / Rational(net.pipeline.scale * net.pipeline.rows);
}

Rational played_period(const tpn::Pipeline& pipeline, tpn::Model model, std::uint64_t hyper_periods) {
  const std::uint64_t rows = pipeline.rows.get_ui();
  const bool strict = model == tpn::Model::strict;
  std::vector<Integer> in(pipeline.processors.size(), 0);
  std::vector<Integer> compute(pipeline.processors.size(), 0);
  std::vector<Integer> out(pipeline.processors.size(), 0);
  std::vector<Integer>& in_port = strict ? compute : in;
  std::vector<Integer>& out_port = strict ? compute : out;
  const auto play = [&](std::uint64_t data_set) {
    Integer end = 0;
    for (const tpn::Column& column : pipeline.columns) {
      const std::size_t here = pipeline.parts[column.part].processor_at(data_set);
      const Integer& duration = column.duration(data_set);
      if (column.kind == tpn::ColumnKind::compute) {
        end = compute[here] = std::max(end, compute[here]) + duration;
        continue;
      }
      const std::size_t there = pipeline.parts[column.part + 1].processor_at(data_set);
      if (here == there) continue;
      end = std::max({end, out_port[here], in_port[there]}) + duration;
      out_port[here] = in_port[there] = end;
    }
    return end;
  };
  // The last data set of the hyper-period, in the slowest residue: completions of one residue grow alike.
  Integer first = 0;
  Integer second = 0;
  for (std::uint64_t j = 0; j < hyper_periods * rows; ++j) first = play(j);
  for (std::uint64_t j = 0; j < hyper_periods * rows; ++j) second = play(hyper_periods * rows + j);
  return Rational::fraction(second - first, pipeline.scale * Integer(hyper_periods * rows));
}

Rational plain_cycle_time(const tpn::FoldedNet& net, const tpn::Resource& resource) {
  const auto& pipeline = net.pipeline;
  Rational total;
  for (std::uint64_t j = 0; j < pipeline.rows.get_ui(); ++j) {
    for (std::size_t c = 0; c < pipeline.columns.size(); ++c) {
      const auto& column = pipeline.columns[c];
      const bool transfer = column.kind == tpn::ColumnKind::transfer;
      const std::size_t here = pipeline.parts[column.part].processor_at(j);
      const std::size_t there = transfer ? pipeline.parts[column.part + 1].processor_at(j) : here;
      if (transfer && here == there) continue;
      const bool sends = transfer && here == resource.processor;
      const bool receives = transfer && there == resource.processor;
      const bool computes = !transfer && here == resource.processor;
      const bool busy = resource.kind == tpn::ConstraintKind::processor  ? sends || receives || computes
                        : resource.kind == tpn::ConstraintKind::compute ? computes
                        : resource.kind == tpn::ConstraintKind::in_port ? receives
                                                                        : sends;
      if (busy) total += pipeline.duration({j, c});
    }
  }
  return total / Rational(pipeline.rows);
}

}  // namespace takt::support
