// Cycles added up, and an inequality for each arc.
#include "maxplus/ratio_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "maxplus/contract.hpp"

namespace takt::maxplus {

namespace {

// Why there is a verdict before the end; nothing as long as all holds.
using Halt = std::optional<RatioVerdict>;

template <typename... Parts>
RatioVerdict refused(fmt::format_string<Parts...> text, Parts&&... parts) {
  return RatioRefused{fmt::format(text, std::forward<Parts>(parts)...)};
}

std::uint64_t words_in(const Integer& number) { return std::max<std::size_t>(mpz_size(number.get_mpz_t()), 1); }
std::uint64_t words_in(const Rational& number) { return words_in(number.numerator()) + words_in(number.denominator()); }

class RatioCheck {
 public:
  RatioCheck(std::size_t vertices, std::span<const RationalArc> arcs, const RatioCheckLimits& limits)
      : vertices_(vertices), arcs_(arcs), limits_(limits) {}

  RatioVerdict operator()(const RatioProof& proof) {
    if (Halt halt = follow(proof.cycle.arcs)) return *halt;
    if (tokens_ == 0) return refused("the cycle has no token, hence no ratio");
    if (Rational(weight_) != proof.cycle.ratio * Rational(tokens_)) {
      return refused("the cycle weighs {} for {} tokens, not {} for each", weight_.to_string(), tokens_.get_str(),
                     proof.cycle.ratio.to_string());
    }
    if (proof.values.size() != vertices_) {
      return refused("there are {} values for {} vertices", proof.values.size(), vertices_);
    }
    if (proof.denominator <= 0) return refused("the values' denominator is not positive");
    for (std::size_t i = 0; i < arcs_.size(); ++i) {
      if (Halt halt = compare(proof, i)) return *halt;
    }
    return RatioProved{};
  }

  RatioVerdict operator()(const DeadlockCycle& cycle) {
    if (Halt halt = follow(cycle.arcs)) return *halt;
    if (tokens_ != 0) return refused("the cycle has {} tokens", tokens_.get_str());
    return RatioProved{};
  }

  RatioVerdict operator()(const AcyclicOrder& order) {
    if (order.vertices.size() != vertices_) {
      return refused("{} of {} vertices are ordered", order.vertices.size(), vertices_);
    }
    std::vector<std::size_t> position(vertices_, vertices_);
    for (std::size_t i = 0; i < vertices_; ++i) {
      const std::size_t v = order.vertices[i];
      if (v >= vertices_) return refused("there is no vertex {}", v);
      if (position[v] != vertices_) return refused("vertex {} is ordered twice", v);
      position[v] = i;
    }
    for (std::size_t i = 0; i < arcs_.size(); ++i) {
      if (position[arcs_[i].from] >= position[arcs_[i].to]) return refused("arc {} does not lead forward", i);
    }
    return RatioProved{};
  }

 private:
  // Adds up the cycle of these arcs.
  Halt follow(const std::vector<std::size_t>& cycle) {
    if (cycle.empty()) return refused("the cycle has no arc");
    for (const std::size_t arc : cycle) {
      if (arc >= arcs_.size()) return refused("there is no arc {}", arc);
    }
    std::size_t at = arcs_[cycle.back()].to;
    for (const std::size_t arc : cycle) {
      if (arcs_[arc].from != at) return refused("arc {} of the cycle does not begin where the one before it ends", arc);
      if (Halt halt = spend(16 * words_in(weight_) * words_in(arcs_[arc].weight))) return halt;
      at = arcs_[arc].to;
      weight_ += arcs_[arc].weight;
      tokens_ += arcs_[arc].tokens;
    }
    return std::nullopt;
  }

  // (v(to) - v(from)) / d >= weight - ratio tokens, without fractions.
  Halt compare(const RatioProof& proof, std::size_t index) {
    const RationalArc& arc = arcs_[index];
    const Integer& to = proof.values[arc.to];
    const Integer& from = proof.values[arc.from];
    const Rational& ratio = proof.cycle.ratio;
    const std::uint64_t numbers = words_in(arc.weight) + words_in(ratio) + 1;
    if (Halt halt = spend((std::max(words_in(to), words_in(from)) + words_in(proof.denominator)) * numbers +
                          words_in(arc.weight) * words_in(ratio))) {
      return halt;
    }
    const Integer divisor = arc.weight.denominator() * ratio.denominator();
    const Integer rise = (to - from) * divisor;
    const Integer reduced =
        arc.weight.numerator() * ratio.denominator() - ratio.numerator() * arc.tokens * arc.weight.denominator();
    const Integer least = reduced * proof.denominator;
    if (proof.extreme == RatioExtreme::largest ? rise >= least : rise <= least) return std::nullopt;
    return refused("the values do not keep arc {}", index);
  }

  Halt spend(std::uint64_t products) {
    if (products > limits_.products - spent_) return RatioUnchecked{false, limits_.products};
    spent_ += products;
    unasked_ += products;
    if (unasked_ < kProductsBetweenQuestions || !limits_.is_out_of_time) return std::nullopt;
    unasked_ = 0;
    if (limits_.is_out_of_time()) return RatioUnchecked{true, 0};
    return std::nullopt;
  }

  static constexpr std::uint64_t kProductsBetweenQuestions = 1 << 20;

  std::size_t vertices_;
  std::span<const RationalArc> arcs_;
  const RatioCheckLimits& limits_;
  Rational weight_;  // of the cycle
  Integer tokens_;
  std::uint64_t spent_ = 0;
  std::uint64_t unasked_ = kProductsBetweenQuestions;  // the first question comes at once
};

}  // namespace

RatioVerdict check_cycle_ratio(std::size_t vertices, std::span<const RationalArc> arcs, const CycleRatioProof& proof,
                               const RatioCheckLimits& limits) {
  for (const RationalArc& arc : arcs) {
    expects(arc.from < vertices && arc.to < vertices, "an arc joins vertices of its graph");
  }
  RatioCheck check(vertices, arcs, limits);
  return std::visit(check, proof);
}

}  // namespace takt::maxplus
