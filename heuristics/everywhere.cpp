// Made where a time is absent.
#include "heuristics/everywhere.hpp"

#include <algorithm>

namespace takt::heuristics {

EverywhereView::EverywhereView(const tpn::ProblemView& problem) : problem_(problem) {
  if (problem.absent_times() != nullptr || !tpn::first_absent_time(problem.document())) return;
  absent_.emplace(problem.document(), problem.timing());
  completed_ = tpn::with_prohibitive_times(problem.document(), problem.timing(), *absent_);
  view_.emplace(*completed_, *absent_);
}

std::optional<std::string> EverywhereView::why_none() const {
  if (!absent_) return std::nullopt;
  const auto crowded = tpn::crowded_stages(*absent_);
  return crowded ? std::optional(tpn::crowded_words(problem_.document(), *crowded)) : std::nullopt;
}

maxplus::Rational EverywhereView::kept_by_real_ones(const maxplus::Rational& period) const {
  if (!absent_) return period;
  return std::min(period, tpn::longest_period(problem_.document(), problem_.timing(), *absent_));
}

}  // namespace takt::heuristics
