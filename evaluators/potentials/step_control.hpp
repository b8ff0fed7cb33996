// Step control: the next candidate period, as near to the lower bound as the remaining budget should allow.
#pragma once

#include <optional>

namespace takt::evaluators {

/// Chooses gaps by the model cost = gap ^ -p; p is learned from the attempts.
class StepControl {
 public:
  /// Gaps are relative: a candidate period is (1 + gap) times the lower bound.
  struct Attempt {
    double gap = 0;
    double expected = 0;   // cost by the model
    double most = 0;       // beyond this cost a wider gap is the better use of the remaining budget
    bool is_last = false;  // nothing may be left for another one
  };

  /// `left`: what all attempts may cost.
  StepControl(double first_gap, double left);

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
