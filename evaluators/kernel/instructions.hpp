// The sets of CPU instructions that inner loops are compiled for, and those that this machine has.
#pragma once

#include <span>
#include <string_view>

namespace takt::evaluators {

/// `avx512`: F, BW, DQ and VL.
enum class Instructions { portable, avx2, avx512 };

std::string_view name_of(Instructions instructions);

/// What this machine can run, the best last.
std::span<const Instructions> available_instructions();

/// Whether this machine can run them.
bool supports(Instructions instructions);

/// The best that this machine can run.
Instructions best_instructions();

}  // namespace takt::evaluators
