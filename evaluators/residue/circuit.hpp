// Circuits of residue classes: what they claim, what they prove, and how to tell the two apart.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "evaluators/residue/system.hpp"

namespace takt::evaluators {

/// A step along a precedence from the operation on `data_set`, of which only the class counts: the next step may start
/// from another data set of the class that this one leads to.
struct ClassStep {
  std::size_t precedence = 0;
  std::int64_t data_set = 0;
};

/// The sum of the heights of a circuit.
std::uint64_t height_of(const ResidueSystem& system, const std::vector<ClassStep>& circuit);

/// The ratio of the weights of the classes to the height, which no circuit of the net need attain; net units.
Rational class_ratio(const ResidueSystem& system, const std::vector<ClassStep>& circuit);

/// What a circuit's precedences are worth when they are followed lap after lap from a data set of the first step on.
struct RealCircuit {
  Rational ratio;  // net units per data set: never above the period
  std::uint64_t data_set = 0;
  Integer laps = 1;  // until the durations repeat
};

/// The best data set among several to start a circuit from, each of which agrees with as many steps as it can. Nothing
/// where a guard lets none of them repeat; what is found by then, perhaps nothing, if the deadline passes.
/// Cost: for each, the steps and, per precedence and residue, the weights that laps visit.
std::optional<RealCircuit> real_circuit(const ResidueSystem& system, const std::vector<ClassStep>& circuit,
                                        const Deadline& deadline = {});

/// Moduli to raise so that two contradictory steps of a circuit no longer join.
struct Refinement {
  std::vector<std::pair<std::size_t, std::uint64_t>> moduli;  // (node, new modulus)
  double classes = 0;                                         // that it adds
};

/// The refinement of fewest new classes over all contradictions: two steps, or a step and itself one lap later, that
/// know a data set modulo the same prime power and disagree, with no step between that knows it. The nodes between
/// must learn it. Nothing if the circuit is one of the net, or the deadline passes.
std::optional<Refinement> cheapest_refinement(const ResidueSystem& system, const std::vector<std::uint64_t>& moduli,
                                              const std::vector<ClassStep>& circuit, const Deadline& deadline = {});

}  // namespace takt::evaluators
