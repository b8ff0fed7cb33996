// Ranks of several series on the same draws: whether they differ, and which.
//
// Problem. Several heuristics map the same problems. Means of their periods are those of the largest problems; ranks
// within each problem are not, nor do they ask for a normal law.
//
// Method. Friedman's test asks whether the mean ranks of k series on n blocks are further apart than those of k that
// are alike. Then pairs: Nemenyi's test, of two mean ranks that differ by a critical difference or more, whose quantile
// is that of the range of k normal numbers; or Wilcoxon's signed rank test of each pair, with Holm's procedure over all
// pairs, which does not depend on the other series. [demsar2006] [benavoli2016]
//
// Cost. Ranks take k log k comparisons a block, Wilcoxon's test n log n a pair, exactly distributed for few differences
// in n^3 steps.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "maxplus/rational.hpp"

namespace takt::experiments {

/// What the series have in one draw, by series; nothing if one has no result, which is worse than any number.
using RankedBlock = std::vector<std::optional<maxplus::Rational>>;

/// The ranks of a block from 1, the least number first; equal ones have the mean of theirs.
std::vector<maxplus::Rational> mid_ranks(const RankedBlock& block);

/// Mean ranks, and Friedman's test of them.
struct RankSummary {
  std::uint64_t blocks = 0;
  std::vector<maxplus::Rational> mean_ranks;  // by series
  maxplus::Rational statistic;                // corrected for ties; 0 if all are tied
  double tail = 1;                            // by the chi-square law with k - 1 degrees of freedom
};

/// Of blocks of the same number of series, 2 or more; one block at least.
RankSummary rank_summary(std::span<const RankedBlock> blocks);

/// What the range of `count` independent standard normal numbers exceeds with this probability: the quantile of the
/// studentized range with infinitely many degrees of freedom, to ten digits. count > 1, 0 < probability < 1.
double normal_range_quantile(std::size_t count, double probability);

/// Nemenyi's critical difference of two mean ranks of `count` series on `blocks` blocks.
double critical_rank_difference(std::size_t count, std::uint64_t blocks, double level);

/// Wilcoxon's signed rank test of paired numbers, two-sided: how likely a sum of ranks as far out as theirs, or
/// further, is where neither tends to be less. Pairs that are equal, or both without a number, do not count; equal
/// differences share their ranks. Exact for kMostExactRanks pairs and fewer, ties included, else by the normal law
/// without a correction for continuity. 1 if no pair counts.
inline constexpr std::size_t kMostExactRanks = 50;
double signed_rank_tail(std::span<const RankedBlock> blocks, std::size_t first, std::size_t second);

}  // namespace takt::experiments
