// Numbers with a unit as documents write them: "10 ms", "4 MB", "1.25 GB/s", "2e9/s".
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "maxplus/rational.hpp"
#include "tpn/document.hpp"

namespace takt::tpn {

/// What can have a unit, and what it is a number of inside: seconds, bytes, bytes per second, operations per second. Of
/// a document without units the time unit is its own in place of the second.
enum class Quantity { time, size, bandwidth, speed };

/// Reads a number (maxplus::parse_number) with or without a unit behind it, exactly: a number alone is itself. Units
/// are
/// - of times s, ms, us (µs), ns, min and h;
/// - of sizes B, kB, MB, GB and TB in powers of 1000, KiB, MiB, GiB and TiB of 1024, and bit, kbit, Mbit, Gbit and
/// Tbit,
///   eight to a byte;
/// - of bandwidths one of a size, "/" and one of a time; of speeds "/" and one of a time.
std::variant<maxplus::Rational, maxplus::NumberExpectation> parse_quantity(std::string_view text, Quantity quantity,
                                                                           std::size_t max_digits);

/// Whether a text that parse_quantity reads has a unit.
bool has_unit(std::string_view text);

/// A quantity as JSON text that is read back as the same in a document of that time unit: with the unit that it is
/// read with most easily, or as json::number_text has it. Nothing if no text within the limits of parse_number says
/// it.
std::optional<std::string> quantity_text(const maxplus::Rational& number, Quantity quantity, TimeUnit time_unit);

}  // namespace takt::tpn
