// Boost's solvers and the played pipeline.
#include "tests/evaluators/oracles.hpp"

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/bellman_ford_shortest_paths.hpp>
#include <boost/graph/howard_cycle_ratio.hpp>
#include <boost/graph/strong_components.hpp>
#include <boost/range/iterator_range.hpp>
#include <limits>
#include <map>
#include <utility>
#include <variant>
#include <vector>

#include "tpn/chain.hpp"

namespace takt::support {

namespace {

using maxplus::Integer;
using maxplus::Rational;
using tpn::EventGraph;

struct PlaceWeights {
  double time = 0;
  double tokens = 0;
  Integer exact_time;
  std::uint64_t exact_tokens = 0;
};

// Boost's tolerance is absolute, and negative as its own default of -0.005 is: with a positive one, arcs that gain
// nothing count as gains. What reduced costs of 64-bit sums leave to rounding is far below this one.
struct Doubles {
  using value_type = double;
  static constexpr double infinity() { return std::numeric_limits<double>::max(); }
  static constexpr double epsilon() { return -1e-6; }
};

using Component = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS, boost::no_property, PlaceWeights>;

// The largest exact ratio among the circuits that Boost finds in the components.
Rational boost_ratio(const EventGraph& graph, const std::vector<std::size_t>& component, std::size_t components) {
  std::vector<std::size_t> local(component.size());
  std::vector<Component> parts(components);
  for (std::size_t v = 0; v < component.size(); ++v) local[v] = add_vertex(parts[component[v]]);
  for (const auto& place : boost::make_iterator_range(edges(graph))) {
    const std::size_t from = source(place, graph);
    const std::size_t to = target(place, graph);
    if (component[from] != component[to]) continue;
    const Integer& time = graph[from].firing_time;
    const std::uint64_t tokens = graph[place].tokens;
    add_edge(local[from], local[to], {time.get_d(), static_cast<double>(tokens), time, tokens}, parts[component[from]]);
  }
  Rational best;
  for (const Component& part : parts) {
    if (num_edges(part) == 0) continue;
    std::vector<boost::graph_traits<Component>::edge_descriptor> circuit;
    boost::maximum_cycle_ratio(part, get(boost::vertex_index, part), get(&PlaceWeights::time, part),
                               get(&PlaceWeights::tokens, part), &circuit, Doubles());
    if (circuit.empty()) continue;  // what Boost returns where all weights are 0
    Integer time = 0;
    Integer tokens = 0;
    for (const auto& arc : circuit) {
      time += part[arc].exact_time;
      tokens += part[arc].exact_tokens;
    }
    best = std::max(best, Rational::fraction(time, tokens));
  }
  return best;
}

// Resources by the rules of the models, each free from the end of its last operation, ports of hosts among them, of
// which there may be several that take turns; files in the order in which a
// processor receives and sends them, each of which waits for the room of an earlier one; data sets that wait until
// enough of them are delivered, in order.
class PlayedPipeline {
 public:
  PlayedPipeline(const tpn::Pipeline& pipeline, const tpn::Model& model, const tpn::Capacity& capacity)
      : pipeline_(pipeline), strict_(model == tpn::Model::kStrict), rooms_(model.rooms()), capacity_(capacity) {
    compute_.assign(pipeline.processors.size(), 0);
    for (auto* ports : {&in_, &out_}) {
      for (std::size_t p = 0; p < pipeline.processors.size(); ++p)
        ports->emplace_back(pipeline.port_count(p), Integer(0));
      turns_.emplace(ports, std::vector<std::size_t>(pipeline.processors.size()));
    }
  }

  // Calls visit(start, end) for each operation of the next data set, by column.
  template <typename Visit>
  void play(std::uint64_t data_set, Visit visit) {
    const std::uint64_t window = capacity_.window;
    Integer end = window > 0 && data_set >= window ? delivered_[data_set - window] : Integer(0);
    for (const tpn::ColumnIndex c : pipeline_.all_columns()) {
      const tpn::Column& column = pipeline_.columns[c];
      const tpn::PartIndex part = column.part;
      const std::size_t here = pipeline_.parts[part].processor_at(data_set);
      Integer start = end;
      if (column.kind == tpn::ColumnKind::compute) {
        const bool receives = part > 0 && !pipeline_.is_internal(tpn::chain_transfer(part.value() - 1), data_set);
        const bool sends =
            part.value() + 1 < pipeline_.parts.size() && !pipeline_.is_internal(tpn::chain_transfer(part), data_set);
        start = std::max(end, compute_[here]);
        if (sends) start = std::max(start, room_since(sent_, here, part, tpn::BufferSide::out));
        end = compute_[here] = start + column.duration(data_set);
        if (receives) used_[{here, part}].push_back(end);
      } else if (const std::size_t there = pipeline_.parts[column.receiver].processor_at(data_set);
                 !pipeline_.is_free_between(here, there)) {
        start = std::max(end, room_since(used_, there, column.receiver, tpn::BufferSide::in));
        const std::vector<Integer*> handlers = handlers_of(here, there);
        for (const Integer* free : handlers) start = std::max(start, *free);
        end = start + column.duration(data_set);
        for (Integer* free : handlers) *free = end;
        sent_[{here, part}].push_back(end);
      }
      visit(start, end);
    }
    delivered_.push_back(delivered_.empty() ? end : std::max(end, delivered_.back()));
  }

 private:
  using Ends = std::map<std::pair<std::size_t, std::size_t>, std::vector<Integer>>;  // by processor and part
  using Ports = std::vector<std::vector<Integer>>;                                   // by owner

  // Under STRICT a source or sink of several ports does not transfer by its processor.
  bool is_open(std::size_t processor) const {
    return strict_ && !pipeline_.is_host(processor) && pipeline_.has_ports_beside(processor);
  }

  // Since when everybody is free who handles the transfer.
  std::vector<Integer*> handlers_of(std::size_t here, std::size_t there) {
    std::vector<Integer*> handlers;
    for (const std::size_t processor : {here, there})
      if (strict_ && !is_open(processor)) handlers.push_back(&compute_[processor]);
    if (pipeline_.port_owner(here) == pipeline_.port_owner(there)) return handlers;
    for (const auto& [ports, processor] : {std::pair(&out_, here), std::pair(&in_, there)}) {
      const std::size_t owner = pipeline_.port_owner(processor);
      if ((strict_ && !pipeline_.has_ports_beside(owner)) || (*ports)[owner].empty()) continue;
      handlers.push_back(&(*ports)[owner][turns_[ports][owner]++ % (*ports)[owner].size()]);
    }
    return handlers;
  }

  // When there is room for one more of a part's files on a processor.
  Integer room_since(Ends& ends, std::size_t processor, tpn::PartIndex part, tpn::BufferSide side) const {
    if (pipeline_.parts[part].role != tpn::PartRole::mapped) return 0;
    std::uint64_t room = rooms_;
    for (const tpn::Buffer& buffer : capacity_.buffers) {
      if (buffer.processor != processor || buffer.part != part || buffer.side != side) continue;
      room = room == 0 ? buffer.room : std::min(room, buffer.room);
    }
    const auto& files = ends[{processor, part}];
    return room == 0 || files.size() < room ? Integer(0) : files[files.size() - room];
  }

  const tpn::Pipeline& pipeline_;
  bool strict_;
  std::uint64_t rooms_;
  tpn::Capacity capacity_;
  std::vector<Integer> delivered_;  // when all data sets up to each are
  Ports in_;
  std::vector<Integer> compute_;  // and all the rest under STRICT
  Ports out_;
  std::map<const Ports*, std::vector<std::size_t>> turns_;
  Ends used_;  // computations with files that were received
  Ends sent_;
};

}  // namespace

Rational boost_period(const tpn::FoldedNet& net) {
  const auto graph = std::get<EventGraph>(tpn::unfold(net, 1'000'000));
  std::vector<std::size_t> component(num_vertices(graph));
  const std::size_t components = boost::strong_components(
      graph, boost::make_iterator_property_map(component.begin(), get(boost::vertex_index, graph)));
  return boost_ratio(graph, component, components) / Rational(net.pipeline.scale * net.pipeline.rows);
}

bool boost_finds_no_longer_circuit(const tpn::FoldedNet& net, const Rational& period) {
  const auto graph = std::get<EventGraph>(tpn::unfold(net, 1'000'000));
  const Rational lambda = period * Rational(net.pipeline.scale * net.pipeline.rows);
  // Lengths tokens * lambda - time, times lambda's denominator: a circuit longer than lambda is negative.
  struct Length {
    long value = 0;
  };
  const std::size_t root = num_vertices(graph);
  std::vector<std::pair<std::size_t, std::size_t>> ends;
  std::vector<Length> arcs;
  Integer total = 0;
  for (const auto& place : boost::make_iterator_range(edges(graph))) {
    const auto from = source(place, graph);
    const Integer length = lambda.numerator() * graph[place].tokens - lambda.denominator() * graph[from].firing_time;
    total += abs(length);
    ends.emplace_back(from, target(place, graph));
    arcs.push_back({length.get_si()});
  }
  maxplus::expects(Integer(total * 2).fits_slong_p(), "a path's length fits 64 bits");
  for (std::size_t v = 0; v < root; ++v) ends.emplace_back(root, v);
  arcs.resize(ends.size());
  const boost::compressed_sparse_row_graph<boost::directedS, boost::no_property, Length> lengths(
      boost::edges_are_unsorted_multi_pass, ends.begin(), ends.end(), arcs.begin(), root + 1);
  std::vector<long> distance(num_vertices(lengths));
  return boost::bellman_ford_shortest_paths(
      lengths, boost::root_vertex(root).weight_map(get(&Length::value, lengths)).distance_map(distance.data()));
}

Rational played_period(const tpn::Pipeline& pipeline, tpn::Model model, std::uint64_t hyper_periods,
                       const tpn::Capacity& capacity) {
  const std::uint64_t rows = pipeline.rows.get_ui();
  PlayedPipeline played(pipeline, model, capacity);
  // In OVERLAP fast paths may run ahead of slow ones for ever: the slowest counts.
  Integer latest = 0;
  const auto play = [&](std::uint64_t first, std::uint64_t last) {
    for (std::uint64_t j = first; j < last; ++j) {
      played.play(j, [&](const Integer&, const Integer& end) { latest = std::max(latest, end); });
    }
    return latest;
  };
  const Integer first = play(0, hyper_periods * rows);
  const Integer second = play(hyper_periods * rows, 2 * hyper_periods * rows);
  return Rational::fraction(second - first, pipeline.scale * Integer(hyper_periods * rows));
}

std::vector<PlayedOperation> played_operations(const tpn::Pipeline& pipeline, tpn::Model model, std::uint64_t data_sets,
                                               const tpn::Capacity& capacity) {
  PlayedPipeline played(pipeline, model, capacity);
  std::vector<PlayedOperation> operations;
  for (std::uint64_t j = 0; j < data_sets; ++j) {
    played.play(j, [&](const Integer& start, const Integer& end) {
      operations.push_back({Rational::fraction(start, pipeline.scale), Rational::fraction(end, pipeline.scale)});
    });
  }
  return operations;
}

Rational plain_cycle_time(const tpn::FoldedNet& net, const tpn::Resource& resource) {
  using tpn::ConstraintKind;
  const tpn::Pipeline& pipeline = net.pipeline;
  const ConstraintKind kind = resource.kind;
  const bool is_port =
      kind == ConstraintKind::in_port || kind == ConstraintKind::out_port || kind == ConstraintKind::port;
  const bool is_segment = kind == ConstraintKind::segment;
  const std::uint64_t ports = is_port || is_segment ? pipeline.port_count(resource.processor) : 1;
  const std::uint64_t data_sets = ports * pipeline.rows.get_ui();
  std::vector<Rational> busy(ports);
  std::uint64_t turn = 0;
  const auto is_owner = [&](std::size_t processor) {
    return (is_port ? pipeline.port_owner(processor) : processor) == resource.processor;
  };
  const auto handles = [&](const tpn::Operation& operation) {
    const std::size_t here = pipeline.sender_of(operation);
    const std::size_t there = pipeline.receiver_of(operation);
    if (pipeline.columns[operation.column].kind == tpn::ColumnKind::compute)
      return (kind == ConstraintKind::processor || kind == ConstraintKind::compute) && is_owner(here);
    if (is_segment) return pipeline.segment(resource.processor).passes(here, there);
    if (is_owner(here) == is_owner(there) || pipeline.is_internal(operation.column, operation.data_set)) return false;
    const ConstraintKind its_port = is_owner(here) ? ConstraintKind::out_port : ConstraintKind::in_port;
    return kind == ConstraintKind::processor || kind == ConstraintKind::port || kind == its_port;
  };
  for (std::uint64_t j = 0; j < data_sets; ++j)
    for (const tpn::ColumnIndex c : pipeline.all_columns())
      if (handles({j, c})) busy[turn++ % ports] += pipeline.duration({j, c});
  return *std::ranges::max_element(busy) / Rational(data_sets);
}

Integer time_of_block(const tpn::FoldedNet& net, std::uint64_t first, std::uint64_t count) {
  const std::size_t columns = net.pipeline.columns.size();
  std::vector<std::vector<Integer>> ends(count, std::vector<Integer>(columns));
  Integer last = 0;
  for (std::uint64_t j = 0; j < count; ++j) {
    for (std::size_t column = 0; column < columns; ++column) {
      Integer start = 0;
      for (const tpn::Dependence& dependence : net.dependences) {
        if (dependence.to != column || dependence.height > j) continue;
        start = std::max(start, ends[j - dependence.height][dependence.from]);
      }
      ends[j][column] = start + net.pipeline.columns[column].duration(first + j);
      last = std::max(last, ends[j][column]);
    }
  }
  return last;
}

}  // namespace takt::support
