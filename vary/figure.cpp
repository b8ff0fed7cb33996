// Student's t over copies.
#include "vary/figure.hpp"

#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <utility>

#include "maxplus/contract.hpp"

namespace takt::vary {

double margin_factor(double count, double confidence) {
  const boost::math::students_t_distribution<double> student(count - 1);
  return boost::math::quantile(student, (1 + confidence) / 2);
}

CopiesFigure figure_of(std::vector<double> numbers, double confidence) {
  maxplus::expects(numbers.size() >= 2, "an interval takes two numbers at least");
  const auto count = static_cast<double>(numbers.size());
  const double mean = std::accumulate(numbers.begin(), numbers.end(), 0.0) / count;
  double squares = 0;
  for (const double number : numbers) squares += (number - mean) * (number - mean);
  const double error = std::sqrt(squares / (count - 1) / count);
  return {{mean, error * margin_factor(count, confidence)}, std::move(numbers)};
}

CopiesFigure rate_of(const CopiesFigure& period, double confidence) {
  maxplus::expects(period.value > 0, "a rate is that of a time above 0");
  const double rate = 1 / period.value;
  std::vector<double> rates;
  // The tangent at the mean: what a copy adds to the rate.
  for (const double of_copy : period.by_copy) rates.push_back(rate - (of_copy - period.value) * rate * rate);
  CopiesFigure result = figure_of(std::move(rates), confidence);
  result.value = rate;
  return result;
}

Figure difference(const CopiesFigure& first, const CopiesFigure& second, double confidence) {
  maxplus::expects(first.by_copy.size() == second.by_copy.size(), "paired figures are of the same copies");
  std::vector<double> differences;
  for (std::size_t i = 0; i < first.by_copy.size(); ++i) {
    differences.push_back(second.by_copy[i] - first.by_copy[i]);
  }
  return {second.value - first.value, figure_of(std::move(differences), confidence).margin};
}

}  // namespace takt::vary
