// How often every stage and every replica of a divided pipeline fires in its steady state.
//
// Problem. A pipeline with synchronous dataflow rates repeats after every stage i has fired r_i times, the repetition
// vector. Where stage i is divided among replicas with fractions f_i1, f_i2, ... of its firings, replica j would have
// to fire r_i f_ij times, which need not be a whole number. Find a factor alpha that makes all of them whole.
//
// Method. The fractions of a stage are d_ij / g_i, with g_i the least common denominator. alpha r_i d_ij / g_i is whole
// for every j if and only if g_i / gcd(r_i, g_i) = lcm(r_i, g_i) / r_i divides alpha, as the d_ij have no factor in
// common with g_i. The paper multiplies these factors of all stages, which is valid and grows with every divided
// stage; their least common multiple is the least such alpha.
//
// Cost. Linear in the replicas.
//
// References. [li2013data], Algorithm 3.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "tpn/document.hpp"

namespace takt::heuristics {

/// The shares of a stage's firings that its replicas take: positive numbers whose sum is 1. {1}: not divided.
using DivisionVector = std::vector<maxplus::Rational>;

/// The factor on the repetition vector: the paper's, or the least one.
enum class Augmentation { published, minimal };

/// Firings in one period of the steady state.
struct SteadyState {
  maxplus::Integer factor;                           // alpha, on the repetition vector
  std::vector<maxplus::Integer> stages;              // r_i alpha
  std::vector<std::vector<maxplus::Integer>> nodes;  // r_i f_ij alpha, by stage and replica
};

/// The smallest whole numbers of firings, one per stage, after which the pipeline has consumed all that it produced.
std::vector<maxplus::Integer> repetition_vector(const tpn::Document& document);

/// By stage, the processors of its part, each once, in the order of first appearance.
std::vector<std::vector<std::size_t>> replicas(std::span<const tpn::Part> mapping);

/// By stage, the shares of these replicas.
std::vector<DivisionVector> division_vectors(std::span<const tpn::Part> mapping);

/// `repetitions` are positive, `divisions` as many.
SteadyState steady_state(std::span<const maxplus::Integer> repetitions, std::span<const DivisionVector> divisions,
                         Augmentation augmentation);

}  // namespace takt::heuristics
