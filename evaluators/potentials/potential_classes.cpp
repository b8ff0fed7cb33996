// The choice of each pair's third part.
#include "evaluators/potentials/potential_classes.hpp"

#include <algorithm>

namespace takt::evaluators {

namespace {

// Measured: a processor below this share of the candidate period is light; a part's tightness counts kFading less for
// each part between.
constexpr double kLight = 0.8;
constexpr double kFading = 0.04;

bool is_tighter_right(const std::vector<double>& tightness, std::size_t t) {
  double left = 0;
  double right = 0;
  for (std::size_t q = 0; q < t; ++q) left = std::max(left, tightness[q] - kFading * static_cast<double>(t - q));
  for (std::size_t q = t + 2; q < tightness.size(); ++q) {
    right = std::max(right, tightness[q] - kFading * static_cast<double>(q - t - 1));
  }
  return right > left;
}

}  // namespace

PotentialClasses::PotentialClasses(const StrictChain& chain, double candidate) {
  std::vector<double> tightness;
  for (std::size_t i = 0; i < chain.parts(); ++i) {
    double most = 0;
    for (std::size_t r = 0; r < chain.modulus(i); ++r) most = std::max(most, chain.cycle_time(i, r));
    tightness.push_back(most / candidate);
  }
  for (std::size_t t = 0; t < chain.transfers(); ++t) {
    transfers_.push_back(of_transfer(chain, t, kLight * candidate, !is_tighter_right(tightness, t)));
  }
}

PotentialClasses::OfTransfer PotentialClasses::of_transfer(const StrictChain& chain, std::size_t t, double light,
                                                           bool light_left) const {
  OfTransfer result;
  for (std::size_t pair = 0; pair < chain.pairs(t); ++pair) {
    const std::size_t a = pair / chain.modulus(t + 1);
    const std::size_t b = pair % chain.modulus(t + 1);
    const double sender = chain.cycle_time(t, a);
    const double receiver = chain.cycle_time(t + 1, b);
    const bool is_light = std::max(sender, receiver) < light;
    const bool left = t + 2 == chain.parts() || (t > 0 && (is_light ? light_left : sender >= receiver));
    const bool meets = chain.meet(t, a, t + 1, b);
    result.meets.push_back(meets ? 1 : 0);
    result.left.push_back(left ? 1 : 0);
    result.first.push_back(result.is_met.size());
    if (!meets) continue;
    const std::size_t third = left ? t - 1 : t + 2;
    for (std::size_t x = 0; x < chain.modulus(third); ++x) {
      result.is_met.push_back(chain.meet(third, x, t, a) && chain.meet(third, x, t + 1, b) ? 1 : 0);
    }
  }
  result.first.push_back(result.is_met.size());
  return result;
}

}  // namespace takt::evaluators
