// Student's and the binomial distribution from Boost.Math.
#include "experiments/statistics/sampling.hpp"

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
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

CountTails tails_of_count(std::uint64_t count, std::uint64_t draws, double probability) {
  maxplus::expects(count <= draws, "a count is among the draws");
  const boost::math::binomial law(static_cast<double>(draws), probability);
  const auto number = static_cast<double>(count);
  return {boost::math::cdf(law, number), count == 0 ? 1 : boost::math::cdf(complement(law, number - 1))};
}

std::pair<double, double> share_interval(std::uint64_t count, std::uint64_t draws, double confidence) {
  maxplus::expects(count <= draws && draws > 0, "a count is among the draws");
  using Law = boost::math::binomial;
  const auto trials = static_cast<double>(draws);
  const auto successes = static_cast<double>(count);
  const double tail = (1 - confidence) / 2;
  return {Law::find_lower_bound_on_p(trials, successes, tail, Law::clopper_pearson_exact_interval),
          Law::find_upper_bound_on_p(trials, successes, tail, Law::clopper_pearson_exact_interval)};
}

double mean_margin(double deviation, std::uint64_t draws, double confidence) {
  maxplus::expects(draws > 1, "a deviation is of two draws at least");
  const auto count = static_cast<double>(draws);
  const boost::math::students_t law(count - 1);
  return boost::math::quantile(complement(law, (1 - confidence) / 2)) * deviation / std::sqrt(count);
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
