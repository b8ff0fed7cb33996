// Student's distribution from Boost.Math.
#include "experiments/sampling.hpp"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <numeric>

#include "maxplus/contract.hpp"

namespace takt::experiments {

double tail_of_differences(std::span<const double> differences) {
  if (differences.size() < 2) return 1;
  const auto count = static_cast<double>(differences.size());
  const double mean = std::accumulate(differences.begin(), differences.end(), 0.0) / count;
  double squares = 0;
  for (const double difference : differences) squares += (difference - mean) * (difference - mean);
  const double error = std::sqrt(squares / (count - 1) / count);
  if (error == 0) return mean < 0 ? 0 : mean > 0 ? 1 : 0.5;
  return boost::math::cdf(boost::math::students_t(count - 1), mean / error);
}

std::vector<bool> holm_rejections(std::span<const double> tails, double level) {
  maxplus::expects(level > 0 && level < 1, "a level is between 0 and 1");
  std::vector<std::size_t> order(tails.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return tails[i]; });
  std::vector<bool> rejected(tails.size(), false);
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (tails[order[i]] > level / static_cast<double>(order.size() - i)) break;
    rejected[order[i]] = true;
  }
  return rejected;
}

}  // namespace takt::experiments
