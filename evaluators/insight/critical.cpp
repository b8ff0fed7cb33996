// Slacks of all waits, the components of those without any, shortest paths over the others.
#include "evaluators/insight/critical.hpp"

#include <algorithm>
#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <boost/graph/dijkstra_shortest_paths_no_color_map.hpp>
#include <optional>
#include <utility>

#include "evaluators/insight/waits.hpp"
#include "maxplus/contract.hpp"

namespace takt::evaluators {

namespace {

OperationWaits waits_of(const tpn::FoldedNet& net, const PacedSchedule& paced) {
  auto made = OperationWaits::make(net, paced.offsets.size());
  OperationWaits* const waits = std::get_if<OperationWaits>(&made);
  maxplus::expects(waits != nullptr && waits->size() == paced.offsets.size(), "the schedule is one of the net");
  return std::move(*waits);
}

// By how much the waiting operation could start sooner, in 1 / PacedSchedule::unit.
class Slacks {
 public:
  Slacks(const OperationWaits& waits, const PacedSchedule& paced)
      : offsets_(paced.offsets),
        durations_(waits.durations<Integer>(paced.period.denominator())),
        period_(paced.period.numerator() * waits.net().pipeline.scale) {}

  Integer of(const Wait& wait, std::size_t vertex) const {
    return offsets_[vertex] - offsets_[wait.vertex] - durations_[wait.vertex] + period_ * wait.height;
  }

 private:
  const std::vector<Integer>& offsets_;
  std::vector<Integer> durations_;
  Integer period_;
};

// Arcs lead from an operation to one that waits for it without slack, once, whatever the reasons; heights beside them.
struct TightArcs {
  std::vector<WaitArc> arcs;
  std::vector<std::uint64_t> heights;
};

TightArcs tight_arcs(const OperationWaits& waits, const Slacks& slacks) {
  TightArcs result;
  std::vector<Wait> tight;
  for (std::size_t v = 0; v < waits.size(); ++v) {
    tight.clear();
    for (const Wait& wait : waits.of(v)) {
      const Integer slack = slacks.of(wait, v);
      maxplus::expects(sgn(slack) >= 0, "a paced schedule keeps all dependences");
      if (sgn(slack) == 0) tight.push_back(wait);
    }
    std::ranges::sort(tight);
    tight.erase(std::unique(tight.begin(), tight.end()), tight.end());
    for (const Wait& wait : tight) {
      result.arcs.emplace_back(wait.vertex, v);
      result.heights.push_back(wait.height);
    }
  }
  return result;
}

// Shortest circuits by slack.
class FloatSearch {
 public:
  explicit FloatSearch(const OperationWaits& waits, const Slacks& slacks)
      : waits_(waits), slacks_(slacks), graph_(make_graph(waits, slacks)), distances_(waits.size()) {}

  // Dijkstra's algorithm from the operation, then back to it by the waits that it has; nothing if none leads back.
  std::optional<Integer> of(std::size_t vertex) {
    using boost::get;
    boost::dijkstra_shortest_paths_no_color_map(
        graph_, vertex,
        boost::weight_map(get(boost::edge_bundle, graph_))
            .distance_map(boost::make_iterator_property_map(distances_.begin(), get(boost::vertex_index, graph_)))
            .distance_compare(
                [](const Integer& a, const Integer& b) { return is_reached(a) && (!is_reached(b) || a < b); })
            .distance_combine([](const Integer& a, const Integer& b) { return is_reached(a) ? Integer(a + b) : a; })
            .distance_inf(Integer(-1))
            .distance_zero(Integer(0)));
    std::optional<Integer> least;
    for (const Wait& wait : waits_.of(vertex)) {
      if (!is_reached(distances_[wait.vertex])) continue;
      const Integer sum = distances_[wait.vertex] + slacks_.of(wait, vertex);
      if (!least || sum < *least) least = sum;
    }
    return least;
  }

 private:
  using Weighted = boost::compressed_sparse_row_graph<boost::directedS, boost::no_property, Integer>;

  static bool is_reached(const Integer& distance) { return sgn(distance) >= 0; }

  static Weighted make_graph(const OperationWaits& waits, const Slacks& slacks) {
    std::vector<WaitArc> arcs;
    std::vector<Integer> weights;
    for (std::size_t v = 0; v < waits.size(); ++v) {
      for (const Wait& wait : waits.of(v)) {
        arcs.emplace_back(wait.vertex, v);
        weights.push_back(slacks.of(wait, v));
      }
    }
    return {boost::edges_are_unsorted_multi_pass, arcs.begin(), arcs.end(), weights.begin(), waits.size()};
  }

  const OperationWaits& waits_;
  const Slacks& slacks_;
  Weighted graph_;
  std::vector<Integer> distances_;
};

}  // namespace

CriticalOperations critical_operations(const tpn::FoldedNet& net, const PacedSchedule& paced) {
  const OperationWaits waits = waits_of(net, paced);
  const auto [arcs, heights] = tight_arcs(waits, Slacks(waits, paced));
  const std::vector<std::size_t> component = strong_components_of(arcs, waits.size());
  CriticalOperations result{waits.rows(), waits.columns(), std::vector<bool>(waits.size(), false), 0, false};
  std::uint64_t inner_arcs = 0;
  Integer height = 0;
  std::optional<std::size_t> only;
  bool is_alone = true;
  for (std::size_t a = 0; a < arcs.size(); ++a) {
    const auto [from, to] = arcs[a];
    if (component[from] != component[to]) continue;
    ++inner_arcs;
    height += heights[a];
    if (!result.is_critical[from]) ++result.count;
    result.is_critical[from] = true;
    is_alone = is_alone && only.value_or(component[from]) == component[from];
    only = component[from];
  }
  maxplus::expects(only.has_value(), "some circuit has the period of the schedule");
  result.single_circuit = is_alone && inner_arcs == result.count;
  const Integer rows = net.pipeline.rows;
  result.real_count = result.count * Integer(rows / waits.rows());
  result.real_size = Integer(waits.columns()) * rows;
  if (result.single_circuit) result.circuits = Integer(gcd(height, rows) / waits.rows());
  return result;
}

std::variant<OperationFloats, Limit> operation_floats(const tpn::FoldedNet& net, const PacedSchedule& paced,
                                                      const Deadline& deadline, std::uint64_t most_operations) {
  if (paced.offsets.size() > most_operations)
    return Limit(tpn::TooLarge{tpn::LimitKind::distinct_operations, Integer(paced.offsets.size()), most_operations});
  const OperationWaits waits = waits_of(net, paced);
  const Slacks slacks(waits, paced);
  FloatSearch search(waits, slacks);
  OperationFloats floats;
  for (std::size_t v = 0; v < waits.size(); ++v) {
    if (deadline.has_passed()) return Limit(OutOfTime{});
    const auto least = search.of(v);
    floats.push_back(least ? std::optional(Rational::fraction(*least, paced.unit)) : std::nullopt);
  }
  return floats;
}

}  // namespace takt::evaluators
