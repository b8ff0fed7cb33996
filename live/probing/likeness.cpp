// Logarithms of times: shares of a time become differences.
#include "live/probing/likeness.hpp"

#include <algorithm>
#include <boost/math/distributions/chi_squared.hpp>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "live/probing/probe.hpp"
#include "maxplus/contract.hpp"

namespace takt::live {

namespace {

// The median distance of normal numbers, for their standard deviation.
constexpr double kDeviationOfMedian = 1.4826;
constexpr double kChance = 0.01;

struct RowComparison {
  double difference = 0;
  double spread = 0;
  bool differs = false;
};

double variance_of(const std::vector<double>& numbers) {
  double mean = 0;
  for (const double number : numbers) mean += number / static_cast<double>(numbers.size());
  double squares = 0;
  for (const double number : numbers) squares += (number - mean) * (number - mean);
  return squares / static_cast<double>(numbers.size() - 1);
}

double middle_of(std::vector<double> numbers) {
  std::ranges::sort(numbers);
  return (numbers[(numbers.size() - 1) / 2] + numbers[numbers.size() / 2]) / 2;
}

// The variance that equal things stay below, but by chance.
double most_by_chance(double of_median, std::size_t things, std::size_t rows) {
  const auto freedom = static_cast<double>(things - 1);
  const boost::math::chi_squared distribution(freedom);
  return of_median * quantile(complement(distribution, kChance / static_cast<double>(rows))) / freedom;
}

RowComparison compared(const MeasuredRow& row, std::size_t repeats, std::size_t rows, double tolerated) {
  std::vector<double> medians;
  for (const double median : row.medians) medians.push_back(std::log(median));
  const double spread = kDeviationOfMedian * middle_of(row.distances);
  const double of_median = std::numbers::pi / 2 * spread * spread / static_cast<double>(repeats);
  const double variance = variance_of(medians);
  RowComparison result{std::sqrt(std::max(0.0, variance - of_median)), spread, false};
  result.differs = result.difference > spread && row.apart > tolerated &&
                   (spread == 0 || variance > most_by_chance(of_median, medians.size(), rows));
  return result;
}

// From the fastest on, without the slowest fifth.
std::pair<double, double> range_of(std::vector<std::int64_t> repeats) {
  constexpr std::size_t kLeftOut = 5;
  std::ranges::sort(repeats);
  const auto time = [&](std::size_t i) { return static_cast<double>(std::max<std::int64_t>(repeats[i], 1)); };
  return {time(0), time(repeats.size() - 1 - repeats.size() / kLeftOut)};
}

// How much more things differ than repeats spread.
bool is_worse(const RowComparison& a, const RowComparison& b) {
  if (a.differs != b.differs) return a.differs;
  return a.difference * b.spread > b.difference * a.spread;
}

}  // namespace

Likeness likeness_of(const std::vector<MeasuredRow>& rows, std::size_t repeats, double tolerated) {
  Likeness result;
  std::optional<RowComparison> worst;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    maxplus::expects(rows[r].medians.size() >= 2 && !rows[r].distances.empty(), "there are two to compare");
    const RowComparison row = compared(rows[r], repeats, rows.size(), tolerated);
    if (row.differs) result.is_alike = false;
    if (worst && !is_worse(row, *worst)) continue;
    worst = row;
    result.worst = r;
    result.difference = row.difference;
    result.spread = row.spread;
  }
  return result;
}

std::optional<Likeness> likeness_of_times(const std::vector<std::vector<std::vector<std::int64_t>>>& times,
                                          double tolerated) {
  std::vector<MeasuredRow> rows;
  std::size_t repeats = SIZE_MAX;
  for (const auto& stage : times) {
    MeasuredRow row;
    double slowest_start = 0;
    double fastest_end = std::numeric_limits<double>::infinity();
    for (const std::vector<std::int64_t>& some : stage) {
      if (some.empty()) continue;  // the stage does not run there
      if (some.size() < kFewestRepeats) return std::nullopt;
      repeats = std::min(repeats, some.size());
      row.medians.push_back(static_cast<double>(std::max<std::int64_t>(median_of(some), 1)));
      for (const std::int64_t distance : distances_from_median(some)) {
        row.distances.push_back(static_cast<double>(distance) / row.medians.back());
      }
      const auto [least, most] = range_of(some);
      slowest_start = std::max(slowest_start, least);
      fastest_end = std::min(fastest_end, most);
    }
    if (row.medians.size() < 2) continue;
    row.apart = slowest_start / fastest_end - 1;
    rows.push_back(std::move(row));
  }
  if (rows.empty()) return std::nullopt;
  return likeness_of(rows, repeats, tolerated);
}

}  // namespace takt::live
