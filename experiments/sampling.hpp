// What a sample of draws can decide: paired differences, and many tests at once.
#pragma once

#include <span>
#include <vector>

namespace takt::experiments {

/// Student's one-sided test of paired differences: how likely a mean as low as theirs, or lower, is where the true one
/// is 0. Without spread 0, 1/2 or 1, by the sign of the mean; fewer than two differences say nothing: 1.
double tail_of_differences(std::span<const double> differences);

/// Holm's step-down procedure: which of these tests may be rejected so that, with probability `level` at most, any of
/// them is rejected wrongly. 0 < level < 1.
std::vector<bool> holm_rejections(std::span<const double> tails, double level);

}  // namespace takt::experiments
