// Times of a run in words.
#pragma once

#include <optional>
#include <string>

#include "maxplus/rational.hpp"
#include "tools/words/time_words.hpp"

namespace takt::tools {

/// For people: in seconds where a time unit is known to have lasted some, else as the document has them.
class RunTimeWords {
 public:
  RunTimeWords(const TimeWords& of_document, const std::optional<maxplus::Rational>& unit_seconds);

  std::string readable(const maxplus::Rational& time) const { return words_.readable(time * factor_); }
  /// Of a statistic.
  std::string readable(double time) const;

 private:
  TimeWords words_;
  maxplus::Rational factor_ = 1;
};

/// "+2.10 %" of a share; "-" if there is none.
std::string signed_percent(const std::optional<maxplus::Rational>& share);

}  // namespace takt::tools
