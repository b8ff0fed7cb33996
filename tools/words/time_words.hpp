// Times in the words of a document: in units where it has some, else as numbers of its own time unit.
#pragma once

#include <string>
#include <string_view>

#include "maxplus/rational.hpp"
#include "tools/words/number_words.hpp"
#include "tpn/document.hpp"
#include "tpn/json_writer.hpp"
#include "tpn/time_scale.hpp"
#include "tpn/units.hpp"

namespace takt::tools {

using tpn::TimeScale;

/// What rates are told by: "s", "min" or "h".
struct RateUnit {
  std::string_view name;
  long seconds;
};

/// The shortest by which a rate per second is 1 or more; the longest where none is so long, "s" for 0.
RateUnit rate_unit(const maxplus::Rational& per_second);

/// How results tell the times of a document, which are exact numbers of its own time unit: seconds where it has units.
class TimeWords {
 public:
  /// Of a document without units.
  TimeWords() = default;
  explicit TimeWords(const tpn::Document& document)
      : unit_(document.time_unit), item_(item_words(document.application.item)) {}

  /// Of times in seconds, whatever document they are of.
  static TimeWords of_seconds() {
    TimeWords words;
    words.unit_ = tpn::TimeUnit::second;
    return words;
  }

  bool has_units() const { return unit_ == tpn::TimeUnit::second; }

  /// The document's word for a data set, of bearable length: "frame"; "data set" if it has none.
  const std::string& item() const { return item_; }
  /// "1 frame", "3 frames".
  std::string items(const maxplus::Integer& count) const { return plural(count, item_); }

  /// For sentences, exactly where that can be read: "3.785 ms", "230.667 ms (exactly 692/3)"; "1 time unit". With what
  /// it is per behind the unit: "230.667 ms per frame (exactly 692/3)".
  std::string amount(const maxplus::Rational& time, std::string_view per = "") const;

  /// Likewise, without a name for the time unit if it has none: "230.667 (exactly 692/3)".
  std::string said(const maxplus::Rational& time) const;

  /// For the end of a line, the exact number last: "230.667 time units per frame, exactly 692/3".
  std::string amount_per_item(const maxplus::Rational& time) const;
  /// " per frame".
  /// "frames", "data sets".
  std::string item_plural() const { return plural_of(item_); }
  std::string per_item() const { return " per " + item_; }

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

  /// A rate, in items per own time unit, for the end of a line: "120.746 frames/s, exactly 110000/911",
  /// "30 data sets/min", "2 data sets per time unit".
  std::string rate(const maxplus::Rational& number) const;

  /// The scale that suits times of this size, at least 0.
  TimeScale scale_for(const maxplus::Rational& time) const { return tpn::time_scale(time, unit_); }

 private:
  // A time in the unit that suits it, and that unit's name.
  struct Counted {
    maxplus::Rational number;
    std::string unit;
  };
  Counted counted(const maxplus::Rational& time) const;
  static std::string item_words(const std::string& item) { return item.empty() ? "data set" : printable(item); }

  tpn::TimeUnit unit_ = tpn::TimeUnit::own;
  std::string item_ = "data set";
};

/// The member "time_unit" of results for programs, whose times are in seconds then; none for a document without units.
void write_time_unit(tpn::JsonWriter& json, const TimeWords& times);

}  // namespace takt::tools
