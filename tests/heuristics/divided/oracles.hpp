// What the tests of divided pipelines hold the heuristics to, by other means than theirs.
#pragma once

#include <vector>

#include "heuristics/divided/divided.hpp"
#include "tpn/document.hpp"

namespace takt::testing {

/// Whether the processors can take intervals of the pipeline in the order of the chain, each within the period: all
/// boundaries that some choice of the processors before can reach, not only the furthest.
bool division_possible(const tpn::Document& problem, const std::vector<std::size_t>& chain,
                       const maxplus::Rational& period);

/// Whether the period is possible, and one shorter by a billionth is not.
bool is_least_period(const tpn::Document& problem, const std::vector<std::size_t>& chain,
                     const maxplus::Rational& period);

/// The least largest load / speed, in time units, over all ways to replace the shares of a division by whole numbers of
/// entries, some perhaps 0, of 1 to `granularity` in all, the same for all shared segments.
maxplus::Rational best_rounding(const heuristics::DividedPipeline& pipeline, const heuristics::Division& division,
                                unsigned granularity);

/// The divided pipeline of a problem that has one.
heuristics::DividedPipeline pipeline_in(const tpn::Document& problem);

/// Every order of `processors` processors.
std::vector<std::vector<std::size_t>> all_chains(std::size_t processors);

/// The least period over all orders, in the pipeline's units.
maxplus::Rational least_of_all(const heuristics::DividedPipeline& pipeline);

}  // namespace takt::testing
