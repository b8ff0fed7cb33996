// Which operations are critical, on whatever critical circuit; and by how much the others may grow.
//
// Problem. An evaluation has one critical circuit. Which operations lie on any? And how much longer may an operation
// take, on every data set of its class, with the period kept: its float?
//
// Method. At the period P, any start times that keep all dependences leave each wait a slack s >= 0: later minus
// sooner, minus duration, plus P times the height. Slacks add up, round a circuit of height H and durations W, to
// H P - W. So a circuit is critical exactly if all its slacks are 0: the critical operations are those of the cyclic
// strongly connected components of the waits without slack. The float of an operation is the least sum of slacks over
// the circuits through it (each passes it once, where it is elementary): a shortest path from it back to itself.
//
// Start times are those of the paced schedule; all others give the same answers.
//
// Operations on all m rows of the net that are alike are one class, of R rows. A circuit of classes with height h is
// one of operations on every R-th data set, so gcd(h, m) / R circuits of the net's m rows: h is a multiple of R, a lap
// goes on by h rows of m, and each circuit takes m / gcd(h, m) of the m / R places to begin.
//
// Cost. Components: linear in the waits. Floats: Dijkstra's algorithm for every operation class, so they are given up
// to kFloatOperations classes.
//
// References. [baccelli1992synchronization] (the critical graph), [johnson1977efficient].
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include "evaluators/evaluation.hpp"
#include "evaluators/insight/paced.hpp"

namespace takt::evaluators {

/// Operation classes (rows and columns of a paced schedule) on critical circuits.
struct CriticalOperations {
  std::uint64_t rows = 1;
  std::size_t columns = 0;
  std::vector<bool> is_critical;  // row * columns + column
  std::uint64_t count = 0;
  bool single_circuit = false;        // there is one circuit of classes only
  Integer real_count = 0;             // of the operations on Pipeline::rows data sets
  Integer real_size = 0;              // all of these
  std::optional<Integer> circuits{};  // among these; nothing if there are several circuits of classes

  /// Whether the operation of a column on a data set, which may be negative, is critical.
  bool contains(const Integer& data_set, std::size_t column) const {
    return is_critical[maxplus::modulo(data_set, rows) * columns + column];
  }
};

/// The schedule must be one of this net, at its exact period.
CriticalOperations critical_operations(const tpn::FoldedNet& net, const PacedSchedule& paced);

/// Operation classes up to which all floats are found.
inline constexpr std::uint64_t kFloatOperations = 2'000;

/// The float of every operation class, as CriticalOperations::is_critical, in time units; nothing if it lies on no
/// circuit and may take as long as it likes, as transfers that no resource handles. Or the limit that was met.
/// The schedule must be one of this net, at its exact period.
using OperationFloats = std::vector<std::optional<Rational>>;
std::variant<OperationFloats, Limit> operation_floats(const tpn::FoldedNet& net, const PacedSchedule& paced,
                                                      const Deadline& deadline = {},
                                                      std::uint64_t most_operations = kFloatOperations);

}  // namespace takt::evaluators
