// Numbers and users' texts in the words of tables and sentences.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "maxplus/decimal.hpp"
#include "maxplus/rational.hpp"

namespace takt::tools {

using maxplus::decimal;

/// A double as an exact number, to 17 digits; 0 if it is not finite.
maxplus::Rational rational_of(double number);
/// The nearest double, 0 beyond the largest one.
double double_of(const maxplus::Rational& number);

/// A share of 1 in percent; nothing beyond doubles.
std::optional<double> in_percent(const maxplus::Rational& share);

/// A share of 1 as "87.3 %", "-" if there is none; never rounded up to 100.
std::string percent(const std::optional<maxplus::Rational>& share);

/// A number for people, and the exact fraction where six digits do not say it all: "16.6", "230.667 (exactly 692/3)";
/// "about 230.667" where the fraction is too long to be read.
std::string exact_and_decimal(const maxplus::Rational& number);

/// The same with `what` behind the number: "230.667 time units (exactly 692/3)".
std::string exact_and_decimal(const maxplus::Rational& number, std::string_view what);

/// The same for the end of a line, with `what` behind the number: "120.746 frames/s, exactly 110000/911".
std::string number_then_exact(const maxplus::Rational& number, std::string_view what);

/// Whether a decimal is exactly this number.
bool is_exactly(const maxplus::Rational& number, const std::string& decimal);

/// The exact number or, where that is longer than kBrief characters, about how much it is: "692/3", "≈ 3.7854".
inline constexpr std::size_t kBrief = 11;
std::string brief(const maxplus::Rational& number);

/// The nearest double in as few digits as name it, for CSV; empty beyond the largest double.
std::string nearest_decimal(const maxplus::Rational& number);

/// By how many percent something becomes faster whose time falls from `before` to `after`, or slower (below 0); nothing
/// where `after` is 0 or the percentage is beyond the largest double.
std::optional<double> gain_percent(const maxplus::Rational& before, const maxplus::Rational& after);

/// A number as two cells: to be read, and exactly where that is another text of bearable length.
struct Cells {
  std::string readable;
  std::string exact;
};

Cells cells(const maxplus::Rational& number);

/// "rows", "queries", "classes".
std::string plural_of(std::string_view noun);

/// "1 row", "2 rows".
std::string plural(const maxplus::Integer& count, std::string_view noun);

/// "3 time units", "1 time unit", "230.667 time units (exactly 692/3)".
std::string amount(const maxplus::Rational& number, std::string_view unit);

/// A user's text in a line of ours: of bearable length, and without characters that move the cursor.
std::string printable(std::string_view text);

/// The last line of what a program said, without the spaces and ends of lines behind it.
std::string_view last_line(std::string_view text);

}  // namespace takt::tools
