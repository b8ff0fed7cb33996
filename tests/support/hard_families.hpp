// Mappings whose STRICT period counts the solutions of a formula, or of a system of congruences.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "maxplus/rational.hpp"
#include "tpn/document.hpp"

namespace takt::support {

/// A variable, or its negation.
struct Literal {
  std::size_t variable = 0;
  bool positive = true;
};

/// Clauses of at least one literal, the variables of a clause different. Each variable occurs.
struct Formula {
  std::size_t variables = 0;
  std::vector<std::vector<Literal>> clauses;
};

/// A number x solves the system if `system[i][x mod system[i].size()]` is true for every i. At least one constraint,
/// each of at least one residue.
using ResidueSystem = std::vector<std::vector<bool>>;

/// A random formula with clauses of one to three literals; it may have some clauses more, so that each variable occurs.
/// Same seed, same formula, on every machine.
Formula random_formula(std::size_t variables, std::size_t clauses, std::uint64_t seed);

/// Constraints of 1 to `largest` residues, each allowed or not at random; with `incongruences` all but one is allowed.
/// Same seed, same system, on every machine.
ResidueSystem random_system(std::size_t constraints, std::size_t largest, bool incongruences, std::uint64_t seed);

/// A number stands for an assignment if it is 0 or 1 modulo the prime of each variable: the a-th prime for the a-th
/// variable. A constraint for each clause: its variables are assigned, and it holds.
ResidueSystem system_of(const Formula& formula);

/// Counted one by one: 2^variables assignments.
std::uint64_t satisfying_assignments(const Formula& formula);

/// Counted one by one: the solutions below the least common multiple of the moduli.
std::uint64_t solutions(const ResidueSystem& system);

/// Of the moduli; 1 and 0 of none.
std::uint64_t common_multiple(const ResidueSystem& system);
std::uint64_t largest_modulus(const ResidueSystem& system);

/// An instance whose largest cycle time under STRICT is `candidate`, and whose period is
/// candidate + (solutions of the system) / data_sets. docs/complexity.md proves it.
struct CountingInstance {
  tpn::Document document;
  maxplus::Rational candidate;
  maxplus::Integer data_sets;
};

/// A chain with rewards at its end. The first part is one processor, which computes for the candidate less 1; processor
/// r of a middle part of f computes for f times the candidate less `cost`, less `penalty` more where r is not allowed;
/// the last part has `receivers` processors, which compute in no time. Transfers take 1, and 1 + `reward` into the
/// first receiver.
struct RewardedChain {
  std::vector<std::vector<bool>> middle;  // of each part, which residues are allowed
  std::uint64_t candidate;
  std::uint64_t cost;
  std::uint64_t penalty;
  std::uint64_t reward;
  std::uint64_t receivers;
};
tpn::Document document_of(const RewardedChain& chain);

/// All links are equal, but those into one processor.
CountingInstance equal_links_instance(const ResidueSystem& system);

/// All processors are equal, and a transfer takes one of two times, by its sender.
CountingInstance equal_processors_instance(const ResidueSystem& system);

}  // namespace takt::support
