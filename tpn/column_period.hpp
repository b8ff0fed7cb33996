// After how many data sets the durations of a column repeat.
//
// Problem. The sequences of two neighboring parts repeat after the least common multiple of their lengths, and so do
// the durations of the transfer between them. Where processors or links are equal the durations repeat sooner, and what
// does not repeat sooner costs rows: the least common multiple over all columns.
//
// Method. The data sets after which durations repeat are the multiples of the least of them, which divides the least
// common multiple of the lengths. So that is divided by its prime factors as long as the quotient t still is one. To
// try t it is enough to hold one pair of processors of each kind against the pair t data sets later: senders are of a
// kind where they meet the same receivers (those of their residue modulo the gcd of the lengths) with the same
// durations, receivers likewise.
// *Proof.* If the durations repeat after t, entries of a kind lead to entries of a kind: all their durations are equal,
// before and after. So it is necessary that kinds lead to kinds and that pairs of kinds have equal durations, and these
// two are sufficient for every pair.
//
// Cost. Linear in the sequences' lengths and the column's table for each prime factor of the least common multiple, and
// for the kinds one sort of the rows and one of the columns of each block of the table.
#pragma once

#include <cstddef>
#include <cstdint>

#include "tpn/folded_net.hpp"

namespace takt::tpn {

/// The least common multiple of the lengths of the sequences that a column's operations go by: the data sets after
/// which the same processors meet again.
std::uint64_t meeting_period(const Column& column);

/// The least t >= 1 such that the durations on data sets j and j + t are equal for every j; it divides meeting_period.
/// The column's offsets and table must be as tpn/folded_net.hpp says.
std::uint64_t minimal_period(const Column& column);

}  // namespace takt::tpn
