// The inner loops of `residue` on 64-bit numbers, compiled for each kind of instructions and chosen at run time.
#pragma once

#include <cstdint>

#include "evaluators/kernel/instructions.hpp"

namespace takt::evaluators {

/// Loops over `count` numbers; where one of starts rises they return the first that did, else `count`. `starts` may be
/// another argument, or overlap none of them.
struct ResidueKernels {
  /// starts[i] = max(starts[i], ends[i]).
  std::uint64_t (*raise_to)(std::int64_t* starts, const std::int64_t* ends, std::uint64_t count) = nullptr;
  /// starts[i] = max(starts[i], sources[i] + weights[i]).
  std::uint64_t (*raise_by)(std::int64_t* starts, const std::int64_t* sources, const std::int64_t* weights,
                            std::uint64_t count) = nullptr;
};

const ResidueKernels& residue_kernels(Instructions instructions);
/// The fastest that this machine can run.
const ResidueKernels& residue_kernels();

/// The first i where starts[i] < end(i), all of them raised from there on; or `count`.
template <typename Number, typename End>
inline __attribute__((always_inline)) std::uint64_t raise(Number* starts, std::uint64_t count, End end) {
  bool rises = false;
  for (std::uint64_t i = 0; i < count; ++i) rises |= end(i) > starts[i];
  if (!rises) return count;
  std::uint64_t first = 0;
  while (!(end(first) > starts[first])) ++first;
  for (std::uint64_t i = first; i < count; ++i) {
    const Number& later = end(i);
    starts[i] = later > starts[i] ? later : starts[i];
  }
  return first;
}

}  // namespace takt::evaluators
