// One attempt of the ladder: is a beat at least the period?
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "evaluators/evaluation.hpp"
#include "evaluators/floors/closing.hpp"
#include "evaluators/floors/floor_classes.hpp"
#include "evaluators/floors/soft_field.hpp"
#include "evaluators/floors/strict_chain.hpp"

namespace takt::evaluators {

/// What potentials and floors of a net take at the most, exceptions apart; an estimate.
double bytes_of_floors(const tpn::FoldedNet& net);

/// What attempts may cost, in exceptions reached.
struct RungBudget {
  double expected = 0;
  double most = 0;
};

/// How an attempt ended, and what it took.
struct RungResult {
  ClosingEnd end = ClosingEnd::closed;
  FloorSchedule schedule;  // where closed
  double reached = 0;      // exceptions, of the last closing
  double stored = 0;       // likewise, each counted once
  double seconds = 0;      // likewise
  double spent = 0;        // exceptions, of all closings
  double seconds_in_all = 0;
};

/// Attempts at beats that come down; what one learns serves the next.
class FloorRungs {
 public:
  /// `beat`: about what all beats will be, in time units.
  FloorRungs(const tpn::FoldedNet& net, const Rational& beat);

  /// Beats must not rise. More is kept each time that exceptions run away, as long as that may help.
  RungResult attempt(const Rational& beat, const RungBudget& budget, const Options& options);

  /// After an attempt that was proved: keeps more from now on, if that would have cost hardly more. Exceptions reached.
  double widen(const Options& options);

 private:
  double ticks(const Rational& time) const;
  std::vector<std::vector<std::int32_t>> floor_values() const;
  std::vector<std::int64_t> beats_of(const Rational& beat) const;
  double caution(double beat) const;
  Closing closing(std::size_t width) const;
  ClosingLimits limits(const RungBudget& budget, const Options& options) const;
  FloorSchedule schedule() const;
  TransferFloor of_transfer(PartBits keeps, std::size_t t) const;

  double bytes_;  // of all this, about
  StrictChain chain_;
  double usual_beat_;  // in ticks
  FloorClasses classes_;
  SoftField field_;
  std::size_t kept_;
  // Of the last attempt.
  std::optional<Floor> floor_;
  std::vector<std::int64_t> beats_;
  // At the last beat that was proved.
  std::int32_t highest_ = 0;  // exception, in ticks above the floor
  double reached_ = 0;
};

}  // namespace takt::evaluators
