// Heuristics on fixed problems, timed within a process.
#pragma once

namespace takt::bench {

/// Registers its cases, named CASE/takt.
void add_heuristics();

}  // namespace takt::bench
