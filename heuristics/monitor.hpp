// When a running pipeline should be mapped anew: the monitor's decision of Gonzalez-Velez and Cole.
//
// Problem. Processors were calibrated; while the pipeline runs, the load of others changes how long they take.
//
// Method. With a threshold X: a bottleneck where a processor takes more than (1 + X) times the worst calibrated time;
// better processors than were known where even the slowest takes less than (1 - X) times the best calibrated one. The
// paper found X = 1/2 by experiment: a small X remaps all the time, a large one never.
//
// References. [gonzalez2006adaptive], Section 3.2.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "maxplus/rational.hpp"

namespace takt::heuristics {

/// Which of the monitor's rules calls for a new mapping.
enum class RemapRule { slower_than_the_worst, faster_than_the_best };

struct RemapReason {
  RemapRule rule;
  std::size_t processor;    // that of the largest current time, the first of several
  maxplus::Rational limit;  // what its time is beyond: above it, or below
};

/// Decides by the times that each processor in use takes for a data set: calibrated, and now; positions in `current`
/// name the processors. Both have at least one entry, none below 0; the threshold is at least 0. Comparisons are
/// strict. A pipeline must drain before it goes on under a new mapping: data sets on their way still follow the old
/// one.
std::optional<RemapReason> remap_reason(std::span<const maxplus::Rational> calibrated,
                                        std::span<const maxplus::Rational> current,
                                        const maxplus::Rational& threshold = maxplus::Rational::fraction(1, 2));

}  // namespace takt::heuristics
