// A fork and a join of two branches, one of them a single transfer, whose OVERLAP period counts solutions.
#pragma once

#include "tests/support/hard_families.hpp"

namespace takt::support {

/// The system, and before it the constraint that its solutions be multiples of three.
ResidueSystem multiples_of_three(const ResidueSystem& system);

/// Under OVERLAP the largest cycle time is `candidate`, and the period is candidate + (solutions of multiples_of_three)
/// / data_sets. docs/complexity.md proves it.
CountingInstance fork_join_instance(const ResidueSystem& system);

}  // namespace takt::support
