// What can be too large: the kinds of limits, as values.
#pragma once

#include <cstdint>

#include "maxplus/rational.hpp"

namespace takt::tpn {

/// What a limit counts. The program's words for each stand in tools/answers/limit_words.cpp.
enum class LimitKind {
  rows,                // of the net
  column_rows,         // of one column
  meetings,            // pairs of processors that meet
  circuit_operations,  // of the circuits of resources
  transitions_and_places,
  places,
  karp_entries,           // of Karp's table
  least_residue_classes,  // before any class is split
  residue_classes,        // a lower bound: counting stopped at the limit
  residue_bytes,          // likewise
  residue_visits,         // likewise
  sweep_bytes,            // as estimated, or a lower bound: counting stopped at the limit
  duration_words,         // of 64 bits, in all tables of durations
  building_time,          // of a net; `needed` is not known
  certificate_numbers,
  certificate_steps,   // of the circuit
  denominator_bits,    // of the common denominator of a certificate's numbers
  checked_operations,  // a lower bound: counting stopped at the limit
  played_operations,
  room,                 // files for which every buffer has room
  distinct_operations,  // of the data sets after which a net repeats
  traced_operations,    // of a run
  trace_bits,           // of the common denominator of a run's times
  potential_bytes,      // of residue-specific bounds: more than the limit
  reached_bounds,       // residue-specific: more than the limit
  checked_bounds,       // those that follow from a certificate, a lower bound: counting stopped at the limit
  bound_digits,         // before or behind the decimal point, of bounds that an estimate starts from
};
inline constexpr LimitKind kLastLimitKind = LimitKind::bound_digits;

/// More would be needed than a limit allows: of what, how much, and how much is allowed.
struct TooLarge {
  LimitKind kind = LimitKind::rows;
  maxplus::Integer needed;
  std::uint64_t limit = 0;
};

}  // namespace takt::tpn
