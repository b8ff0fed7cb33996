// Components searched one by one or on several threads, in the narrowest numbers that a bound allows.
#include "maxplus/component_ratios.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <limits>
#include <optional>
#include <utility>

#include "maxplus/component_graph.hpp"
#include "maxplus/contract.hpp"
#include "maxplus/none.hpp"
#include "maxplus/policy_search.hpp"

namespace takt::maxplus {

namespace {

/// The arcs within components, by position, as PolicySearch takes them.
template <typename Arc>
struct InnerGraph {
  std::vector<std::uint32_t> first{0};
  std::vector<Arc> arcs;
  std::vector<std::uint32_t> index;  // of each arc in the list
};

void put(InnerArc& arc, const ArcColumns& list, std::uint32_t index, bool negated, const Integer&) {
  arc.weight = negated ? -list.numerator(index) : list.numerator(index);
  arc.tokens = static_cast<std::uint32_t>(list.tokens(index));
}

void put(WideInnerArc& arc, const ArcColumns& list, std::uint32_t index, bool negated, const Integer& denominator) {
  const Rational weight = list.weight(index);
  arc.weight = denominator / weight.denominator() * weight.numerator();
  if (negated) arc.weight = -arc.weight;
  arc.tokens = list.tokens(index);
}

// Weights over this denominator are integers.
Integer denominator_of(const ArcColumns& list) {
  if (list.is_narrow()) return integer_of(list.denominator());
  Integer common = 1;
  for (std::size_t arc = 0; arc < list.size(); ++arc) common = lcm(common, list.weight(arc).denominator());
  return common;
}

template <typename Arc>
InnerGraph<Arc> inner_graph(const ArcColumns& list, const ArcsByTail& by_tail, const ComponentPositions& positions,
                            const Integer& denominator, bool negated) {
  InnerGraph<Arc> graph;
  std::vector<std::uint32_t> position(positions.component_of.size());
  std::uint32_t arcs = 0;
  for (std::size_t c = 0; c + 1 < positions.first.size(); ++c) {
    for (std::uint32_t p = positions.first[c]; p < positions.first[c + 1]; ++p) {
      position[positions.vertices[p]] = p - positions.first[c];
    }
  }
  // Then no arc's ends need be looked up.
  const bool is_one = positions.first.size() == 2 && positions.vertices.size() == positions.component_of.size();
  const auto is_inner = [&](std::uint32_t arc) {
    if (is_one) return true;
    const std::uint32_t component = positions.component_of[list.from(arc)];
    return component != kNone<std::uint32_t> && component == positions.component_of[list.to(arc)];
  };
  for (std::uint32_t arc = 0; arc < list.size(); ++arc) arcs += is_inner(arc) ? 1 : 0;
  graph.first.reserve(positions.vertices.size() + 1);
  graph.arcs.reserve(arcs);
  graph.index.reserve(arcs);
  for (const std::uint32_t vertex : positions.vertices) {
    for (const std::uint32_t arc : by_tail.leaving(vertex)) {
      if (!is_inner(arc)) continue;
      put(graph.arcs.emplace_back(), list, arc, negated, denominator);
      graph.arcs.back().head = position[list.to(arc)];
      graph.index.push_back(arc);
    }
    graph.first.push_back(static_cast<std::uint32_t>(graph.arcs.size()));
  }
  return graph;
}

/// Whether InnerArcs hold the list, and a search of `vertices` vertices needs no more than 128 bits. With nW < 2^63 and
/// nT <= 2^60, (2 n + 1) A of PolicySearch is at most (2 n + 1) 2 n W T <= 6 (nW) (nT) < 2^126.
bool is_native(const ArcColumns& list, std::size_t vertices) {
  if (!list.is_narrow()) return false;
  std::uint64_t weight = 0;
  std::uint64_t tokens = 0;
  for (std::size_t arc = 0; arc < list.size(); ++arc) {
    const std::int64_t numerator = list.numerator(arc);
    const auto magnitude = static_cast<std::uint64_t>(numerator);
    weight = std::max(weight, numerator < 0 ? -magnitude : magnitude);
    tokens = std::max(tokens, list.tokens(arc));
  }
  const std::uint64_t n = std::max<std::uint64_t>(vertices, 1);
  return weight <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()) / n &&
         tokens <= (std::uint64_t{1} << 60) / n && tokens <= std::numeric_limits<std::uint32_t>::max();
}

/// What is found of a graph, component by component.
template <typename Arc>
class AllComponents {
 public:
  AllComponents(const InnerGraph<Arc>& graph, const ComponentPositions& positions, const ComponentSearch& search,
                Integer scale, ComponentRatios& result)
      : graph_(graph), positions_(positions), search_(search), scale_(std::move(scale)), result_(result) {}

  /// False if the deadline passes before all are done.
  bool solve() {
    const std::size_t count = positions_.first.size() - 1;
    result_.components.resize(count);
    if (search_.with_potentials) result_.potentials.resize(positions_.component_of.size());
    std::atomic<bool> is_over = false;
    std::exception_ptr failure;
#pragma omp parallel for schedule(dynamic, 1) if (count > 1 && graph_.arcs.size() > kArcsWorthThreads)
    for (std::size_t c = 0; c < count; ++c) {
      if (is_over) continue;
      try {
        if (!solve_component(c)) is_over = true;
      } catch (...) {
#pragma omp critical(takt_component_failure)
        failure = std::current_exception();
        is_over = true;
      }
    }
    if (failure) std::rethrow_exception(failure);
    return !is_over;
  }

  SearchWidth width() const { return width_; }

 private:
  static constexpr std::size_t kArcsWorthThreads = 10'000;

  bool solve_component(std::size_t c) {
    const std::uint32_t begin = positions_.first[c];
    const std::uint32_t end = positions_.first[c + 1];
    const auto first = std::span(graph_.first).subspan(begin, end - begin + 1);
    std::vector<std::uint32_t> policy = heaviest(first);
    if constexpr (std::is_same_v<Arc, InnerArc>) {
      const PolicyOutcome narrow = attempt<InnerArc, std::int64_t>(c, first, graph_.arcs, policy, SearchWidth::bits_64);
      if (narrow != PolicyOutcome::too_narrow) return narrow == PolicyOutcome::found;
      const PolicyOutcome wider = attempt<InnerArc, Int128>(c, first, graph_.arcs, policy, SearchWidth::bits_128);
      expects(wider != PolicyOutcome::too_narrow, "128 bits suffice where is_native says so");
      return wider == PolicyOutcome::found;
    } else {
      return attempt<WideInnerArc, Integer>(c, first, graph_.arcs, policy, SearchWidth::any) == PolicyOutcome::found;
    }
  }

  std::vector<std::uint32_t> heaviest(std::span<const std::uint32_t> first) const {
    std::vector<std::uint32_t> policy(first.size() - 1);
    for (std::size_t u = 0; u < policy.size(); ++u) {
      policy[u] = first[u];
      for (std::uint32_t a = first[u]; a < first[u + 1]; ++a) {
        if (graph_.arcs[a].weight > graph_.arcs[policy[u]].weight) policy[u] = a;
      }
    }
    return policy;
  }

  // So that it begins at a vertex that the other solvers would begin at, too: the first in the token-free order.
  std::vector<std::uint32_t> turned(std::vector<std::uint32_t> cycle, std::size_t c) const {
    const auto rank = [&](std::uint32_t arc) {
      const std::uint32_t head = positions_.first[c] + graph_.arcs[arc].head;
      return positions_.follows_tokens ? head : positions_.vertices[head];
    };
    const auto into_first = std::ranges::max_element(cycle, {}, rank);
    std::rotate(cycle.begin(), into_first + 1, cycle.end());
    return cycle;
  }

  template <typename SearchedArc, typename Value>
  PolicyOutcome attempt(std::size_t c, std::span<const std::uint32_t> first, std::span<const SearchedArc> arcs,
                        std::vector<std::uint32_t>& policy, SearchWidth width) {
    PolicySearch<SearchedArc, Value> search(first, arcs, search_.deadline);
    const PolicyOutcome end = search.run(policy);
    if (end != PolicyOutcome::found) return end;
    ComponentRatio& found = result_.components[c];
    found.best.ratio = Rational::fraction(integer_of(search.numerator()), integer_of(search.denominator()) * scale_);
    for (const std::uint32_t arc : turned(search.cycle(), c)) found.best.arcs.push_back(graph_.index[arc]);
    const auto members = std::span(positions_.vertices).subspan(positions_.first[c], first.size() - 1);
    found.vertices = static_cast<std::uint32_t>(members.size());
    found.arcs = first.back() - first.front();
    found.first_vertex = *std::ranges::min_element(members);
    if (search_.with_potentials) {
      const Integer denominator = integer_of(search.denominator()) * scale_;
      const auto first_position =
          static_cast<std::uint32_t>(std::ranges::find(members, found.first_vertex) - members.begin());
      const Integer zero = integer_of(search.value(first_position));
      for (std::uint32_t u = 0; u < members.size(); ++u) {
        result_.potentials[members[u]] = Rational::fraction(integer_of(search.value(u)) - zero, denominator);
      }
    }
#pragma omp critical(takt_component_width)
    width_ = std::max(width_, width);
    return end;
  }

  const InnerGraph<Arc>& graph_;
  const ComponentPositions& positions_;
  const ComponentSearch& search_;
  Integer scale_;  // ratios are those of the list times this
  ComponentRatios& result_;
  SearchWidth width_ = SearchWidth::bits_64;
};

template <typename Arc>
bool solve_all(const ArcColumns& list, ArcsByTail by_tail, const ComponentPositions& positions,
               const ComponentSearch& search, ComponentRatios& result, SearchWidth& width) {
  const bool is_smallest = search.extreme == RatioExtreme::smallest;
  const Integer denominator = denominator_of(list);
  const InnerGraph<Arc> graph = inner_graph<Arc>(list, by_tail, positions, denominator, is_smallest);
  by_tail = {};
  const Integer scale = is_smallest ? Integer(-denominator) : denominator;
  AllComponents<Arc> all(graph, positions, search, scale, result);
  const bool is_done = all.solve();
  width = all.width();
  return is_done;
}

}  // namespace

ComponentAnswer component_ratios(std::size_t vertices, const ArcColumns& arcs, const ComponentSearch& search,
                                 SearchWidth* width) {
  constexpr std::size_t kMost = std::numeric_limits<std::uint32_t>::max() - 1;
  expects(vertices <= kMost && arcs.size() <= kMost, "a solver's graph has fewer than 2^32 - 1 arcs");
  for (std::size_t arc = 0; arc < arcs.size(); ++arc) {
    expects(arcs.from(arc) < vertices && arcs.to(arc) < vertices, "an arc joins vertices of its graph");
  }
  ArcsByTail by_tail = arcs_by_tail(vertices, arcs);
  DeadlockCycle deadlock;
  auto positions = component_positions(vertices, arcs, by_tail, deadlock.arcs);
  if (!positions) return deadlock;
  ComponentRatios result;
  SearchWidth needed = SearchWidth::bits_64;
  const bool is_done = is_native(arcs, positions->vertices.size())
                           ? solve_all<InnerArc>(arcs, std::move(by_tail), *positions, search, result, needed)
                           : solve_all<WideInnerArc>(arcs, std::move(by_tail), *positions, search, result, needed);
  if (width != nullptr) *width = needed;
  if (!is_done) return SolverTimeout{};
  result.component_of = std::move(positions->component_of);
  return result;
}

}  // namespace takt::maxplus
