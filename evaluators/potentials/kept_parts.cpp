// Extends each transfer's run of kept parts the farther, the busier its parts are.
#include "evaluators/potentials/kept_parts.hpp"

#include <algorithm>

namespace takt::evaluators {

namespace {

// Measured: a part is kept one part further for each kTightStep of the candidate period by which its busiest processor
// exceeds kTightFrom.
constexpr double kTightFrom = 0.8;
constexpr double kTightStep = 0.05;
constexpr unsigned kKeyBits = 64;

class KeptRun {
 public:
  KeptRun(const StrictChain& chain, const std::vector<std::size_t>& reach, std::size_t transfer)
      : chain_(chain), reach_(reach), t_(transfer), first_(transfer), last_(transfer + 1) {
    for (std::size_t i = 0; i < chain.parts(); ++i) {
      if (distance(i) > reach[i]) continue;
      first_ = std::min(first_, i);
      last_ = std::max(last_, i);
    }
  }

  PartBits parts() {
    while (key_bits() > kKeyBits && drop_one()) {
    }
    PartBits parts = 0;
    for (std::size_t i = first_; i <= last_; ++i) parts |= part_bit(i);
    return parts;
  }

 private:
  std::size_t distance(std::size_t part) const { return part <= t_ ? t_ - part : part - t_ - 1; }
  // How much further the part could be and still be kept.
  long spare(std::size_t part) const { return static_cast<long>(reach_[part]) - static_cast<long>(distance(part)); }

  unsigned key_bits() const {
    unsigned bits = 0;
    for (std::size_t i = first_; i <= last_; ++i) bits += chain_.bits(i);
    return bits;
  }

  // An end that no class needs: that with less to spare, the further one of two alike.
  bool drop_one() {
    const bool may_first = distance(first_) > 1;
    const bool may_last = distance(last_) > 1;
    if (!may_first && !may_last) return false;
    const bool is_first =
        !may_last || (may_first && (spare(first_) < spare(last_) ||
                                    (spare(first_) == spare(last_) && distance(first_) > distance(last_))));
    is_first ? ++first_ : --last_;
    return true;
  }

  const StrictChain& chain_;
  const std::vector<std::size_t>& reach_;
  std::size_t t_;
  std::size_t first_;
  std::size_t last_;
};

}  // namespace

std::vector<PartBits> kept_parts(const StrictChain& chain, double candidate, std::size_t width) {
  std::vector<std::size_t> reach;
  for (std::size_t i = 0; i < chain.parts(); ++i) {
    double most = 0;
    for (std::size_t r = 0; r < chain.modulus(i); ++r) most = std::max(most, chain.cycle_time(i, r) / candidate);
    reach.push_back(width + static_cast<std::size_t>(std::max(0.0, (most - kTightFrom) / kTightStep)));
  }
  std::vector<PartBits> kept;
  for (std::size_t t = 0; t < chain.transfers(); ++t) kept.push_back(KeptRun(chain, reach, t).parts());
  return kept;
}

}  // namespace takt::evaluators
