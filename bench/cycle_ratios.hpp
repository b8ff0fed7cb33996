// Largest cycle ratios of random graphs that are no pipelines, beside LEMON and Boost.
#pragma once

namespace takt::bench {

/// Registers the benchmarks.
void add_cycle_ratios();

}  // namespace takt::bench
