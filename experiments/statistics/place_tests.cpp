// Tails of hypotheses about places.
#include "experiments/statistics/place_tests.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "experiments/statistics/fisher.hpp"
#include "maxplus/contract.hpp"

namespace takt::experiments {

namespace {

double tail_of(const std::vector<double>& differences, double at_tie) {
  const bool is_tie = std::ranges::all_of(differences, [](double difference) { return difference == 0; });
  return !differences.empty() && is_tie ? at_tie : tail_of_differences(differences);
}

// The draws that x and y both have; y is 1 if there is none.
class Combination {
 public:
  Combination(const ByDraw& x, const ByDraw* y) {
    for (const auto& [draw, value] : x) {
      const auto other = y == nullptr ? ByDraw::const_iterator{} : y->find(draw);
      if (y != nullptr && other == y->end()) continue;
      x_.push_back(value);
      y_.push_back(y == nullptr ? 1 : other->second);
    }
  }

  // How likely such draws are where the mean of x - r y is not below 0, or with the other sign not above.
  double tail(double r, double sign, double at_tie) const {
    std::vector<double> differences(x_.size());
    for (std::size_t i = 0; i < x_.size(); ++i) differences[i] = sign * (x_[i] - r * y_[i]);
    return tail_of(differences, at_tie);
  }

 private:
  std::vector<double> x_;
  std::vector<double> y_;
};

// Both bounds must hold, and either may be broken; the two answers share what may be wrong.
AnswerTails both_answers(double at_least_low, double at_most_high, double below_low, double above_high) {
  return {std::min(1.0, 2 * std::max(at_least_low, at_most_high)), std::min(1.0, 4 * std::min(below_low, above_high))};
}

AnswerTails tails_of(const Combination& values, double low, double high) {
  return both_answers(values.tail(low, -1, 0), values.tail(high, 1, 0), values.tail(low, 1, 1),
                      values.tail(high, -1, 1));
}

double mean_of(const ByDraw& values) {
  double sum = 0;
  for (const auto& [draw, value] : values) sum += value;
  return sum / static_cast<double>(std::max<std::size_t>(values.size(), 1));
}

double least_deviation(const std::vector<const ByDraw*>& series) {
  double least = std::numeric_limits<double>::infinity();
  for (const ByDraw* values : series) {
    const double mean = mean_of(*values);
    double squares = 0;
    for (const auto& [draw, value] : *values) squares += (value - mean) * (value - mean);
    const auto degrees = static_cast<double>(std::max<std::size_t>(values->size(), 2) - 1);
    least = std::min(least, std::sqrt(squares / degrees));
  }
  return least;
}

}  // namespace

double tail_below(const ByDraw& first, const ByDraw& second, double at_tie) {
  return Combination(first, &second).tail(1, 1, at_tie);
}

AnswerTails tails_within(const ByDraw& x, double low, double high) {
  return tails_of(Combination(x, nullptr), low, high);
}

AnswerTails tails_within(const ByDraw& x, const ByDraw& y, double low, double high) {
  return tails_of(Combination(x, &y), low, high);
}

AnswerTails tails_within(std::uint64_t count, std::uint64_t draws, double low, double high) {
  // Beyond 0 and 1 there is nothing.
  const auto at_most = [&](double bound) {
    return bound < 0 ? 0 : bound >= 1 ? 1 : tails_of_count(count, draws, bound).at_most;
  };
  const auto at_least = [&](double bound) {
    return bound <= 0 ? 1 : bound > 1 ? 0 : tails_of_count(count, draws, bound).at_least;
  };
  return both_answers(low <= 0 ? 0 : at_least(low), high >= 1 ? 0 : at_most(high), low <= 0 ? 1 : at_most(low),
                      high >= 1 ? 1 : at_least(high));
}

AnswerTails tails_of_least(const std::vector<const ByDraw*>& expected, const std::vector<const ByDraw*>& others) {
  // That one of several is below all others is tested for each of the several: Bonferroni's factor.
  const auto tail = [](const auto& several, const auto& all, double at_tie) {
    double least = 1;
    for (const ByDraw* one : several) {
      double worst = 0;
      for (const ByDraw* other : all) worst = std::max(worst, tail_below(*one, *other, at_tie));
      least = std::min(least, worst);
    }
    return std::min(1.0, 2 * least * static_cast<double>(several.size()));
  };
  return {tail(expected, others, 0), tail(others, expected, 1)};
}

std::optional<double> separation_of(const std::vector<const ByDraw*>& series) {
  std::vector<double> means(series.size());
  std::ranges::transform(series, means.begin(), [](const ByDraw* one) { return mean_of(*one); });
  const auto ends = std::ranges::minmax(means);
  if (ends.min == ends.max) return 0;
  const double unit = least_deviation(series);
  if (unit == 0) return std::nullopt;
  return (ends.max - ends.min) / unit;
}

AnswerTails tails_of_separation(const std::vector<const ByDraw*>& series, double most) {
  const double bound = most * least_deviation(series);
  AnswerTails result{0, 1};
  double pairs = 0;
  for (std::size_t i = 0; i < series.size(); ++i) {
    for (std::size_t j = i + 1; j < series.size(); ++j) {
      ByDraw differences;
      for (const auto& [draw, value] : *series[i]) {
        const auto other = series[j]->find(draw);
        if (other != series[j]->end()) differences.emplace(draw, value - other->second);
      }
      const AnswerTails tails = tails_within(differences, -bound, bound);
      result.of_met = std::max(result.of_met, tails.of_met);
      result.of_not_met = std::min(result.of_not_met, tails.of_not_met);
      ++pairs;
    }
  }
  result.of_not_met = std::min(1.0, pairs * result.of_not_met);
  return result;
}

double DividedTails::two_sided() const { return std::min(1.0, 2 * std::min(most_at_most, most_at_least)); }

DividedTails divided_tails(const DividedSample& sample) {
  DividedTails result;
  for (const auto& [count, draws] : sample.ours) {
    const SampleTails tails = sample_tails({sample.count, sample.draws}, {count, draws});
    const double at_most = tails.at_most.to_double().value_or(0);
    const double at_least = tails.at_least.to_double().value_or(0);
    result.least_at_most = std::min(result.least_at_most, at_most);
    result.most_at_most = std::max(result.most_at_most, at_most);
    result.least_at_least = std::min(result.least_at_least, at_least);
    result.most_at_least = std::max(result.most_at_least, at_least);
  }
  return result;
}

std::optional<std::pair<std::uint64_t, std::uint64_t>> second_cell_range(const DividedSample& sample, double least) {
  maxplus::expects(sample.ours.size() == 2, "a sample is divided between two cells");
  const auto share = [&](std::size_t cell) {
    return static_cast<double>(sample.ours[cell].first) / static_cast<double>(sample.ours[cell].second);
  };
  // How likely both cells together have fewer, and as many.
  const auto is_likely = [&](std::uint64_t second) {
    const std::uint64_t first = sample.draws - second;
    double below = 0;
    double equal = 0;
    for (std::uint64_t there = 0; there <= std::min(second, sample.count); ++there) {
      const CountTails tails = tails_of_count(there, second, share(1));
      const double exactly = std::max(0.0, tails.at_most + tails.at_least - 1);
      const std::uint64_t rest = sample.count - there;
      const CountTails others = rest <= first ? tails_of_count(rest, first, share(0)) : CountTails{1, 0};
      const double same = std::max(0.0, others.at_most + others.at_least - 1);
      equal += exactly * same;
      below += exactly * (others.at_most - same);
    }
    return below + equal >= least && 1 - below >= least;
  };
  std::optional<std::pair<std::uint64_t, std::uint64_t>> range;
  for (std::uint64_t second = 0; second <= sample.draws; ++second) {
    if (!is_likely(second)) continue;
    if (!range) range = {second, second};
    if (range->second + 1 < second) return std::nullopt;
    range->second = second;
  }
  return range;
}

}  // namespace takt::experiments
