// Made if there is another order.
#include "heuristics/ordered_problem.hpp"

namespace takt::heuristics {

OrderedProblem::OrderedProblem(const tpn::ProblemView& problem, const std::optional<tpn::StageOrder>& order)
    : problem_(problem) {
  if (!order) return;
  ordered_ = tpn::reordered(problem.document(), *order);
  if (problem.absent_times() == nullptr) {
    view_.emplace(*ordered_);
  } else {
    absent_.emplace(*problem.absent_times(), *order);
    view_.emplace(*ordered_, *absent_);
  }
}

}  // namespace takt::heuristics
