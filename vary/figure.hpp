// An estimate with its interval, and with what each copy adds to it: differences of two are paired over copies.
#pragma once

#include <span>
#include <vector>

namespace takt::vary {

inline constexpr double kConfidence = 0.95;

/// An estimate, and half the width of its interval.
struct Figure {
  double value = 0;
  double margin = 0;

  double low() const { return value - margin; }
  double high() const { return value + margin; }
};

/// A figure of several copies, and a number of each whose spread is the figure's: Student's interval of their mean is
/// as wide.
struct CopiesFigure : Figure {
  std::vector<double> by_copy{};
};

/// The factor from standard error to margin: Student's quantile for the mean of `count` >= 2 numbers.
double margin_factor(double count, double confidence);

/// The mean of independent numbers, at least two, with the interval of that confidence.
CopiesFigure figure_of(std::vector<double> numbers, double confidence = kConfidence);

/// Of a time per data set, above 0: data sets per time.
CopiesFigure rate_of(const CopiesFigure& period, double confidence);

/// By how much the second is larger, of as many copies with the same luck: the interval is that of what each copy adds
/// to one less what it adds to the other.
Figure difference(const CopiesFigure& first, const CopiesFigure& second, double confidence);

}  // namespace takt::vary
