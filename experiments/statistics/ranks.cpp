// Sums of ranks, doubled so that they are whole numbers.
#include "experiments/statistics/ranks.hpp"

#include <algorithm>
#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/quadrature/trapezoidal.hpp>
#include <boost/math/tools/roots.hpp>
#include <cmath>
#include <numeric>

#include "maxplus/contract.hpp"

namespace takt::experiments {

using maxplus::expects;
using maxplus::Integer;
using maxplus::Rational;

namespace {

// What is ranked: its place, the ends of those equal to it, doubled ranks.
struct DoubledRanks {
  std::vector<std::uint64_t> ranks;  // 2, 4, 6, ...; equal ones the sum of the first and the last of theirs
  Integer ties;                      // t^3 - t, summed over all groups of t equal ones
};

// By a strict order of 0 .. count - 1.
template <typename Less>
DoubledRanks doubled_ranks(std::size_t count, const Less& less) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, less);
  DoubledRanks result;
  result.ranks.resize(count);
  for (std::size_t begin = 0; begin < count;) {
    std::size_t end = begin + 1;
    while (end < count && !less(order[begin], order[end])) ++end;
    for (std::size_t i = begin; i < end; ++i) result.ranks[order[i]] = begin + end + 1;
    const Integer group(end - begin);
    result.ties += group * group * group - group;
    begin = end;
  }
  return result;
}

DoubledRanks ranks_of(const RankedBlock& block) {
  return doubled_ranks(block.size(), [&](std::size_t a, std::size_t b) {
    if (!block[a] || !block[b]) return block[a].has_value() && !block[b];
    return *block[a] < *block[b];
  });
}

double normal_density(double x) { return boost::math::pdf(boost::math::normal(), x); }
double normal_share(double x) { return boost::math::cdf(boost::math::normal(), x); }

// How likely the range of so many normal numbers is at most this.
double normal_range_share(std::size_t count, double range) {
  constexpr double kFarthest = 9;  // beyond lies less than 1e-18 of the law
  constexpr double kTolerance = 1e-13;
  const auto density = [&](double least) {
    return normal_density(least) *
           std::pow(normal_share(least + range) - normal_share(least), static_cast<double>(count) - 1);
  };
  return static_cast<double>(count) * boost::math::quadrature::trapezoidal(density, -kFarthest, kFarthest, kTolerance);
}

// How one of two that differ does: by how much, and whether the first has more.
struct SignedDifference {
  std::optional<Rational> size;  // nothing if one of the two has no number
  bool is_positive = false;
};

std::vector<SignedDifference> differences_of(std::span<const RankedBlock> blocks, std::size_t first,
                                             std::size_t second) {
  std::vector<SignedDifference> result;
  for (const RankedBlock& block : blocks) {
    const auto& a = block[first];
    const auto& b = block[second];
    if (a && b) {
      const Rational difference = *a - *b;
      if (difference.sign() > 0) result.push_back({difference, true});
      if (difference.sign() < 0) result.push_back({-difference, false});
    } else if (a || b) {
      result.push_back({std::nullopt, b.has_value()});
    }
  }
  return result;
}

// How likely each doubled sum of the positive ones is where every sign is as likely as the other.
std::vector<double> sum_law(const std::vector<std::uint64_t>& ranks) {
  std::vector<double> law = {1};
  for (const std::uint64_t rank : ranks) {
    std::vector<double> next(law.size() + rank, 0.0);
    for (std::size_t sum = 0; sum < law.size(); ++sum) {
      next[sum] += law[sum] / 2;
      next[sum + rank] += law[sum] / 2;
    }
    law = std::move(next);
  }
  return law;
}

double exact_tail(const std::vector<std::uint64_t>& ranks, std::uint64_t positive) {
  const std::vector<double> law = sum_law(ranks);
  const auto at = law.begin() + static_cast<std::ptrdiff_t>(positive);
  const double below = std::accumulate(law.begin(), at + 1, 0.0);
  const double above = std::accumulate(at, law.end(), 0.0);
  return std::min(1.0, 2 * std::min(below, above));
}

// Of doubled ranks: mean n (n + 1) / 2, variance n (n + 1) (2 n + 1) / 6 - ties / 12.
double normal_tail(const DoubledRanks& ranked, std::uint64_t positive) {
  const Rational count(ranked.ranks.size());
  const Rational mean = count * (count + Rational(1)) / Rational(2);
  const Rational variance =
      mean * (Rational(2) * count + Rational(1)) / Rational(3) - Rational(ranked.ties) / Rational(12);
  const double distance = (Rational(positive) - mean).to_double().value_or(0);
  const double deviation = std::sqrt(variance.to_double().value_or(0));
  if (!(deviation > 0)) return 1;
  return std::min(1.0, 2 * normal_share(-std::fabs(distance) / deviation));
}

}  // namespace

std::vector<Rational> mid_ranks(const RankedBlock& block) {
  std::vector<Rational> result;
  for (const std::uint64_t doubled : ranks_of(block).ranks) result.push_back(Rational(doubled) / Rational(2));
  return result;
}

RankSummary rank_summary(std::span<const RankedBlock> blocks) {
  expects(!blocks.empty() && blocks.front().size() > 1, "there are two series or more to be ranked, in a block");
  const std::size_t count = blocks.front().size();
  std::vector<Integer> sums(count);
  Integer ties;
  for (const RankedBlock& block : blocks) {
    expects(block.size() == count, "blocks have the same series");
    const DoubledRanks ranked = ranks_of(block);
    for (std::size_t s = 0; s < count; ++s) sums[s] += ranked.ranks[s];
    ties += ranked.ties;
  }
  RankSummary result;
  result.blocks = blocks.size();
  const Rational n(blocks.size());
  const Rational k(count);
  const Rational one(1);
  Rational squares;
  for (const Integer& sum : sums) {
    const Rational rank_sum = Rational(sum) / Rational(2);
    result.mean_ranks.push_back(rank_sum / n);
    squares += rank_sum * rank_sum;
  }
  const Rational untied = one - Rational(ties) / (n * k * (k * k - one));
  if (untied.sign() == 0) return result;
  result.statistic = (Rational(12) * squares / (n * k * (k + one)) - Rational(3) * n * (k + one)) / untied;
  const boost::math::chi_squared law(static_cast<double>(count - 1));
  result.tail = boost::math::cdf(boost::math::complement(law, result.statistic.to_double().value_or(0)));
  return result;
}

double normal_range_quantile(std::size_t count, double probability) {
  expects(count > 1 && 0 < probability && probability < 1, "a range is of two and more, at a level between 0 and 1");
  constexpr double kLargest = 40;
  constexpr int kDigits = 40;  // binary ones
  std::uintmax_t steps = 200;
  const auto excess = [&](double range) { return normal_range_share(count, range) - (1 - probability); };
  const auto ends = boost::math::tools::toms748_solve(excess, 0.0, kLargest, -(1 - probability), excess(kLargest),
                                                      boost::math::tools::eps_tolerance<double>(kDigits), steps);
  return (ends.first + ends.second) / 2;
}

double critical_rank_difference(std::size_t count, std::uint64_t blocks, double level) {
  const auto k = static_cast<double>(count);
  return normal_range_quantile(count, level) * std::sqrt(k * (k + 1) / (12 * static_cast<double>(blocks)));
}

double signed_rank_tail(std::span<const RankedBlock> blocks, std::size_t first, std::size_t second) {
  const std::vector<SignedDifference> differences = differences_of(blocks, first, second);
  const DoubledRanks ranked = doubled_ranks(differences.size(), [&](std::size_t a, std::size_t b) {
    const auto& x = differences[a].size;
    const auto& y = differences[b].size;
    if (!x || !y) return x.has_value() && !y;
    return *x < *y;
  });
  std::uint64_t positive = 0;
  for (std::size_t i = 0; i < differences.size(); ++i) {
    if (differences[i].is_positive) positive += ranked.ranks[i];
  }
  if (differences.empty()) return 1;
  return differences.size() <= kMostExactRanks ? exact_tail(ranked.ranks, positive) : normal_tail(ranked, positive);
}

}  // namespace takt::experiments
