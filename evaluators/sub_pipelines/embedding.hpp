// Embedding: a circuit of a sub-pipeline as one of the whole net.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "evaluators/evaluation.hpp"

namespace takt::evaluators {

/// The dependences of a net by the operation that others wait for.
class LeavingDependences {
 public:
  /// Keeps a reference to the net. Cost: a sort of its dependences.
  explicit LeavingDependences(const tpn::FoldedNet& net);

  /// Visits those that leave the operation of a column on a data set, until visit returns true; whether one did.
  /// Cost: a search for each modulus of the column's guards.
  template <typename Visit>
  bool any(tpn::ColumnIndex column, std::uint64_t data_set, Visit visit) const {
    for (const auto& [modulus, dependences] : by_column_[column]) {
      const std::uint64_t residue = data_set % modulus;
      for (auto d = first_of(dependences, residue); d != dependences.end() && (*d)->residue == residue; ++d) {
        if (visit(**d)) return true;
      }
    }
    return false;
  }

 private:
  using List = std::vector<const tpn::Dependence*>;  // by residue
  static List::const_iterator first_of(const List& dependences, std::uint64_t residue);

  std::vector<std::map<std::uint64_t, List>> by_column_;  // by modulus
};

/// Replaces each step of a circuit by a chain of the whole's dependences, of the same height together.
class Embedding {
 public:
  /// Both nets must outlive this; the sub-pipeline is that of the parts of `whole` from first_part on.
  Embedding(const tpn::FoldedNet& whole, const tpn::FoldedNet& sub_pipeline, tpn::PartIndex first_part);

  /// A walk of the whole that repeats, as many laps of the circuit as that takes; nothing if it would have more
  /// steps than `max_steps`, or the deadline passes. Its `laps` are not set. Cost: linear in its steps.
  std::optional<CriticalCircuit> embed(const CriticalCircuit& circuit, std::uint64_t max_steps,
                                       const Deadline& deadline) const;

 private:
  struct Walk;
  bool follow(tpn::ColumnIndex column, tpn::ColumnIndex to, std::uint64_t height, Walk& walk) const;
  void follow_resource(const tpn::Dependence& along, tpn::ColumnIndex to, std::uint64_t until, Walk& walk) const;

  const tpn::FoldedNet& whole_;
  tpn::PartIndex first_part_;
  LeavingDependences of_whole_;
  LeavingDependences of_sub_pipeline_;
};

}  // namespace takt::evaluators
