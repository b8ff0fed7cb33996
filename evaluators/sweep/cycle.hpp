// Ratios and cycles of clocks, in numbers of 64 bits or of any size.
#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "evaluators/evaluation.hpp"
#include "evaluators/kernel/clock_cycles.hpp"
#include "evaluators/sweep/pass.hpp"

namespace takt::evaluators {

/// What holds sums and products of a few `Number`s.
template <typename Number>
using Wide = std::conditional_t<std::is_same_v<Number, std::int64_t>, Int128, Integer>;

/// Clocks and weights stay within +-2^60, so that any sum of a few of them fits 64 bits. Integers have no limit.
template <typename Number>
bool in_range(const Wide<Number>& value) {
  if constexpr (std::is_same_v<Number, std::int64_t>) {
    constexpr Int128 kLimit = static_cast<Int128>(1) << 60;
    return -kLimit <= value && value <= kLimit;
  } else {
    return true;
  }
}

template <typename Number>
Number as_number(const Wide<Number>& value) {
  if constexpr (std::is_same_v<Number, std::int64_t>) {
    return static_cast<Number>(value);
  } else {
    return value;
  }
}

/// Weight of a circuit to its tokens, at least one.
template <typename Number>
struct SweepRatio {
  Number weight = 0;
  Number tokens = 1;

  /// weight * other.tokens <= 2^120, as both are in range.
  friend bool operator<(const SweepRatio& a, const SweepRatio& b) {
    return Wide<Number>(a.weight) * b.tokens < Wide<Number>(b.weight) * a.tokens;
  }
  Rational value() const { return Rational::fraction(Integer(weight), Integer(tokens)); }
  void reduce() {
    if constexpr (std::is_same_v<Number, std::int64_t>) {
      if (const Number g = std::gcd(weight, tokens); g > 1) *this = {weight / g, tokens / g};
    } else {
      const Number g = gcd(weight, tokens);
      *this = {weight / g, tokens / g};
    }
  }
};

/// A circuit of clocks, the later one first.
template <typename Number>
struct ClockCircuit {
  SweepRatio<Number> ratio;
  std::vector<std::uint32_t> clocks;
};

/// The cycle of largest ratio in a graph in which each clock has at most one predecessor; as many clocks make a token
/// as there are segments. The outcome becomes too_wide where a sum is not in range.
template <typename Number>
std::optional<ClockCircuit<Number>> best_cycle(const std::vector<std::uint32_t>& predecessor,
                                               const std::vector<Number>& weight, std::size_t segments,
                                               PassOutcome& outcome) {
  std::optional<ClockCircuit<Number>> best;
  std::vector<std::uint32_t> seen_from(predecessor.size(), kNoVertex<std::uint32_t>);
  const auto before = [&](std::uint32_t v) { return predecessor[v]; };
  for_each_cycle(std::span(seen_from), before, [&](std::uint32_t v) {
    Wide<Number> total = 0;
    std::size_t clocks = 0;
    std::uint32_t member = v;
    do {
      ++clocks;
      total += weight[member];
      member = predecessor[member];
    } while (member != v);
    if (!in_range<Number>(total)) outcome = PassOutcome::too_wide;
    const SweepRatio<Number> ratio{as_number<Number>(total), static_cast<std::int64_t>(clocks / segments)};
    if (best && !(best->ratio < ratio)) return;
    best.emplace();
    best->ratio = ratio;
    do {
      best->clocks.push_back(member);
      member = predecessor[member];
    } while (member != v);
  });
  return best;
}

}  // namespace takt::evaluators
