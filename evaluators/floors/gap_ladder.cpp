// The growth of costs from one gap to the next.
#include "evaluators/floors/gap_ladder.hpp"

#include <algorithm>
#include <cmath>

namespace takt::evaluators {

namespace {

// Measured: between two rungs costs grow by this, where all is as expected.
constexpr double kGrowth = 3;
constexpr double kLeastStep = 0.97;  // a gap that is hardly nearer is not worth an attempt
constexpr double kMostStep = 0.5;
constexpr double kLeastGap = 2e-5;
// Costs grow faster and faster; of a dear attempt it matters.
constexpr double kCheap = 1e6;
constexpr double kSafety = 2;
// An attempt may cost more than expected.
constexpr double kSpent = 0.7;

}  // namespace

void GapLadder::proved(double gap, double cost, double left) {
  cost = std::max(cost, 1.0);
  const double growth = std::min(kGrowth, kSpent * left / cost);
  double step = growth > 1 ? kMostStep : 1;
  if (proved_) {
    const double safety = cost < kCheap ? 1 : kSafety;
    const double slope = safety * std::log(cost / proved_->cost) / (1 / gap - 1 / proved_->gap);
    const double inverse = 1 / gap + std::log(std::max(growth, 1.0)) / std::max(slope, 1e-3);
    step = std::max(kMostStep, 1 / (inverse * gap));
  }
  proved_ = {gap, cost};
  next_.reset();
  if (step < kLeastStep && gap * step > kLeastGap) next_ = gap * step;
}

}  // namespace takt::evaluators
