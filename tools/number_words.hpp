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

/// A share of 1 as "87.3 %", "-" where there is none; never rounded up to 100.
std::string percent(const std::optional<maxplus::Rational>& share);

/// The exact number and, for a fraction, what it is as a decimal: "692/3 (about 230.667)".
std::string exact_and_decimal(const maxplus::Rational& number);

/// Whether a decimal is exactly this number.
bool is_exactly(const maxplus::Rational& number, const std::string& decimal);

/// The exact number or, where that is longer than kBrief characters, about how much it is: "692/3", "≈ 3.7854".
inline constexpr std::size_t kBrief = 11;
std::string brief(const maxplus::Rational& number);

/// A number as two cells: to be read, and exactly where that is another text of bearable length.
struct Cells {
  std::string readable;
  std::string exact;
};

Cells cells(const maxplus::Rational& number);

/// "1 row", "2 rows".
std::string plural(const maxplus::Integer& count, std::string_view noun);

/// "3 time units", "1 time unit".
std::string amount(const maxplus::Rational& number, std::string_view unit);

/// A user's text in a line of ours: of bearable length, and without characters that move the cursor.
std::string printable(std::string_view text);

}  // namespace takt::tools
