// Chains whose critical STRICT walk runs a program, one step after the other, on what window of data sets it is in.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "tests/support/hard_families.hpp"

namespace takt::support {

/// What a walk does on a track in window J: it goes to the track `if_taken` where taken[J mod its prime], and there is
/// a reward of 1 for that if `is_rewarded`; else to the track `otherwise`. With the k-th prime, from 0, it is there k +
/// 2 windows later.
struct TrackTest {
  std::size_t prime = 0;    // index into WindowProgram::primes
  std::vector<bool> taken;  // as many as the prime
  std::size_t if_taken = 0;
  std::size_t otherwise = 0;
  bool is_rewarded = false;
};

/// A test for each track; primes are odd and different.
struct WindowProgram {
  std::vector<std::uint64_t> primes;
  std::vector<TrackTest> tracks;
};

/// A program of 2 tracks and 1 or 2 primes, or of 3 tracks and 1 prime. Same seed, same program, on every machine.
WindowProgram random_program(std::uint64_t seed);

/// The most rewards a window, in the long run, on whatever track and in whatever window the program begins.
maxplus::Rational best_mean_reward(const WindowProgram& program);

/// Under STRICT the largest cycle time is `candidate`, and the period candidate + best_mean_reward / data_sets, a
/// window being `data_sets`. docs/complexity.md proves it.
CountingInstance program_instance(const WindowProgram& program);

}  // namespace takt::support
