// A problem whose stages are in the order that a proposal chose.
#pragma once

#include <optional>

#include "tpn/absent_times.hpp"
#include "tpn/problem_view.hpp"
#include "tpn/stage_order.hpp"

namespace takt::heuristics {

/// The problem of a view itself, or with its stages in another order.
class OrderedProblem {
 public:
  /// Keeps a reference.
  OrderedProblem(const tpn::ProblemView& problem, const std::optional<tpn::StageOrder>& order);

  const tpn::ProblemView& view() const { return view_ ? *view_ : problem_; }

 private:
  const tpn::ProblemView& problem_;
  std::optional<tpn::AbsentTimes> absent_;
  std::optional<tpn::Document> ordered_;
  std::optional<tpn::ProblemView> view_;
};

}  // namespace takt::heuristics
