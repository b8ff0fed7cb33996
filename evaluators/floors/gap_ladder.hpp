// Which beat to try next: gaps above the lower bound, each as near as what is left to spend should allow.
#pragma once

#include <optional>

namespace takt::evaluators {

/// Costs grow as exp(b / gap), as measured; b is learned from the last two attempts.
class GapLadder {
 public:
  /// Gaps are relative: a beat is (1 + gap) times the lower bound.
  explicit GapLadder(double first_gap) : next_(first_gap) {}

  /// Nothing once the next attempt would gain too little.
  std::optional<double> next() const { return next_; }

  /// The gap was proved at a cost; `left` in the same measure is what all that follows may take.
  void proved(double gap, double cost, double left);

 private:
  struct Rung {
    double gap, cost;
  };

  std::optional<double> next_;
  std::optional<Rung> proved_;  // the last one
};

}  // namespace takt::evaluators
