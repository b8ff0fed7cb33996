// Mappings of pairwise coprime replica counts whose STRICT period counts, or decides, what satisfies a formula.
#pragma once

#include <cstdint>

#include "tests/support/hard_families.hpp"

namespace takt::support {

/// The formula's clauses read as terms: how many assignments satisfy all literals of at least one of them. Counted one
/// by one: 2^variables assignments.
std::uint64_t satisfying_some_term(const Formula& terms);

/// Under STRICT the largest cycle time is `candidate`, and the period candidate + satisfying_some_term / data_sets. The
/// replica counts are 1 and different primes, none less than `least`. docs/complexity.md proves it.
CountingInstance coprime_counting_instance(const Formula& terms, std::uint64_t least);

/// Under STRICT the largest cycle time is `candidate`. The period is larger just if an assignment satisfies all
/// clauses. The replica counts are 1 and different primes, none less than `least`.
CountingInstance coprime_deciding_instance(const Formula& formula, std::uint64_t least);

/// Under STRICT the largest cycle time is candidate + threshold / data_sets, and the period is candidate +
/// max(threshold, satisfying_some_term) / data_sets. Times grow as 2^variables.
CountingInstance coprime_threshold_instance(const Formula& terms, std::uint64_t threshold, std::uint64_t least);

}  // namespace takt::support
