// Rates as users write them: "200/s", "200 Hz", "50k/s", "12000/min".
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "maxplus/rational.hpp"
#include "tools/frame/command_line.hpp"
#include "tpn/document.hpp"

namespace takt::tools {

/// The time that a rate counts by: its name, and its length in the document's own time unit.
struct RatePace {
  std::string_view name = "s";
  maxplus::Rational length = 1;

  friend bool operator==(const RatePace&, const RatePace&) = default;
};

/// A rate above 0, in data sets.
struct WrittenRate {
  maxplus::Rational rate;        // per second, or per time unit of the document
  std::optional<RatePace> pace;  // as written; none of a number alone
};

/// Without the spaces around it.
std::string_view trimmed(std::string_view text);

/// A number (decimal or fraction), a multiple k, M or G, and "/" with a unit of time, or Hz; or a number alone. Nothing
/// where the text is no rate above 0.
std::optional<WrittenRate> read_rate(std::string_view text);

/// What `read_rate` reads.
ValueCheck positive_rate();

/// The period of a rate that `positive_rate` passes. Throws UsageError if the document has units and the rate none,
/// or the other way round; `option` is what gives it.
maxplus::Rational period_of_rate(const std::string& option, const std::string& text, const tpn::Document& document);

}  // namespace takt::tools
