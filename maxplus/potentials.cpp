// Bellman-Ford in token-free order, on flat arrays.
#include "maxplus/potentials.hpp"

#include <algorithm>
#include <utility>

#include "maxplus/components.hpp"
#include "maxplus/flat_graph.hpp"
#include "maxplus/none.hpp"

namespace takt::maxplus {

namespace {

template <typename Scalar, typename Value>
class BellmanFord {
 public:
  /// The vertices of `graph` stand in a token-free order.
  BellmanFord(const FlatGraph<Scalar>& graph, Scalar weight, Scalar tokens)
      : graph_(graph),
        weight_(std::move(weight)),
        tokens_(std::move(tokens)),
        value_(graph.size()),
        raised_from_(graph.size(), kNone<std::uint32_t>) {}

  /// False if some cycle is positive, or the deadline passes.
  bool settle(std::size_t max_rounds, const Deadline& deadline) {
    DeadlineWatch watch(deadline);
    std::size_t next_check = 1;
    for (std::size_t round = 1; round <= max_rounds; ++round) {
      if (!raise()) return true;
      if (watch.has_passed(static_cast<double>(graph_.arcs.size()))) return false;
      if (round < next_check) continue;
      if (raised_in_a_circle()) return false;
      next_check *= 2;
    }
    return false;
  }

  const Value& value(std::uint32_t u) const { return value_[u]; }

 private:
  bool raise() {
    bool raised = false;
    Value candidate;
    for (std::uint32_t u = 0; u < graph_.size(); ++u) {
      for (const FlatArc<Scalar>& arc : graph_.out_arcs(u)) {
        candidate = product(tokens_, arc.weight) - product(weight_, arc.tokens) + value_[u];
        if (candidate <= value_[arc.head]) continue;
        value_[arc.head] = candidate;
        raised_from_[arc.head] = u;
        raised = true;
      }
    }
    return raised;
  }

  bool raised_in_a_circle() const {
    std::vector<std::uint32_t> seen_by(graph_.size(), kNone<std::uint32_t>);
    for (std::uint32_t start = 0; start < graph_.size(); ++start) {
      std::uint32_t u = start;
      for (; u != kNone<std::uint32_t> && seen_by[u] == kNone<std::uint32_t>; u = raised_from_[u]) seen_by[u] = start;
      if (u != kNone<std::uint32_t> && seen_by[u] == start) return true;
    }
    return false;
  }

  const FlatGraph<Scalar>& graph_;
  Scalar weight_;  // of the ratio
  Scalar tokens_;
  std::vector<Value> value_;
  std::vector<std::uint32_t> raised_from_;
};

template <typename Scalar, typename Value>
std::optional<std::vector<Integer>> settle(const TokenGraph& graph, const std::vector<std::size_t>& order,
                                           const Rational& ratio, std::size_t max_rounds, const Deadline& deadline) {
  const std::vector<std::uint32_t> one_group(num_vertices(graph), 0);
  const FlatGraph<Scalar> flat = flatten<Scalar>(graph, order, one_group);
  BellmanFord<Scalar, Value> search(flat, scalar_of<Scalar>(ratio.numerator()), scalar_of<Scalar>(ratio.denominator()));
  if (!search.settle(max_rounds, deadline)) return std::nullopt;
  std::vector<Integer> result(order.size());
  for (std::uint32_t i = 0; i < flat.size(); ++i) result[order[i]] = integer_of(search.value(i));
  return result;
}

/// Whether 64-bit weights and 128-bit potentials suffice. A round adds at most n arcs to a walk, each of at most
/// den W + |num| T, where W and T bound the arcs' weights and tokens.
bool narrow_suffices(const TokenGraph& graph, const Rational& ratio, std::size_t max_rounds) {
  const auto [weight, tokens] = magnitudes(graph);
  const Integer num = abs(ratio.numerator());
  const Integer& den = ratio.denominator();
  const Integer arc = den * weight + num * tokens;
  return fits_int64(num) && fits_int64(den) && fits_int64(weight) && fits_int64(tokens) &&
         fits_int128((Integer(max_rounds) * num_vertices(graph) + 1) * arc);
}

}  // namespace

std::optional<std::vector<Integer>> potentials(const TokenGraph& graph, const Rational& ratio,
                                               const Deadline& deadline) {
  expect_flattable(graph);
  const auto order = token_free_order(graph);
  const auto* vertices = std::get_if<std::vector<std::size_t>>(&order);
  if (vertices == nullptr) return std::nullopt;
  std::size_t token_arcs = 0;
  const auto [begin, end] = edges(graph);
  for (auto edge = begin; edge != end; ++edge) token_arcs += graph[*edge].tokens > 0 ? 1 : 0;
  const std::size_t max_rounds = std::min(token_arcs, num_vertices(graph)) + 2;
  return narrow_suffices(graph, ratio, max_rounds)
             ? settle<std::int64_t, Int128>(graph, *vertices, ratio, max_rounds, deadline)
             : settle<Integer, Integer>(graph, *vertices, ratio, max_rounds, deadline);
}

}  // namespace takt::maxplus
