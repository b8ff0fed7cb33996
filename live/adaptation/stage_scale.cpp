// No time is below a tick.
#include "live/adaptation/stage_scale.hpp"

#include <algorithm>
#include <numeric>

#include "tpn/errors.hpp"

namespace takt::live {

StageScale::StageScale(const tpn::ProblemView& problem, const Rational& ticks_per_unit) {
  const std::size_t stages = problem.document().application.stages.size();
  units_.assign(stages, 1);
  std::vector<bool> is_known(stages);
  for (std::size_t p = 0; p < problem.document().platform.processors.size(); ++p) {
    std::vector<std::optional<double>>& times = times_.emplace_back(stages);
    for (std::size_t k = 0; k < stages; ++k) {
      try {
        const Rational time = problem.timing().computation(k, k, p) * ticks_per_unit;
        times[k] = std::max(1.0, time.to_double().value_or(1));
      } catch (const tpn::InvalidInstance&) {  // it cannot compute that stage
        continue;
      }
      if (!is_known[k]) units_[k] = *times[k];
      is_known[k] = true;
    }
  }
}

double StageScale::factor(std::size_t processor, std::size_t first_stage, std::size_t last_stage) const {
  double here = 0;
  double units = 0;
  for (std::size_t k = first_stage; k <= last_stage; ++k) {
    here += times_[processor][k].value_or(units_[k]);
    units += units_[k];
  }
  return here / units;
}

std::vector<double> StageScale::in_units(std::size_t processor, std::size_t first_stage, std::size_t last_stage,
                                         double time, std::span<const double> shares) const {
  std::vector<double> all;
  for (std::size_t k = first_stage; k <= last_stage; ++k) {
    const bool is_told = shares.size() == last_stage - first_stage + 1;
    all.push_back(is_told ? std::max(1.0, shares[k - first_stage]) : times_[processor][k].value_or(units_[k]));
  }
  const double sum = std::accumulate(all.begin(), all.end(), 0.0);
  for (std::size_t k = first_stage; k <= last_stage; ++k) {
    all[k - first_stage] *= time / sum * units_[k] / times_[processor][k].value_or(units_[k]);
  }
  return all;
}

}  // namespace takt::live
