// What the stages of a problem ask of its processors, and what these can do.
#pragma once

#include <vector>

#include "heuristics/common/computation_times.hpp"
#include "tpn/problem_view.hpp"

namespace takt::heuristics {

/// Works and speeds, such that the computations of some stages take at least their works over the speeds of all
/// processors that share them. Works must be there where a processor has a speed (require_works).
/// Where stages have times t(k, p) of their own, a processor's speed is 1 / T(p), with T(p) its time for the whole
/// chain, and a stage's work the least t(k, p) / T(p): a processor that computes a share x of the data sets through the
/// stage is busy for at least x * work / speed, and these shares are 1 together. For works over speeds that is the
/// same.
struct Capacities {
  Capacities(const tpn::ProblemView& problem, const ComputationTimes& times);
  explicit Capacities(const tpn::ProblemView& problem);

  std::vector<tpn::Rational> works_from;  // by stage, for a data set, of it and all behind; behind the last one 0
  /// By processor, as amounts of work per time unit; empty if one takes a fixed time, which bounds no work, or no
  /// time for the chain.
  std::vector<tpn::Rational> speeds;
};

}  // namespace takt::heuristics
