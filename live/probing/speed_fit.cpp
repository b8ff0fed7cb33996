// Stages are eliminated first, each a mean; then processors, one after the other.
#include "live/probing/speed_fit.hpp"

#include <cmath>
#include <utility>

#include "maxplus/contract.hpp"

namespace takt::live {

namespace {

using Times = std::span<const std::vector<std::optional<Rational>>>;
using Numbers = std::vector<double>;

// The logarithms of the measured times of a stage, by processor.
struct LogTime {
  std::size_t processor = 0;
  double value = 0;
};
using LogTimes = std::vector<std::vector<LogTime>>;

constexpr double kLongest = 1e30;

LogTimes logarithms_of(Times times) {
  LogTimes result(times.size());
  for (std::size_t k = 0; k < times.size(); ++k) {
    maxplus::expects(times[k].size() == times[0].size(), "all stages have times by the same processors");
    for (std::size_t p = 0; p < times[k].size(); ++p) {
      if (!times[k][p]) continue;
      const double time = times[k][p]->to_double().value_or(0);
      maxplus::expects(time >= 1 / kLongest && time <= kLongest, "times are between 10^-30 and 10^30");
      result[k].push_back({p, std::log(time)});
    }
  }
  return result;
}

// For each processor, whether the first one that was measured leads to it, by times of a common stage.
std::vector<bool> reached(const LogTimes& times, std::size_t processors, std::size_t first) {
  std::vector<bool> seen(processors, false);
  std::vector<bool> done(times.size(), false);
  seen[first] = true;
  for (bool grows = true; grows;) {
    grows = false;
    for (std::size_t k = 0; k < times.size(); ++k) {
      bool meets = false;
      for (const LogTime& each : times[k]) meets = meets || seen[each.processor];
      if (done[k] || !meets) continue;
      for (const LogTime& each : times[k]) seen[each.processor] = true;
      done[k] = grows = true;
    }
  }
  return seen;
}

double mean_of(const std::vector<LogTime>& times, const Numbers& log_speeds) {
  double sum = 0;
  for (const LogTime& each : times) sum += each.value + log_speeds[each.processor];
  return sum / static_cast<double>(times.size());
}

// Equations of the logarithms of speeds: of processor p, the sum over its times of (log v(p) - mean of its stage's).
struct Equations {
  std::vector<Numbers> matrix;
  Numbers right;
};

Equations equations_of(const LogTimes& times, std::size_t processors) {
  Equations system{std::vector<Numbers>(processors, Numbers(processors, 0)), Numbers(processors, 0)};
  const Numbers none(processors, 0);
  for (const std::vector<LogTime>& row : times) {
    if (row.empty()) continue;
    const double mean = mean_of(row, none);
    for (const LogTime& each : row) {
      Numbers& equation = system.matrix[each.processor];
      equation[each.processor] += 1;
      for (const LogTime& other : row) equation[other.processor] -= 1 / static_cast<double>(row.size());
      system.right[each.processor] += mean - each.value;
    }
  }
  return system;
}

// The unknowns in `free`, all others being 0; positive definite, so pivots need no search.
Numbers solve(Equations system, const std::vector<std::size_t>& free) {
  for (std::size_t i = 0; i < free.size(); ++i) {
    const Numbers& pivot = system.matrix[free[i]];
    for (std::size_t j = i + 1; j < free.size(); ++j) {
      Numbers& row = system.matrix[free[j]];
      const double factor = row[free[i]] / pivot[free[i]];
      if (factor == 0) continue;
      for (std::size_t c = i; c < free.size(); ++c) row[free[c]] -= factor * pivot[free[c]];
      system.right[free[j]] -= factor * system.right[free[i]];
    }
  }
  Numbers solution(system.right.size(), 0);
  for (std::size_t i = free.size(); i-- > 0;) {
    double rest = system.right[free[i]];
    for (std::size_t c = i + 1; c < free.size(); ++c) rest -= system.matrix[free[i]][free[c]] * solution[free[c]];
    solution[free[i]] = rest / system.matrix[free[i]][free[i]];
  }
  return solution;
}

// Nothing beyond doubles.
std::optional<Rational> exponential(double logarithm) {
  const double value = std::exp(logarithm);
  if (!std::isnormal(value)) return std::nullopt;
  const mpq_class exact(value);
  return significant(Rational::fraction(exact.get_num(), exact.get_den()));
}

}  // namespace

SpeedFit with_misfit(SpeedFit fit, Times times) {
  fit.worst_misfit = 0;
  for (std::size_t k = 0; k < times.size(); ++k) {
    for (std::size_t p = 0; p < times[k].size(); ++p) {
      if (!times[k][p]) continue;
      Rational misfit = *fit.works[k] / *fit.speeds[p] / *times[k][p] - 1;
      if (misfit.sign() < 0) misfit = -misfit;
      if (misfit <= fit.worst_misfit) continue;
      fit.worst_misfit = misfit;
      fit.worst_stage = k;
      fit.worst_processor = p;
    }
  }
  return fit;
}

std::optional<SpeedFit> fit_speeds(Times times) {
  const LogTimes logarithms = logarithms_of(times);
  const std::size_t processors = times.empty() ? 0 : times[0].size();
  std::vector<bool> measured(processors, false);
  for (const auto& row : logarithms) {
    for (const LogTime& each : row) measured[each.processor] = true;
  }
  std::size_t first = 0;
  while (first < processors && !measured[first]) ++first;
  if (first == processors || reached(logarithms, processors, first) != measured) return std::nullopt;

  std::vector<std::size_t> free;
  for (std::size_t p = first + 1; p < processors; ++p) {
    if (measured[p]) free.push_back(p);
  }
  const Numbers log_speeds = solve(equations_of(logarithms, processors), free);
  SpeedFit fit{.works = {}, .speeds = std::vector<std::optional<Rational>>(processors), .worst_misfit = {}};
  for (std::size_t p = 0; p < processors; ++p) {
    if (!measured[p]) continue;
    fit.speeds[p] = exponential(log_speeds[p]);
    if (!fit.speeds[p]) return std::nullopt;
  }
  for (const auto& row : logarithms) {
    fit.works.push_back(row.empty() ? std::nullopt : exponential(mean_of(row, log_speeds)));
    if (!row.empty() && !fit.works.back()) return std::nullopt;
  }
  return with_misfit(std::move(fit), times);
}

}  // namespace takt::live
