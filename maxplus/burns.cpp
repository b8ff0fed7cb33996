// Burns' primal-dual algorithm: the largest cycle ratio of a token graph, exactly.
//
// Problem: the largest ratio of weights to tokens over the cycles of a graph, and a cycle that attains it.
//
// Method: start times x with x(head) >= x(tail) + w - lambda t for every arc prove that no ratio exceeds lambda. In
// each strongly connected component lambda begins high and falls, and the start times follow it, as late as the arcs
// that hold with equality, the tight ones, ask for. Once tight arcs close a cycle, its ratio is lambda: none is larger.
// Until then lambda falls to where the next arc becomes tight.
//
// A start time is kept as the walk it comes from: x(v) = W(v) - lambda Z(v), where W(v) and Z(v) are the weight and the
// tokens of the heaviest walk to v, from anywhere, at weights w - lambda t; of those the one with most tokens, for it
// stays the heaviest as lambda falls. An arc of w and t from u to v becomes tight at
//   (W(u) + w - W(v)) / (Z(u) + t - Z(v)),
// if the divisor is positive: the next lambda is the largest of these. At the beginning W(v) is the heaviest path
// without tokens, and Z is 0.
//
// Invariant: at lambda all arcs hold, so x(v) is the most that any walk to v has. While no cycle is tight, each has a
// negative sum of w - lambda t, so the walk behind x(v) meets no vertex twice, and Z(v) is at most the tokens of a
// simple path. Each lambda raises Z at the head of the arc that became tight, and no Z falls. So it ends.
//
// Cost: time linear for each lambda, of which there are at most n Z, n vertices and Z the most tokens of a simple path;
// memory linear. Numbers are 64 bits wide and products 128 where a bound proves that they suffice, and GMP's otherwise.
//
// References: burns1991.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "maxplus/by_component.hpp"
#include "maxplus/components.hpp"
#include "maxplus/contract.hpp"
#include "maxplus/flat_graph.hpp"
#include "maxplus/solvers.hpp"

namespace takt::maxplus {

namespace {

template <typename Scalar, typename Value>
class PrimalDual {
 public:
  PrimalDual(const FlatGraph<Scalar>& graph, const Deadline& deadline)
      : graph_(graph),
        watch_(deadline),
        weight_(graph.size()),
        tokens_(graph.size()),
        is_tight_(graph.arcs.size()),
        tight_in_arcs_(graph.size()) {}

  /// The critical cycle of the component at positions first .. last - 1, as arcs of the flat graph; none after the
  /// deadline.
  std::vector<std::uint32_t> solve(std::uint32_t first, std::uint32_t last) {
    first_ = first;
    last_ = last;
    follow_token_free_paths();
    const double steps = last - first + (graph_.first[last] - graph_.first[first]);
    do {
      if (watch_.has_passed(steps)) return {};
      lower_lambda();
      mark_tight_arcs();
    } while (raise_tokens());
    return tight_cycle();
  }

 private:
  struct WalkGain {
    Scalar weight{};
    Scalar tokens{};  // 0: none yet
  };

  // How much more than the walk to its head an arc and the walk to its tail have.
  WalkGain gain(std::uint32_t tail, const FlatArc<Scalar>& arc) const {
    return {weight_[tail] + arc.weight - weight_[arc.head], tokens_[tail] + arc.tokens - tokens_[arc.head]};
  }

  // Positions follow a token-free order.
  void follow_token_free_paths() {
    std::fill(weight_.begin() + first_, weight_.begin() + last_, Scalar(0));
    std::fill(tokens_.begin() + first_, tokens_.begin() + last_, Scalar(0));
    for (std::uint32_t u = first_; u < last_; ++u) {
      for (const FlatArc<Scalar>& arc : graph_.out_arcs(u)) {
        if (arc.tokens == 0) weight_[arc.head] = std::max<Scalar>(weight_[arc.head], weight_[u] + arc.weight);
      }
    }
  }

  // To where the next arc becomes tight: there is one, as the tokens gained around a cycle are all of its tokens.
  void lower_lambda() {
    lambda_ = {};
    for (std::uint32_t u = first_; u < last_; ++u) {
      for (const FlatArc<Scalar>& arc : graph_.out_arcs(u)) {
        const WalkGain next = gain(u, arc);
        if (next.tokens <= 0) continue;
        const bool is_larger = product(next.weight, lambda_.tokens) > product(lambda_.weight, next.tokens);
        if (lambda_.tokens == 0 || is_larger) lambda_ = next;
      }
    }
    expects(lambda_.tokens > 0, "a component has a cycle, and each holds a token");
  }

  void mark_tight_arcs() {
    std::fill(tight_in_arcs_.begin() + first_, tight_in_arcs_.begin() + last_, 0);
    for (std::uint32_t u = first_; u < last_; ++u) {
      for (std::uint32_t arc = graph_.first[u]; arc < graph_.first[u + 1]; ++arc) {
        const WalkGain gained = gain(u, graph_.arcs[arc]);
        const bool is_tight = product(gained.weight, lambda_.tokens) == product(lambda_.weight, gained.tokens);
        is_tight_[arc] = is_tight ? 1 : 0;
        if (is_tight) ++tight_in_arcs_[graph_.arcs[arc].head];
      }
    }
  }

  // Leads every walk along the tight arcs that give it most tokens, tails before heads. False if a cycle of tight
  // arcs allows no such order; those on it, or behind it, keep tight_in_arcs_ above 0.
  bool raise_tokens() {
    order_.clear();
    for (std::uint32_t u = first_; u < last_; ++u) {
      if (tight_in_arcs_[u] == 0) order_.push_back(u);
    }
    for (std::size_t next = 0; next < order_.size(); ++next) {
      const std::uint32_t u = order_[next];
      for (std::uint32_t arc = graph_.first[u]; arc < graph_.first[u + 1]; ++arc) {
        if (is_tight_[arc] != 0) follow(u, graph_.arcs[arc]);
      }
    }
    return order_.size() == last_ - first_;
  }

  void follow(std::uint32_t tail, const FlatArc<Scalar>& arc) {
    const std::uint32_t head = arc.head;
    const Scalar tokens = tokens_[tail] + arc.tokens;
    if (tokens > tokens_[head]) {
      tokens_[head] = tokens;
      weight_[head] = weight_[tail] + arc.weight;
    }
    if (--tight_in_arcs_[head] == 0) order_.push_back(head);
  }

  // Back along tight arcs between vertices that raise_tokens() did not reach, each of which has one, until one of them
  // comes again.
  std::vector<std::uint32_t> tight_cycle() const {
    struct TightArc {
      std::uint32_t tail = 0;
      std::uint32_t arc = 0;
      bool is_seen = false;
    };
    std::vector<TightArc> entered_by(last_ - first_);
    std::uint32_t at = first_;
    for (std::uint32_t u = first_; u < last_; ++u) {
      if (tight_in_arcs_[u] == 0) continue;
      at = u;
      for (std::uint32_t arc = graph_.first[u]; arc < graph_.first[u + 1]; ++arc) {
        if (is_tight_[arc] != 0) entered_by[graph_.arcs[arc].head - first_] = {u, arc};
      }
    }
    for (; !entered_by[at - first_].is_seen; at = entered_by[at - first_].tail) entered_by[at - first_].is_seen = true;
    std::vector<std::uint32_t> arcs;
    for (const std::uint32_t last = at; arcs.empty() || at != last; at = entered_by[at - first_].tail) {
      arcs.push_back(entered_by[at - first_].arc);
    }
    std::ranges::reverse(arcs);
    return arcs;
  }

  const FlatGraph<Scalar>& graph_;
  DeadlineWatch watch_;
  std::uint32_t first_ = 0;
  std::uint32_t last_ = 0;
  WalkGain lambda_;
  std::vector<Scalar> weight_;  // W
  std::vector<Scalar> tokens_;  // Z
  std::vector<std::uint8_t> is_tight_;
  std::vector<std::uint32_t> tight_in_arcs_;  // of each vertex, those from tails not ordered yet
  std::vector<std::uint32_t> order_;
};

/// Whether 64-bit weights and tokens suffice, and 128-bit products. With n vertices in a component, |w| <= W and t <=
/// T, a walk to a vertex meets none twice: its sums are at most (n - 1) W and (n - 1) T, with one arc more n W and n T,
/// and what an arc gains is less than 2n W and at most n T. A product of the two then stays below 2^126.
bool narrow_tree_suffices(const TokenGraph& graph, const Components& components) {
  const auto [weight, tokens] = magnitudes(graph);
  const Integer n = largest_size(components);
  return fits_int64(2 * n * weight) && fits_int64(n * tokens);
}

}  // namespace

CycleRatio burns(const TokenGraph& graph, const Deadline& deadline) {
  return solve_components(graph, deadline, [&](const Components& components) {
    return answer_of(narrow_tree_suffices(graph, components)
                         ? best_over<PrimalDual<std::int64_t, Int128>, std::int64_t>(graph, components, deadline)
                         : best_over<PrimalDual<Integer, Integer>, Integer>(graph, components, deadline));
  });
}

}  // namespace takt::maxplus
