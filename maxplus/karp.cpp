// Karp's algorithm: the largest cycle ratio of a token graph, exactly, by way of a cycle mean.
//
// Problem: the largest ratio of weights to tokens over the cycles of a graph, and a cycle that attains it.
//
// Method: the graph is contracted to its tokens, which makes the ratio a mean weight per arc. In each component of P
// tokens, D(k, v) is the heaviest walk of exactly k arcs to v, from any vertex. The largest mean is
//   max over v of min over k < P of (D(P, v) - D(k, v)) / (P - k).
//
// Invariant: D(k, v) = max over arcs u -> v of D(k - 1, u) + w, with D(0, v) = 0; every vertex has an in-arc, so all
// are finite. Subtract the largest mean from all weights, so that no cycle is positive. At the v that attains the
// formula, D(P, v) >= D(k, v) for all k < P. Every cycle on the walk of P arcs behind D(P, v) then weighs 0, that is,
// is critical: were it negative, the walk without it would be a heavier one of fewer arcs.
//
// Cost: O(P^2) table entries of 8 bytes (more where GMP is needed) and, for A contracted arcs, O(P A) time and about
// 100 bytes per arc; A is at most P^2. P (P + 1), summed over components, is held against `max_table_entries` before
// anything is contracted.
//
// References: karp1978, benoit2009throughput.
#include "maxplus/karp.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "maxplus/by_component.hpp"
#include "maxplus/components.hpp"
#include "maxplus/contraction.hpp"
#include "maxplus/flat_graph.hpp"
#include "maxplus/none.hpp"
#include "maxplus/solvers.hpp"

namespace takt::maxplus {

namespace {

template <typename Scalar>
struct InArc {
  Scalar weight{};
  std::uint32_t tail = 0;
  std::uint32_t edge = 0;  // edge index in the contracted graph
};

/// A component's arcs by head; its vertices are numbered from 0.
template <typename Scalar>
struct InArcs {
  std::vector<std::uint32_t> first;
  std::vector<InArc<Scalar>> arcs;
};

template <typename Scalar>
InArcs<Scalar> in_arcs(const TokenGraph& graph, std::size_t begin, std::size_t end) {
  InArcs<Scalar> result;
  result.first.assign(end - begin + 1, 0);
  const auto for_each_arc = [&](auto visit) {
    for (std::size_t tail = begin; tail < end; ++tail) {
      const auto [edge, last] = out_edges(tail, graph);
      for (auto at = edge; at != last; ++at) visit(tail - begin, target(*at, graph) - begin, *at);
    }
  };
  for_each_arc([&](std::size_t, std::size_t head, const auto&) { ++result.first[head + 1]; });
  for (std::size_t v = 0; v + 1 < result.first.size(); ++v) result.first[v + 1] += result.first[v];
  result.arcs.resize(result.first.back());
  std::vector<std::uint32_t> next(result.first.begin(), result.first.end() - 1);
  const auto index = get(boost::edge_index, graph);
  for_each_arc([&](std::size_t tail, std::size_t head, const auto& edge) {
    result.arcs[next[head]++] = {scalar_of<Scalar>(graph[edge].weight), static_cast<std::uint32_t>(tail),
                                 static_cast<std::uint32_t>(get(index, edge))};
  });
  return result;
}

template <typename Scalar, typename Value>
class KarpTable {
 public:
  explicit KarpTable(const InArcs<Scalar>& in) : in_(in), size_(static_cast<std::uint32_t>(in.first.size() - 1)) {
    table_.resize(std::size_t{size_ + 1U} * size_);
  }

  /// The table's rows. False if the deadline passes before the last of them.
  bool fill(DeadlineWatch& watch) {
    for (std::uint32_t k = 1; k <= size_; ++k) {
      if (watch.has_passed(static_cast<double>(in_.arcs.size()))) return false;
      fill_row(k);
    }
    return true;
  }

  /// A cycle of largest mean, as edge indices.
  std::vector<std::size_t> critical_cycle() const {
    std::uint32_t best_vertex = 0;
    Mean best = least_mean(0);
    for (std::uint32_t v = 1; v < size_; ++v) {
      const Mean mean = least_mean(v);
      if (best < mean) {
        best = mean;
        best_vertex = v;
      }
    }
    return cycle_on_walk_to(best_vertex);
  }

 private:
  struct Mean {
    Scalar weight{};
    Scalar arcs{};
    friend bool operator<(const Mean& a, const Mean& b) {
      const Value gap = product(a.weight, b.arcs) - product(b.weight, a.arcs);
      return gap < 0;
    }
  };

  const Scalar& at(std::uint32_t k, std::uint32_t v) const { return table_[std::size_t{k} * size_ + v]; }

  void fill_row(std::uint32_t k) {
    Scalar candidate;
    for (std::uint32_t v = 0; v < size_; ++v) {
      Scalar& best = table_[std::size_t{k} * size_ + v];
      for (std::uint32_t i = in_.first[v]; i < in_.first[v + 1]; ++i) {
        candidate = at(k - 1, in_.arcs[i].tail) + in_.arcs[i].weight;
        if (i == in_.first[v] || candidate > best) best = candidate;
      }
    }
  }

  Mean least_mean(std::uint32_t v) const {
    std::optional<Mean> least;
    for (std::uint32_t k = 0; k < size_; ++k) {
      Mean mean{at(size_, v) - at(k, v), static_cast<Scalar>(size_ - k)};
      if (!least || mean < *least) least = std::move(mean);
    }
    return *least;
  }

  /// Follows the walk of size_ arcs to `v` backwards until a vertex comes again.
  std::vector<std::size_t> cycle_on_walk_to(std::uint32_t v) const {
    std::vector<std::uint32_t> met_at(size_, kNone<std::uint32_t>);
    std::vector<std::size_t> walk;
    std::uint32_t k = size_;
    while (met_at[v] == kNone<std::uint32_t>) {
      met_at[v] = size_ - k;
      std::uint32_t i = in_.first[v];
      while (at(k - 1, in_.arcs[i].tail) + in_.arcs[i].weight != at(k, v)) ++i;
      walk.push_back(in_.arcs[i].edge);
      v = in_.arcs[i].tail;
      --k;
    }
    walk.erase(walk.begin(), walk.begin() + met_at[v]);
    std::ranges::reverse(walk);
    return walk;
  }

  const InArcs<Scalar>& in_;
  std::uint32_t size_;
  std::vector<Scalar> table_;  // D(k, v), row after row
};

/// Two vertices of a cycle of the contracted graph may stand for token-free paths that meet. The closed walk then falls
/// apart into cycles none of which has a larger ratio than the whole: each has the same.
std::vector<std::size_t> first_cycle(const TokenGraph& graph, const std::vector<std::size_t>& closed_walk) {
  std::vector<std::size_t> left_at(num_vertices(graph), closed_walk.size());
  for (std::size_t i = 0; i < closed_walk.size(); ++i) {
    const auto edge = edge_from_index(closed_walk[i], graph);
    left_at[source(edge, graph)] = i;
    const std::size_t begin = left_at[target(edge, graph)];
    if (begin == closed_walk.size()) continue;
    return {closed_walk.begin() + static_cast<std::ptrdiff_t>(begin),
            closed_walk.begin() + static_cast<std::ptrdiff_t>(i + 1)};
  }
  return closed_walk;
}

template <typename Scalar, typename Value>
std::optional<CriticalCycle> best_contracted(const Contraction& contraction, const Deadline& deadline) {
  DeadlineWatch watch(deadline);
  std::optional<CriticalCycle> best;
  for (std::size_t c = 0; c + 1 < contraction.first.size(); ++c) {
    const InArcs<Scalar> in = in_arcs<Scalar>(contraction.graph, contraction.first[c], contraction.first[c + 1]);
    KarpTable<Scalar, Value> table(in);
    if (!table.fill(watch)) return std::nullopt;
    CriticalCycle cycle = critical_cycle(contraction.graph, table.critical_cycle());
    if (!best || cycle.ratio > best->ratio) best = std::move(cycle);
  }
  return best;
}

/// Whether 64-bit entries suffice: with P contracted vertices in all and weights of at most W, entries are at most PW.
/// So are the differences D(P, v) - D(k, v): without its first P - k arcs the one walk is like the other, which can be
/// led on backwards by as many, each of weight within +-W. As P < 2^32, two products of these with P then stay below
/// 2^97: 128 bits hold them.
bool narrow_walks_suffice(const TokenGraph& contracted) {
  return fits_int64(Integer(num_vertices(contracted)) * magnitudes(contracted).weight);
}

std::uint64_t table_entries(const std::vector<std::uint64_t>& tokens) {
  std::uint64_t sum = 0;
  for (const std::uint64_t p : tokens) {
    std::uint64_t entries = 0;
    if (__builtin_add_overflow(p, 1U, &entries) || __builtin_mul_overflow(entries, p, &entries) ||
        __builtin_add_overflow(sum, entries, &sum)) {
      return std::numeric_limits<std::uint64_t>::max();
    }
  }
  return sum;
}

}  // namespace

CycleRatio karp(const TokenGraph& graph, const Deadline& deadline) {
  return karp(graph, kDefaultTableEntries, deadline);
}

CycleRatio karp(const TokenGraph& graph, std::uint64_t max_table_entries, const Deadline& deadline) {
  return solve_components(graph, deadline, [&](const Components& components) -> CycleRatio {
    const std::uint64_t needed = table_entries(tokens_by_component(graph, components));
    if (needed > max_table_entries) return SolverLimit{needed, max_table_entries};
    const Contraction contraction = contract(graph, components);
    expect_flattable(contraction.graph);
    const auto best = narrow_walks_suffice(contraction.graph)
                          ? best_contracted<std::int64_t, Int128>(contraction, deadline)
                          : best_contracted<Integer, Integer>(contraction, deadline);
    if (!best) return SolverTimeout{};
    return critical_cycle(graph, first_cycle(graph, expand(graph, components, contraction, best->arcs)));
  });
}

}  // namespace takt::maxplus
