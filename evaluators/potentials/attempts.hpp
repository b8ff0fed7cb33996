// One attempt: is a candidate period at least the period?
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "evaluators/evaluation.hpp"
#include "evaluators/potentials/fixpoint.hpp"
#include "evaluators/potentials/potential_classes.hpp"
#include "evaluators/potentials/potential_estimate.hpp"
#include "evaluators/potentials/strict_chain.hpp"

namespace takt::evaluators {

/// What estimates and potentials of a net take at the most, bounds apart; an estimate.
double bytes_of_potentials(const tpn::FoldedNet& net);

/// What attempts may cost, in bounds reached.
struct AttemptBudget {
  double expected = 0;
  double most = 0;
};

/// How an attempt ended, and what it took.
struct AttemptResult {
  FixpointEnd end = FixpointEnd::found;
  PotentialSchedule schedule;  // where the fixpoint was found
  double reached = 0;          // bounds, of the last fixpoint search
  double stored = 0;           // likewise, each counted once
  double seconds = 0;          // likewise
  double spent = 0;            // bounds, of all fixpoint searches
  double seconds_in_all = 0;
};

/// Attempts at decreasing candidate periods; each starts from the estimates of the previous one.
class PotentialAttempts {
 public:
  /// `candidate`: about what all candidate periods will be, in time units.
  PotentialAttempts(const tpn::FoldedNet& net, const Rational& candidate);

  /// Candidate periods must not rise. More is kept each time that bounds run away, as long as that may help.
  AttemptResult attempt(const Rational& candidate, const AttemptBudget& budget, const Options& options);

  /// After an attempt that was proved: keeps more from now on, if that would have cost hardly more. Residue-specific
  /// bounds reached.
  double widen(const Options& options);

 private:
  double ticks(const Rational& time) const;
  std::vector<std::vector<std::int32_t>> potential_values() const;
  std::vector<std::int64_t> allowances_of(const Rational& candidate) const;
  double safety_factor(double candidate) const;
  Fixpoint fixpoint(std::size_t width) const;
  FixpointLimits limits(const AttemptBudget& budget, const Options& options) const;
  PotentialSchedule schedule() const;
  TransferPotentials of_transfer(PartBits keeps, std::size_t t) const;

  double bytes_;  // of all this, about
  StrictChain chain_;
  double usual_candidate_;  // in ticks
  PotentialClasses classes_;
  PotentialEstimate estimate_;
  std::size_t kept_;
  // Of the last attempt.
  std::optional<ClassPotentials> potentials_;
  std::vector<std::int64_t> allowances_;
  // At the last candidate period that was proved.
  std::int32_t highest_ = 0;  // bound, in ticks above the potential
  double reached_ = 0;
};

}  // namespace takt::evaluators
