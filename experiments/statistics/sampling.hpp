// What a sample of draws can decide: paired differences, counts, intervals, and many tests at once.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace takt::experiments {

/// Student's one-sided test of paired differences: how likely a mean as low as theirs, or lower, is where the true one
/// is 0. Without spread 0, 1/2 or 1, by the sign of the mean; fewer than two differences say nothing: 1.
double tail_of_differences(std::span<const double> differences);

/// How likely at most, and at least, `count` of `draws` have a property that each has with this probability; both hold
/// that very count. count <= draws, 0 <= probability <= 1.
struct CountTails {
  double at_most = 1;
  double at_least = 1;
};
CountTails tails_of_count(std::uint64_t count, std::uint64_t draws, double probability);

/// Clopper and Pearson's interval of a share: with `confidence` at least it holds the probability of which `count` of
/// `draws` came. count <= draws, draws > 0, 0 < confidence < 1.
std::pair<double, double> share_interval(std::uint64_t count, std::uint64_t draws, double confidence);

/// Half the width of Student's confidence interval of a mean, from the number of draws and their sample deviation.
/// draws > 1, 0 < confidence < 1.
double mean_margin(double deviation, std::uint64_t draws, double confidence);

/// Holm's step-down procedure: which of these tests may be rejected so that, with probability `level` at most, any of
/// them is rejected wrongly. 0 < level < 1.
std::vector<bool> holm_rejections(std::span<const double> tails, double level);

}  // namespace takt::experiments
