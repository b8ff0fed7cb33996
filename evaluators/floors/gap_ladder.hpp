// Which beat to try next: gaps above the lower bound, each as near as what is left to spend should allow.
#pragma once

#include <optional>

namespace takt::evaluators {

/// Costs grow as gap ^ -p, as measured; p is learned from the attempts.
class GapLadder {
 public:
  /// Gaps are relative: a beat is (1 + gap) times the lower bound.
  struct Attempt {
    double gap = 0;
    double expected = 0;   // what it should cost
    double most = 0;       // what it may cost: a wider gap is then the better use of what is left
    bool is_last = false;  // nothing may be left for another one
  };

  /// `left`: what all attempts may cost.
  GapLadder(double first_gap, double left);

  /// Nothing once the next attempt would gain too little.
  const std::optional<Attempt>& next() const { return next_; }

  /// The next attempt was proved at a cost, or was not; in the same measure, `left` is what all that follow may cost,
  /// and `most` what any of them can.
  void proved(double cost, double left, double most);
  void failed(double cost, double left);

 private:
  struct Rung {
    double gap, cost;
  };

  void choose(double left);

  std::optional<Attempt> next_;
  std::optional<Rung> proved_;  // the last one
  std::optional<double> failed_;
  double most_ = 0;
  double power_;
  double power_growth_ = 1;
  bool is_steady_ = true;
};

}  // namespace takt::evaluators
