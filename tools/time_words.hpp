// Times in the words of a document: in units where it has some, else as numbers of its own time unit.
#pragma once

#include <string>
#include <string_view>

#include "maxplus/rational.hpp"
#include "tools/number_words.hpp"
#include "tpn/document.hpp"
#include "tpn/json_writer.hpp"
#include "tpn/units.hpp"

namespace takt::tools {

/// What times of about one size are told in, on an axis or in a column: "ms", and how long that is in the document's
/// own time unit. Where a document has no units the name is empty and the length 1.
struct TimeScale {
  std::string_view name;
  maxplus::Rational length;
};

/// How results tell the times of a document, which are exact numbers of its own time unit: seconds where it has units.
class TimeWords {
 public:
  /// Of a document without units.
  TimeWords() = default;
  explicit TimeWords(const tpn::Document& document) : unit_(document.time_unit) {}

  bool has_units() const { return unit_ == tpn::TimeUnit::second; }

  /// For sentences, exactly where that can be read: "3.785 ms", "692/3 (about 230.667) ms"; "1 time unit".
  std::string amount(const maxplus::Rational& time) const;

  /// Likewise, without a name for the time unit where it has none: "692/3 (about 230.667)".
  std::string said(const maxplus::Rational& time) const;

  /// To six digits: "230.667 ms", "230.667".
  std::string readable(const maxplus::Rational& time) const;

  /// Any quantity of the document: "230.667 ms", "1.25 GB/s", "6 MB", "2e9/s"; without units a number.
  std::string readable(const maxplus::Rational& number, tpn::Quantity quantity) const;

  /// A time likewise, and exactly beside it where that is another text: "230.667 ms" and "692/3 ms".
  Cells cells(const maxplus::Rational& time) const { return cells(time, scale_for(time)); }
  /// The same for a column, on one scale.
  Cells cells(const maxplus::Rational& time, const TimeScale& scale) const;

  /// The exact number where it is short, else about how much it is: "3.785 ms", "692/3 ms", "≈ 4.1234 ms".
  std::string brief(const maxplus::Rational& time) const;

  /// A rate, in `noun` per own time unit: "264.201 data sets/s", "30 data sets/min", "2 data sets per time unit".
  std::string rate(const maxplus::Rational& number, std::string_view noun) const;

  /// The scale that suits times of this size, at least 0.
  TimeScale scale_for(const maxplus::Rational& time) const;

 private:
  tpn::TimeUnit unit_ = tpn::TimeUnit::own;
};

/// The member "time_unit" of results for programs, whose times are in seconds then; none for a document without units.
void write_time_unit(tpn::JsonWriter& json, const TimeWords& times);

}  // namespace takt::tools
