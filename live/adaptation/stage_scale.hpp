// What stages take on processors by the instance, so that times of different processors can be compared.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "live/engine/route.hpp"
#include "tpn/problem_view.hpp"

namespace takt::live {

/// Times in ticks. The unit of a stage is its time on the first processor that can compute it.
class StageScale {
 public:
  StageScale(const tpn::ProblemView& problem, const Rational& ticks_per_unit);

  bool can_compute(std::size_t processor, std::size_t stage) const { return times_[processor][stage].has_value(); }
  /// How many ticks of this processor one tick of the stage's unit is, for the stages from first to last together.
  double factor(std::size_t processor, std::size_t first_stage, std::size_t last_stage) const;
  /// A part's time on a processor, as what each of its stages would have taken on the first. `shares`: what the stages
  /// took, in proportion; by the instance if there are none.
  std::vector<double> in_units(std::size_t processor, std::size_t first_stage, std::size_t last_stage, double time,
                               std::span<const double> shares) const;

 private:
  std::vector<std::vector<std::optional<double>>> times_;  // by processor and stage
  std::vector<double> units_;                              // by stage
};

}  // namespace takt::live
