// The larger limit is looked at first; at most one of the two can be passed.
#include "heuristics/monitor.hpp"

#include <algorithm>

#include "maxplus/contract.hpp"

namespace takt::heuristics {

using maxplus::Rational;

std::optional<RemapReason> remap_reason(std::span<const Rational> calibrated, std::span<const Rational> current,
                                        const Rational& threshold) {
  maxplus::expects(!calibrated.empty() && !current.empty(), "the monitor knows a processor's times");
  maxplus::expects(threshold.sign() >= 0, "a threshold is at least 0");
  const auto [best, worst] = std::ranges::minmax(calibrated);
  const auto slowest = std::ranges::max_element(current);
  const auto processor = static_cast<std::size_t>(slowest - current.begin());
  if (const Rational limit = (Rational(1) + threshold) * worst; *slowest > limit)
    return RemapReason{RemapRule::slower_than_the_worst, processor, limit};
  if (const Rational limit = (Rational(1) - threshold) * best; *slowest < limit)
    return RemapReason{RemapRule::faster_than_the_best, processor, limit};
  return std::nullopt;
}

}  // namespace takt::heuristics
