// Howard's policy iteration: the largest cycle ratio of a token graph, exactly.
//
// Problem: the largest ratio of weights to tokens over the cycles of a graph, and a cycle that attains it.
//
// Method: policy iteration in each strongly connected component. A policy keeps one out-arc of every vertex, so every
// vertex reaches one cycle of the policy. lambda is the best ratio of these cycles; vertices that reach a worse one
// are led to a best one instead. Potentials v satisfy v(u) = w - lambda t + v(head) along the policy. An arc outside
// the policy with w - lambda t + v(head) > v(u) replaces u's. When there is none, summing v(u) >= w - lambda t +
// v(head) around any cycle shows its ratio to be at most lambda.
//
// Invariant: lambda never falls, and while it stays no v falls and one at least rises, so no policy recurs and the
// iteration ends, without any tolerance. For let C be a cycle of the next policy. Its arcs satisfy
// w - lambda t + v(head) >= v(u), strictly where replaced, so its ratio is at least lambda, and equal only if none was
// replaced: C was there before. Hence while lambda stays, all the policy's cycles are old ones and keep their
// potentials, and along the policy towards them every v is at least the old one, greater where replaced.
//
// Cost: an iteration is linear; their number is not bounded polynomially, but is small in practice. Numbers are 64 and
// 128 bits wide where a bound proves that they suffice, and GMP's otherwise.
//
// References: howard1960, cochet1998howard.
#include <algorithm>
#include <numeric>
#include <utility>

#include "maxplus/by_component.hpp"
#include "maxplus/components.hpp"
#include "maxplus/flat_graph.hpp"
#include "maxplus/none.hpp"
#include "maxplus/solvers.hpp"

namespace takt::maxplus {

namespace {

std::int64_t common_divisor(std::int64_t a, std::int64_t b) { return std::gcd(a, b); }
Integer common_divisor(const Integer& a, const Integer& b) { return gcd(a, b); }

/// weight / tokens in lowest terms, tokens > 0; 0 / 0 is none yet.
template <typename Scalar>
struct CycleSums {
  Scalar weight{};
  Scalar tokens{};
};

template <typename Scalar, typename Value>
class PolicyIteration {
 public:
  PolicyIteration(const FlatGraph<Scalar>& graph, const Deadline& deadline)
      : graph_(graph),
        watch_(deadline),
        policy_(graph.size()),
        value_(graph.size()),
        seen_by_(graph.size()),
        state_(graph.size()) {
    link_in_arcs();
  }

  /// The critical cycle of the component at positions first .. last - 1, as arcs of the flat graph; none after the
  /// deadline.
  std::vector<std::uint32_t> solve(std::uint32_t first, std::uint32_t last) {
    first_ = first;
    last_ = last;
    lambda_ = {};
    start();
    const double steps = last - first + (graph_.first[last] - graph_.first[first]);
    do {
      if (watch_.has_passed(steps)) return {};
      evaluate();
    } while (improve());
    return cycle_through(roots_.front());
  }

 private:
  enum class VertexState : std::uint8_t { unknown, on_path, valued, astray };

  const FlatArc<Scalar>& chosen(std::uint32_t u) const { return graph_.arcs[policy_[u]]; }

  /// den(lambda) * (w - lambda * t), an integer.
  Value reduced(const FlatArc<Scalar>& arc) const {
    return product(lambda_.tokens, arc.weight) - product(lambda_.weight, arc.tokens);
  }

  void link_in_arcs() {
    in_first_.assign(graph_.size() + 1, 0);
    for (const FlatArc<Scalar>& arc : graph_.arcs) ++in_first_[arc.head + 1];
    std::partial_sum(in_first_.begin(), in_first_.end(), in_first_.begin());
    in_arcs_.resize(graph_.arcs.size());
    std::vector<std::uint32_t> next(in_first_.begin(), in_first_.end() - 1);
    for (std::uint32_t u = 0; u < graph_.size(); ++u) {
      for (std::uint32_t arc = graph_.first[u]; arc < graph_.first[u + 1]; ++arc) {
        in_arcs_[next[graph_.arcs[arc].head]++] = {arc, u};
      }
    }
  }

  /// The first policy takes the greatest weight everywhere.
  void start() {
    for (std::uint32_t u = first_; u < last_; ++u) {
      policy_[u] = graph_.first[u];
      for (std::uint32_t arc = graph_.first[u]; arc < graph_.first[u + 1]; ++arc) {
        if (graph_.arcs[arc].weight > chosen(u).weight) policy_[u] = arc;
      }
    }
  }

  std::vector<std::uint32_t> cycle_through(std::uint32_t root) const {
    std::vector<std::uint32_t> arcs;
    std::uint32_t u = root;
    do {
      arcs.push_back(policy_[u]);
      u = chosen(u).head;
    } while (u != root);
    return arcs;
  }

  /// The best ratio of the policy's cycles, and a vertex of each cycle that has it, in roots_.
  CycleSums<Scalar> best_cycles() {
    std::fill(seen_by_.begin() + first_, seen_by_.begin() + last_, kNone<std::uint32_t>);
    roots_.clear();
    CycleSums<Scalar> best;
    for (std::uint32_t start = first_; start < last_; ++start) {
      std::uint32_t u = start;
      for (; seen_by_[u] == kNone<std::uint32_t>; u = chosen(u).head) seen_by_[u] = start;
      if (seen_by_[u] != start) continue;
      CycleSums<Scalar> ratio;
      std::uint32_t at = u;
      do {
        ratio.weight += chosen(at).weight;
        ratio.tokens += chosen(at).tokens;
        at = chosen(at).head;
      } while (at != u);
      const Scalar divisor = common_divisor(ratio.weight, ratio.tokens);
      ratio.weight /= divisor;
      ratio.tokens /= divisor;
      const Value gain = product(ratio.weight, best.tokens) - product(best.weight, ratio.tokens);
      if (roots_.empty() || gain > 0) {
        best = ratio;
        roots_.assign(1, u);
      } else if (gain == 0) {
        roots_.push_back(u);
      }
    }
    return best;
  }

  /// Sets lambda, and every vertex's potential; leads vertices that reach no best cycle to one.
  void evaluate() {
    CycleSums<Scalar> best = best_cycles();
    const bool rises = best.weight != lambda_.weight || best.tokens != lambda_.tokens;
    lambda_ = std::move(best);
    std::fill(state_.begin() + first_, state_.begin() + last_, VertexState::unknown);
    for (const std::uint32_t root : roots_) {
      if (rises) value_[root] = 0;
      state_[root] = VertexState::valued;
    }
    bool some_astray = false;
    for (std::uint32_t start = first_; start < last_; ++start) {
      path_.clear();
      std::uint32_t u = start;
      for (; state_[u] == VertexState::unknown; u = chosen(u).head) {
        state_[u] = VertexState::on_path;
        path_.push_back(u);
      }
      if (state_[u] == VertexState::valued) {
        for (auto at = path_.rbegin(); at != path_.rend(); ++at) follow_policy(*at);
      } else {
        for (const std::uint32_t at : path_) state_[at] = VertexState::astray;
        some_astray = true;
      }
    }
    if (some_astray) lead_back();
  }

  void follow_policy(std::uint32_t u) {
    value_[u] = reduced(chosen(u)) + value_[chosen(u).head];
    state_[u] = VertexState::valued;
  }

  /// Breadth first against the arcs, from the vertices that have a potential.
  void lead_back() {
    path_.clear();
    for (std::uint32_t u = first_; u < last_; ++u) {
      if (state_[u] == VertexState::valued) path_.push_back(u);
    }
    for (std::size_t next = 0; next < path_.size(); ++next) {
      const std::uint32_t head = path_[next];
      for (std::uint32_t i = in_first_[head]; i < in_first_[head + 1]; ++i) {
        const auto [arc, tail] = in_arcs_[i];
        if (state_[tail] != VertexState::astray) continue;
        policy_[tail] = arc;
        follow_policy(tail);
        path_.push_back(tail);
      }
    }
  }

  /// Takes each vertex's best arc where it is better than the policy's; false if there is none.
  bool improve() {
    bool improved = false;
    Value best;
    Value candidate;
    for (std::uint32_t u = first_; u < last_; ++u) {
      best = value_[u];
      for (std::uint32_t arc = graph_.first[u]; arc < graph_.first[u + 1]; ++arc) {
        candidate = reduced(graph_.arcs[arc]) + value_[graph_.arcs[arc].head];
        if (candidate > best) {
          best = candidate;
          policy_[u] = arc;
          improved = true;
        }
      }
    }
    return improved;
  }

  const FlatGraph<Scalar>& graph_;
  DeadlineWatch watch_;
  std::vector<std::uint32_t> in_first_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> in_arcs_;  // arc, its tail

  std::uint32_t first_ = 0;
  std::uint32_t last_ = 0;
  CycleSums<Scalar> lambda_;
  std::vector<std::uint32_t> policy_;  // the arc each vertex keeps
  std::vector<Value> value_;           // den(lambda) * v
  std::vector<std::uint32_t> roots_;   // one vertex of each best cycle of the policy
  std::vector<std::uint32_t> seen_by_;
  std::vector<VertexState> state_;
  std::vector<std::uint32_t> path_;
};

/// Whether 64-bit weights and 128-bit potentials suffice. With n vertices in a component, |w| <= W and t <= T, a
/// cycle's sums are at most nW and nT, so a reduced weight is at most 2nWT. A potential is the sum of those of a simple
/// path, of less than n arcs, to the vertex whose potential was set to 0 when lambda rose, since cycles and their
/// potentials stay until it rises again: with one arc more at most 2n nWT, which is below 2^127 as nW and nT are below
/// 2^63.
bool narrow_policies_suffice(const TokenGraph& graph, const Components& components) {
  const auto [weight, tokens] = magnitudes(graph);
  const Integer n = largest_size(components);
  return fits_int64(n * weight) && fits_int64(n * tokens);
}

}  // namespace

CycleRatio howard(const TokenGraph& graph, const Deadline& deadline) {
  return solve_components(graph, deadline, [&](const Components& components) {
    return answer_of(narrow_policies_suffice(graph, components)
                         ? best_over<PolicyIteration<std::int64_t, Int128>, std::int64_t>(graph, components, deadline)
                         : best_over<PolicyIteration<Integer, Integer>, Integer>(graph, components, deadline));
  });
}

}  // namespace takt::maxplus
