// What the search has found so far: bounds with their proofs, in the net's own terms.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "evaluators/evaluation.hpp"
#include "evaluators/residue/circuit.hpp"
#include "evaluators/residue/classes.hpp"
#include "evaluators/residue/system.hpp"

namespace takt::evaluators {

/// The lower bound only rises, the upper one only falls; each has its proof beside it.
class Findings {
 public:
  /// Starts from bounds of the net. Keeps references to both.
  Findings(const tpn::FoldedNet& net, const ResidueSystem& system, Evaluation bounds);

  /// The best lower bound: net units per data set.
  const Rational& lower() const { return lower_; }
  /// True if an upper bound was proved that is the lower one.
  bool exact() const { return evaluation_.exact(); }

  /// True if the circuit is, lap after lap, a circuit of the net and a better lower bound.
  bool improve(const std::vector<ClassStep>& circuit, const Deadline& deadline = {});

  /// The starts of these classes keep all precedences at their candidate period, in net units per data set. They are
  /// kept where the memory, in bytes, allows it.
  template <typename Number>
  void prove(const Classes<Number>& classes, const Rational& candidate, std::uint64_t max_memory = kDefaultMemory);

  void stopped_by(Limit limit) { evaluation_.limit = std::move(limit); }

  Evaluation answer() const;

 private:
  std::size_t node_of(std::size_t column) const;
  template <typename Number>
  double classes_of_columns(const Classes<Number>& classes) const;
  template <typename Number>
  ClassSchedule schedule(const Classes<Number>& classes, const Rational& candidate) const;

  const tpn::FoldedNet& net_;
  const ResidueSystem& system_;
  Rational lower_;
  Evaluation evaluation_;
};

}  // namespace takt::evaluators
