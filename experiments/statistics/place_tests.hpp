// What draws decide of a place: whether a mean, a quotient of means or the least of several is as it was expected.
//
// Problem. Of the law that is drawn from, a few hundred draws are known. A mean of theirs that lies a little beyond a
// bound says nothing; with many places, some lie beyond by chance.
//
// Method. In each place the two answers, met and not met, are hypotheses, each with a tail: how likely such draws are
// where the answer is wrong. Draws of two series are paired, for they have the same instance. That x / y is at least r
// is that x - r y is at least 0 in the mean, for positive y; so one test serves for all (Student's). Shares have the
// binomial law itself.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "experiments/statistics/sampling.hpp"

namespace takt::experiments {

/// Values of a series, to double's precision.
using ByDraw = std::map<std::uint64_t, double>;

/// How likely such draws are where each of the two answers is wrong; at most 1, both answers asked for.
struct AnswerTails {
  double of_met = 1;
  double of_not_met = 1;
};

/// How likely draws like these are where the first has no smaller mean than the second; of the draws that both have.
/// Series that are equal in each of them have `at_tie`.
double tail_below(const ByDraw& first, const ByDraw& second, double at_tie);

/// That the mean of x lies within the bounds.
AnswerTails tails_within(const ByDraw& x, double low, double high);

/// That the mean of x over that of y, whose values are positive, lies within the bounds.
AnswerTails tails_within(const ByDraw& x, const ByDraw& y, double low, double high);

/// That a share lies within the bounds, of `count` of `draws`.
AnswerTails tails_within(std::uint64_t count, std::uint64_t draws, double low, double high);

/// That one of the expected has the least mean of all; ties are its.
AnswerTails tails_of_least(const std::vector<const ByDraw*>& expected, const std::vector<const ByDraw*>& others);

/// How far the means of several series lie apart: the largest difference, by the least of their deviations; 0 if all
/// are equal in each draw, nothing if only some have no spread.
std::optional<double> separation_of(const std::vector<const ByDraw*>& series);

/// That the means of all pairs lie at most `most` of the least deviation apart; that deviation as it is in the draws.
AnswerTails tails_of_separation(const std::vector<const ByDraw*>& series, double most);

/// A sample of the paper's, of which it is not known how its draws divide among the cells: ours by cell, of each some
/// draws.
struct DividedSample {
  std::uint64_t count = 0;
  std::uint64_t draws = 0;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> ours;  // by cell: count, draws
};

/// The tails of Fisher's exact test between any two divisions. A tail changes one way as draws move to cells with a
/// larger share: its ends are found where one cell has all.
struct DividedTails {
  double least_at_most = 1;
  double most_at_most = 0;
  double least_at_least = 1;
  double most_at_least = 0;

  /// Not smaller than the two-sided tail of any division.
  double two_sided() const;
};
DividedTails divided_tails(const DividedSample& sample);

/// Of two cells: how many of the paper's draws the second may have, from the first of the two numbers to the last, so
/// that neither tail is below `least`, at the shares of our draws. Nothing if there is no such number, or if
/// they are not consecutive.
std::optional<std::pair<std::uint64_t, std::uint64_t>> second_cell_range(const DividedSample& sample, double least);

}  // namespace takt::experiments
