// Chains whose critical STRICT walk runs a program: in each window of data sets it takes the program's steps once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "tests/support/hard_families.hpp"

namespace takt::support {

/// What a walk does in one step, by the number of the window: to the track `if_taken` where taken[window mod
/// taken.size()], and there is a reward of 1 for that if `is_rewarded`; else to the track `otherwise`.
struct TrackTest {
  std::vector<bool> taken;  // as many as a prime
  std::size_t if_taken = 0;
  std::size_t otherwise = 0;
  bool is_rewarded = false;
};

/// For each step one test a track; at least one step.
using WindowProgram = std::vector<std::vector<TrackTest>>;

/// A program of 1 or 2 steps on 2 or 3 tracks. Same seed, same program, on every machine.
WindowProgram random_program(std::uint64_t seed);

/// The most rewards a window, in the long run, over all tracks to begin with. Every window runs the program.
maxplus::Rational best_mean_reward(const WindowProgram& program);

/// Under STRICT the largest cycle time is `candidate`, and the period candidate + best_mean_reward / data_sets, a
/// window being `data_sets`. Nothing where no layout was found in which walks can't leave the program for nothing.
std::optional<CountingInstance> program_instance(const WindowProgram& program, std::uint64_t seed);

}  // namespace takt::support
