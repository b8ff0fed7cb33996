// Mappings whose period with room for one file counts the solutions of a system of congruences.
#pragma once

#include "tests/support/hard_families.hpp"

namespace takt::support {

/// Under BOUNDED with room for one file the period is candidate + (solutions of the system) / data_sets, and the
/// largest cycle time less than `candidate`. docs/complexity.md proves it.
CountingInstance bounded_instance(const ResidueSystem& system);

}  // namespace takt::support
