// Ranks and their tests against counting, and against numbers of SciPy 1.10.
#include "experiments/statistics/ranks.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <optional>
#include <vector>

namespace takt::experiments {

namespace {

using maxplus::Rational;

RankedBlock block(const std::vector<std::optional<int>>& values) {
  RankedBlock result;
  for (const auto& value : values) result.push_back(value ? std::optional(Rational(*value)) : std::nullopt);
  return result;
}

std::vector<RankedBlock> blocks(const std::vector<std::vector<std::optional<int>>>& rows) {
  std::vector<RankedBlock> result;
  for (const auto& row : rows) result.push_back(block(row));
  return result;
}

// Four classifiers on fourteen sets of data, in thousandths that are wrong.
const std::vector<std::vector<std::optional<int>>> kErrors = {
    {237, 232, 229, 202}, {401, 409, 410, 431}, {46, 29, 32, 33},     {372, 339, 346, 343}, {118, 112, 114, 102},
    {64, 69, 84, 69},     {339, 332, 391, 315}, {417, 417, 437, 375}, {225, 162, 134, 125}, {0, 0, 0, 0},
    {60, 38, 35, 38},     {381, 334, 386, 331}, {28, 19, 25, 25},     {43, 22, 54, 30}};

// Of all signs that the differences may have, the share of those whose sum of ranks is as far out.
double counted_tail(const std::vector<int>& differences) {
  std::vector<double> ranks;
  for (const int one : differences) {
    double rank = 0.5;
    for (const int other : differences) {
      rank += std::abs(other) < std::abs(one) ? 1 : std::abs(other) == std::abs(one) ? 0.5 : 0;
    }
    ranks.push_back(rank);
  }
  double found = 0;
  for (std::size_t i = 0; i < ranks.size(); ++i) found += differences[i] > 0 ? ranks[i] : 0;
  unsigned below = 0;
  unsigned above = 0;
  for (unsigned signs = 0; signs < 1U << ranks.size(); ++signs) {
    double sum = 0;
    for (std::size_t i = 0; i < ranks.size(); ++i) sum += (signs >> i & 1U) != 0 ? ranks[i] : 0;
    below += sum <= found ? 1 : 0;
    above += sum >= found ? 1 : 0;
  }
  return std::min(1.0, 2.0 * std::min(below, above) / (1U << ranks.size()));
}

}  // namespace

TEST_CASE("equal numbers share their ranks, and what has none is last") {
  CHECK(mid_ranks(block({5, 3, 5, std::nullopt, 1, std::nullopt})) ==
        std::vector<Rational>{Rational::fraction(7, 2), 2, Rational::fraction(7, 2), Rational::fraction(11, 2), 1,
                              Rational::fraction(11, 2)});
  CHECK(mid_ranks(block({7, 7, 7})) == std::vector<Rational>{2, 2, 2});
  CHECK(mid_ranks({Rational::fraction(1, 3), Rational::fraction(333'333'333'333'333'333, 1'000'000'000'000'000'000)}) ==
        std::vector<Rational>{2, 1});
}

TEST_CASE("Friedman's test is that of SciPy, ties corrected") {
  const RankSummary summary = rank_summary(blocks(kErrors));
  CHECK(summary.blocks == 14);
  CHECK(summary.mean_ranks ==
        std::vector<Rational>{Rational::fraction(44, 14), 2, Rational::fraction(41, 14), Rational::fraction(27, 14)});
  CHECK(summary.statistic.to_double().value() == Approx(10.952380952380956).epsilon(1e-14));
  CHECK(summary.tail == Approx(0.011986176325417788).epsilon(1e-12));
  const RankSummary tied = rank_summary(blocks({{1, 1}, {2, 2}}));
  CHECK(tied.statistic == Rational(0));
  CHECK(tied.tail == 1);
}

TEST_CASE("the range of normal numbers has the quantiles of the studentized range without end") {
  CHECK(normal_range_quantile(2, 0.05) == Approx(2.771807648699353).epsilon(1e-10));
  CHECK(normal_range_quantile(3, 0.05) == Approx(3.3144931553981216).epsilon(1e-10));
  CHECK(normal_range_quantile(6, 0.05) == Approx(4.030092053180577).epsilon(1e-10));
  CHECK(normal_range_quantile(10, 0.1) == Approx(4.12934639823689).epsilon(1e-10));
  CHECK(normal_range_quantile(24, 0.01) == Approx(5.766138243657846).epsilon(1e-10));
  // As Demsar's table has them, to three digits: 2.569 for four and 5 %. [demsar2006]
  CHECK(critical_rank_difference(4, 14, 0.05) == Approx(2.569 * std::sqrt(4 * 5 / (6.0 * 14))).epsilon(1e-4));
  CHECK(critical_rank_difference(9, 100, 0.1) == Approx(2.855 * std::sqrt(9 * 10 / 600.0)).epsilon(2e-4));
}

TEST_CASE("Wilcoxon's test of few pairs counts all signs, ties included") {
  const std::vector<std::vector<int>> all = {{1, -2, 3, 4, 5, -6, 7, 8},
                                             {1, 1, -1, 2, 2, -3, 5, 5, 5, -5},
                                             {4},
                                             {-1, -1, -1, -1, -2, -2, 1, 9, 9},
                                             {2, -2},
                                             {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, -8}};
  for (const std::vector<int>& differences : all) {
    std::vector<RankedBlock> rows;
    for (const int difference : differences) rows.push_back(block({100 + difference, 100}));
    rows.push_back(block({7, 7}));
    rows.push_back(block({std::nullopt, std::nullopt}));
    CHECK(signed_rank_tail(rows, 0, 1) == Approx(counted_tail(differences)).epsilon(1e-12));
    CHECK(signed_rank_tail(rows, 1, 0) == Approx(counted_tail(differences)).epsilon(1e-12));
  }
  CHECK(signed_rank_tail(blocks({{3, 3}, {4, 4}}), 0, 1) == 1);
  // Without a number is worse by more than any number says.
  CHECK(signed_rank_tail(blocks({{std::nullopt, 1}, {5, 4}, {std::nullopt, 3}, {2, 1}}), 0, 1) ==
        Approx(counted_tail({9, 1, 9, 1})));
  CHECK(signed_rank_tail(blocks({{1, std::nullopt}, {5, 4}, {std::nullopt, 3}, {2, 1}}), 0, 1) ==
        Approx(counted_tail({-9, 1, 9, 1})));
}

TEST_CASE("Wilcoxon's test of many pairs is that of SciPy") {
  std::vector<RankedBlock> first;
  std::vector<RankedBlock> second;
  for (int i = 0; i < 70; ++i) {
    first.push_back(block({i * 37 % 101, i * 53 % 97}));
    second.push_back(block({i * 37 % 101, i * 53 % 97 + 12}));
  }
  CHECK(signed_rank_tail(first, 0, 1) == Approx(0.5049788891197344).epsilon(1e-12));
  CHECK(signed_rank_tail(second, 0, 1) == Approx(0.053821488016877535).epsilon(1e-12));
}

}  // namespace takt::experiments
