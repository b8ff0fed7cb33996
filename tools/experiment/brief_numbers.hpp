// Exact numbers in JSON, as they are where that is short: a mean of a thousand draws may have thousands of digits.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "maxplus/rational.hpp"
#include "tpn/json_writer.hpp"

namespace takt::tools {

/// Digits of a numerator and of a denominator that are written in full.
inline constexpr std::size_t kMostExactDigits = 40;
/// Digits of a number in place of that.
inline constexpr int kRoundedDigits = 20;

enum class RoundingDirection { nearest, down, up };

/// Whether its numerator or its denominator has more than kMostExactDigits digits.
bool is_lengthy(const maxplus::Rational& number);

/// To kRoundedDigits significant digits, by whole numbers alone: "2.3333333333333333333", "1.0000000000000000000e-09".
/// The nearest is off by half a unit of the last digit at most, and of two that are as near the one whose last digit is
/// even; down is no more and up no less than the number, by less than a unit.
std::string rounded_text(const maxplus::Rational& number, RoundingDirection direction);

/// The CRC-64/XZ of its exact text, "p" or "p/q" in lowest terms, as 16 hexadecimal digits.
std::string crc64_of(const maxplus::Rational& number);

/// As `write_exact` does where the number is not lengthy or `is_exact`; else NAME_rounded, a text, NAME_decimal, the
/// nearest double, and NAME_crc64.
void write_brief(tpn::JsonWriter& json, std::string_view name, const maxplus::Rational& number,
                 RoundingDirection direction, bool is_exact);

}  // namespace takt::tools
