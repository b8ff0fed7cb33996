// How long processors compute intervals of stages, exactly.
//
// Problem. Heuristics ask for the computations of many intervals; a part's time is a sum over its stages, each of which
// takes its work over the processor's speed, or a time of its own for that processor.
//
// Method. Sums over the stages before each: of works, once for all processors; and for a processor that stages have
// times for, of what these differ from work over speed.
//
// Cost. Linear in stages, processors and times to build; a time costs a search among the processor's own.
#pragma once

#include <cstddef>
#include <vector>

#include "tpn/problem_view.hpp"

namespace takt::heuristics {

class ComputationTimes {
 public:
  /// What a stage's own times, and those of all before it, add to works over speed.
  struct OwnSum {
    std::size_t stage = 0;
    tpn::Rational sum;

    friend auto operator<=>(const OwnSum&, const OwnSum&) = default;
    friend bool operator==(const OwnSum&, const OwnSum&) = default;
  };

  /// Of a problem with all works and times (require_works).
  explicit ComputationTimes(const tpn::ProblemView& problem);

  std::size_t stages() const { return works_.size() - 1; }
  std::size_t processors() const { return linear_.size(); }
  /// The stages [first, last] on a processor, per data set: fixed + before(last + 1) - before(first).
  tpn::Rational of(std::size_t first, std::size_t last, std::size_t processor) const;
  /// What the processor takes for whatever it is given, however little.
  const tpn::Rational& fixed(std::size_t processor) const { return linear_[processor].fixed; }
  /// What the stages before one take beyond that, all together.
  tpn::Rational before(std::size_t stage, std::size_t processor) const;
  /// What that share of the chain would take if it were as heavy all along.
  tpn::Rational share_of_chain(const tpn::Rational& share, std::size_t processor) const;

  /// No stage has a time of its own: durations are functions of the work.
  bool are_by_work() const { return own_.empty(); }
  /// Without the stages' own times.
  const tpn::LinearTime& linear(std::size_t processor) const { return linear_[processor]; }
  /// By stage; only those that change anything. Processors alike in `linear` and this take the same times.
  const std::vector<OwnSum>& own(std::size_t processor) const;
  /// Whether two processors take as long for whatever interval.
  bool are_alike(std::size_t processor, std::size_t other) const;
  /// The work of the stages before one, per data set; absent ones are 0.
  const tpn::Rational& work_before(std::size_t stage) const { return works_[stage]; }

 private:
  std::vector<tpn::Rational> works_;
  std::vector<tpn::LinearTime> linear_;
  std::vector<std::vector<OwnSum>> own_;  // by processor; empty if no stage has any
};

/// The processors, fastest at this share of the chain first; ties by index.
std::vector<std::size_t> fastest_first(const ComputationTimes& times, const tpn::Rational& share);

}  // namespace takt::heuristics
