// The planner on random catalogues: one program, the frontier, limited counts.
#pragma once

namespace takt::bench {

/// Registers the benchmarks.
void add_plans();

}  // namespace takt::bench
