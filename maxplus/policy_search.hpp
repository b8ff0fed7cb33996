// Inside component_ratios: policy iteration on one strongly connected component, in numbers of a chosen width.
//
// Problem: the largest ratio lambda of weights to tokens over the cycles of a component, a cycle that attains it, and
// potentials v with v(u) = max of w - lambda t + v(head) over the arcs that leave u.
//
// Method: Howard's. A policy keeps one out-arc of every vertex; lambda is the best ratio of a cycle of the policy that
// was met. When lambda rises, v is 0 at a vertex of each such cycle and follows the policy from there; vertices that
// reach none of them are led to one. A pass then visits the vertices in order of their positions and takes for each the
// best arc where that raises v, at once, so that the vertices behind see it: along arcs without tokens, which lead to
// lower positions, one pass goes all the way. Vertices none of whose heads has risen since are passed over.
//
// Invariant: at the same lambda no v falls, and v(u) <= w - lambda t + v(head) along the policy: equal when the arc was
// taken, and heads only rise. Added up around a cycle of the policy: its ratio is at least lambda. Let a cycle hold a
// vertex that was raised at this lambda, and let x be the one raised last. The vertex before x took its arc when v(x)
// was less, so its inequality is strict, and the cycle's ratio is above lambda: then lambda rises. Otherwise all cycles
// of the policy are those of the beginning, with v as at the beginning, and every v is at most that of the policy's
// path to one of them. So v is bounded while it rises by at least 1 / den(lambda) in every pass: either a pass raises
// nothing, and no cycle exceeds lambda, or lambda rises, and that finitely often.
//
// Width: let n be the vertices, |w| <= W and t <= T. den(lambda) v and den(lambda) (w - lambda t) are integers. A cycle
// has at most n arcs, so den(lambda) <= nT and |num(lambda)| <= nW, and a reduced weight is at most
// A = den(lambda) W + |num(lambda)| T <= 2 n W T. After lambda rose |den v| is at most (n - 1) A, along a path without
// repeated vertices. Between two looks for cycles v rises: a value taken in a pass is that of a walk whose arcs are
// taken at falling positions of one pass, n of them at most, to a vertex with the value of before, at most (n - 1) A by
// the invariant. A candidate adds one arc more: 2 n A in all. So (2 n + 1) A < 2^63 suffices for 64 bits, which
// 2 n (n W) T (2 + 1 / n) < 2^63 implies; it is asked with lambda as it is each time it rises, and the search goes on
// wider, from the same policy, if it does not hold.
//
// Cost: a pass is linear; their number is not bounded polynomially, but is small in practice.
//
// References: howard1960, cochet1998howard.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "maxplus/contract.hpp"
#include "maxplus/deadline.hpp"
#include "maxplus/none.hpp"
#include "maxplus/rational.hpp"

namespace takt::maxplus {

/// An arc inside a component, its head by its position there. Sums of weights and of tokens of a cycle are Sums.
struct InnerArc {
  using Sum = std::int64_t;
  using Product = Int128;  // of two Sums
  std::int64_t weight = 0;
  std::uint32_t head = 0;
  std::uint32_t tokens = 0;
};

struct WideInnerArc {
  using Sum = Integer;
  using Product = Integer;
  Integer weight;
  std::uint32_t head = 0;
  std::uint64_t tokens = 0;
};

enum class PolicyOutcome { found, out_of_time, too_narrow };

/// A set of small numbers.
class Marks {
 public:
  explicit Marks(std::uint32_t size) : words_(size / kBits + 1) {}
  bool has(std::uint32_t i) const { return (words_[i / kBits] >> i % kBits & 1U) != 0; }
  void set(std::uint32_t i) { words_[i / kBits] |= std::uint64_t{1} << i % kBits; }
  void reset(std::uint32_t i) { words_[i / kBits] &= ~(std::uint64_t{1} << i % kBits); }
  void fill(bool value) { std::ranges::fill(words_, value ? ~std::uint64_t{0} : 0); }

  template <typename Visit>
  void for_each(Visit visit) const {
    for (std::uint32_t w = 0; w < words_.size(); ++w) {
      for (std::uint64_t word = words_[w]; word != 0; word &= word - 1) {
        visit(w * kBits + static_cast<std::uint32_t>(std::countr_zero(word)));
      }
    }
  }

 private:
  static constexpr std::uint32_t kBits = 64;
  std::vector<std::uint64_t> words_;
};

template <typename Arc, typename Value>
class PolicySearch {
 public:
  using Sum = typename Arc::Sum;
  using Product = typename Arc::Product;

  /// The vertex at position u has the arcs arcs[first[u]] .. arcs[first[u + 1] - 1]; at least one.
  PolicySearch(std::span<const std::uint32_t> first, std::span<const Arc> arcs, const Deadline& deadline)
      : first_(first),
        arcs_(arcs),
        size_(static_cast<std::uint32_t>(first.size() - 1)),
        watch_(deadline),
        value_(size_),
        steps_(size_),
        branches_(size_),
        raised_(size_),
        lifted_(size_),
        updated_(size_),
        touched_(size_),
        reached_(size_) {
    measure();
  }

  /// From a policy, an arc of each vertex, which it makes better.
  PolicyOutcome run(std::vector<std::uint32_t>& policy) {
    policy_ = policy;
    for (std::uint32_t u = 0; u < size_; ++u) {
      updated_.set(u);
      step_along(u);
    }
    std::size_t passes = 0;
    PolicyOutcome end = PolicyOutcome::found;
    do {
      if (watch_.has_passed(static_cast<double>(first_[size_] - first_[0]) + size_)) end = PolicyOutcome::out_of_time;
      if (find_better() && !suffices()) end = PolicyOutcome::too_narrow;
      if (end != PolicyOutcome::found) break;
      if (has_risen_) {
        restart();
      } else if (improved_ >= size_ / kEvaluatedPart || ++passes % kPassesWithout == 0) {
        evaluate();
      }
    } while (improve());
    policy = policy_;
    return end;
  }

  /// Of lambda, in lowest terms.
  const Sum& numerator() const { return weight_; }
  const Sum& denominator() const { return tokens_; }
  /// den(lambda) v at a position.
  const Value& value(std::uint32_t u) const { return value_[u]; }

  /// A cycle of ratio lambda, as arcs.
  std::vector<std::uint32_t> cycle() const {
    std::vector<std::uint32_t> result;
    std::uint32_t u = root_;
    do {
      result.push_back(cycle_policy(u));
      u = arcs_[result.back()].head;
    } while (u != root_);
    return result;
  }

 private:
  // Values are made consistent with the policy where so large a part was raised, and now and then.
  static constexpr std::uint32_t kEvaluatedPart = 32;
  static constexpr std::size_t kPassesWithout = 8;
  static constexpr std::uint32_t kFetchedAhead = 12;
  static constexpr std::uint32_t kNoVertex = kNone<std::uint32_t>;
  static constexpr bool kIsNative = !std::is_same_v<Value, Integer>;

  const Arc& chosen(std::uint32_t u) const { return arcs_[policy_[u]]; }
  std::uint32_t cycle_policy(std::uint32_t u) const {
    const auto at = std::ranges::lower_bound(cycle_arcs_, u, {}, &std::pair<std::uint32_t, std::uint32_t>::first);
    return at->second;
  }

  static Product product(const Sum& a, const Sum& b) {
    if constexpr (kIsNative) {
      return static_cast<Product>(a) * b;
    } else {
      return a * b;
    }
  }

  /// den(lambda) (w - lambda t)
  Value reduced(const Arc& arc) const { return value_tokens_ * arc.weight - value_weight_ * arc.tokens; }

  void measure() {
    for (std::uint32_t a = first_[0]; a < first_[size_]; ++a) {
      const Sum weight = arcs_[a].weight < 0 ? Sum(-arcs_[a].weight) : arcs_[a].weight;
      if (weight > largest_weight_) largest_weight_ = weight;
      if (arcs_[a].tokens > largest_tokens_) largest_tokens_ = arcs_[a].tokens;
    }
  }

  /// Whether (2 n + 1) A fits.
  bool suffices() const {
    if constexpr (kIsNative) {
      const Sum weight = weight_ < 0 ? -weight_ : weight_;
      const Product arc =
          product(tokens_, largest_weight_) + product(weight, static_cast<Sum>(largest_tokens_));  // each below 2^126
      constexpr Product kMost = static_cast<Product>(~Product{0} ^ (Product{1} << (8 * sizeof(Product) - 1))) >>
                                (8 * (sizeof(Product) - sizeof(Value)));
      return arc <= kMost / (2 * static_cast<Product>(size_) + 1);
    } else {
      return true;
    }
  }

  void step_along(std::uint32_t u) { steps_[u].head = chosen(u).head; }

  /// Looks for cycles of the policy that hold a raised vertex. Where one is better, lambda becomes the best of them,
  /// and roots_ has a vertex of each that attains it.
  bool find_better() {
    if (stamp_ > kNoVertex - 2 - size_) {
      for (Step& step : steps_) step.seen_by = 0;
      stamp_ = 0;
    }
    has_risen_ = false;
    const std::uint32_t base = stamp_;
    updated_.for_each([&](std::uint32_t start) { walk_from(start, base); });
    updated_.fill(false);
    if (!has_risen_) return false;
    root_ = roots_.front();
    value_weight_ = Value(weight_);
    value_tokens_ = Value(tokens_);
    keep_cycle();
    return true;
  }

  void walk_from(std::uint32_t start, std::uint32_t base) {
    if (start >= size_ || steps_[start].seen_by > base) return;
    const std::uint32_t stamp = ++stamp_;
    std::uint32_t u = start;
    while (steps_[u].seen_by <= base) {
      steps_[u].seen_by = stamp;
      u = steps_[u].head;
    }
    if (steps_[u].seen_by != stamp) return;
    Sum weight{};
    Sum tokens{};
    std::uint32_t at = u;
    do {
      weight += chosen(at).weight;
      tokens += chosen(at).tokens;
      at = chosen(at).head;
    } while (at != u);
    compare(weight, tokens, u);
  }

  void compare(const Sum& weight, const Sum& tokens, std::uint32_t vertex) {
    const Product gain = product(weight, tokens_) - product(weight_, tokens);
    const bool is_first = tokens_ == 0;
    if (is_first || gain > 0) {
      weight_ = weight;
      tokens_ = tokens;
      lower(weight_, tokens_);
      roots_.assign(1, vertex);
      has_risen_ = true;
    } else if (gain == 0 && has_risen_) {
      roots_.push_back(vertex);
    }
  }

  static void lower(std::int64_t& weight, std::int64_t& tokens) {
    const std::int64_t divisor = std::gcd(weight, tokens);
    weight /= divisor;
    tokens /= divisor;
  }
  static void lower(Integer& weight, Integer& tokens) {
    const Integer divisor = gcd(weight, tokens);
    weight /= divisor;
    tokens /= divisor;
  }

  /// The policy along the cycle of root_, which later passes may leave.
  void keep_cycle() {
    cycle_arcs_.clear();
    std::uint32_t u = root_;
    do {
      cycle_arcs_.emplace_back(u, policy_[u]);
      u = chosen(u).head;
    } while (u != root_);
    std::ranges::sort(cycle_arcs_);
  }

  /// The tree of the policy: for each vertex, those that chose an arc to it.
  void link() {
    for (Branch& branch : branches_) branch.first_child = kNoVertex;
    for (std::uint32_t u = 0; u < size_; ++u) {
      const Arc& arc = chosen(u);
      branches_[u].reduced = reduced(arc);
      branches_[u].next_sibling = branches_[arc.head].first_child;
      branches_[arc.head].first_child = u;
    }
    reached_.fill(false);
    queue_.clear();
    queue_.reserve(size_);
  }

  /// Gives every vertex whose policy leads to `root` its value.
  void follow_to(std::uint32_t root) {
    if (reached_.has(root)) return;
    std::size_t next = queue_.size();
    reached_.set(root);
    queue_.push_back(root);
    constexpr std::size_t kAhead = 8;
    for (; next < queue_.size(); ++next) {
      if (next + kAhead < queue_.size()) __builtin_prefetch(&branches_[queue_[next + kAhead]]);
      const std::uint32_t u = queue_[next];
      for (std::uint32_t child = branches_[u].first_child; child != kNoVertex; child = branches_[child].next_sibling) {
        if (reached_.has(child)) continue;
        reached_.set(child);
        queue_.push_back(child);
        Value value = branches_[child].reduced + value_[u];
        if (value != value_[child]) {
          value_[child] = std::move(value);
          lifted_.set(child);
        }
      }
    }
  }

  void restart() {
    link();
    for (const std::uint32_t root : roots_) {
      if (!reached_.has(root)) value_[root] = 0;
      follow_to(root);
    }
    if (queue_.size() < size_) lead_back();
    lifted_.fill(true);
    touched_.fill(false);
  }

  /// Raises values to those of the policy, whose cycles are those that lambda rose with.
  void evaluate() {
    link();
    std::erase_if(roots_, [this](std::uint32_t root) { return !is_whole(root); });
    for (const std::uint32_t root : roots_) follow_to(root);
    expects(queue_.size() == size_, "a policy's cycles are those that the ratio rose with");
  }

  /// Whether the cycle of a root has no raised vertex.
  bool is_whole(std::uint32_t root) const {
    std::uint32_t u = root;
    do {
      if (touched_.has(u)) return false;
      u = chosen(u).head;
    } while (u != root);
    return true;
  }

  /// Breadth first against the arcs, from the vertices that have a value to those that have not.
  void lead_back() {
    link_tails();
    for (std::size_t next = 0; next < queue_.size() && queue_.size() < size_; ++next) {
      const std::uint32_t head = queue_[next];
      for (std::uint32_t i = in_first_[head]; i < in_first_[head + 1]; ++i) {
        const std::uint32_t tail = in_tails_[i];
        if (reached_.has(tail)) continue;
        reached_.set(tail);
        queue_.push_back(tail);
        policy_[tail] = best_to(tail, head);
        step_along(tail);
        value_[tail] = reduced(chosen(tail)) + value_[head];
      }
    }
    expects(queue_.size() == size_, "a component is strongly connected");
  }

  std::uint32_t best_to(std::uint32_t tail, std::uint32_t head) const {
    std::uint32_t best = kNoVertex;
    for (std::uint32_t a = first_[tail]; a < first_[tail + 1]; ++a) {
      if (arcs_[a].head == head && (best == kNoVertex || reduced(arcs_[a]) > reduced(arcs_[best]))) best = a;
    }
    return best;
  }

  void link_tails() {
    if (!in_first_.empty()) return;
    in_first_.assign(std::size_t{size_} + 1, 0);
    for (std::uint32_t a = first_[0]; a < first_[size_]; ++a) ++in_first_[arcs_[a].head + 1];
    std::partial_sum(in_first_.begin(), in_first_.end(), in_first_.begin());
    in_tails_.resize(in_first_.back());
    std::vector<std::uint32_t> next(in_first_.begin(), in_first_.end() - 1);
    for (std::uint32_t u = 0; u < size_; ++u) {
      for (std::uint32_t a = first_[u]; a < first_[u + 1]; ++a) in_tails_[next[arcs_[a].head]++] = u;
    }
  }

  bool has_raised_head(std::uint32_t u) const {
    for (std::uint32_t a = first_[u]; a < first_[u + 1]; ++a) {
      if (raised_.has(arcs_[a].head) || lifted_.has(arcs_[a].head)) return true;
    }
    return false;
  }

  /// A pass waits for values of heads more than for anything else.
  void fetch_heads(std::uint32_t u) const {
    if (u >= size_) return;
    for (std::uint32_t a = first_[u]; a < first_[u + 1]; ++a) __builtin_prefetch(&value_[arcs_[a].head]);
  }

  /// A pass; false if it raised nothing. A head at a lower position that rose in the pass before was seen then.
  bool improve() {
    improved_ = 0;
    Value best;
    Value candidate;
    for (std::uint32_t u = 0; u < size_; ++u) {
      fetch_heads(u + kFetchedAhead);
      if (!has_raised_head(u)) {
        raised_.reset(u);
        continue;
      }
      best = value_[u];
      std::uint32_t choice = kNoVertex;
      for (std::uint32_t a = first_[u]; a < first_[u + 1]; ++a) {
        candidate = reduced(arcs_[a]) + value_[arcs_[a].head];
        if constexpr (kIsNative) {
          const bool is_better = candidate > best;  // conditional moves: no processor foresees this branch
          best = is_better ? candidate : best;
          choice = is_better ? a : choice;
        } else if (candidate > best) {
          best = candidate;
          choice = a;
        }
      }
      if (choice == kNoVertex) {
        raised_.reset(u);
        continue;
      }
      value_[u] = best;
      policy_[u] = choice;
      step_along(u);
      ++improved_;
      raised_.set(u);
      updated_.set(u);
      touched_.set(u);
    }
    lifted_.fill(false);
    return improved_ > 0;
  }

  std::span<const std::uint32_t> first_;
  std::span<const Arc> arcs_;
  std::uint32_t size_;
  DeadlineWatch watch_;
  Sum largest_weight_ = 1;
  std::uint64_t largest_tokens_ = 1;

  Sum weight_{};  // of lambda; no tokens: none yet
  Sum tokens_{};
  Value value_weight_{};  // the same
  Value value_tokens_{};
  bool has_risen_ = false;
  std::vector<std::uint32_t> policy_;
  std::vector<Value> value_;
  std::vector<std::uint32_t> roots_;  // a vertex of each cycle of ratio lambda, as lambda rose
  std::uint32_t root_ = 0;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> cycle_arcs_;  // of root_: vertex, its arc

  /// All that a walk along the policy reads of a vertex, in one cache line.
  struct Step {
    std::uint32_t head = 0;  // of the chosen arc
    std::uint32_t seen_by = 0;
  };
  std::vector<Step> steps_;
  /// The tree of the policy: the vertices that chose an arc to this one are its children.
  struct Branch {
    Value reduced{};  // of the chosen arc
    std::uint32_t first_child = kNoVertex;
    std::uint32_t next_sibling = kNoVertex;
  };
  std::vector<Branch> branches_;
  std::vector<std::uint32_t> queue_;
  std::vector<std::uint32_t> in_first_;
  std::vector<std::uint32_t> in_tails_;
  std::uint32_t stamp_ = 0;
  std::size_t improved_ = 0;
  Marks raised_;   // in the last pass
  Marks lifted_;   // since the last pass
  Marks updated_;  // since cycles were looked for
  Marks touched_;  // since lambda rose
  Marks reached_;
};

}  // namespace takt::maxplus
