// A problem whose stages run on some processors only, as searches want it: with a time for every pair.
#pragma once

#include <optional>
#include <string>

#include "tpn/absent_times.hpp"
#include "tpn/problem_view.hpp"

namespace takt::heuristics {

/// The problem of a view itself, where every stage runs on every processor; else with prohibitive times
/// (tpn/absent_times.hpp).
class EverywhereView {
 public:
  /// Keeps a reference. Throws InvalidInstance as tpn::AbsentTimes does.
  explicit EverywhereView(const tpn::ProblemView& problem);

  const tpn::ProblemView& view() const { return completed_ ? *view_ : problem_; }
  bool is_completed() const { return completed_.has_value(); }
  /// Why there is no mapping that has each processor in one part, in words; nothing if none is seen.
  std::optional<std::string> why_none() const;
  /// The period, or one that every mapping keeps which has each stage only where it runs, if that is less: no mapping
  /// with a prohibitive time keeps it.
  maxplus::Rational kept_by_real_ones(const maxplus::Rational& period) const;

 private:
  const tpn::ProblemView& problem_;
  std::optional<tpn::AbsentTimes> absent_;
  std::optional<tpn::Document> completed_;
  std::optional<tpn::ProblemView> view_;
};

}  // namespace takt::heuristics
