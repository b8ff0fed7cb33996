// Bellman-Ford on columns, tails of arcs without tokens before heads; vertices that did not rise are passed over.
#include "maxplus/least_potentials.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>

#include "maxplus/component_graph.hpp"
#include "maxplus/contract.hpp"

namespace takt::maxplus {

namespace {

template <typename Value>
struct ReducedArc {
  Value weight{};
  std::uint32_t head = 0;
};

template <typename Value>
class LeastPotentials {
 public:
  LeastPotentials(std::size_t vertices, const ArcColumns& arcs, int sign, const Rational& ratio)
      : vertices_(vertices), by_tail_(arcs_by_tail(vertices, arcs)), value_(vertices), is_raised_(vertices, 1) {
    std::vector<std::size_t> deadlock;
    order_ = token_free_finish(arcs, by_tail_, deadlock);
    expects(deadlock.empty(), "a graph that has a ratio has no cycle without tokens");
    const Value numerator = ratio.numerator().get_si();
    const Value denominator = ratio.denominator().get_si();
    arcs_.reserve(arcs.size());
    for (const std::uint32_t arc : by_tail_.arcs) {
      arcs_.push_back({denominator * (sign * static_cast<Value>(arcs.numerator(arc))) -
                           numerator * static_cast<Value>(arcs.tokens(arc)),
                       arcs.to(arc)});
    }
    by_tail_.arcs = {};
  }

  // False if the deadline passes before.
  bool settle(const Deadline& deadline) {
    DeadlineWatch watch(deadline);
    for (std::size_t round = 0; raise(); ++round) {
      expects(round <= vertices_, "no cycle has a better ratio than the best");
      if (watch.has_passed(static_cast<double>(arcs_.size()))) return false;
    }
    return true;
  }

  std::vector<Integer> values() const {
    std::vector<Integer> result;
    result.reserve(value_.size());
    for (const Value value : value_) result.push_back(integer_of(value));
    return result;
  }

 private:
  bool raise() {
    bool raised = false;
    for (auto at = order_.rbegin(); at != order_.rend(); ++at) {
      const std::uint32_t tail = *at;
      if (is_raised_[tail] == 0) continue;
      is_raised_[tail] = 0;
      for (std::uint32_t a = by_tail_.first[tail]; a < by_tail_.first[tail + 1]; ++a) {
        const Value candidate = arcs_[a].weight + value_[tail];
        if (candidate <= value_[arcs_[a].head]) continue;
        value_[arcs_[a].head] = candidate;
        is_raised_[arcs_[a].head] = 1;
        raised = true;
      }
    }
    return raised;
  }

  std::size_t vertices_;
  ArcsByTail by_tail_;
  std::vector<ReducedArc<Value>> arcs_;
  std::vector<std::uint32_t> order_;
  std::vector<Value> value_;
  std::vector<std::uint8_t> is_raised_;
};

// Without a positive cycle x(v) is the weight of a path of less than n arcs, and a candidate has one more. Each weighs
// at most A = den W + |num| T in absolute value.
template <typename Value>
bool suffices(std::size_t vertices, const ArcColumns& arcs, const Rational& ratio) {
  if (!ratio.numerator().fits_slong_p() || !ratio.denominator().fits_slong_p()) return false;
  Integer weight = 1;
  std::uint64_t tokens = 1;
  std::int64_t least = 0;
  std::int64_t most = 0;
  for (std::size_t arc = 0; arc < arcs.size(); ++arc) {
    least = std::min(least, arcs.numerator(arc));
    most = std::max(most, arcs.numerator(arc));
    tokens = std::max(tokens, arcs.tokens(arc));
  }
  weight = std::max<Integer>({weight, -integer_of(least), integer_of(most)});
  const Integer arc = ratio.denominator() * weight + abs(ratio.numerator()) * tokens;
  return mpz_sizeinbase(Integer(arc * (vertices + 1)).get_mpz_t(), 2) < 8 * sizeof(Value);
}

template <typename Value>
std::optional<std::vector<Integer>> settled(std::size_t vertices, const ArcColumns& arcs, int sign,
                                            const Rational& ratio, const Deadline& deadline) {
  LeastPotentials<Value> search(vertices, arcs, sign, ratio);
  if (!search.settle(deadline)) return std::nullopt;
  return search.values();
}

}  // namespace

std::variant<std::vector<Integer>, PotentialsTooWide, PotentialsTimeout> least_potentials(
    std::size_t vertices, const ArcColumns& arcs, int sign, const Rational& ratio, const Deadline& deadline) {
  std::optional<std::vector<Integer>> values;
  if (suffices<std::int64_t>(vertices, arcs, ratio)) {
    values = settled<std::int64_t>(vertices, arcs, sign, ratio, deadline);
  } else if (suffices<Int128>(vertices, arcs, ratio)) {
    values = settled<Int128>(vertices, arcs, sign, ratio, deadline);
  } else {
    return PotentialsTooWide{};
  }
  if (!values) return PotentialsTimeout{};
  return *std::move(values);
}

}  // namespace takt::maxplus
