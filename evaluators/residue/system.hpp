// The folded net as a system of inequalities between start times, with what `residue` needs to refine it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <variant>
#include <vector>

#include "evaluators/evaluation.hpp"

namespace takt::evaluators {

/// start(to, j + height) >= start(from, j) + weights[j mod weights size], for every j = residue (mod modulus).
struct Precedence {
  std::size_t from = 0;  // nodes
  std::size_t to = 0;
  std::uint64_t height = 0;
  std::uint64_t modulus = 1;
  std::uint64_t residue = 0;
  std::shared_ptr<const tpn::DurationTable> weights;  // net units; one table for all along the same columns
  std::vector<CircuitStep> steps;                     // the dependences it stands for
};

/// A column whose operations wait for one dependence only: they start as soon as it allows.
struct ImmediateColumn {
  std::size_t column = 0;
  std::size_t after = 0;  // the column it waits for
  std::uint64_t height = 0;
};

/// Nodes are the columns that wait for several dependences, in the order of columns.
struct ResidueSystem {
  std::vector<std::size_t> columns;  // of each node
  std::vector<Precedence> precedences;
  std::vector<std::vector<std::size_t>> incoming;  // precedences, by node
  std::vector<std::vector<std::size_t>> outgoing;
  std::vector<std::uint64_t> least_moduli;  // by node: durations and guards depend on no more than that
  std::vector<ImmediateColumn> immediate;   // each after the column it waits for
  std::vector<std::uint64_t> primes;        // of all moduli, ascending
};

/// Weights and classes that a system may start with.
inline constexpr std::uint64_t kResidueLeastClasses = 50'000'000;

/// What making a system may take.
struct SystemLimits {
  double max_numbers = kResidueLeastClasses;  // beside that constant
  std::uint64_t max_memory = kDefaultMemory;  // bytes, of the system and of the least numbers that a search needs
  Deadline deadline;
};

/// The bytes that precedences take beside their weights, and one entry of a table of weights; estimates.
double bytes_of_precedences(const ResidueSystem& system);
double bytes_per_weight(const tpn::DurationTable& weights);

/// The system of a net; TooLarge where the weights, or the classes of least_moduli, are too many.
/// Cost: linear in the dependences and in the distinct tables of weights.
std::variant<ResidueSystem, tpn::TooLarge, OutOfTime> make_residue_system(const tpn::FoldedNet& net,
                                                                          const SystemLimits& limits = {});

}  // namespace takt::evaluators
