// Fits how the cost of an attempt grows as its gap to the lower bound shrinks.
#include "evaluators/potentials/step_control.hpp"

#include <algorithm>
#include <cmath>

namespace takt::evaluators {

namespace {

// Measured on the benchmark's nets: p is about 3, and up to 12 on some, where it grows from one attempt to the next.
constexpr double kPower = 3;
constexpr double kMostPower = 12;
constexpr double kPowerGrowth = 1.7;
// Budget of the next attempt relative to the previous one: at least x2, at most x8.
constexpr double kLeastGrowth = 2;
constexpr double kMostGrowth = 8;
constexpr double kShare = 0.08;  // of what is left
// The last attempt comes when the budget left pays for fewer than kLastFrom attempts like the previous one. It should
// cost that ratio, to a power, times as much: kSteadyPower if the previous one cost what was expected, the other
// where it cost more.
constexpr double kLastFrom = 8;
constexpr double kSteadyPower = 0.8;
constexpr double kUnsteadyPower = 0.6;
constexpr double kSteady = 1.2;
// An attempt is planned for at most this share of what it can take.
constexpr double kMostShare = 0.7;
// An attempt that is not the last is given up for a wider gap at kOverBudget times its expected cost, but not before
// kOverBudgetShare of the budget left is spent.
constexpr double kOverBudget = 3;
constexpr double kOverBudgetShare = 0.6;
constexpr double kLeastStep = 0.98;  // a gap that is hardly nearer is not worth an attempt
constexpr double kMostStep = 0.5;
constexpr double kLeastGap = 2e-5;

}  // namespace

StepControl::StepControl(double first_gap, double left) : next_({first_gap, left, left, false}), power_(kPower) {}

void StepControl::proved(double cost, double left, double most) {
  cost = std::max(cost, 1.0);
  if (proved_) {
    const double power = std::log(cost / proved_->cost) / std::log(proved_->gap / next_->gap);
    const double before = power_;
    power_ = std::clamp(power, kPower, kMostPower);
    power_growth_ = std::clamp(power_ / before, 1.0, kPowerGrowth);
  }
  is_steady_ = cost <= kSteady * next_->expected;
  proved_ = {next_->gap, cost};
  most_ = most;
  choose(left);
}

void StepControl::failed(double cost, double left) {
  failed_ = std::max(failed_.value_or(0), next_->gap);
  if (!proved_) {
    next_.reset();
    return;
  }
  const double power = std::log(std::max(cost / proved_->cost, 1.0)) / std::log(proved_->gap / next_->gap);
  power_ = std::clamp(power, power_, kMostPower);
  is_steady_ = false;
  choose(left);
}

void StepControl::choose(double left) {
  const double affordable = left / proved_->cost;
  const bool is_last = affordable < kLastFrom;
  const double growth = is_last ? std::pow(std::max(affordable, 1.0), is_steady_ ? kSteadyPower : kUnsteadyPower)
                                : std::clamp(kShare * affordable, kLeastGrowth, kMostGrowth);
  const double possible = std::clamp(kMostShare * most_ / proved_->cost, 1.0, growth);
  const double power = std::min(power_ * power_growth_, kMostPower);
  double gap = proved_->gap * std::max(std::pow(possible, -1 / power), kMostStep);
  if (failed_) gap = std::max(gap, std::sqrt(*failed_ * proved_->gap));
  next_.reset();
  if (gap > kLeastStep * proved_->gap || gap < kLeastGap) return;
  const double expected = possible * proved_->cost;
  const double over_budget = std::min(left, std::max(kOverBudget * expected, kOverBudgetShare * left));
  next_ = {gap, expected, is_last ? left : over_budget, is_last};
}

}  // namespace takt::evaluators
