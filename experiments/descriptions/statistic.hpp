// Numbers about many draws: counts, shares, means, extremes, quantiles, exact or between two proved ends.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "experiments/draws/study.hpp"
#include "maxplus/rational.hpp"
#include "tpn/json.hpp"

namespace takt::experiments {

using maxplus::Int128;
using maxplus::Integer;
using maxplus::Rational;

/// How a measure is compared with a number.
enum class Comparison { less, at_most, equal, unequal, at_least, more };

/// "gap > 0 and period <= 7/2": holds if all comparisons do. Measures are indices into Description::measures.
struct Predicate {
  struct Term {
    std::size_t measure = 0;
    Comparison comparison = Comparison::more;
    MeasuredNumber number;
  };
  std::string text;  // as it was written
  std::vector<Term> terms;

  /// False if a measure has no value.
  bool holds(const std::vector<std::optional<MeasuredNumber>>& values) const;
};

/// The predicate of a text, or a phrase for what is wrong with it.
std::variant<Predicate, std::string> parse_predicate(std::string_view text, const std::vector<std::string>& measures);

/// What is asked of the draws of a series.
enum class StatisticKind { draws, failed, count, share, mean, deviation, smallest, largest, quantile, bins, values };

struct Statistic {
  StatisticKind kind = StatisticKind::mean;
  std::size_t measure = 0;             // of all but draws, failed, count and share
  std::optional<Predicate> predicate;  // of count and share
  Rational at;                         // of quantile, 0 to 1; 1 is the largest
};

/// How surely an interval of a mean or a share holds that of the law that is drawn from.
inline constexpr double kIntervalConfidence = 0.95;

/// The answer: between two numbers, equal if it is exact; the draw that attains it, of smallest and largest; and of
/// a mean (Student) or a share (Clopper and Pearson) the interval that draws leave.
struct Estimate {
  Rational lower;
  Rational upper;
  std::optional<std::uint64_t> draw;
  std::optional<std::pair<double, double>> interval{};

  bool exact() const { return lower == upper; }
};

/// A sum of integers of any size, most of which fit 128 bits.
class TallySum {
 public:
  TallySum& operator+=(Int128 value) {
    Int128 sum = 0;
    if (!__builtin_add_overflow(near_, value, &sum)) {
      near_ = sum;
    } else {
      far_ += maxplus::integer_of(near_);
      near_ = value;
    }
    return *this;
  }
  TallySum& operator+=(const Integer& value) {
    far_ += value;
    return *this;
  }
  TallySum& operator+=(const TallySum& other) { return (*this += other.near_) += other.far_; }

  Integer value() const { return far_ + maxplus::integer_of(near_); }

 private:
  Integer far_;
  Int128 near_ = 0;
};

/// What is kept of the values of one measure in one series. Sums and squares are of floor(x 2^40) and ceil(x 2^40).
struct MeasureTally {
  std::uint64_t count = 0;
  TallySum sum_below;
  TallySum sum_above;
  TallySum squares_below;
  TallySum squares_above;
  std::optional<std::pair<MeasuredNumber, std::uint64_t>> smallest;  // and the first draw that has it
  std::optional<std::pair<MeasuredNumber, std::uint64_t>> largest;
  std::map<Integer, std::uint64_t> bins;  // by floor(x / width), where the description has a width for it
};

/// A value, and the draw that has it.
struct DrawnValue {
  Rational value;
  std::uint64_t draw = 0;
};

/// What is kept of one series: the same whatever the order in which draws and parts came.
class Tally {
 public:
  /// For a description's measures and predicates. With `keeps_values` all values are kept, for exact answers.
  Tally(const Description& description, bool keeps_values);

  void add(std::uint64_t draw, const SeriesResult& result);
  /// Adds what another one of the same description has seen.
  void add(const Tally& other);

  std::uint64_t draws() const { return draws_; }
  std::uint64_t failed() const { return failed_; }
  const MeasureTally& measure(std::size_t index) const { return measures_[index]; }
  const std::vector<std::uint64_t>& counts() const { return counts_; }  // by predicate of the description

  /// Nothing if there is no value, or the description did not keep what it takes.
  std::optional<Estimate> answer(const Statistic& statistic) const;

  /// As JSON, and back; values that are kept are not part of it.
  void write(std::string& text, const SeriesKeys& keys) const;
  /// Throws tpn::ParseError.
  static Tally read(const Description& description, const tpn::json::Tree& tree, const tpn::json::Value& value);

  /// Values of a measure to double's precision, by draw; to pair two series. Empty if values are not kept.
  const std::map<std::uint64_t, double>& by_draw(std::size_t measure) const;

  /// Those kept of a measure, ascending, equal ones by draw.
  const std::vector<DrawnValue>& values(std::size_t measure) const;

 private:
  std::optional<Estimate> mean(std::size_t measure) const;
  std::optional<Estimate> with_interval(std::optional<Estimate> mean, std::size_t measure) const;
  std::optional<Estimate> deviation(std::size_t measure) const;
  std::optional<Estimate> quantile(std::size_t measure, const Rational& at) const;
  std::optional<Estimate> counted(const Statistic& statistic) const;

  const Description* description_;
  bool keeps_values_;
  std::uint64_t draws_ = 0;
  std::uint64_t failed_ = 0;
  std::vector<std::uint64_t> counts_;
  std::vector<MeasureTally> measures_;
  mutable std::vector<std::vector<DrawnValue>> values_;  // by measure, sorted when first asked for
  mutable bool are_sorted_ = true;
  std::vector<std::map<std::uint64_t, double>> by_draw_;  // by measure, where values are kept
};

}  // namespace takt::experiments
