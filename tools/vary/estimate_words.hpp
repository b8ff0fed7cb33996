// Estimates in words: no more digits than their intervals support.
#pragma once

#include <string>

#include "tools/words/time_words.hpp"
#include "vary/vary.hpp"

namespace takt::tools {

/// The digits of a figure and of its margin, which is rounded up to one digit, or to two where it begins with 1: "17.9"
/// and "0.1", "1230" and "20". Without a margin six digits, and an empty one.
struct EstimateDigits {
  std::string value;
  std::string margin;
};
EstimateDigits digits_of(const vary::Figure& figure);

/// "17.9 +- 0.1", "150" without a margin.
std::string with_margin(const vary::Figure& figure);

/// Whether an interval of a difference leaves out 0: a difference that the copies can tell.
bool is_told(const vary::Figure& difference);

/// What rates are told in: "per s", and how many of a document's time units that is.
struct RateScale {
  std::string name;
  double factor = 1;
};

/// Estimated times and rates of a document.
class EstimateWords {
 public:
  explicit EstimateWords(const TimeWords& times) : times_(times) {}

  /// "140 +- 2 ms"; without units "140 +- 2".
  std::string time(const vary::Figure& time) const;
  /// By how much a time is longer than another, in the unit of that: "+2.4 +- 0.3 ms"; "none" where both are the same;
  /// with " ?" behind it if it is not told.
  std::string longer_by(const vary::Figure& difference, const vary::Figure& other) const;
  /// Likewise by how much a rate, in data sets per time unit, is higher: "-14.2 +- 0.3/s".
  std::string higher_by(const vary::Figure& difference, const vary::Figure& other) const;
  /// Of a period: "17.9 +- 0.1/s", "17.9 +- 0.1/min"; without units "0.0529 +- 0.0003 per time unit".
  std::string rate_of(const vary::Figure& period) const;
  /// That of a rate.
  RateScale rate_scale(double period) const;
  /// Of a gap, to four digits: "15/s", "0.05291 per time unit".
  std::string rate_at(double gap) const;

 private:
  std::string paced(const vary::Figure& rate) const;

  const TimeWords& times_;
};

}  // namespace takt::tools
